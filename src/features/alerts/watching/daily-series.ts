import type { AssetClass } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { mean, wilderAverage } from '#src/markets/indicators/indicators.ts';
import type { History } from '#src/markets/sources/source.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { isUsualMove } from './usual-moves.ts';

/** The RSI of a price that never moved. */
const BALANCED = 50;

/** The parts of daily bars that alerts need. They are statistics, so floats suffice. */
export interface DailySeries {
  readonly closes: readonly number[];
  readonly volumes: readonly number[];
  readonly high: number;
  readonly low: number;
  /** The exchange's date of the last bar. */
  readonly lastDay: string;
  readonly timeZone: string;
  readonly isSample: boolean;
  /** Results over past days, kept because many alerts ask for the same ones every minute. */
  readonly computed: Map<string, number | undefined>;
}

const USUAL_SESSIONS = 20;

/** Undefined unless the bars are daily. */
export const dailySeriesOf = (history: History): DailySeries | undefined => {
  const last = history.bars.at(-1);
  if (history.interval !== '1d' || !last) return undefined;
  return {
    closes: history.bars.map(({ close }) => close.toNumber()),
    volumes: history.bars.map(({ volume }) => volume.toNumber()),
    high: Math.max(...history.bars.map(({ high }) => high.toNumber())),
    low: Math.min(...history.bars.map(({ low }) => low.toNumber())),
    lastDay: dayOf(last.at, history.timeZone),
    timeZone: history.timeZone,
    isSample: history.isSample,
    computed: new Map(),
  };
};

const memoized = (
  { computed }: DailySeries,
  key: string,
  compute: () => number | undefined,
): number | undefined => {
  if (!computed.has(key)) computed.set(key, compute());
  return computed.get(key);
};

/** The number of bars before the day of the price: the quote is newer than the bar of that day. */
export const daysOver = ({ closes, lastDay, timeZone }: DailySeries, at: Timestamp): number =>
  closes.length - (dayOf(at, timeZone) === lastDay ? 1 : 0);

/** Undefined if the last close is far from the known close: one of the two is from before a split. */
export const fittingSeries = (
  daily: DailySeries | undefined,
  assetClass: AssetClass,
  at: Timestamp,
  close: Decimal,
): DailySeries | undefined => {
  const last = daily?.closes[daysOver(daily, at) - 1];
  return last === undefined || isUsualMove(assetClass, new Decimal(last), close) ? daily : undefined;
};

/** The mean of the last `days` closes, with the price as the last one. Undefined if there are too few. */
export const averageNow = (
  daily: DailySeries,
  over: number,
  days: number,
  price: number,
): number | undefined => {
  if (over < days - 1) return undefined;
  const sum = memoized(daily, `sum ${over} ${days}`, () =>
    daily.closes.slice(over - days + 1, over).reduce((total, close) => total + close, 0),
  );
  return sum === undefined ? undefined : (sum + price) / days;
};

/** Wilder's averages of past changes, and one more step with the price; the same as `rsi` computes. */
export const rsiNow = (
  daily: DailySeries,
  over: number,
  period: number,
  price: number,
): number | undefined => {
  const last = daily.closes[over - 1];
  if (last === undefined || over < period + 1) return undefined;
  const averageOf = (sign: 1 | -1) => (): number | undefined => {
    const closes = daily.closes.slice(0, over);
    const changes = closes.slice(1).map((close, index) => sign * (close - (closes[index] ?? close)));
    return (
      wilderAverage(
        changes.map((change) => Math.max(change, 0)),
        period,
      ).at(-1) ?? undefined
    );
  };
  const gains = memoized(daily, `gains ${over} ${period}`, averageOf(1));
  const losses = memoized(daily, `losses ${over} ${period}`, averageOf(-1));
  if (gains === undefined || losses === undefined) return undefined;
  const gain = gains + (Math.max(price - last, 0) - gains) / period;
  const loss = losses + (Math.max(last - price, 0) - losses) / period;
  return gain + loss === 0 ? BALANCED : (100 * gain) / (gain + loss);
};

/** The usual volume of a session; undefined without volumes, or with too few sessions. */
export const usualVolume = (daily: DailySeries, over: number): number | undefined =>
  memoized(daily, `volume ${over}`, () => {
    const volumes = daily.volumes.slice(0, over).slice(-USUAL_SESSIONS);
    const average = volumes.length < USUAL_SESSIONS ? 0 : mean(volumes);
    return average > 0 ? average : undefined;
  });
