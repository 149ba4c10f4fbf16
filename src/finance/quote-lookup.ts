import type {
  Instrument,
  QuoteLookup,
  QuoteResult,
  Quotes,
  SymbolMatch,
  SymbolSearch,
} from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { quoteCard, quoteChoices } from './quote-card.ts';
import { describeQuote, instrumentLabel, quoteFacts } from './quote-text.ts';

interface QuoteLookupDeps {
  readonly quotes: Quotes;
  readonly symbols: SymbolSearch;
}

const MAX_ECHO_CHARACTERS = 40;
/** Long before any sensible name ends; keeps a pasted page from being taken apart. */
const MAX_ECHO_READ = 1_000;
const BREAKS_LINE = /[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;
const graphemes = new Intl.Segmenter();

/** What was typed, short and on one line: it is repeated in a sentence of ours. */
const echo = (query: string): string => {
  const line = query.slice(0, MAX_ECHO_READ).replaceAll(BREAKS_LINE, ' ').trim();
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment);
  return characters.length > MAX_ECHO_CHARACTERS
    ? `${characters.slice(0, MAX_ECHO_CHARACTERS).join('')}…`
    : line;
};

/** What a name that did not resolve may stand for. */
const possible = (match: SymbolMatch): readonly Instrument[] => {
  if (match.status === 'found') return [];
  return match.status === 'ambiguous' ? match.choices : match.suggestions;
};

const describeMiss = (
  rawQuery: string,
  match: Exclude<SymbolMatch, { readonly status: 'found' }>,
  locale: Locale,
): string => {
  const query = echo(rawQuery);
  const choices = possible(match)
    .map((instrument) => instrumentLabel(instrument, locale))
    .join(', ');
  if (match.status === 'ambiguous') return texts(locale).symbolAmbiguous({ query, choices });
  return choices === ''
    ? texts(locale).symbolUnknown({ query })
    : texts(locale).symbolSuggest({ query, choices });
};

const describeResult = (result: QuoteResult, locale: Locale, timeZone: string): string =>
  result.status === 'ok'
    ? describeQuote(result.quote, locale, timeZone)
    : texts(locale).quoteUnavailable({ name: instrumentLabel(result.instrument, locale) });

const symbolOf = (result: QuoteResult): string =>
  (result.status === 'ok' ? result.quote.instrument : result.instrument).symbol;

/** From names to quotes in words: what `get_quote` and `/price` share. Throws on abort alone. */
export const createQuoteLookup =
  ({ quotes, symbols }: QuoteLookupDeps): QuoteLookup =>
  async (queries, locale, timeZone, signal) => {
    const matches = queries.map((query) => ({ query, match: symbols.resolve(query) }));
    const wanted = new Map(
      matches.flatMap(({ match }) =>
        match.status === 'found' ? [[match.instrument.symbol, match.instrument] as const] : [],
      ),
    );
    const results = wanted.size === 0 ? [] : await quotes.getQuotes([...wanted.values()], signal);
    const bySymbol = new Map(results.map((result) => [symbolOf(result), result]));

    const answers = matches.map(({ query, match }) => {
      if (match.status !== 'found') return { isQuote: false, text: describeMiss(query, match, locale) };
      const { instrument } = match;
      const result = bySymbol.get(instrument.symbol) ?? { status: 'unavailable', instrument };
      return { isQuote: result.status === 'ok', text: describeResult(result, locale, timeZone) };
    });
    // A set: two names of one company are one quote.
    const joined = (parts: typeof answers): string =>
      [...new Set(parts.map(({ text }) => text))].join('\n\n');
    const found = results.flatMap((result) => (result.status === 'ok' ? [result.quote] : []));
    const choices = quoteChoices(
      matches.flatMap(({ match }) => possible(match)),
      locale,
    );
    return {
      content: joined(answers),
      facts: found.flatMap(quoteFacts),
      found: found.length,
      ...(found.length > 0 && {
        cards: {
          items: found.map((quote) => quoteCard(quote, locale, timeZone)),
          text: joined(answers.filter(({ isQuote }) => !isQuote)),
        },
      }),
      ...(choices.length > 0 && { choices }),
    };
  };
