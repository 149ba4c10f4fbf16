import type { Instrument, Quote, QuoteResult, SymbolSearch, UnavailableReason } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketMessages } from './market-messages.ts';

export const foundQuotes = (results: readonly QuoteResult[]): readonly Quote[] =>
  results.flatMap((result) => (result.status === 'ok' ? [result.quote] : []));

export const symbolOf = (result: QuoteResult): string =>
  (result.status === 'ok' ? result.quote.instrument : result.instrument).symbol;

const REASONS: readonly UnavailableReason[] = ['down', 'limited', 'no-data', 'not-in-sample'];

/** Names the missing instruments, one sentence per reason. */
export const missingTexts = (results: readonly QuoteResult[], locale: Locale): readonly string[] => {
  const t = marketMessages(locale).overview.missing;
  return REASONS.flatMap((reason) => {
    const names = results.flatMap((result) =>
      result.status === 'unavailable' && result.reason === reason ? [result.instrument.name[locale]] : [],
    );
    return names.length === 0 ? [] : [t[reason]({ names: names.join(', ') })];
  });
};

/** Resolves built-in symbols. One that the index lacks is left out. */
export const instrumentsOf = (
  codes: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
): readonly Instrument[] =>
  codes.flatMap((code) => {
    const match = symbols.resolve(code);
    return match.status === 'found' ? [match.instrument] : [];
  });
