import type { ChannelCapabilities } from '../chat/capabilities.ts';
import type { AnsweringModel } from '../chat/feedback.ts';
import type { Alert, MarketSession, NewsItem, Portfolio } from '../market/finance.ts';
import type { AgentId, MessageId, Timestamp } from '../ids.ts';
import type { Choice, EarlierMessage, MediaAttachment, TurnContext } from '../chat/message.ts';
import type { ConversationMessage, StandIn, ToolCall } from './model.ts';
import type { ChangeReceipt } from '../chat/receipt.ts';
import type { Fact } from '../market/fact.ts';
import type { ToolDisplay } from '../chat/tool-display.ts';

/** A message with the context for the model. */
export interface PipelineMsgContext extends TurnContext {
  readonly agentId: AgentId;
  readonly channelCapabilities: ChannelCapabilities;
  /** Absent: not requested. A source named in `unavailable` was requested and failed. */
  readonly marketSession?: readonly MarketSession[];
  readonly activeAlerts?: readonly Alert[];
  readonly portfolioSnapshot?: Portfolio | null;
  readonly watchlist?: readonly string[];
  readonly newsContext?: readonly NewsItem[];
  readonly unavailable: readonly string[];
  readonly attachments: readonly ReadAttachment[];
  /** Messages before a mention in a group. They are quoted as untrusted text. */
  readonly earlier?: readonly EarlierMessage[];
  /** Only in the first turn of a thread. */
  readonly opening?: ThreadOpening;
}

/** What the first turn of a thread quotes from the parent conversation. */
export interface ThreadOpening {
  /** The parent's last turns, and the thread's root message with its turn, oldest first. */
  readonly messages: readonly EarlierMessage[];
  /** Sample data in these messages, so that an answer that repeats it is marked. */
  readonly samples: readonly Fact[];
  /** Ids that must not be quoted again: they are in `messages` or were deleted. */
  readonly known: readonly MessageId[];
  /** No conversation holds the thread's root message, so it is read from the platform. */
  readonly isRootUnknown: boolean;
  /** The person deleted their data at this time; older messages are not quoted. */
  readonly erasedAt?: Timestamp;
}

/** The opening for a message that begins a thread's conversation; undefined for all other messages. */
export type OpeningOf = (ctx: TurnContext) => Promise<ThreadOpening | undefined>;

/** An attachment, as far as it could be read. */
export type ReadAttachment =
  | { readonly kind: 'image'; readonly name: string; readonly mimeType: string; readonly base64: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly isMaybeOurs?: true }
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string };

export type StreamState = 'idle' | 'streaming' | 'tool_use' | 'executing' | 'done';

/** Progress of a run. The last event is always the change to `done`, however the run ended. */
export type ExecutionEvent =
  | { readonly type: 'state_change'; readonly from: StreamState; readonly to: StreamState }
  | { readonly type: 'text_delta'; readonly delta: string }
  /** Another attempt begins: the text shown so far is discarded. `isRepair`: the numbers of the answer are corrected. */
  | { readonly type: 'text_reset'; readonly isRepair?: true }
  | { readonly type: 'tool_use_start'; readonly toolCall: ToolCall }
  | {
      readonly type: 'tool_use_end';
      readonly toolUseId: string;
      /** The result is sample data, so the shown text is marked. */
      readonly isSample: boolean;
    }
  | { readonly type: 'message_complete'; readonly message: ConversationMessage };

export type RunStatus = 'completed' | 'max_turns' | 'suspended' | 'aborted' | 'error';

/** What a tool shows beside an answer. */
export interface AnswerDisplay extends ToolDisplay {
  /** The words of the tool. An answer that contains them is not told twice. */
  readonly words: string;
}

export interface ExecutionResult {
  /** `suspended`: a person has to approve a tool call first. */
  readonly status: 'completed' | 'max_turns' | 'suspended';
  readonly content: string;
  readonly facts: readonly Fact[];
  /** Images and files created by tools. */
  readonly media?: readonly MediaAttachment[];
  /** What the last look-up shows below the answer. Made by tools, never by the model. */
  readonly display?: AnswerDisplay;
  /** What the tools of the turn have changed, in order, each once. */
  readonly receipts?: readonly ChangeReceipt[];
  /** Opens the person's own data, which others must not read, for them alone. */
  readonly onlyMe?: readonly Choice[];
  /** A tool stored a local time in the person's time zone. */
  readonly dependsOnZone?: boolean;
  /** Set if a fallback with weaker numerical reasoning than the chosen model answered. */
  readonly standIn?: StandIn;
  /** Absent if the answer was complete before a restart. */
  readonly answeredBy?: AnsweringModel;
  /** The answer has numbers whose sources can be told. */
  readonly isExplainable?: boolean;
  /** The answer reached its length limit. */
  readonly isCut: boolean;
}

/** Port: the engine, as the pipeline calls it. Throws if there is no answer; on abort, the signal's reason. */
export interface ExecutionAdapter {
  readonly execute: (
    ctx: PipelineMsgContext,
    signal: AbortSignal,
    onEvent: (event: ExecutionEvent) => void,
  ) => Promise<ExecutionResult>;
}

/** What the turn of a message has changed so far, for a turn that ends without an answer. */
export type ReceiptsOf = (
  ctx: Pick<TurnContext, 'sessionKey' | 'inboxId'>,
) => Promise<readonly ChangeReceipt[]>;
