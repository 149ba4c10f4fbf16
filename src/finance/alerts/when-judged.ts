import type { AlertRecord } from '#src/core/alert.ts';
import { texts } from '#src/core/i18n.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { Reader } from '#src/core/market-desk.ts';
import { writeDayMoment } from '#src/core/moment.ts';
import { tradingPlaceOf } from '../calendar/calendar.ts';
import type { ExchangeData } from '../calendar/calendar-data.ts';
import { nextFxChange } from '../calendar/fx-week.ts';
import { nextChangeAfter, nextOpenAfter } from '../calendar/session-walk.ts';
import { countsExtendedHours } from './judge.ts';
import { tradingWindow } from './trading-window.ts';

const nextLook = (data: ExchangeData, now: Timestamp, isExtended: boolean): Timestamp | null => {
  if (!isExtended) return nextOpenAfter(data, now);
  let change = nextChangeAfter(data, now);
  while (change && change.to === 'closed') change = nextChangeAfter(data, change.at);
  return change?.at ?? null;
};

/** When it is looked at: now, or in how far the market is closed and from when on. */
export const whenJudged = (alert: AlertRecord, { locale, timeZone }: Reader, now: Timestamp): string => {
  const words = texts(locale).alerts.watched;
  const { instrument, condition } = alert;
  if (condition.kind === 'news') return words.news;
  const place = instrument.assetClass === 'rate' ? null : tradingPlaceOf(instrument);
  if (!place) return words.unknown;
  if (place.kind === 'crypto') return words.always;
  const window = tradingWindow(instrument, now);
  const isExtended = countsExtendedHours(alert);
  if (window.regular?.toMs === Infinity && place.kind === 'exchange') return words.unknown;
  const isOpen = window.regular !== undefined && now.epochMilliseconds <= window.regular.toMs;
  if (isOpen || (isExtended && window.extended)) return words.open;
  const next = place.kind === 'fx' ? nextFxChange(now).at : nextLook(place.data, now, isExtended);
  if (!next) return words.pastCalendar;
  const at = writeDayMoment(next, timeZone, locale);
  return window.extended ? words.outside({ at }) : words.closed({ at });
};
