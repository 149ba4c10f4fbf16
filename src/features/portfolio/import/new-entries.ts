import type { NewTransaction, Transaction } from '#src/kernel/ledger.ts';
import { mapInSteps, type Steps } from '#src/platform/cooperative-tasks.ts';
import type { Instrument } from '#src/kernel/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { NewPortfolio } from '../store-portfolios.ts';
import { contentKey } from './entries/items.ts';
import type { FileEntry } from './entries/read-entries.ts';

export interface NewEntry extends FileEntry {
  /** How many such entries a ledger has with this one: where it has as many already, this one is there. */
  readonly ordinal: number;
}

interface NewOnes {
  readonly fresh: readonly NewEntry[];
  readonly duplicates: number;
}

const countsByKey = function* (recorded: readonly Transaction[]): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const entry of recorded) {
    yield;
    if (entry.isReversed) continue;
    const key = contentKey(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** With its time: an earlier version recorded what a file tells on the clock of the file, whatever zone it names. */
const filedKey = (entry: NewTransaction): string => `${contentKey(entry)} ${entry.time?.toString() ?? ''}`;

/** Those of files, how often each. */
const filedIn = function* (recorded: readonly Transaction[]): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const entry of recorded) {
    yield;
    if (entry.isReversed || !entry.clientId.startsWith('csv:')) continue;
    const key = filedKey(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/**
 * Each with a client id that the same line always gets: the same file twice is recorded once. What the ledger has
 * already, by whatever way it came, is left out; what was taken back may come again.
 */
export const newOnes = function* (
  entries: readonly FileEntry[],
  recorded: readonly Transaction[],
): Steps<NewOnes> {
  const there = yield* countsByKey(recorded);
  const ordinals = new Map<string, number>();
  const countOf = (key: string): number => {
    const ordinal = (ordinals.get(key) ?? 0) + 1;
    ordinals.set(key, ordinal);
    return ordinal;
  };
  const filedThere = entries.some(({ filed }) => filed)
    ? yield* filedIn(recorded)
    : new Map<string, number>();
  /** Whether it is there as an earlier version recorded it. That entry then counts as this one alone. */
  const isFiled = ({ entry, filed }: FileEntry): boolean => {
    if (!filed) return false;
    const then: NewTransaction = { ...entry, date: filed.date, ...(filed.time && { time: filed.time }) };
    const left = filedThere.get(filedKey(then)) ?? 0;
    if (left === 0) return false;
    filedThere.set(filedKey(then), left - 1);
    countOf(contentKey(then));
    return true;
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
    if (isFiled(line)) continue;
    const { entry, ...at } = line;
    const key = contentKey(entry);
    const ordinal = countOf(key);
    if (ordinal > (there.get(key) ?? 0))
      fresh.push({ ...at, ordinal, entry: { ...entry, clientId: nextId(key) } });
  }
  return { fresh, duplicates: entries.length - fresh.length };
};

/** Of what was new once: what still is. Some of it may have come into the ledger meanwhile. */
export const stillNew = function* (
  entries: readonly Pick<NewEntry, 'entry' | 'ordinal'>[],
  recorded: readonly Transaction[],
): Steps<readonly NewTransaction[]> {
  const there = yield* countsByKey(recorded);
  const fresh: NewTransaction[] = [];
  for (const { entry, ordinal } of entries) {
    yield;
    if (ordinal > (there.get(contentKey(entry)) ?? 0)) fresh.push(entry);
  }
  return fresh;
};

/** What waits for a yes. */
interface PendingEntries {
  readonly entries: readonly Pick<NewEntry, 'entry' | 'ordinal'>[];
  /** Lines of the file that cannot be recorded. */
  readonly missing: number;
  /** Cash and quantities come to what the file itself says. */
  readonly isReconciled?: boolean | undefined;
  /** The portfolio that is made for it, where the person had none. */
  readonly first?: NewPortfolio | undefined;
}

type Packed = Readonly<Record<string, string>>;

interface Content extends Omit<PendingEntries, 'entries'> {
  readonly ordinals: readonly number[];
  readonly instruments: Readonly<Record<string, Instrument>>;
  readonly entries: readonly Packed[];
}

const NUMBERS: ReadonlySet<string> = new Set([
  'quantity',
  'price',
  'fee',
  'tax',
  'amount',
  'ratio',
  'toAmount',
  'rate',
  'toRate',
]);

const packed = (entry: NewTransaction): Packed => {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry) as readonly [string, unknown][]) {
    if (value instanceof Decimal) fields[name] = value.toFixed();
    else if (typeof value === 'boolean' || typeof value === 'string') fields[name] = String(value);
    else if (value instanceof Temporal.PlainDate || value instanceof Temporal.PlainTime)
      fields[name] = value.toString();
  }
  return 'instrument' in entry ? { ...fields, instrument: entry.instrument.symbol } : fields;
};

/** Plain text: an instrument once, however often it is traded. */
export const packEntries = function* ({ entries, ...rest }: PendingEntries): Steps<string> {
  const instruments: Record<string, Instrument> = {};
  const packedEntries: string[] = [];
  for (const { entry } of entries) {
    if ('instrument' in entry) instruments[entry.instrument.symbol] = entry.instrument;
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

/** Of what `packEntries` wrote. */
export const unpackEntries = function* (content: string): Steps<PendingEntries> {
  const { instruments, ordinals, entries, ...rest } = JSON.parse(content) as Content;
  yield;
  const unpacked = yield* mapInSteps(entries, (entry, index) => ({
    ordinal: ordinals[index] ?? 1,
    entry: Object.fromEntries(
      Object.entries(entry).map(([name, value]) => {
        if (NUMBERS.has(name)) return [name, new Decimal(value)];
        if (name === 'time') return [name, Temporal.PlainTime.from(value)];
        if (name === 'isRefund') return [name, value === 'true'];
        if (name === 'date' || name === 'rateDay') return [name, Temporal.PlainDate.from(value)];
        return [name, name === 'instrument' ? instruments[value] : value];
      }),
    ) as unknown as NewTransaction,
  }));
  return { ...rest, entries: unpacked };
};
