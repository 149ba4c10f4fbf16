import type { PersonRef, SessionKey, Timestamp } from '../ids.ts';
import type { Locale } from '../locale.ts';
import type { ReplyTarget } from '../chat/message.ts';

/** Port: conversations that people share with operators, for `/support`. */
export interface SupportShares {
  /** For 24 hours. Sharing again extends it. */
  readonly share: (chat: SharedChat) => Promise<Timestamp>;
  /** False if it was not shared. */
  readonly revoke: (chat: Pick<SharedChat, 'person' | 'sessionKey'>) => Promise<boolean>;
  readonly current: (sessionKey: SessionKey) => Promise<SharedState | undefined>;
}

/** A direct chat. Conversations with the words of others are not shared. */
export interface SharedChat {
  readonly person: PersonRef;
  readonly sessionKey: SessionKey;
  /** Where the person is told who read it, and in which language. */
  readonly target: ReplyTarget;
  readonly locale: Locale;
}

export interface SharedState {
  readonly expiresAt: Timestamp;
  /** In the order in which they read it first. */
  readonly readers: readonly { readonly name: string; readonly at: Timestamp }[];
}
