import type { Locale } from '../locale.ts';
import type { ChannelId, Timestamp, UserId } from '../ids.ts';
import type { ReplyTarget } from '../chat/message.ts';

export interface Pairing {
  readonly code: string;
  readonly channelId: ChannelId;
  readonly userId: UserId;
  readonly userName: string;
  readonly target: ReplyTarget;
  readonly locale: Locale;
  readonly expiresAt: Timestamp;
}

/** Port: pairing, by which administrators let people write to the bot directly. */
export interface Pairings {
  /** Lets the code's owner in. Undefined for a code that is wrong, used or expired. */
  readonly confirm: (code: string, by: UserId) => Promise<Pairing | undefined>;
  /** Declines the code's owner, who cannot ask again for a day. Undefined as for `confirm`. */
  readonly deny: (code: string, by: UserId) => Promise<Pairing | undefined>;
  /** Open requests, oldest first. */
  readonly pending: () => Promise<readonly Pairing[]>;
  /** Withdraws the access. False if the person was not paired. */
  readonly revoke: (channelId: ChannelId, userId: UserId) => Promise<boolean>;
}
