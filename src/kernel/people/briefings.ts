import type { Instrument } from '../market/finance.ts';
import type { Locale } from '../locale.ts';
import type { BriefingId, OwnerId, Timestamp } from '../ids.ts';
import type { ReplyTarget } from '../chat/message.ts';
import type { ZoneSource } from '../time.ts';
import type { AlertPlace } from './alerts.ts';
import type { AccountQuery, EmptyRequest, RemoveRequest } from './requester.ts';

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

/** As a person or the model wrote it. */
export interface SetBriefingRequest {
  /** `08:30`, `8:30am`, `아침 8시 반`. */
  readonly time: string;
  /** `weekdays`, `daily`, `mon,wed`, `평일`. Absent: weekdays. */
  readonly days?: string | undefined;
  readonly names?: readonly string[] | undefined;
  /** Absent: the direct chat. */
  readonly place?: AlertPlace | undefined;
}

export interface BriefingService {
  readonly set: AccountQuery<SetBriefingRequest>;
  readonly list: AccountQuery<EmptyRequest>;
  readonly remove: AccountQuery<RemoveRequest>;
  /** The briefing as it would be sent here now. */
  readonly now: AccountQuery<{ readonly names?: readonly string[] | undefined }>;
}
