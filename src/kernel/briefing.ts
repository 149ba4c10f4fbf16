import type { Instrument } from './finance.ts';
import type { Locale } from './locale.ts';
import type { BriefingId, OwnerId, Timestamp } from './ids.ts';
import type { ReplyTarget } from './message.ts';
import type { ZoneSource } from './time-zone.ts';

/** ISO: 1 is Monday. */
export type WeekDay = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface BriefingRecord {
  readonly id: BriefingId;
  readonly ownerId: OwnerId;
  /** Of the person's zone. */
  readonly time: Temporal.PlainTime;
  readonly days: readonly WeekDay[];
  readonly timeZone: string;
  /** The person has not said that it is theirs; how it was guessed. */
  readonly zoneGuess?: ZoneSource;
  readonly locale: Locale;
  readonly target: ReplyTarget;
  /** A private chat: what is the person's own may be in it. */
  readonly isPrivate: boolean;
  /** Named when it was set; shown in any chat. */
  readonly instruments: readonly Instrument[];
  readonly nextAt: Timestamp;
  readonly createdAt: Timestamp;
}
