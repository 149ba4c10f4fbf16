import type { AlertRecord } from '#src/kernel/alert.ts';
import { alertMessages } from './messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { writeDayMoment } from '#src/kernel/moment.ts';
import { tradingPlaceOf } from '#src/markets/calendar/calendar.ts';
import type { ExchangeData } from '#src/markets/calendar/calendar-data.ts';
import { nextFxChange } from '#src/markets/calendar/fx-week.ts';
import { nextChangeAfter, nextOpenAfter } from '#src/markets/calendar/sessions.ts';
import { countsExtendedHours } from './evaluate-condition.ts';
import { tradingWindow } from './trading-window.ts';

const nextLook = (data: ExchangeData, now: Timestamp, isExtended: boolean): Timestamp | null => {
  if (!isExtended) return nextOpenAfter(data, now);
  let change = nextChangeAfter(data, now);
  while (change && change.to === 'closed') change = nextChangeAfter(data, change.at);
  return change?.at ?? null;
};

type Watched = Pick<AlertRecord, 'instrument' | 'condition' | 'usesExtendedHours'>;

/** When it is looked at next. `unknown`: the hours of its market are not known, or not so far ahead. */
type Look =
  | { readonly kind: 'news' | 'always' | 'open' | 'unknown' | 'past-calendar' }
  | { readonly kind: 'later'; readonly at: Timestamp; readonly isExtendedNow: boolean };

const lookFor = (alert: Watched, now: Timestamp): Look => {
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
  const at = place.kind === 'fx' ? nextFxChange(now).at : nextLook(place.data, now, isExtended);
  return at ? { kind: 'later', at, isExtendedNow: window.extended !== undefined } : { kind: 'past-calendar' };
};

/** It is judged by prices of this moment. */
export const isEvaluatedNow = (alert: Watched, now: Timestamp): boolean => {
  const { kind } = lookFor(alert, now);
  return kind !== 'later' && kind !== 'past-calendar';
};

/** From when on it can come true, where its market is closed now. */
export const opensAt = (alert: Watched, now: Timestamp): Timestamp | undefined => {
  const look = lookFor(alert, now);
  return look.kind === 'later' ? look.at : undefined;
};

/** When it is looked at: now, or in how far the market is closed and from when on. */
export const evaluationHours = (
  alert: AlertRecord,
  { locale, timeZone }: Audience,
  now: Timestamp,
): string => {
  const t = alertMessages(locale).watched;
  const look = lookFor(alert, now);
  if (look.kind === 'past-calendar') return t.pastCalendar;
  if (look.kind !== 'later') return t[look.kind];
  const at = writeDayMoment(look.at, timeZone, locale);
  return look.isExtendedNow ? t.outside({ at }) : t.closed({ at });
};
