import type { ApprovalId, ChatId, ChannelId, MessageId, SessionKey } from './ids.ts';
import type {
  InboundMessage,
  MediaAttachment,
  MessageChange,
  OutboundMessage,
  ReplyTarget,
} from './message.ts';
import type { ApprovalRequest, Approvals, Keys, QueueControl } from './ports.ts';

export interface ChannelCapabilities {
  readonly maxMessageLength: number;
  readonly supportsMarkdown: boolean;
  readonly supportsTables: boolean;
}

/** How the gateway answered to a message; the adapter acknowledges the platform only after it has this. */
export type Receipt =
  | {
      readonly outcome: 'accepted';
      readonly sessionKey: SessionKey;
      /** Resolves (never rejects) when the message has been worked off, whatever came of it. */
      readonly settled: Promise<void>;
    }
  | { readonly outcome: 'duplicate' }
  | { readonly outcome: 'dropped'; readonly reason: string };

/** What the app offers to a channel. */
export interface ChannelHost {
  /** Resolves once the message is durable or refused. Rejects only if it could not be stored: do not acknowledge then. */
  readonly receive: (message: InboundMessage) => Promise<Receipt>;
  /** A message was edited or deleted: where it still waits, it changes or goes. Rejects only if that could not be stored. */
  readonly revise: (change: MessageChange) => Promise<'changed' | 'withdrawn' | 'too-late'>;
  readonly queue: Pick<QueueControl, 'stop'>;
  /** For channels where a key can be entered unseen; it must never become a message. */
  readonly keys: Pick<Keys, 'add'>;
  /** For channels that ask for a decision in their own way. */
  readonly approvals: Pick<Approvals, 'decide'>;
  /** What answers, for those who greet. */
  readonly describeModel: () => { readonly name: string; readonly isOffline: boolean };
  /** The person asked the program to end (console: end of input, Ctrl-C). */
  readonly requestShutdown: () => void;
}

/** A message that is edited while the answer is being written. */
export interface LiveMessage {
  readonly update: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A platform. Everything behind the required part is optional: the bot does without what is missing. */
export interface ChannelPlugin {
  readonly id: ChannelId;
  readonly capabilities: ChannelCapabilities;
  /** Connects and begins to receive. */
  readonly start: (host: ChannelHost) => Promise<void>;
  /** Stops receiving; `send` still works until `close`, so that answers under way arrive. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly isConnected: () => boolean;
  /** Throws when the platform refused or was out of reach; the caller decides on a retry. */
  readonly send: (
    message: OutboundMessage,
    signal: AbortSignal,
  ) => Promise<{ readonly messageId: MessageId }>;

  /** The bytes of something that came with a message of this channel. */
  readonly readMedia?: (media: MediaAttachment, signal: AbortSignal) => Promise<Uint8Array>;
  readonly edit?: (chatId: ChatId, messageId: MessageId, text: string, signal: AbortSignal) => Promise<void>;
  readonly addReaction?: (target: ReplyTarget, emoji: string) => Promise<void>;
  readonly removeReaction?: (target: ReplyTarget, emoji: string) => Promise<void>;
  readonly sendTyping?: (target: ReplyTarget) => Promise<void>;
  readonly sendEphemeral?: ChannelPlugin['send'];
  readonly sendFile?: (target: ReplyTarget, file: MediaAttachment, signal: AbortSignal) => Promise<void>;
  readonly openLiveMessage?: (target: ReplyTarget) => Promise<LiveMessage>;
  readonly offerChoices?: (target: ReplyTarget, prompt: string, choices: readonly string[]) => Promise<void>;
  /** Asks a person in the channel's own way. Without it, the bot asks in words and waits for `/approve`. */
  readonly requestApproval?: (target: ReplyTarget, request: ApprovalRequest) => Promise<void>;
  /** It has been decided, or given up: nobody needs to answer any more. */
  readonly closeApproval?: (target: ReplyTarget, id: ApprovalId) => Promise<void>;
  /** The private chat with a person, for what only they should read. */
  readonly directTarget?: (target: ReplyTarget) => Promise<ReplyTarget>;
}
