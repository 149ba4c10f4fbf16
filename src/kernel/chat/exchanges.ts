import type {
  AccountId,
  ChannelId,
  ChatId,
  InboxId,
  MessageId,
  PersonRef,
  SessionKey,
  Timestamp,
} from '../ids.ts';
import type { MsgContext } from './message.ts';
import type { BindingMatch } from './stage.ts';

/** An accepted message and its route. */
export interface InboxEntry {
  readonly id: InboxId;
  readonly message: MsgContext;
  readonly match: BindingMatch;
  readonly sessionKey: SessionKey;
}

export interface TracedPlace {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
}

/** An accepted message and its answer. */
export interface Exchange {
  readonly message: MsgContext;
  /** The parts of the answer that everybody in the chat can see, in order. */
  readonly answers: readonly { readonly messageId: MessageId; readonly at: Timestamp }[];
}

/** Looks up messages and their answers by the ids of the platform, as far back as inbox and outbox are kept. */
export interface Exchanges {
  /** The accepted message that a platform's message belongs to: itself, the one it was merged into, or the one it answers. */
  readonly behind: (place: TracedPlace, messageId: MessageId) => Promise<InboxEntry | undefined>;
  /** The exchanges that are still kept. */
  readonly of: (ids: readonly InboxId[]) => Promise<ReadonlyMap<InboxId, Exchange>>;
  /** The time of the person's last `/privacy delete`. */
  readonly erasedAt: (person: PersonRef) => Promise<Timestamp | undefined>;
}
