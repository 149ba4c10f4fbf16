import { createHash } from 'node:crypto';
import { instrumentOf, isShareExchange, type NewTransaction } from '#src/kernel/market/ledger.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';

/** The order is part of every stored content key. */
const KEY_NUMBERS = ['quantity', 'price', 'amount', 'fee', 'tax', 'ratio', 'toAmount'] as const;
export const ENTRY_NUMBERS = [...KEY_NUMBERS, 'rate', 'toRate'] as const;

/** The numbers of an entry; each kind has some of them. */
export type EntryNumbers = Readonly<Partial<Record<(typeof ENTRY_NUMBERS)[number], Decimal>>>;

/**
 * Identifies the content of an entry: the same trade in two files, or in a file and by hand, has the same key. Notes,
 * rates and times are not part of it.
 */
export const contentKey = (entry: NewTransaction): string => {
  const numbers: EntryNumbers = entry;
  const content = JSON.stringify([
    entry.kind,
    entry.date.toString(),
    instrumentOf(entry)?.symbol ?? '',
    entry.currency,
    entry.kind === 'fx' ? entry.toCurrency : '',
    ...KEY_NUMBERS.map((name) => numbers[name]?.toFixed() ?? ''),
    ...(entry.kind === 'tax' && entry.isRefund ? ['refund'] : []),
    ...(isShareExchange(entry) ? [entry.toInstrument.symbol, entry.toQuantity.toFixed()] : []),
  ]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
};

/** Counts the entries of each key. */
export const countByKey = function* (entries: readonly NewTransaction[]): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    yield;
    const key = contentKey(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};
