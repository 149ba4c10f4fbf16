import { FinClawError, NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import type { RunStatus } from '#src/kernel/execution.ts';
import { type AgentRunParams, Run, type RunnerDeps } from './run.ts';
import { isShutdown } from './run-closing.ts';

export interface RunResult {
  readonly status: RunStatus;
  readonly turns: number;
  readonly durationMs: number;
  /** The answer ran into its length limit. */
  readonly isCut: boolean;
  /** With `error` and `aborted`: why. */
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

/** The tool loop: ask the model, run what it calls, ask again, until it answers in words. */
export class Runner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Never rejects; the last event is the change to `done`. The conversation is whole at the end, except when the process
   * is going down or a person has to decide: then the run goes on later, from where it stands.
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
    const { turns, counter, isCut } = run;
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
      ...(error ? { error } : {}),
    };
  }
}
