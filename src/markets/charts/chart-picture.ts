import type { Locale } from '#src/kernel/locale.ts';
import type { BarInterval } from '../sources/source.ts';
import type { ChartIndicators } from '#src/markets/indicators/chart-indicators.ts';
import type { ChartStyle, ChartTheme } from '#src/kernel/market/chart-style.ts';

export type ChartTone = 'up' | 'down' | 'flat';

/** The formatted text above a chart. */
export interface PictureHead {
  readonly title: string;
  /** Always shown after the title, which is truncated if necessary. */
  readonly titleEnd: string;
  /** The range and the interval. */
  readonly subtitle: string;
  /** Data time and source. */
  readonly origin: string;
  /** The last price and its change over the range. */
  readonly price?: string | undefined;
  readonly change?: { readonly text: string; readonly tone: ChartTone } | undefined;
}

interface AnyPicture {
  readonly theme: ChartTheme;
  /** Also decides the colours of gains and losses. */
  readonly locale: Locale;
  readonly head: PictureHead;
  /** Sample data gets a watermark. */
  readonly isSample: boolean;
}

/** A picture with a time axis. */
export interface TimedPicture extends AnyPicture {
  /** The exchange's time zone, used on the axis. */
  readonly timeZone: string;
  readonly interval: BarInterval;
}

/** Floats for drawing; figures in text come from decimals. One array per column, oldest first. */
export interface BarColumns {
  /** Milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  readonly volume: readonly number[];
}

export interface CandlePicture extends TimedPicture {
  readonly kind: 'candles';
  readonly shape: NonNullable<ChartStyle['shape']>;
  /** Equal distances on the price axis are equal percentages. Only where all prices are above zero. */
  readonly isLog: boolean;
  readonly bars: BarColumns;
  /** Earlier bars only feed the averages. */
  readonly shownFrom: number;
  readonly indicators: ChartIndicators;
  /** The unit on the price axis. Both are absent for plain numbers. */
  readonly currency?: string;
  readonly suffix?: string;
  readonly priceDecimals: number;
  /** The earlier price that the change of a day is measured from, drawn as a line. */
  readonly base?: { readonly price: number; readonly name: string } | undefined;
}

export interface ComparisonLine {
  readonly name: string;
  /** Name with ticker and exchange. */
  readonly label: string;
  /** `%`, or percentage points for yields. */
  readonly unit: string;
  /** Change from the base. Null if there is no value at that time. */
  readonly values: readonly (number | null)[];
}

export interface ComparisonPicture extends TimedPicture {
  readonly kind: 'comparison';
  readonly times: readonly number[];
  readonly lines: readonly ComparisonLine[];
}

export interface AllocationPicture extends AnyPicture {
  readonly kind: 'allocation';
  /** Largest first. */
  readonly parts: readonly {
    readonly label: string;
    /** Formatted, such as `34.2%`. */
    readonly share: string;
    readonly amount: string;
    readonly value: number;
  }[];
  /** Shown in the centre of the ring. */
  readonly total: { readonly name: string; readonly amount: string };
}

/** Portfolio value and contributions over time. */
export interface ValuePicture extends TimedPicture {
  readonly kind: 'value';
  readonly times: readonly number[];
  readonly value: readonly number[];
  readonly contributed: readonly number[];
  readonly currency: string;
  readonly decimals: number;
}

/** Structured-clonable, because it is sent to another process. */
export type ChartPicture = CandlePicture | ComparisonPicture | AllocationPicture | ValuePicture;
