import type { Locale } from './locale.ts';
import type { AccountCounts, CountLabel, AccountDataCounts } from './operations.ts';

const numbersIn = (counts: AccountCounts | AccountDataCounts): AccountCounts =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([kind, count]) =>
      typeof count === 'object' ? [] : [[kind, Number(count)]],
    ),
  );

/** One line for each kind of data, as `/privacy` lists them. */
export const countLines = (
  labels: readonly CountLabel[],
  counts: AccountDataCounts,
  locale: Locale,
): readonly string[] => {
  const all = numbersIn(counts);
  return labels.map((label) => label[locale].line(all[label.of] ?? 0, all));
};

/** `2 portfolios with 7 transactions, 3 alerts`. */
export const countAmounts = (
  labels: readonly CountLabel[],
  counts: AccountCounts | AccountDataCounts,
  locale: Locale,
): string => {
  const all = numbersIn(counts);
  return labels.flatMap((label) => label[locale].amount?.(all[label.of] ?? 0, all) ?? []).join(', ');
};
