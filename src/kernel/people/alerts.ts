import type { Instrument } from '../market/finance.ts';
import type { Locale } from '../locale.ts';
import type { AlertId, OwnerId, Timestamp } from '../ids.ts';
import type { ReplyTarget } from '../chat/message.ts';
import type { Decimal } from '../money.ts';
import type { ZoneSource } from '../time.ts';
import type { AccountQuery, RemoveRequest } from './requester.ts';

/** `above` and `below` are met at once if the price is there already; the others wait for a change. */
export type AlertCondition =
  | { readonly kind: 'above' | 'below' | 'crosses-above' | 'crosses-below'; readonly price: Decimal }
  | {
      readonly kind: 'change';
      /** In percent, above zero. */
      readonly percent: Decimal;
      readonly direction: 'up' | 'down' | 'either';
      /** `day`: since the previous regular close. `set`: since the price at which it was set. */
      readonly since: 'day' | 'set';
      /** Only with `since: 'set'`. */
      readonly basePrice?: Decimal;
    }
  | {
      readonly kind: 'rsi';
      readonly period: number;
      readonly side: 'above' | 'below';
      readonly level: Decimal;
    }
  /** The fast average of daily closes crosses the slow one; `fast` 1 is the price itself. */
  | {
      readonly kind: 'ma-cross';
      readonly fast: number;
      readonly slow: number;
      readonly direction: 'up' | 'down';
    }
  | { readonly kind: 'year-high' | 'year-low' }
  /** Today's volume is this multiple of the average of the last 20 sessions. */
  | { readonly kind: 'volume'; readonly multiple: Decimal }
  /** A headline about the instrument contains the keyword. Empty: any headline. */
  | { readonly kind: 'news'; readonly keyword: string };

export type AlertStatus = 'active' | 'fired' | 'expired';

/** Result of the last evaluation. An alert fires when this becomes `met`. */
export type AlertSide = 'unknown' | 'unmet' | 'met';

/** The last split that the numbers of an alert were adjusted for. */
export interface AlertSplit {
  /** The first trading day at the new price, in the exchange's calendar: `2026-11-16`. */
  readonly date: string;
  /** Shares afterwards for one before; decimal as text. */
  readonly ratio: string;
  /** Several splits applied together, oldest first; then `date` is the last date and `ratio` the product. */
  readonly parts?: readonly { readonly date: string; readonly ratio: string }[];
  /** The level before the split, if it is a number; decimal as text. */
  readonly was?: string;
}

export interface AlertRecord {
  readonly id: AlertId;
  readonly ownerId: OwnerId;
  readonly instrument: Instrument;
  readonly condition: AlertCondition;
  readonly split?: AlertSplit;
  readonly status: AlertStatus;
  readonly isRepeating: boolean;
  /** A repeating alert does not fire again before this many minutes. */
  readonly cooldownMinutes: number;
  /** Also evaluated with prices before and after the regular session. */
  readonly usesExtendedHours: boolean;
  readonly expiresAt?: Timestamp;
  readonly snoozedUntil?: Timestamp;
  readonly side: AlertSide;
  /** JSON state of the condition between evaluations (a high, the newest headline). */
  readonly memory: string;
  readonly firedCount: number;
  readonly lastFiredAt?: Timestamp;
  /** The chat to notify. It does not refer to a message. */
  readonly target: ReplyTarget;
  readonly setByName: string;
  readonly locale: Locale;
  readonly timeZone: string;
  /** How the zone was guessed. Absent: the person confirmed it. */
  readonly zoneGuess?: ZoneSource;
  readonly createdAt: Timestamp;
  /** For optimistic locking: incremented with every change. */
  readonly version: number;
}

/** `here`: the chat in which the alert was set, where others may read it. */
export type AlertPlace = 'direct' | 'here';

/** As a person or the model wrote it. */
export interface SetAlertRequest {
  /** `AAPL > 200`, `삼성전자 5%`, `BTC rsi < 30`, `NVDA golden cross`, `AAPL news recall`; may contain options. */
  readonly text: string;
  readonly isRepeating?: boolean | undefined;
  readonly cooldownMinutes?: number | undefined;
  /** `30d`, `2026-12-31`. */
  readonly expires?: string | undefined;
  readonly usesExtendedHours?: boolean | undefined;
  /** Where it notifies. Absent: the person's direct chat, wherever it was set. */
  readonly place?: AlertPlace | undefined;
  /** Accepts a level so far from the price that it looks like a typo. */
  readonly isSure?: boolean | undefined;
}

/** Port: a person's alerts. */
export interface AlertService {
  readonly set: AccountQuery<SetAlertRequest>;
  readonly list: AccountQuery<{ readonly page?: number }>;
  /** By id, by instrument name if only one alert watches it, or `all`. */
  readonly remove: AccountQuery<RemoveRequest>;
  /** The span may also follow the name: `AAPL 1h`, `k3m7pq 내일까지`. Default: one hour. */
  readonly snooze: AccountQuery<{ readonly which: string; readonly span?: string | undefined }>;
}
