import type { Locale } from '../locale.ts';
import type { DeliveryId, MessageId, Timestamp } from '../ids.ts';

/** What people see while an answer is generated. */
export const LIVE_MODES = ['off', 'status', 'stream'] as const;
export type LiveMode = (typeof LIVE_MODES)[number];

export interface LiveOptions {
  readonly mode: Exclude<LiveMode, 'off'>;
  readonly locale: Locale;
  /** The delivery id of the live message. It stays the same after a restart. */
  readonly deliveryId: DeliveryId;
  /** A live message that an earlier process posted: it is continued. */
  readonly messageId?: MessageId;
  /** Set if an earlier process may have posted the message without recording its id. */
  readonly inDoubtSince?: Timestamp;
  /** Called and awaited when the message is posted, so that its id is recorded. May be called late or never. */
  readonly onPosted: (messageId: MessageId) => Promise<void>;
}

/**
 * How the live message ends. `replaced`: the answer follows and replaces it. `dropped`: it is removed. `kept`: the process
 * shuts down, and the next one continues it.
 */
export type LiveEnd = 'replaced' | 'dropped' | 'kept';

/**
 * Shows an answer while it is generated. Calls return at once and never throw. Updates that are outdated before the
 * platform could show them are skipped. Nothing is shown after `end`.
 */
export interface LiveAnswer {
  /** The current activity in a few words: "삼성전자 시세 조회 중…". */
  readonly showStatus: (status: string) => void;
  /** The whole answer so far; after a restart of the answer it may be shorter than before. Mode `stream` only. */
  readonly showText: (text: string) => void;
  /**
   * Resolves when the message is final, and returns it if one is left. If the answer follows, it waits for nothing else:
   * a status that arrives late is removed in the background.
   */
  readonly end: (how: LiveEnd) => Promise<MessageId | undefined>;
}
