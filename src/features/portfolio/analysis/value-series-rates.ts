import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { HistoryRange } from '#src/kernel/market-queries.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { usualPair } from '#src/markets/answers/convert-rate.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { History, Market } from '#src/markets/sources/source.ts';
import { closeCursor, type DailyCloses, dailyClosesOf } from './value-series-closes.ts';

interface RatesDeps {
  readonly market: Pick<Market, 'getHistory'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** What one unit of a currency cost in another, day by day. */
export interface DailyRates {
  readonly closes: DailyCloses;
  /** The last one, exact. */
  readonly last: Decimal;
  /** What it is made of: one, or two over the dollar. */
  readonly histories: readonly History[];
}

const OVER = 'USD';

const turned = ({ closes, last, histories }: DailyRates): DailyRates => ({
  closes: { days: closes.days, values: closes.values.map((value) => 1 / value) },
  last: new Decimal(1).dividedBy(last),
  histories,
});

/** On the days of the first; of the second the last close until then. */
const combined = (first: DailyRates, second: DailyRates): DailyRates => {
  const cursor = closeCursor(second.closes);
  const values = first.closes.days.map((day, index) => {
    cursor.moveTo(day);
    return (first.closes.values[index] ?? 0) * (cursor.close() ?? second.closes.values[0] ?? 0);
  });
  return {
    closes: { days: first.closes.days, values },
    last: first.last.times(second.last),
    histories: [...first.histories, ...second.histories],
  };
};

/** As markets quote the two, else over the dollar; undefined where neither is to be had. Throws on abort alone. */
export const dailyRates = async (
  from: Currency,
  to: Currency,
  { range, since }: { readonly range: HistoryRange; readonly since: number },
  deps: RatesDeps,
  signal: AbortSignal,
): Promise<DailyRates | undefined> => {
  const [one, other] = [currencyNamed(from), currencyNamed(to)];
  if (!one || !other) return undefined;
  const pair = usualPair(one, other, deps);
  const found = pair && (await deps.market.getHistory(pair.instrument, range, signal));
  const history = found?.status === 'ok' ? found.value : undefined;
  const last = history?.bars.at(-1)?.close;
  if (pair && history && last && history.instrument.currency === pair.price.code) {
    const rates = { closes: dailyClosesOf(history, since), last, histories: [history] };
    return pair.base.code === one.code ? rates : turned(rates);
  }
  // All rates are of one source: when it is down nobody has to wait for it twice more.
  const isDown = found?.status === 'unavailable' && found.reason === 'down';
  if (isDown || one.code === OVER || other.code === OVER) return undefined;
  const [first, second] = await Promise.all([
    dailyRates(from, OVER, { range, since }, deps, signal),
    dailyRates(OVER, to, { range, since }, deps, signal),
  ]);
  return first && second && combined(first, second);
};
