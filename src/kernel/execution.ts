import type { ChannelCapabilities } from './channel.ts';
import type { Alert, MarketSession, NewsItem, Portfolio } from './finance.ts';
import type { AgentId, MessageId, Timestamp } from './ids.ts';
import type { EarlierMessage, MediaAttachment, MsgContext } from './message.ts';
import type { ConversationMessage, StandIn, ToolCall } from './model.ts';
import type { Fact } from './tool.ts';

/** The message with all that is known about it when the model is asked. */
export interface PipelineMsgContext extends MsgContext {
  readonly agentId: AgentId;
  readonly channelCapabilities: ChannelCapabilities;
  /** Absent: not asked for. Named in `unavailable`: asked for and failed. */
  readonly marketSession?: readonly MarketSession[];
  readonly activeAlerts?: readonly Alert[];
  readonly portfolioSnapshot?: Portfolio | null;
  readonly watchlist?: readonly string[];
  readonly newsContext?: readonly NewsItem[];
  readonly unavailable: readonly string[];
  readonly attachments: readonly ReadAttachment[];
  /** What others said before, where the bot was called into a talk: quoted, and not to be obeyed. */
  readonly earlier?: readonly EarlierMessage[];
  /** In the first turn of a thread. */
  readonly opening?: ThreadOpening;
}

/** What the first turn of a thread quotes of the conversation in which the thread was opened. */
export interface ThreadOpening {
  /** The parent's last turns, and the message that the thread hangs on with its turn; the oldest first. */
  readonly messages: readonly EarlierMessage[];
  /** Sample numbers in these messages, so that an answer that repeats them is marked. */
  readonly samples: readonly Fact[];
  /** Messages that must not be quoted again: they are among these, or were deleted. */
  readonly known: readonly MessageId[];
  /** The message that the thread hangs on is in no conversation: the platform has to be asked for it. */
  readonly isRootUnknown: boolean;
  /** The person had everything from before then deleted. */
  readonly erasedAt?: Timestamp;
}

/** What a message that begins the conversation of a thread should know of its parent. Undefined for all others. */
export type OpeningOf = (ctx: MsgContext) => Promise<ThreadOpening | undefined>;

/** What came with the message, as far as it could be read. */
export type ReadAttachment =
  | { readonly kind: 'image'; readonly name: string; readonly mimeType: string; readonly base64: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly isMaybeOurs?: true }
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string };

/** Where a run stands. */
export type StreamState = 'idle' | 'streaming' | 'tool_use' | 'executing' | 'done';

/** What may be shown while the answer is being made. The last event of a run is its change to `done`, however it ended. */
export type ExecutionEvent =
  | { readonly type: 'state_change'; readonly from: StreamState; readonly to: StreamState }
  | { readonly type: 'text_delta'; readonly delta: string }
  /** Another attempt begins: what was shown of this answer is not part of it. */
  | { readonly type: 'text_reset' }
  | { readonly type: 'tool_use_start'; readonly toolCall: ToolCall }
  | {
      readonly type: 'tool_use_end';
      readonly toolUseId: string;
      /** What it found is made up for trying things out: what is shown of the answer has to say so. */
      readonly isSample: boolean;
    }
  | { readonly type: 'message_complete'; readonly message: ConversationMessage };

export type RunStatus = 'completed' | 'max_turns' | 'suspended' | 'aborted' | 'error';

export interface ExecutionResult {
  /** `suspended`: a person has to decide first; there is no answer yet. */
  readonly status: 'completed' | 'max_turns' | 'suspended';
  readonly content: string;
  readonly facts: readonly Fact[];
  /** Pictures and files that tools made for the person. */
  readonly media?: readonly MediaAttachment[];
  /** Something was set by the clock of the person's zone. */
  readonly dependsOnZone?: boolean;
  /** The answer came from a fallback that counts worse than the chosen model. */
  readonly standIn?: StandIn;
  /** The answer ran into its length limit. */
  readonly isCut: boolean;
}

/** The bridge from the pipeline to the engine. Throws when no answer could be made; on abort, the signal's reason. */
export interface ExecutionAdapter {
  readonly execute: (
    ctx: PipelineMsgContext,
    signal: AbortSignal,
    onEvent: (event: ExecutionEvent) => void,
  ) => Promise<ExecutionResult>;
}
