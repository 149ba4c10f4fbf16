import type { Instrument } from './finance.ts';
import type { Locale } from './locale.ts';
import type { BriefingId, OwnerId, Timestamp } from './ids.ts';
import type { ReplyTarget } from './message.ts';
import type { ZoneSource } from './time-zone.ts';

/** ISO day of the week: 1 is Monday. */
export type WeekDay = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface BriefingRecord {
  readonly id: BriefingId;
  readonly ownerId: OwnerId;
  /** In `timeZone`. */
  readonly time: Temporal.PlainTime;
  readonly days: readonly WeekDay[];
  readonly timeZone: string;
  /** How the zone was guessed. Absent: the person confirmed it. */
  readonly zoneGuess?: ZoneSource;
  readonly locale: Locale;
  readonly target: ReplyTarget;
  /** A direct chat, so the briefing may contain account data. */
  readonly isPrivate: boolean;
  /** Named when the briefing was set; shown in any chat. */
  readonly instruments: readonly Instrument[];
  readonly nextAt: Timestamp;
  readonly createdAt: Timestamp;
}
