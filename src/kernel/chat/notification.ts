import type { DeliveryId, Timestamp } from '../ids.ts';
import type { ReplyPayload, ReplyTarget } from './message.ts';

/** A message that is not an answer, such as an alert. It belongs to its target's recipient. */
export interface NewNotification {
  readonly id: DeliveryId;
  readonly target: ReplyTarget;
  readonly payload: ReplyPayload;
  readonly dueAt: Timestamp;
  /** Set where the due time depends on a time zone that was only guessed. */
  readonly guess?: ZoneGuess;
}

export interface ZoneGuess {
  readonly timeZone: string;
  /** Sent instead of `payload` until the person has set their time zone. */
  readonly payload: ReplyPayload;
}

/**
 * Port: stores a notification in the transaction `Tx` of the change that it reports. `wake()` of the notifier then sends
 * it.
 */
export type Notify<Tx> = (tx: Tx, notification: NewNotification, at: Timestamp) => Promise<void>;

/** Port: sends messages that are not answers (reminders, alerts, briefings), stored before they are sent. */
export interface Notifier {
  /** Resolves when stored; sent at `at` or at once. `full`: too many notifications of the person are waiting. */
  readonly notify: (
    target: ReplyTarget,
    payload: ReplyPayload,
    at?: Timestamp,
    /** `at` is a local time in this unconfirmed zone; `payload` is sent while the zone is unconfirmed. */
    guess?: { readonly timeZone: string; readonly payload: ReplyPayload },
  ) => Promise<'stored' | 'full'>;
}
