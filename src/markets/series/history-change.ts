import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { analysisTexts } from './texts.ts';
import { type Decimal, formatPercent } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { History } from '../sources/source.ts';
import { barDays } from '../performance/epoch-day.ts';
import { dayOf, isIntraday } from './bar-dates.ts';
import { formatPrice } from '../answers/quote-text.ts';

/** The earlier price that a change is measured from. Coins and currencies have no closing time. */
export type BaseKind = 'previousClose' | 'dayBefore' | 'lastYear';

/** The change of a price. */
export interface Change {
  /** Undefined if the change is measured from the first bar. */
  readonly base: BaseKind | undefined;
  readonly from: Decimal;
  readonly difference: Decimal;
  /** Undefined for rates, because a percentage of a percentage would confuse, and from a price below zero. */
  readonly fraction: Decimal | undefined;
}

const isRate = ({ assetClass }: Instrument): boolean => assetClass === 'rate';

/** Undefined if the range has no such base or the source does not know it. */
export const baseKindOf = ({
  range,
  baseClose,
  instrument: { assetClass },
}: Pick<History, 'range' | 'baseClose' | 'instrument'>): BaseKind | undefined => {
  if (baseClose === undefined) return undefined;
  if (range === 'ytd') return 'lastYear';
  if (range !== '1d') return undefined;
  return assetClass === 'crypto' || assetClass === 'fx' ? 'dayBefore' : 'previousClose';
};

/** Undefined if a price is missing or the base is zero. */
export const changeBetween = (
  from: Decimal | undefined,
  to: Decimal | undefined,
  instrument: Instrument,
  base?: BaseKind,
): Change | undefined => {
  if (!from || !to || (from.isZero() && !isRate(instrument))) return undefined;
  const difference = to.minus(from);
  const fraction = isRate(instrument) || from.isNegative() ? undefined : difference.dividedBy(from);
  return { base, from, difference, fraction };
};

/** Measures a day from the previous close, a year from the last close of the year before, and others from the first bar. */
export const changeOf = (history: History): Change | undefined => {
  const { instrument, bars, baseClose } = history;
  const last = bars.at(-1)?.close;
  const base = baseKindOf(history);
  if (base) return changeBetween(baseClose, last, instrument, base);
  return bars.length > 1 ? changeBetween(bars[0]?.close, last, instrument) : undefined;
};

/** `+1.27%`, or `+0.125%p` for a rate. */
export const formatChange = (
  { fraction, difference }: Change,
  instrument: Instrument,
  locale: Locale,
): string =>
  fraction ? formatPercent(fraction, locale) : formatPrice(difference, instrument, locale, difference);

/** `previous close`, `last close of 2025`. */
export const baseName = (base: BaseKind, { bars, asOf, timeZone }: History, locale: Locale): string => {
  const { year } = Temporal.PlainDate.from(dayOf(bars[0]?.at ?? asOf, timeZone));
  return analysisTexts(locale).bases[base]({ year: String(year - 1) });
};

/** Names the bases of several changes. Undefined if they are measured from the first bars. */
export const baseNames = (histories: readonly History[], locale: Locale): string | undefined => {
  const names = histories.flatMap((history) => {
    const base = baseKindOf(history);
    return base ? [baseName(base, history, locale)] : [];
  });
  return names.length === 0 ? undefined : [...new Set(names)].join(' / ');
};

/** Drops all base closes if one history has none, so that compared changes have the same base. */
export const withCommonBase = (histories: readonly History[]): readonly History[] =>
  histories.every((history) => baseKindOf(history) !== undefined)
    ? histories
    : histories.map((history) => {
        const { baseClose: _, ...rest } = history;
        return rest;
      });

/** Positions on a common axis: exchange days, or moments if all are intraday. */
export const commonKeys = (histories: readonly History[]): readonly (readonly number[])[] => {
  const byMoment = histories.every(isIntraday);
  return histories.map((history) =>
    byMoment ? history.bars.map(({ at }) => at.epochMilliseconds) : barDays(history),
  );
};

/**
 * Begins all histories on the first day that they have in common, so that their changes are of the same time. Unchanged
 * if there is none, or if they are measured from an earlier close.
 */
export const withCommonStart = (given: readonly History[]): readonly History[] => {
  const histories = withCommonBase(given);
  if (histories.some((history) => baseKindOf(history) !== undefined)) return histories;
  const keys = commonKeys(histories);
  const sets = keys.map((each) => new Set(each));
  const start = keys[0]?.find((key) => sets.every((set) => set.has(key)));
  if (start === undefined) return histories;
  return histories.map((history, row) => {
    const from = keys[row]?.indexOf(start) ?? 0;
    return from === 0 ? history : { ...history, bars: history.bars.slice(from) };
  });
};

const BASE_METRICS: Readonly<Record<BaseKind, MetricId>> = {
  previousClose: 'previousClose',
  dayBefore: 'priceDayBefore',
  lastYear: 'lastYearClose',
};

type Figure = Pick<Fact, 'metric' | 'period' | 'value' | 'unit'>;

/** The change over a period, in points for a rate, and the base if it is not a bar. */
export const changeFigures = (
  { base, from, difference, fraction }: Change,
  { instrument }: History,
  period: string,
): readonly Figure[] => [
  ...(base ? [{ metric: BASE_METRICS[base], value: from.toFixed(), unit: instrument.currency }] : []),
  fraction
    ? { metric: 'changePercent', period, value: fraction.times(100).toFixed(2), unit: '%' }
    : {
        metric: 'change',
        period,
        value: difference.toFixed(),
        unit: isRate(instrument) ? '%p' : instrument.currency,
      },
];
