import type { Locale } from '#src/kernel/locale.ts';
import { portfolioMessages } from './messages/portfolio.ts';
import { type NewTransaction, SAMPLE_PRICE_NOTE, type Transaction } from '#src/kernel/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { entryRateText, quotedPair } from './rate-text.ts';

/** More entries in a warning are not read. */
const MAX_NAMED = 8;

const hasSamplePrice = ({ note }: NewTransaction): boolean => note?.includes(SAMPLE_PRICE_NOTE) === true;

/** Whether figures that rest on these entries are sample data. Those that were taken back count for nothing. */
export const hasSampleFigures = (entries: readonly Transaction[]): boolean =>
  entries.some((entry) => !entry.isReversed && (entry.rateFrom === 'sample' || hasSamplePrice(entry)));

const listed = (names: readonly string[], locale: Locale): string => {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${shown} ${portfolioMessages(locale).rateWords.more({ count: more })}` : shown;
};

const countingAmong = (
  some: readonly Transaction[],
  counting: readonly Transaction[],
): readonly Transaction[] => {
  const numbers = new Set(counting.map(({ number }) => number));
  return some.filter(({ number }) => numbers.has(number));
};

/**
 * What has to be said beside figures of these entries, one line each: rates that were filled in since, rates that may
 * still change, rates that are missing, and numbers that are sample data.
 */
export const rateNotes = (
  entries: readonly Transaction[],
  /** Told nowhere yet. */
  filled: readonly Transaction[] | undefined,
  baseCurrency: Currency,
  locale: Locale,
): readonly string[] => {
  const t = portfolioMessages(locale).rateWords;
  const counting = entries.filter(({ isReversed }) => !isReversed);
  const named = (some: readonly Transaction[]): string =>
    listed(
      some.map(({ number, date }) => `#${number} (${date.toString()})`),
      locale,
    );
  const open = counting.filter(({ rateFrom }) => rateFrom !== undefined && rateFrom !== 'later');
  const from = (wanted: Transaction['rateFrom']): readonly Transaction[] =>
    open.filter(({ rateFrom }) => rateFrom === wanted);
  const [waits, none, sample] = [from('waits'), from('none'), from('sample')];
  const provisional = from('provisional');
  const foreign =
    none[0]?.kind === 'fx' && none[0].currency === baseCurrency
      ? none[0].toCurrency
      : (none[0]?.currency ?? baseCurrency);
  const samplePrices = counting.filter(hasSamplePrice);
  const [firstSample] = samplePrices;
  const told = filled && filled.length > 0 ? countingAmong(filled, counting) : [];
  const withRates = (some: readonly Transaction[]): string =>
    listed(
      some.map(
        (entry) =>
          `#${entry.number} (${entry.date.toString()}) ${entryRateText(entry, baseCurrency, locale) ?? ''}`,
      ),
      locale,
    );
  return [
    ...(told.length > 0 ? [t.filled({ entries: withRates(told) })] : []),
    ...(provisional.length > 0
      ? [t.provisional({ entries: withRates(provisional), currency: baseCurrency })]
      : []),
    ...(waits.length > 0 ? [t.waits({ entries: named(waits), currency: baseCurrency })] : []),
    ...(none.length > 0
      ? [t.none({ entries: named(none), currency: baseCurrency, ...quotedPair(foreign, baseCurrency) })]
      : []),
    ...(sample.length > 0 ? [t.sample({ entries: named(sample), currency: baseCurrency })] : []),
    ...(firstSample ? [t.samplePrice({ entries: named(samplePrices), number: firstSample.number })] : []),
  ];
};
