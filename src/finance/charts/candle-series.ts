import { bollinger } from '../indicators/bollinger.ts';
import { macd } from '../indicators/macd.ts';
import { ema, sma } from '../indicators/moving-averages.ts';
import { rsi } from '../indicators/rsi.ts';
import type { BarColumns, CandlePicture } from './chart-picture.ts';

type Values = readonly (number | null)[];

export interface AverageLine {
  readonly name: string;
  readonly values: Values;
}

/** What is drawn beside the candles, cut to those bars that are shown. */
export interface CandleSeries {
  readonly bars: BarColumns;
  /** Whether each bar closed above its opening; of equal ones, above the close before. */
  readonly isUp: readonly boolean[];
  readonly averages: readonly AverageLine[];
  readonly band: { readonly upper: Values; readonly lower: Values; readonly middle: Values } | undefined;
  readonly rsi: Values | undefined;
  readonly macd: { readonly line: Values; readonly signal: Values; readonly histogram: Values } | undefined;
}

export const RSI_PERIOD = 14;
export const MACD_PERIODS = [12, 26, 9] as const;
export const BAND = { period: 20, width: 2 } as const;

/** Indicators see the bars before the first one shown too, so that they need not begin in the middle. */
export const candleSeries = ({ bars, shownFrom, indicators }: CandlePicture): CandleSeries => {
  const shown = <T>(values: readonly T[]): readonly T[] => values.slice(shownFrom);
  const { open, close } = bars;
  const wide = indicators.hasBollinger ? bollinger(close, BAND.period, BAND.width) : undefined;
  const momentum = indicators.hasMacd ? macd(close, ...MACD_PERIODS) : undefined;
  return {
    bars: {
      times: shown(bars.times),
      open: shown(open),
      high: shown(bars.high),
      low: shown(bars.low),
      close: shown(close),
      volume: shown(bars.volume),
    },
    isUp: shown(
      close.map((value, index) => {
        const opened = open[index] ?? value;
        return value === opened ? value >= (close[index - 1] ?? value) : value > opened;
      }),
    ),
    averages: indicators.averages.map(({ kind, period }) => ({
      name: `${kind === 'ema' ? 'EMA' : 'MA'} ${period}`,
      values: shown(kind === 'ema' ? ema(close, period) : sma(close, period)),
    })),
    band: wide && { upper: shown(wide.upper), lower: shown(wide.lower), middle: shown(wide.middle) },
    rsi: indicators.hasRsi ? shown(rsi(close, RSI_PERIOD)) : undefined,
    macd: momentum && {
      line: shown(momentum.line),
      signal: shown(momentum.signal),
      histogram: shown(momentum.histogram),
    },
  };
};
