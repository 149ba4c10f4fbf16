import { FinClawError, NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import type { RunStatus } from '#src/kernel/agent/execution.ts';
import type { AnsweringModel } from '#src/kernel/chat/feedback.ts';
import { Run } from './run.ts';
import type { AgentRunParams, RunnerDeps } from './run-params.ts';
import { isShutdown } from '../memory/transcript/closing-messages.ts';

export interface RunResult {
  readonly status: RunStatus;
  readonly turns: number;
  readonly durationMs: number;
  /** The answer reached its length limit. */
  readonly isCut: boolean;
  /** The model of the last request. Absent if none was made. */
  readonly answeredBy?: AnsweringModel;
  /** The cause, for `error` and `aborted`. */
  readonly error?: unknown;
}

const whyEnded = (error: unknown): string => {
  if (error instanceof FinClawError && error.code === 'PIPELINE_TIMEOUT') return 'it took too long';
  if (error instanceof NoAnswerError && error.reason === 'message-refused')
    return "the model's provider refused the message";
  if (!(error instanceof RunAbortedError)) return 'it failed';
  if (error.kind === 'superseded') return 'the user wrote something new instead';
  return error.kind === 'stopped' ? 'the user stopped it' : 'it took too long';
};

/** The tool loop: call the model, run its tool calls, and repeat until it answers with text. */
export class Runner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Never rejects; the last event is the transition to `done`. The conversation is complete at the end, unless
   * the process is shutting down or an approval is pending: then the run continues later from where it stopped.
   */
  async execute(params: AgentRunParams, signal: AbortSignal): Promise<RunResult> {
    const { clock, events } = this.#deps;
    const { agentId, toolContext } = params;
    const { sessionKey } = toolContext;
    const startedAtMs = clock.monotonicMs();
    const run = new Run(this.#deps, params, signal);
    let status: RunStatus;
    let error: unknown;

    events.emit('execution:start', { agentId, sessionKey });
    try {
      status = await run.loop();
    } catch (cause) {
      status = signal.aborted ? 'aborted' : 'error';
      error = signal.aborted ? signal.reason : cause;
      try {
        if (!isShutdown(error)) await run.close(whyEnded(error));
      } catch (storageError) {
        status = 'error';
        error = new AggregateError([error, storageError], 'The conversation could not be closed');
      }
    }
    run.end();
    const { turns, counter, isCut, answeredBy } = run;
    const durationMs = clock.monotonicMs() - startedAtMs;
    const { inputTokens, outputTokens } = counter.current;
    events.emit('execution:complete', {
      agentId,
      sessionKey,
      status,
      turns,
      durationMs,
      inputTokens,
      outputTokens,
    });
    return {
      status,
      turns,
      durationMs,
      isCut,
      ...(answeredBy && { answeredBy }),
      ...(error ? { error } : {}),
    };
  }
}
