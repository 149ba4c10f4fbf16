/** How long a candle is; weeks begin on a Monday, months on their first day, all in UTC. */
const MINUTE_UNITS: ReadonlySet<string> = new Set(['1', '3', '5', '10', '15', '30', '60', '240']);
const MAX_COUNT = 200;
/** Nobody traded there before. */
const FIRST_TRADE = '2017-09-25T00:00:00Z';

type Step = (at: Temporal.ZonedDateTime, by: number) => Temporal.ZonedDateTime;

interface CandleKind {
  readonly floor: (at: Temporal.ZonedDateTime) => Temporal.ZonedDateTime;
  readonly step: Step;
}

export const candleKind = (path: readonly string[]): CandleKind | undefined => {
  const [kind = '', unit = ''] = path;
  if (kind === 'minutes' && MINUTE_UNITS.has(unit)) {
    const minutes = Number(unit);
    return {
      floor: (at) => {
        const start = at.startOfDay();
        const passed = Math.floor(start.until(at).total('minutes') / minutes) * minutes;
        return start.add({ minutes: passed });
      },
      step: (at, by) => at.add({ minutes: by * minutes }),
    };
  }
  if (path.length !== 1) return undefined;
  if (kind === 'days') return { floor: (at) => at.startOfDay(), step: (at, by) => at.add({ days: by }) };
  if (kind === 'weeks')
    return {
      floor: (at) => at.startOfDay().subtract({ days: at.dayOfWeek - 1 }),
      step: (at, by) => at.add({ weeks: by }),
    };
  if (kind === 'months')
    return { floor: (at) => at.startOfDay().with({ day: 1 }), step: (at, by) => at.add({ months: by }) };
  return undefined;
};

interface CandleQuery {
  readonly market: string;
  readonly count: number;
  /** Not in it. */
  readonly to: Temporal.Instant;
  readonly lastPrice: number;
}

export const isCount = (count: number): boolean =>
  Number.isInteger(count) && count >= 1 && count <= MAX_COUNT;

/** The newest first. The newest of all ends at the last price, each before it is a thousandth lower. */
export const makeCandles = (
  { floor, step }: CandleKind,
  query: CandleQuery,
  now: Temporal.Instant,
): unknown[] => {
  const newest = floor(now.toZonedDateTimeISO('UTC'));
  const last = Temporal.Instant.compare(query.to, now) > 0 ? now : query.to.subtract({ nanoseconds: 1 });
  let at = floor(last.toZonedDateTimeISO('UTC'));
  const candles: unknown[] = [];
  while (candles.length < query.count && at.toInstant().toString() >= FIRST_TRADE) {
    const stepsBack = Math.max(0, Math.round((newest.epochMilliseconds - at.epochMilliseconds) / 300_000));
    const price = Math.max(1, Math.round(query.lastPrice * (1 - 0.000_001 * stepsBack)));
    const end = Math.min(step(at, 1).epochMilliseconds - 1, now.epochMilliseconds);
    candles.push({
      market: query.market,
      candle_date_time_utc: at.toPlainDateTime().toString({ smallestUnit: 'second' }),
      candle_date_time_kst: at
        .withTimeZone('Asia/Seoul')
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' }),
      opening_price: price - 1,
      high_price: price + 2,
      low_price: price - 3,
      trade_price: price,
      timestamp: end,
      candle_acc_trade_price: price * 1.5,
      candle_acc_trade_volume: 1.5,
    });
    at = step(at, -1);
  }
  return candles;
};
