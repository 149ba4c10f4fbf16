import type { Instrument, SymbolMatch, SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { symbolMessages } from '#src/markets/answers/symbol-messages.ts';
import type { MarketQuery } from '#src/kernel/market-queries.ts';
import { choiceOf, echo } from '#src/markets/answers/resolve-names.ts';

export interface SearchQueries {
  readonly search: MarketQuery<{ readonly query: string }>;
}

interface SearchAnswerDeps {
  readonly symbols: SymbolSearch;
}

const MAX_HITS = 10;
/** As many as fit under a message. */
const MAX_CHOICES = 8;

const listed = (match: SymbolMatch): readonly Instrument[] => {
  if (match.status === 'found') return [match.instrument];
  return match.status === 'ambiguous' ? match.choices : match.suggestions;
};

const lineOf = (instrument: Instrument, locale: Locale): string => {
  const { name, ticker, exchange, assetClass } = instrument;
  return `- **${name[locale]}** · \`${ticker}\` · ${exchange} · ${symbolMessages(locale).kinds[assetClass]}`;
};

/** What a name or a part of one may be: what it resolves to first, then what begins or contains it. */
export const searchAnswer =
  ({ symbols }: SearchAnswerDeps): SearchQueries['search'] =>
  async ({ query }, { locale }, signal) => {
    const t = symbolMessages(locale);
    const shown = echo(query);
    if (shown === '') return { content: t.usage(), facts: [], found: 0 };
    const match = symbols.resolve(query);
    const parts = symbols.suggest(query, MAX_HITS);
    const isElsewhere = match.status === 'unknown' && parts.length === 0;
    const listing = isElsewhere ? await symbols.findListing?.(query, signal) : undefined;
    const found = listing ? [listing.instrument] : [...listed(match), ...parts];
    const hits = [...new Map(found.map((each) => [each.symbol, each])).values()].slice(0, MAX_HITS);
    if (hits.length === 0) return { content: t.nothing({ query: shown }), facts: [], found: 0 };
    const isSimilar = isElsewhere && !listing;
    const heading = isSimilar ? t.similar({ query: shown }) : t.hits({ query: shown, count: hits.length });
    return {
      content: [heading, ...hits.map((hit) => lineOf(hit, locale))].join('\n'),
      facts: [],
      found: hits.length,
      choices: hits
        .slice(0, MAX_CHOICES)
        .map((hit) => choiceOf(hit, symbols, locale, (code) => `/price ${code}`)),
    };
  };
