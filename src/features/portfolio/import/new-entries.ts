import {
  instrumentsOf,
  isShareExchange,
  isShareTransfer,
  type NewTransaction,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import { mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { NewPortfolio } from '../store/portfolios.ts';
import { lotsText, readLots } from '../ledger/moved-lots.ts';
import { contentKey, countByKey, ENTRY_NUMBERS } from './entry-content.ts';
import type { FileEntry } from './build/read-entries.ts';

export interface NewEntry extends FileEntry {
  /** The entry is the nth of its content. If the ledger has n such entries, it is recorded already. */
  readonly ordinal: number;
}

/**
 * Finds the entries that the ledger lacks, whether it got the others from a file or by hand. The same line always gets
 * the same client id, so that importing a file twice records it once. A reversed entry may be imported again.
 */
export const findNewEntries = function* (
  entries: readonly FileEntry[],
  recorded: readonly Transaction[],
): Steps<{ readonly fresh: readonly NewEntry[]; readonly duplicates: number }> {
  const there = yield* countByKey(recorded.filter(({ isReversed }) => !isReversed));
  const ordinals = new Map<string, number>();
  const countOf = (key: string): number => {
    const ordinal = (ordinals.get(key) ?? 0) + 1;
    ordinals.set(key, ordinal);
    return ordinal;
  };
  const used = new Set(recorded.map(({ clientId }) => clientId));
  const lastIndex = new Map<string, number>();
  const nextId = (key: string): string => {
    let index = lastIndex.get(key) ?? 0;
    do index += 1;
    while (used.has(`csv:${key}:${index}`));
    lastIndex.set(key, index);
    return `csv:${key}:${index}`;
  };
  const fresh: NewEntry[] = [];
  for (const line of entries) {
    yield;
    const { entry, ...at } = line;
    const key = contentKey(entry);
    const ordinal = countOf(key);
    if (ordinal > (there.get(key) ?? 0))
      fresh.push({ ...at, ordinal, entry: { ...entry, clientId: nextId(key) } });
  }
  return { fresh, duplicates: entries.length - fresh.length };
};

/** The entries of a preview that the ledger still lacks; others may have been recorded since. */
export const stillNew = function* (
  entries: readonly Pick<NewEntry, 'entry' | 'ordinal'>[],
  recorded: readonly Transaction[],
): Steps<readonly NewTransaction[]> {
  const there = yield* countByKey(recorded.filter(({ isReversed }) => !isReversed));
  const fresh: NewTransaction[] = [];
  for (const { entry, ordinal } of entries) {
    yield;
    if (ordinal > (there.get(contentKey(entry)) ?? 0)) fresh.push(entry);
  }
  return fresh;
};

/** The entries of a preview, kept until the person confirms it. */
interface PendingEntries {
  readonly entries: readonly Pick<NewEntry, 'entry' | 'ordinal'>[];
  /** The number of lines that cannot be recorded. */
  readonly missing: number;
  /** The lines that cannot be recorded, as the preview listed them. */
  readonly leftOut?: string | undefined;
  /** Cash and quantities match the balances of the file. */
  readonly isReconciled?: boolean | undefined;
  /** So many of the last entries are recorded only with a press of their own. Absent: none. */
  readonly doubted?: number | undefined;
  /** The entries are opening positions, so nothing of their instruments may be held. */
  readonly isOpening?: boolean | undefined;
  /** The portfolio to create if the person had none. */
  readonly first?: NewPortfolio | undefined;
}

type Packed = Readonly<Record<string, string>>;

interface Content extends Omit<PendingEntries, 'entries'> {
  readonly ordinals: readonly number[];
  readonly instruments: Readonly<Record<string, Instrument>>;
  readonly entries: readonly Packed[];
}

const NUMBERS: ReadonlySet<string> = new Set([...ENTRY_NUMBERS, 'toQuantity', 'percent']);

const packed = (entry: NewTransaction): Packed => {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry) as readonly [string, unknown][]) {
    if (value instanceof Decimal) fields[name] = value.toFixed();
    else if (typeof value === 'boolean' || typeof value === 'string') fields[name] = String(value);
    else if (value instanceof Temporal.PlainDate || value instanceof Temporal.PlainTime)
      fields[name] = value.toString();
  }
  return {
    ...fields,
    ...('instrument' in entry && { instrument: entry.instrument.symbol }),
    ...(isShareExchange(entry) && { toInstrument: entry.toInstrument.symbol }),
    ...(isShareTransfer(entry) && { lots: lotsText(entry.lots) }),
  };
};

/** Writes entries as JSON, each instrument once. */
export const packEntries = function* ({ entries, ...rest }: PendingEntries): Steps<string> {
  const instruments: Record<string, Instrument> = {};
  const packedEntries: string[] = [];
  for (const { entry } of entries) {
    for (const instrument of instrumentsOf(entry)) instruments[instrument.symbol] = instrument;
    packedEntries.push(JSON.stringify(packed(entry)));
    yield;
  }
  const head: Omit<Content, 'entries'> = {
    ...rest,
    instruments,
    ordinals: entries.map(({ ordinal }) => ordinal),
  };
  return `${JSON.stringify(head).slice(0, -1)},"entries":[${packedEntries.join(',')}]}`;
};

/** Reads what `packEntries` wrote. */
export const unpackEntries = function* (content: string): Steps<PendingEntries> {
  const { instruments, ordinals, entries, ...rest } = JSON.parse(content) as Content;
  yield;
  const unpacked = yield* mapInSteps(entries, (entry, index) => ({
    ordinal: ordinals[index] ?? 1,
    entry: Object.fromEntries(
      Object.entries(entry).map(([name, value]) => {
        if (NUMBERS.has(name)) return [name, new Decimal(value)];
        if (name === 'time') return [name, Temporal.PlainTime.from(value)];
        if (name === 'isRefund' || name === 'isOpening') return [name, value === 'true'];
        if (name === 'date' || name === 'rateDay') return [name, Temporal.PlainDate.from(value)];
        if (name === 'lots') return [name, readLots(value) ?? []];
        return [name, name === 'instrument' || name === 'toInstrument' ? instruments[value] : value];
      }),
    ) as unknown as NewTransaction,
  }));
  return { ...rest, entries: unpacked };
};
