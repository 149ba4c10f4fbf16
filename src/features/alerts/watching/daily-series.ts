import type { AssetClass } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { mean, wilderAverage } from '#src/markets/indicators/indicators.ts';
import type { History } from '#src/markets/sources/source.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { isUsualMove } from './usual-moves.ts';

/** Where nothing moved at all neither side is stronger. */
const BALANCED = 50;

/** What daily bars tell, as far as alerts need it: statistics, so floats. */
export interface DailySeries {
  readonly closes: readonly number[];
  readonly volumes: readonly number[];
  readonly high: number;
  readonly low: number;
  /** The exchange's date of the last bar. */
  readonly lastDay: string;
  readonly timeZone: string;
  readonly isSample: boolean;
  /** What was reckoned from the days that are over: many alerts ask for the same, minute after minute. */
  readonly reckoned: Map<string, number | undefined>;
}

const USUAL_SESSIONS = 20;

/** Undefined where the bars are not of days. */
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
    reckoned: new Map(),
  };
};

const once = (
  { reckoned }: DailySeries,
  key: string,
  reckon: () => number | undefined,
): number | undefined => {
  const known = reckoned.get(key);
  if (known !== undefined || reckoned.has(key)) return known;
  const value = reckon();
  reckoned.set(key, value);
  return value;
};

/** How many bars are over: the day that the price is of is not, and its last price is known better. */
export const daysOver = ({ closes, lastDay, timeZone }: DailySeries, at: Timestamp): number =>
  closes.length - (dayOf(at, timeZone) === lastDay ? 1 : 0);

/** Undefined where its last close is far from the one that is known: one of the two is of before a split. */
export const fittingSeries = (
  daily: DailySeries | undefined,
  assetClass: AssetClass,
  at: Timestamp,
  close: Decimal,
): DailySeries | undefined => {
  const last = daily?.closes[daysOver(daily, at) - 1];
  return last === undefined || isUsualMove(assetClass, new Decimal(last), close) ? daily : undefined;
};

/** The mean of the last `days` closes with the price as the last one. Undefined where there are not enough. */
export const averageNow = (
  daily: DailySeries,
  over: number,
  days: number,
  price: number,
): number | undefined => {
  if (over < days - 1) return undefined;
  const sum = once(daily, `sum ${over} ${days}`, () =>
    daily.closes.slice(over - days + 1, over).reduce((total, close) => total + close, 0),
  );
  return sum === undefined ? undefined : (sum + price) / days;
};

/** Wilder's averages of the changes that are over, and one step on with the price. As `rsi` reckons it. */
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
  const gains = once(daily, `gains ${over} ${period}`, averageOf(1));
  const losses = once(daily, `losses ${over} ${period}`, averageOf(-1));
  if (gains === undefined || losses === undefined) return undefined;
  const gain = gains + (Math.max(price - last, 0) - gains) / period;
  const loss = losses + (Math.max(last - price, 0) - losses) / period;
  return gain + loss === 0 ? BALANCED : (100 * gain) / (gain + loss);
};

/** The usual volume of a session; undefined where it is not counted, or for too short. */
export const usualVolume = (daily: DailySeries, over: number): number | undefined =>
  once(daily, `volume ${over}`, () => {
    const volumes = daily.volumes.slice(0, over).slice(-USUAL_SESSIONS);
    const average = volumes.length < USUAL_SESSIONS ? 0 : mean(volumes);
    return average > 0 ? average : undefined;
  });
