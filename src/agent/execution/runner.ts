import { FinClawError, NoAnswerError, RunAbortedError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import type { ExecutionEvent, RunStatus } from '#src/core/execution.ts';
import type { AgentId } from '#src/core/ids.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { ResolvedModel } from '../models/selection.ts';
import type { ModelAnswer, ModelCaller, RequestShape } from './model-caller.ts';
import { Run } from './run.ts';
import { isShutdown } from './run-closing.ts';
import type { ToolExecutor } from './tool-executor.ts';
import type { RefusedPart } from './refused-words.ts';
import type { PictureScope } from './unreadable-pictures.ts';

export interface AgentRunParams {
  readonly agentId: AgentId;
  /** The chain of models; the first that can answers. */
  readonly models: readonly ResolvedModel[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** The conversation up to now. Where it ends is where the run begins, also after a crash. */
  readonly messages: readonly ConversationMessage[];
  readonly toolContext: ToolExecutionContext;
  readonly maxTurns: number;
  /** Makes a message durable; the run goes on only after it has resolved. */
  readonly append: (message: ConversationMessage) => Promise<void>;
  /** Must not throw. */
  readonly onEvent: (event: ExecutionEvent) => void;
  /** Sees to it that the conversation fits into the model's window. */
  readonly window?: RunWindow;
  /** A provider answers only without these pictures of the conversation: they are replaced by words, for good. */
  readonly dropPictures?: (scope: PictureScope) => Promise<void>;
  /** For a request that a provider refuses for its words. */
  readonly refused?: RefusedWords;
  /** Takes what the person wrote while the run goes on. Asked before tools run and before the model is asked. */
  readonly takeSteering?: () => Promise<readonly ConversationMessage[]>;
}

/** What can be left out of a conversation that a provider refuses. */
export interface RefusedWords {
  /** What to send without this part; undefined where the conversation has no such part. */
  readonly without: (part: RefusedPart) => readonly ConversationMessage[] | undefined;
  /** Replaces this part by a note, for good. */
  readonly leaveOut: (part: RefusedPart) => Promise<void>;
}

/** The window of the model that answers, as far as a run is concerned with it. */
export interface RunWindow {
  /** What to send instead of the conversation, shortened and stored; undefined where it fits as it is. */
  readonly keep: (
    isOverflown: boolean,
    signal: AbortSignal,
  ) => Promise<readonly ConversationMessage[] | undefined>;
  /** What a request with so many messages really took. */
  readonly observe: (answer: ModelAnswer, messageCount: number) => void;
  /** What one model of the chain is sent; undefined where nothing that makes sense fits into its window. */
  readonly shapeFor: (
    model: ResolvedModel,
    messages: readonly ConversationMessage[],
    signal: AbortSignal,
  ) => Promise<RequestShape | undefined>;
  /** For the tools that a model calls; without one, the first of the chain. */
  readonly toolRoom: (model?: ResolvedModel) => ToolRoom;
}

/** What a window leaves for the work with tools. */
export interface ToolRoom {
  readonly isSmall: boolean;
  /** Of the list of tools. */
  readonly toolTokens: number;
  /** Of all results of one answer together. */
  readonly resultTokens: number;
}

export interface RunResult {
  readonly status: RunStatus;
  readonly turns: number;
  readonly durationMs: number;
  /** The answer ran into its length limit. */
  readonly isCut: boolean;
  /** With `error` and `aborted`: why. */
  readonly error?: unknown;
}

export interface RunnerDeps {
  readonly askModel: ModelCaller;
  readonly tools: ToolExecutor;
  readonly clock: Clock;
  readonly events: Events;
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
