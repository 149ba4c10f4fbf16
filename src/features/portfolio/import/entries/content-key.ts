import { createHash } from 'node:crypto';
import { instrumentOf, type NewTransaction } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';

const NUMBERS = ['quantity', 'price', 'amount', 'fee', 'tax', 'ratio', 'toAmount'] as const;

/**
 * What an entry tells, whoever told it: the same trade in two files, or in a file and by hand, has the same one.
 * Notes, rates and times are not in it.
 */
export const contentKey = (entry: NewTransaction): string => {
  const numbers = NUMBERS.map((name) => {
    const value: unknown = entry[name as keyof NewTransaction];
    return value instanceof Decimal ? value.toFixed() : '';
  });
  const to = entry.kind === 'fx' ? entry.toCurrency : '';
  const of = instrumentOf(entry)?.symbol ?? '';
  const refund = entry.kind === 'tax' && entry.isRefund ? ['refund'] : [];
  const content = JSON.stringify([
    entry.kind,
    entry.date.toString(),
    of,
    entry.currency,
    to,
    ...numbers,
    ...refund,
  ]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
};
