import type { Locale } from '#src/kernel/locale.ts';
import { analysisMessages } from './messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Bar, History } from '../sources/source.ts';
import { barDate, closeMetric, isIntraday, momentOf } from './bar-dates.ts';
import { baseName, type Change, changeFigures, changeOf, formatChange } from './history-change.ts';
import { formatPrice, instrumentLabel } from '../answers/quote-text.ts';
import { coverageKey, coverageLabel } from './range-covered.ts';
import { historyOrigin, isRunning } from './running-bar.ts';

interface DatedPrice {
  readonly price: Decimal;
  /** In the exchange's time. */
  readonly date: string;
}

/** Small volumes, as of coins, need decimals. */
const volumeDigits = (volume: Decimal): number => (volume.lessThan(100) ? 4 : 0);

export const formatVolume = (volume: Decimal, locale: Locale): string =>
  formatFinancialNumber(volume, { locale, maximumFractionDigits: volumeDigits(volume) });

/** The key prices of a history, exact. */
export interface HistorySummary {
  readonly first: DatedPrice;
  readonly last: DatedPrice;
  readonly high: DatedPrice;
  readonly low: DatedPrice;
  /** The change to the last price. Absent for a single bar without a base. */
  readonly change?: Change;
  /** Absent without volume data. */
  readonly averageVolume?: Decimal;
}

/** On ties the last bar counts, as in charts and indicators. */
const extreme = (bars: readonly Bar[], of: 'high' | 'low'): Bar | undefined =>
  bars.reduce<Bar | undefined>((best, bar) => {
    if (!best) return bar;
    const isBeyond =
      of === 'high' ? bar.high.greaterThanOrEqualTo(best.high) : bar.low.lessThanOrEqualTo(best.low);
    return isBeyond ? bar : best;
  }, undefined);

export const summariseHistory = (history: History): HistorySummary => {
  const { bars, asOf } = history;
  const [first, last] = [bars[0], bars.at(-1)];
  const [highest, lowest] = [extreme(bars, 'high'), extreme(bars, 'low')];
  if (!first || !last || !highest || !lowest) throw new Error('A history is never empty');
  const change = changeOf(history);
  const volume = bars.reduce((sum, bar) => sum.plus(bar.volume), new Decimal(0)).dividedBy(bars.length);
  return {
    first: { price: first.close, date: barDate(history, first.at) },
    // A weekly bar starts on Monday, but its close is later.
    last: { price: last.close, date: momentOf(history, asOf) },
    high: { price: highest.high, date: barDate(history, highest.at) },
    low: { price: lowest.low, date: barDate(history, lowest.at) },
    ...(change && { change }),
    ...(!volume.isZero() && { averageVolume: volume.toDecimalPlaces(volumeDigits(volume)) }),
  };
};

/** Capitalizes the first letter. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Describes a history: name, range, first and last price, change, high, low, average volume, time and source. */
export const historyText = (history: History, audience: Audience, now: Timestamp): string => {
  const { instrument, interval, bars } = history;
  const { locale } = audience;
  const t = analysisMessages(locale);
  const { first, last, high, low, change, averageVolume } = summariseHistory(history);
  const day = ({ price, date }: DatedPrice): string => `${formatPrice(price, instrument, locale)} (${date})`;
  const dated = ({ price, date }: DatedPrice): string =>
    day({ price, date: interval === '1wk' ? t.weekOf({ date }) : date });
  const bounds = t.barCount({ count: bars.length, interval: t.intervals[interval] });
  const isLive = isRunning(history, now);
  const { close } = t.closes;
  const lastPrice = `${isLive ? t.closes.last : close} ${day(last)}`;
  const course = ({ base, from }: Change): string =>
    base
      ? `${baseName(base, history, locale)} ${formatPrice(from, instrument, locale)} → ${lastPrice}`
      : `${close} ${dated(first)} → ${isLive ? lastPrice : day(last)}`;
  return [
    `**${instrumentLabel(instrument, locale)}** · ${coverageLabel(history, locale, now)} (${bounds})`,
    capitalised(
      change === undefined
        ? `${lastPrice} · ${t.notEnoughForChange}`
        : `${course(change)} · ${change.fraction ? t.change : t.changeInPoints} ${formatChange(change, instrument, locale)}`,
    ),
    `${t.high} ${dated(high)} · ${t.low} ${dated(low)}`,
    ...(averageVolume ? [`${t.averageVolume} ${formatVolume(averageVolume, locale)}`] : []),
    ...(isIntraday(history) ? [t.exchangeTime({ timeZone: history.timeZone })] : []),
    historyOrigin(history, isLive, audience, now),
  ].join('\n');
};

/** The same as facts: `close@2026-11-13` or `last@2026-11-13`, `changePercent1y`, `high1y`, … */
export const historyFacts = (history: History, now: Timestamp): readonly Fact[] => {
  const { instrument, bars } = history;
  const over = coverageKey([history], now);
  const { first, last, high, low, change, averageVolume } = summariseHistory(history);
  const fact = (metric: string, value: string, unit: string = instrument.currency): Fact => ({
    ...factBase(history),
    metric,
    value,
    unit,
  });
  return [
    ...bars
      .slice(0, change === undefined || change.base ? 0 : 1)
      .map(({ at }) => fact(closeMetric(history, at), first.price.toFixed())),
    fact(lastMetric(history, now), last.price.toFixed()),
    ...(change
      ? changeFigures(change, history, over).map(({ metric, value, unit }) => fact(metric, value, unit))
      : []),
    fact(`high${over}`, high.price.toFixed()),
    fact(`high${over}Date`, high.date, 'date'),
    fact(`low${over}`, low.price.toFixed()),
    fact(`low${over}Date`, low.date, 'date'),
    ...(averageVolume ? [fact(`averageVolume${over}`, averageVolume.toFixed(), 'units')] : []),
  ];
};

/** The metric of the last price, which is not a close while the session runs. */
export const lastMetric = (history: History, now: Timestamp): string =>
  `${isRunning(history, now) ? 'last' : 'close'}@${momentOf(history, history.asOf).replace(' ', 'T')}`;

/** The fields shared by all facts of a history. */
export const factBase = ({
  instrument,
  asOf,
  source,
  isSample,
}: History): Pick<Fact, 'entity' | 'asOf' | 'source' | 'isSample'> => ({
  entity: instrument.symbol,
  asOf: asOf.toString(),
  source,
  isSample,
});
