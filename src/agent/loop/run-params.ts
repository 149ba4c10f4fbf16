import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { ConversationMessage, WithoutAi } from '#src/kernel/agent/model.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import type { ResolvedModel } from '../models/resolve-model.ts';
import type { AnswerReview } from './answer-review.ts';
import type { ModelCaller } from './model-caller.ts';
import type { ModelAnswer, RequestShape } from './model-request.ts';
import type { PictureScope, RefusedContent } from './refused-content.ts';
import type { ToolExecutor } from './tool-executor.ts';

export interface AgentRunParams {
  readonly agentId: AgentId;
  /** Tried in order; the first that can answer does. */
  readonly models: readonly ResolvedModel[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** The conversation so far. The run continues where it ends, also after a crash. */
  readonly messages: readonly ConversationMessage[];
  readonly toolContext: ToolExecutionContext;
  readonly maxTurns: number;
  /** Stores a message; the run continues only after it has resolved. */
  readonly append: (message: ConversationMessage) => Promise<void>;
  /** Must not throw. */
  readonly onEvent: (event: ExecutionEvent) => void;
  /** Keeps the conversation within the model's window. */
  readonly window?: RunWindow;
  /** Answers in place of the models. `because` says why it may after this failure; undefined: it may not. */
  readonly standIn?: {
    readonly model: ResolvedModel;
    readonly because: (failure: unknown, signal: AbortSignal) => Promise<WithoutAi | undefined>;
  };
  /** Checks the numbers of an answer before the run ends with it. */
  readonly review?: AnswerReview;
  /** Replaces these pictures by text for good, after a provider answered only without them. */
  readonly dropPictures?: (scope: PictureScope) => Promise<void>;
  /** Alternatives for a request whose content a provider refuses. */
  readonly refused?: RefusedContent;
  /**
   * Dequeues messages that the person sent during the run. Called before tools run and before the model is
   * called.
   */
  readonly takeSteering?: () => Promise<readonly ConversationMessage[]>;
}

/** The answering model's window, as a run needs it. */
export interface RunWindow {
  /** The compacted and stored conversation to send instead; undefined if it fits as it is. */
  readonly keep: (
    isOverflown: boolean,
    signal: AbortSignal,
  ) => Promise<readonly ConversationMessage[] | undefined>;
  /** Reports the actual usage of a request with this many messages. */
  readonly observe: (answer: ModelAnswer, messageCount: number) => void;
  /** The request for one model of the chain; undefined if nothing useful fits into its window. */
  readonly shapeFor: (
    model: ResolvedModel,
    messages: readonly ConversationMessage[],
    signal: AbortSignal,
  ) => Promise<RequestShape | undefined>;
  /** The room for tool calls of a model; by default the first of the chain. */
  readonly toolRoom: (model?: ResolvedModel) => ToolRoom;
}

/** The part of the window for tools. */
export interface ToolRoom {
  readonly isSmall: boolean;
  /** Limit for the list of tools. */
  readonly toolTokens: number;
  /** Limit for all results of one answer together. */
  readonly resultTokens: number;
}

export interface RunnerDeps extends Uses<'clock' | 'events'> {
  readonly askModel: ModelCaller;
  readonly tools: ToolExecutor;
}
