import { LRUCache } from 'lru-cache';
import { FinClawError, NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import type { InboxId, SessionKey, Timestamp } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { RecentRuns, RunTrace, StageTrace } from '#src/kernel/operations/run-traces.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { PipelineObserver } from './observer.ts';

const MAX_RUNS = 5;
const MAX_SESSIONS = 200;
/** Far more than can run at once; guards against runs that never end. */
const MAX_UNDER_WAY = 1_000;
const MAX_STAGES = 20;
const MAX_REASON_CHARS = 200;
const MAX_CAUSES = 4;

interface UnderWay {
  readonly startedAt: Timestamp;
  readonly stages: StageTrace[];
  current: { readonly stage: string; readonly startedAtMs: number } | undefined;
  failure: { readonly reason: string; readonly errorId: string } | undefined;
}

const codeOf = (error: unknown): string => {
  if (error instanceof RunAbortedError) return `${error.code} ${error.kind}`;
  if (error instanceof NoAnswerError) return `${error.code} ${error.reason}`;
  if (error instanceof FinClawError) return error.code;
  return error instanceof Error ? error.name : typeof error;
};

/** Codes only, because error messages may contain secrets. The log has the message under the error id. */
const reasonOf = (error: unknown): string => {
  const codes: string[] = [];
  let current = error;
  while (current !== undefined && codes.length < MAX_CAUSES) {
    codes.push(codeOf(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return codes.join(' ← ');
};

/** Traces of the last messages, in memory and limited in size. */
export const createRecentRuns = (
  clock: Clock,
): { readonly observer: Required<PipelineObserver>; readonly runs: RecentRuns } => {
  const underWay = new LRUCache<InboxId, UnderWay>({ max: MAX_UNDER_WAY });
  const finished = new LRUCache<SessionKey, readonly RunTrace[]>({ max: MAX_SESSIONS });

  const addStage = (run: UnderWay, trace: StageTrace): void => {
    run.current = undefined;
    if (run.stages.length < MAX_STAGES) run.stages.push(trace);
  };
  /** Records the stage that did not complete, which is the interesting one. */
  const endStage = (run: UnderWay, action: string): void => {
    if (!run.current) return;
    const { stage, startedAtMs } = run.current;
    addStage(run, { stage, action, durationMs: clock.monotonicMs() - startedAtMs });
  };

  const observer: Required<PipelineObserver> = {
    onPipelineStart: ({ inboxId }: TurnContext) => {
      underWay.set(inboxId, {
        startedAt: clock.now(),
        stages: [],
        current: undefined,
        failure: undefined,
      });
    },
    onStageStart: ({ inboxId }, stage) => {
      const run = underWay.get(inboxId);
      if (run) run.current = { stage, startedAtMs: clock.monotonicMs() };
    },
    onStageComplete: ({ inboxId }, stage, action, durationMs) => {
      const run = underWay.get(inboxId);
      if (run) addStage(run, { stage, action, durationMs });
    },
    onPipelineError: ({ inboxId }, error, errorId) => {
      const run = underWay.get(inboxId);
      if (!run) return;
      endStage(run, 'failed');
      run.failure = { reason: reasonOf(error), errorId };
    },
    onPipelineComplete: ({ inboxId, sessionKey }, { success, durationMs, reason }) => {
      const run = underWay.get(inboxId);
      if (!run) return;
      underWay.delete(inboxId);
      endStage(run, 'interrupted');
      const why = run.failure?.reason ?? reason;
      const trace: RunTrace = {
        startedAt: run.startedAt,
        durationMs,
        success,
        stages: run.stages,
        ...(why === undefined ? {} : { reason: why.slice(0, MAX_REASON_CHARS) }),
        ...(run.failure ? { errorId: run.failure.errorId } : {}),
      };
      const traces = [trace, ...(finished.get(sessionKey) ?? [])].slice(0, MAX_RUNS);
      finished.set(sessionKey, traces);
    },
  };
  return { observer, runs: { last: (sessionKey) => finished.get(sessionKey) ?? [] } };
};
