import type { Locale } from '#src/kernel/locale.ts';

/** How a metric is written: an amount of money, a percentage, a plain number, a multiple, a count, a date. */
export type MetricKind = 'money' | 'percent' | 'number' | 'multiple' | 'count' | 'date' | 'text';

export interface Metric {
  readonly kind: MetricKind;
  /** True if the value can be negative, so that "up" and "down" say its sign. */
  readonly isSigned?: boolean;
  /** What people call it, the name for display first. One word may name several metrics. */
  readonly words: Readonly<Record<Locale, readonly string[]>>;
}

/** The words of a text that separates them by commas and may have several lines. */
export const separatedWords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/**
 * Words are separated by commas, the name for display first. Korean words are written with their spaces: readers
 * also find them without.
 */
export const metric = (kind: MetricKind, ko: string, en: string, sign?: 'signed'): Metric => ({
  kind,
  words: { ko: separatedWords(ko), en: separatedWords(en) },
  ...(sign && { isSigned: true }),
});
