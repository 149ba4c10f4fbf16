import type { Locale } from '#src/kernel/locale.ts';
import { analysisTexts } from './texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { Bar, History } from '../sources/source.ts';
import { barDate, barDay, factDay, isIntraday, momentOf } from './bar-dates.ts';
import { baseName, type Change, changeFigures, changeOf, formatChange } from './history-change.ts';
import { namesOf, withNames } from '../answers/fact-names.ts';
import { shortLabel } from '../answers/narrow-name.ts';
import { ARROWS, formatPrice, instrumentLabel, plainPrice, toneOf } from '../answers/quote-text.ts';
import { alsoPerHundred, historyShownTo } from '../answers/rate-line.ts';
import { coverageKey, coverageLabel } from './range-covered.ts';
import { historyOrigin, isRunning, shortHistoryOrigin } from './running-bar.ts';

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
  /** The bars of the high and the low. */
  readonly highest: Bar;
  readonly lowest: Bar;
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
    highest,
    lowest,
    ...(change && { change }),
    ...(!volume.isZero() && { averageVolume: volume.toDecimalPlaces(volumeDigits(volume)) }),
  };
};

/** Capitalizes the first letter. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Describes a history: name, range, first and last price, change, high, low, average volume, time and source. `drawn`
 * describes the bars of its picture, where they are not those of the history.
 */
export const historyText = (history: History, audience: Audience, now: Timestamp, drawn?: string): string => {
  const { instrument, interval, bars } = history;
  const { locale } = audience;
  const t = analysisTexts(locale);
  const { first, last, high, low, change, averageVolume } = summariseHistory(history);
  const day = ({ price, date }: DatedPrice): string => `${formatPrice(price, instrument, locale)} (${date})`;
  const dated = ({ price, date }: DatedPrice): string =>
    day({ price, date: interval === '1wk' ? t.weekOf({ date }) : date });
  const own = t.barCount({ count: bars.length, interval: t.intervals[interval] });
  const bounds = drawn ?? own;
  // Beside weekly candles, an average of days has to say so.
  const volumeName = bounds !== own && interval === '1d' ? t.averageDailyVolume : t.averageVolume;
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
    ...(averageVolume ? [`${volumeName} ${formatVolume(averageVolume, locale)}`] : []),
    ...(isIntraday(history) ? [t.exchangeTime({ timeZone: history.timeZone })] : []),
    historyOrigin(history, isLive, audience, now),
  ].join('\n');
};

/** `▼ -27.95%`, or that there is too little data for a change. */
export const moveText = (change: Change | undefined, instrument: Instrument, locale: Locale): string =>
  change
    ? `${ARROWS[toneOf(change.difference)]} ${formatChange(change, instrument, locale)}`
    : analysisTexts(locale).notEnoughForChange;

/** The same in three short lines, for people: the change, the prices, the source. */
export const historyBrief = (history: History, audience: Audience, now: Timestamp): string => {
  const { instrument } = history;
  const { locale } = audience;
  const t = analysisTexts(locale);
  const { last, high, low, change } = summariseHistory(history);
  const plain = (value: Decimal): string => plainPrice(value, instrument, locale);
  const course = [...(change ? [formatPrice(change.from, instrument, locale)] : []), plain(last.price)];
  return [
    `**${shortLabel(instrument, locale)}** ${coverageLabel(history, locale, now)} ${moveText(change, instrument, locale)}`,
    `${course.join(' → ')} · ${t.high} ${plain(high.price)} · ${t.low} ${plain(low.price)}`,
    shortHistoryOrigin(history, isRunning(history, now), audience, now),
  ].join('\n');
};

/** The high, low and average volume of a period, with the days of the high and the low. */
export const extremeFacts = (history: History, period: string): readonly Fact[] => {
  const { highest, lowest, averageVolume } = summariseHistory(history);
  const base = { ...factBase(history), period };
  const unit = history.instrument.currency;
  const [highDay, lowDay] = [factDay(history, highest.at), factDay(history, lowest.at)];
  return [
    { ...base, metric: 'periodHigh', day: highDay, value: highest.high.toFixed(), unit },
    { ...base, metric: 'periodHighDay', value: highDay, unit: 'date' },
    { ...base, metric: 'periodLow', day: lowDay, value: lowest.low.toFixed(), unit },
    { ...base, metric: 'periodLowDay', value: lowDay, unit: 'date' },
    ...(averageVolume
      ? [{ ...base, metric: 'averageVolume' as const, value: averageVolume.toFixed(), unit: 'units' }]
      : []),
  ];
};

const factsOf = (history: History, now: Timestamp): readonly Fact[] => {
  const { bars } = history;
  const period = coverageKey([history], now);
  const { first, change } = summariseHistory(history);
  return [
    lastFact(history, now),
    ...bars
      .slice(0, change === undefined || change.base ? 0 : 1)
      .map(({ at }) => closeFact(history, { at, close: first.price })),
    ...(change
      ? changeFigures(change, history, period).map((figure) => ({ ...factBase(history), ...figure }))
      : []),
    ...extremeFacts(history, period),
  ];
};

/** Facts of a history, and of its prices as they are shown. */
export const factsAsShown = (
  history: History,
  factsOfShown: (history: History) => readonly Fact[],
): readonly Fact[] =>
  withNames(
    namesOf(history.instrument),
    alsoPerHundred(history, historyShownTo(history, 'ko'), factsOfShown),
  );

/** The same as facts: the last price, the first close, the change, the high and the low. */
export const historyFacts = (history: History, now: Timestamp): readonly Fact[] =>
  factsAsShown(history, (of) => factsOf(of, now));

export const closeFact = (history: History, { at, close }: Pick<Bar, 'at' | 'close'>): Fact => ({
  ...factBase(history),
  ...barDay(history, at),
  metric: 'close',
  value: close.toFixed(),
  unit: history.instrument.currency,
});

/** The last price, which is not a close while the session runs. */
export const lastFact = (history: History, now: Timestamp): Fact => ({
  ...factBase(history),
  metric: isRunning(history, now) ? 'price' : 'close',
  day: factDay(history, history.asOf),
  value: summariseHistory(history).last.price.toFixed(),
  unit: history.instrument.currency,
});

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
