import type { Instrument } from './finance.ts';
import type { Locale } from './locale.ts';
import type { AlertId, OwnerId, Timestamp } from './ids.ts';
import type { ReplyTarget } from './message.ts';
import type { Decimal } from './money.ts';
import type { ZoneSource } from './time-zone.ts';

/** What somebody waits for. `above` and `below` hold at once where it is so already; the others wait for the change. */
export type AlertCondition =
  | { readonly kind: 'above' | 'below' | 'crosses-above' | 'crosses-below'; readonly price: Decimal }
  | {
      readonly kind: 'change';
      /** In percent, above zero. */
      readonly percent: Decimal;
      readonly direction: 'up' | 'down' | 'either';
      /** `day`: since the previous regular close. `set`: since the price at which it was set. */
      readonly since: 'day' | 'set';
      /** Of `set`. */
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
  /** The volume of today is so many times the average of the last 20 sessions. */
  | { readonly kind: 'volume'; readonly multiple: Decimal }
  /** A headline about it holds the words; empty: any headline. */
  | { readonly kind: 'news'; readonly keyword: string };

export type AlertStatus = 'active' | 'fired' | 'expired';

/** Whether the condition held when it was last looked at: an alert fires when this turns to `met`. */
export type AlertSide = 'unknown' | 'unmet' | 'met';

/** The last split that the numbers of an alert were adjusted for. */
export interface AlertSplit {
  /** The first trading day at the new price, in the exchange's calendar: `2026-11-16`. */
  readonly date: string;
  /** Shares afterwards for one before; decimal as text. */
  readonly ratio: string;
  /** Several that were applied together, oldest first; `date` is that of the last and `ratio` that of all. */
  readonly parts?: readonly { readonly date: string; readonly ratio: string }[];
  /** What it waited for before, where that is a number; decimal as text. */
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
  /** Of a repeating one: not again before so many minutes. */
  readonly cooldownMinutes: number;
  /** Also judged by prices before and after the regular session. */
  readonly usesExtendedHours: boolean;
  readonly expiresAt?: Timestamp;
  readonly snoozedUntil?: Timestamp;
  readonly side: AlertSide;
  /** What the condition has to remember from one look to the next (a high, the newest headline); JSON. */
  readonly memory: string;
  readonly firedCount: number;
  readonly lastFiredAt?: Timestamp;
  /** Where it was set, and where it is told; without anything that points at one message. */
  readonly target: ReplyTarget;
  readonly setByName: string;
  readonly locale: Locale;
  readonly timeZone: string;
  /** The person has not said that it is theirs; how it was guessed. */
  readonly zoneGuess?: ZoneSource;
  readonly createdAt: Timestamp;
  /** Incremented with every change: a writer must have read the latest version. */
  readonly version: number;
}
