import { analysisTexts } from './texts.ts';
import { quoteTexts } from '../answers/quote-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { toNumberBars } from '../indicators/indicators.ts';
import type { History } from '../sources/source.ts';
import { factBase } from './history-summary.ts';
import { formatPrice } from '../answers/quote-text.ts';

/** An indicator as text and facts. */
export interface IndicatorLine {
  readonly text: string;
  readonly facts: readonly Fact[];
}

/** The distance between two prices: in percent, or in points for a rate. */
export interface Distance {
  /** Positive if the last price is higher. Zero if the distance rounds to nothing. */
  readonly sign: number;
  /** Without its sign. */
  readonly text: string;
  /** Signed. */
  readonly value: Value;
}

type Value = Pick<Fact, 'value' | 'unit'>;

/** A fact without its subject and source. */
type Figure = Value & Pick<Fact, 'metric' | 'parameter' | 'day' | 'period'>;

/** The data of an indicator, with helpers for its text. */
export type IndicatorSubject = ReturnType<typeof indicatorSubject>;

/** Formats with fixed decimals, never as `-0.00`. A half is rounded as the text rounds it: 0.855 to 0.86. */
export const fixed = (value: number, digits: number): string =>
  Number(new Decimal(value).toFixed(digits, Decimal.ROUND_HALF_UP)).toFixed(digits);

export const asPercent = (fraction: number): Value => ({ value: fixed(fraction * 100, 2), unit: '%' });

export const indicatorSubject = (history: History, isRunning: boolean, { locale }: Audience) => {
  const { instrument } = history;
  const t = analysisTexts(locale);
  const bars = toNumberBars(history.bars);
  const closes = bars.map(({ close }) => close);
  const plain = (value: number, digits: number, showSign: boolean = false): string =>
    formatFinancialNumber(new Decimal(value), {
      locale,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      showSign,
    });
  const close = closes.at(-1) ?? Number.NaN;
  const isRate = instrument.assetClass === 'rate';
  const percent = (fraction: number): string => `${plain(Math.abs(fraction) * 100, 2)}%`;
  const difference = (value: number): string =>
    isRate
      ? `${plain(Math.abs(value), instrument.priceDecimals)}${quoteTexts(locale).percentPoints}`
      : formatPrice(new Decimal(Math.abs(value)), instrument, locale);
  const differenceUnit = isRate ? '%p' : instrument.currency;
  return {
    history,
    instrument,
    words: t,
    bars,
    closes,
    /** The last close. */
    close,
    /** The last price's name in text. During a session it is not a close. */
    of: t.closes[isRunning ? 'last' : 'close'],
    money: (value: Decimal | number): string => formatPrice(new Decimal(value), instrument, locale),
    plain,
    /** Unsigned, because the text names the direction. */
    percent,
    /** An unsigned difference of prices. */
    difference,
    differenceUnit,
    /** The distance of the last price from another one. */
    apartFrom: (other: number): Distance => {
      const [value, digits] = isRate
        ? [close - other, instrument.priceDecimals]
        : [(close / other - 1) * 100, 2];
      const shown = fixed(value, digits);
      return {
        sign: Math.sign(Number(shown)),
        text: isRate ? difference(value) : percent(value / 100),
        value: { value: shown, unit: isRate ? differenceUnit : '%' },
      };
    },
    line: (name: string, value: string, meaning: string, figures: readonly Figure[]): IndicatorLine => ({
      text: `- **${name}**: ${value} — ${meaning}`,
      facts: figures.map((figure) => ({ ...factBase(history), ...figure })),
    }),
    /** The line of an indicator that cannot be computed, with the reason. */
    missing: (name: string, reason: string = t.notEnoughData): IndicatorLine => ({
      text: `- **${name}**: ${reason}`,
      facts: [],
    }),
    asMoney: (value: number): Value => ({
      value: fixed(value, instrument.priceDecimals),
      unit: instrument.currency,
    }),
  };
};
