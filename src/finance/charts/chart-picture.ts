import type { Locale } from '#src/core/i18n.ts';
import type { BarInterval } from '../market/source.ts';
import type { ChartIndicators } from '#src/core/chart-indicators.ts';

export type ChartTheme = 'light' | 'dark';
export type Tone = 'up' | 'down' | 'flat';

/** What stands above a picture, in words that are ready to be drawn. */
export interface PictureHead {
  readonly title: string;
  /** Stands behind the title in any case: of a long one that part is cut. */
  readonly titleEnd: string;
  /** The range and what is drawn. */
  readonly subtitle: string;
  /** As of when, and from where. */
  readonly origin: string;
  /** The last price, and how it moved over the range. */
  readonly price?: string;
  readonly change?: { readonly text: string; readonly tone: Tone };
  /** Across the whole picture: the data is made up. */
  readonly watermark?: string;
}

interface AnyPicture {
  readonly theme: ChartTheme;
  /** Decides the colours of up and down too. */
  readonly locale: Locale;
  readonly head: PictureHead;
}

interface PictureBase extends AnyPicture {
  /** Of the exchange: dates and times on the axis are its own. */
  readonly timeZone: string;
  readonly interval: BarInterval;
}

/** Coordinates, not money: what is written in words comes from decimals. One array a column, oldest first. */
export interface BarColumns {
  /** Milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  readonly volume: readonly number[];
}

export interface CandlePicture extends PictureBase {
  readonly kind: 'candles';
  readonly bars: BarColumns;
  /** The bars before this one only feed the averages. */
  readonly shownFrom: number;
  readonly indicators: ChartIndicators;
  /** How numbers on the price axis are written: neither where they have no unit. */
  readonly currency?: string;
  readonly suffix?: string;
  readonly priceDecimals: number;
  readonly words: CandleWords;
}

export interface CandleWords {
  readonly volume: string;
  readonly high: string;
  readonly low: string;
  readonly bollinger: string;
  readonly signal: string;
  readonly notEnough: string;
}

export interface ComparisonLine {
  readonly name: string;
  /** With its code and exchange. */
  readonly label: string;
  /** What its values are in: `%`, of a rate points of it. */
  readonly unit: string;
  /** From what they are measured from; null where there is none at that time. */
  readonly values: readonly (number | null)[];
}

export interface ComparisonPicture extends PictureBase {
  readonly kind: 'comparison';
  readonly times: readonly number[];
  readonly lines: readonly ComparisonLine[];
}

/** What a portfolio is made of. */
export interface AllocationPicture extends AnyPicture {
  readonly kind: 'allocation';
  /** The largest first. */
  readonly parts: readonly {
    readonly label: string;
    /** `34.2%`, and what it is worth. */
    readonly share: string;
    readonly amount: string;
    readonly value: number;
  }[];
  /** In the middle of the ring. */
  readonly total: { readonly name: string; readonly amount: string };
}

/** What a portfolio was worth, and what was paid in. */
export interface ValuePicture extends PictureBase {
  readonly kind: 'value';
  readonly times: readonly number[];
  readonly value: readonly number[];
  readonly contributed: readonly number[];
  readonly currency: string;
  readonly decimals: number;
  readonly words: { readonly value: string; readonly contributed: string };
}

/** Plain data: it goes to another thread. */
export type ChartPicture = CandlePicture | ComparisonPicture | AllocationPicture | ValuePicture;
