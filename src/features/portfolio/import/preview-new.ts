import type { NewTransaction, Transaction } from '#src/kernel/ledger.ts';
import type { Steps } from '#src/platform/steps.ts';
import { contentKey } from './entries/content-key.ts';
import type { FileEntry } from './entries/read-entries.ts';

export interface NewEntry extends FileEntry {
  /** How many such entries a ledger has with this one: where it has as many already, this one is there. */
  readonly ordinal: number;
}

export interface NewOnes {
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
