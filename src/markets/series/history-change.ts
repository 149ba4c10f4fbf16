import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { analysisMessages } from './messages.ts';
import { type Decimal, formatPercent } from '#src/kernel/money.ts';
import type { History } from '../sources/source.ts';
import { dayOf } from './bar-dates.ts';
import { formatPrice } from '../answers/quote-text.ts';

/** A close before the first bar that a change is measured from. Coins and currencies have no day that ends. */
export type BaseKind = 'previousClose' | 'dayBefore' | 'lastYear';

/** How far a price went. */
export interface Change {
  /** What it is measured from; undefined: the first bar. */
  readonly base: BaseKind | undefined;
  readonly from: Decimal;
  readonly difference: Decimal;
  /** Undefined of a rate: the percentage of a percentage only confuses. */
  readonly fraction: Decimal | undefined;
}

const isRate = ({ assetClass }: Instrument): boolean => assetClass === 'rate';

/** Undefined where the range has none, or the source does not know it. */
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

/** Undefined where it cannot be told: from nothing there is no part. */
export const changeBetween = (
  from: Decimal | undefined,
  to: Decimal | undefined,
  instrument: Instrument,
  base?: BaseKind,
): Change | undefined => {
  if (!from || !to || (from.isZero() && !isRate(instrument))) return undefined;
  const difference = to.minus(from);
  const fraction = isRate(instrument) ? undefined : difference.dividedBy(from);
  return { base, from, difference, fraction };
};

/** Of a day from the close before it, of the year from the last close of the year before; else from the first bar. */
export const changeOf = (history: History): Change | undefined => {
  const { instrument, bars, baseClose } = history;
  const last = bars.at(-1)?.close;
  const base = baseKindOf(history);
  if (base) return changeBetween(baseClose, last, instrument, base);
  return bars.length > 1 ? changeBetween(bars[0]?.close, last, instrument) : undefined;
};

/** `+1.27%`; of a rate `+0.125%p`. */
export const formatChange = (
  { fraction, difference }: Change,
  instrument: Instrument,
  locale: Locale,
): string =>
  fraction ? formatPercent(fraction, locale) : formatPrice(difference, instrument, locale, difference);

/** `previous close`, `last close of 2025`. */
export const baseName = (base: BaseKind, { bars, asOf, timeZone }: History, locale: Locale): string => {
  const { year } = Temporal.PlainDate.from(dayOf(bars[0]?.at ?? asOf, timeZone));
  return analysisMessages(locale).bases[base]({ year: String(year - 1) });
};

/** What changes that stand side by side are measured from, in words; undefined: from the first bars. */
export const baseNames = (histories: readonly History[], locale: Locale): string | undefined => {
  const names = histories.flatMap((history) => {
    const base = baseKindOf(history);
    return base ? [baseName(base, history, locale)] : [];
  });
  return names.length === 0 ? undefined : [...new Set(names)].join(' / ');
};

/** To be compared, all are measured from the same thing: where one has no close before, none has. */
export const withCommonBase = (histories: readonly History[]): readonly History[] =>
  histories.every((history) => baseKindOf(history) !== undefined)
    ? histories
    : histories.map((history) => {
        const { baseClose: _, ...rest } = history;
        return rest;
      });

const BASE_METRICS: Readonly<Record<BaseKind, string>> = {
  previousClose: 'previousClose',
  dayBefore: 'price24HoursBefore',
  lastYear: 'lastYearClose',
};

interface Figure {
  readonly metric: string;
  readonly value: string;
  readonly unit: string;
}

/** `changePercent1y`, of a rate `change1y` in points; and what it is measured from, where that is no bar. */
export const changeFigures = (
  { base, from, difference, fraction }: Change,
  { instrument: { currency } }: History,
  over: string,
): readonly Figure[] => [
  ...(base ? [{ metric: BASE_METRICS[base], value: from.toFixed(), unit: currency }] : []),
  fraction
    ? { metric: `changePercent${over}`, value: fraction.times(100).toFixed(2), unit: '%' }
    : { metric: `change${over}`, value: difference.toFixed(), unit: '%p' },
];
