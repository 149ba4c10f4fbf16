import type { NewTransaction } from '#src/kernel/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Oddity } from './checks/oddities.ts';
import { type DayRate, type FillRatesDeps, ratesOf } from './entries/day-rates.ts';
import { askingOnce } from './entries/fill-rates.ts';
import { exchangeOddity, isNearRate } from './record-exchange.ts';

/** Nobody waits longer for comparisons that can be left out. */
const LOOK_UP_MS = 6_000;

/** Whose rate of the day an entry is compared with: its own money in the portfolio's, of an exchange the two. */
const pairOf = (entry: NewTransaction, base: Currency): readonly [Currency, Currency] | undefined => {
  if (entry.kind === 'fx') return [entry.currency, entry.toCurrency];
  return entry.rate && entry.currency !== base && entry.kind !== 'split' ? [entry.currency, base] : undefined;
};

const oddityOf = (entry: NewTransaction, market: DayRate, to: Currency): Oddity | undefined => {
  if (market.status !== 'ok') return undefined;
  if (entry.kind === 'fx') return exchangeOddity(entry, market);
  const { rate } = entry;
  if (!rate || market.isSample || isNearRate(rate, market.rate)) return undefined;
  return { kind: 'far-file-rate', rate, market, to };
};

/**
 * Of entries of a file: rates that stand in it and exchanges that are nowhere near the rate of their day, as far as that is
 * known in time. One request for each pair and year. Throws on abort alone.
 */
export const fileRateOddities = async (
  entries: readonly NewTransaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  parent: AbortSignal,
): Promise<ReadonlyMap<NewTransaction, Oddity>> => {
  const compared = entries.flatMap((entry) => {
    const pair = pairOf(entry, baseCurrency);
    return pair ? [{ entry, from: pair[0], to: pair[1] }] : [];
  });
  const found = new Map<NewTransaction, Oddity>();
  if (compared.length === 0) return found;
  const { signal, clear } = withDeadline(parent, LOOK_UP_MS, deps.clock, () => new Error('no rates in time'));
  const once = askingOnce(deps);
  try {
    await Promise.all(
      [...Map.groupBy(compared, ({ from, to }) => `${from} ${to}`).values()].map(async (some) => {
        const [first] = some;
        if (!first) return;
        const days = new Map(some.map(({ entry }) => [entry.date.toString(), entry.date]));
        const asked = ratesOf(first.from, first.to, [...days.values()], once, signal);
        const rateOn = await raceAbort(asked, signal);
        for (const { entry, to } of some) {
          const oddity = oddityOf(entry, rateOn(entry.date), to);
          if (oddity) found.set(entry, oddity);
        }
      }),
    );
  } catch {
    parent.throwIfAborted();
  } finally {
    clear();
  }
  return found;
};
