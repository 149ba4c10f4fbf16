import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Transaction } from '#src/kernel/market/ledger.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '../../ledger/derive-ledger.ts';
import { type LedgerRules, positionIn } from '../../ledger/ledger-state.ts';
import { knownPrices, type PriceDeps, type PriceReference } from '../../checks/price-reference.ts';
import type { FileEntry, FileError, ReadFile } from '../build/read-entries.ts';
import type { BrokerPicture } from './read-broker-picture.ts';

/** A price on the picture that cannot be the instrument's. */
export interface MarketDoubt {
  readonly kind: 'market';
  readonly instrument: Instrument;
  readonly shown: Decimal;
  readonly market: Decimal;
  readonly origin: PriceReference['origin'];
}

interface NewPositions {
  readonly file: ReadFile;
  /** The number of positions that are recorded with the same quantity. */
  readonly held: number;
}

/**
 * Leaves out positions that the portfolio holds already, and refuses those that it holds with another quantity.
 */
export const newPositions = function* (
  file: ReadFile,
  recorded: readonly Transaction[],
  rules: LedgerRules,
): Steps<NewPositions> {
  const derived = yield* deriveLedger(recorded, rules);
  const state = derived.status === 'ok' ? derived.state : undefined;
  const errors: FileError[] = [...file.errors];
  const same = new Set<number>();
  for (const { entry, notes: _notes, ...record } of file.entries) {
    if (entry.kind !== 'buy') continue;
    const { instrument, quantity } = entry;
    const held = positionIn(state, instrument.symbol)?.quantity;
    if (!held || held.isZero()) continue;
    if (held.equals(quantity)) same.add(record.line);
    else errors.push({ ...record, problem: { kind: 'already-held', instrument, held } });
  }
  const gone = new Set([...same, ...errors.map(({ line }) => line)]);
  return {
    file: { ...file, entries: file.entries.filter(({ line }) => !gone.has(line)), errors },
    held: same.size,
  };
};

/** Prices move within a day, and the picture may be some days old. */
const FAR_LOW = 0.7;
const FAR_HIGH = 1.4;
/** The most positions of a picture that are compared, with one request each. */
const MAX_COMPARED = 40;

const boundsOf = (reference: PriceReference): readonly [low: Decimal, high: Decimal] =>
  reference.kind === 'range' ? [reference.low, reference.high] : [reference.price, reference.price];

/** Compares the current prices on the picture with the market's, as far as those are found in time. By line. */
export const marketDoubts = async (
  entries: readonly FileEntry[],
  { prices, date }: BrokerPicture,
  today: Temporal.PlainDate,
  deps: PriceDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, MarketDoubt>> => {
  const compared = entries
    .flatMap(({ line, entry }) => {
      const shown = prices.get(line);
      return shown && entry.kind === 'buy' ? [{ line, instrument: entry.instrument, shown }] : [];
    })
    .slice(0, MAX_COMPARED);
  const found = await Promise.all(
    compared.map(async ({ line, instrument, shown }) => {
      const { reference } = await knownPrices(instrument, date, today, deps, signal);
      if (!reference || reference.origin.isSample || reference.splits.length > 0) return [];
      const [low, high] = boundsOf(reference);
      const isNear = shown.greaterThan(low.times(FAR_LOW)) && shown.lessThan(high.times(FAR_HIGH));
      const doubt = { kind: 'market', instrument, shown, market: high, origin: reference.origin } as const;
      return isNear ? [] : [[line, doubt] as const];
    }),
  );
  return new Map(found.flat());
};
