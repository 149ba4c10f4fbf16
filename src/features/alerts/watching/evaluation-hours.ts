import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { tradingPlaceOf } from '#src/markets/calendar/calendar.ts';
import type { ExchangeData } from '#src/markets/calendar/calendar-data.ts';
import { nextFxChange } from '#src/markets/calendar/fx-week.ts';
import { nextChangeAfter, nextOpenAfter } from '#src/markets/calendar/sessions.ts';
import { countsExtendedHours } from './evaluate-condition.ts';
import { tradingWindow } from './trading-window.ts';

const nextEvaluationAt = (data: ExchangeData, now: Timestamp, isExtended: boolean): Timestamp | null => {
  if (!isExtended) return nextOpenAfter(data, now);
  let change = nextChangeAfter(data, now);
  while (change && change.to === 'closed') change = nextChangeAfter(data, change.at);
  return change?.at ?? null;
};

type Watched = Pick<AlertRecord, 'instrument' | 'condition' | 'usesExtendedHours'>;

/** When an alert is evaluated next. `unknown`: the trading hours are not known. */
type NextEvaluation =
  | { readonly kind: 'news' | 'always' | 'open' | 'unknown' | 'past-calendar' }
  | { readonly kind: 'later'; readonly at: Timestamp };

const nextEvaluation = (alert: Watched, now: Timestamp): NextEvaluation => {
  const { instrument, condition } = alert;
  if (condition.kind === 'news') return { kind: 'news' };
  const place = instrument.assetClass === 'rate' ? null : tradingPlaceOf(instrument);
  if (!place) return { kind: 'unknown' };
  if (place.kind === 'crypto') return { kind: 'always' };
  const window = tradingWindow(instrument, now);
  const isExtended = countsExtendedHours(alert);
  if (window.regular?.toMs === Infinity && place.kind === 'exchange') return { kind: 'unknown' };
  const isOpen = window.regular !== undefined && now.epochMilliseconds <= window.regular.toMs;
  if (isOpen || (isExtended && window.extended)) return { kind: 'open' };
  const at = place.kind === 'fx' ? nextFxChange(now).at : nextEvaluationAt(place.data, now, isExtended);
  return at ? { kind: 'later', at } : { kind: 'past-calendar' };
};

/** Whether the alert is evaluated with current prices. */
export const isEvaluatedNow = (alert: Watched, now: Timestamp): boolean => {
  const { kind } = nextEvaluation(alert, now);
  return kind !== 'later' && kind !== 'past-calendar';
};

/** When the market opens, where it is closed now. */
export const opensAt = (alert: Watched, now: Timestamp): Timestamp | undefined => {
  const next = nextEvaluation(alert, now);
  return next.kind === 'later' ? next.at : undefined;
};

/** How often the headlines of an instrument are asked for, at the first evaluation after that time. */
export const NEWS_SECONDS = 300;
