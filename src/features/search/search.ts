import type { Instrument, SymbolMatch, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { symbolTexts } from './texts.ts';
import { emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import { pageControls } from '#src/markets/answers/controls.ts';
import { choiceOf, echo } from '#src/markets/answers/resolve-names.ts';

export interface SearchQueries {
  readonly search: MarketQuery<{ readonly query: string; readonly page?: number | undefined }>;
}

/** A page of hits has a button for each, and one for the next page. */
const PAGE_HITS = 8;
const MAX_HITS = 24;

const listed = (match: SymbolMatch): readonly Instrument[] => {
  if (match.status === 'found') return [match.instrument];
  return match.status === 'ambiguous' ? match.choices : match.suggestions;
};

const lineOf = (instrument: Instrument, locale: Locale): string => {
  const { name, ticker, exchange, assetClass } = instrument;
  return `**${name[locale]}** · \`${ticker}\` · ${exchange} · ${symbolTexts(locale).kinds[assetClass]}`;
};

/** Lists what a name resolves to, then instruments whose names begin with it or contain it. */
export const searchAnswer =
  ({ symbols }: { readonly symbols: SymbolSearch }): SearchQueries['search'] =>
  async ({ query, page: asked = 1 }, { locale }, signal) => {
    const t = symbolTexts(locale);
    const shown = echo(query);
    if (shown === '') return emptyAnswer(t.usage());
    const match = symbols.resolve(query);
    const parts = symbols.suggest(query, MAX_HITS);
    const isElsewhere = match.status === 'unknown' && parts.length === 0;
    const listing = isElsewhere ? await symbols.findListing?.(query, signal) : undefined;
    const found = listing ? [listing.instrument] : [...listed(match), ...parts];
    const hits = [...new Map(found.map((each) => [each.symbol, each])).values()].slice(0, MAX_HITS);
    if (hits.length === 0) return emptyAnswer(t.nothing({ query: shown }));
    const isSimilar = isElsewhere && !listing;
    const heading = isSimilar ? t.similar({ query: shown }) : t.hits({ query: shown, count: hits.length });
    const pages = Math.ceil(hits.length / PAGE_HITS);
    const page = Math.min(Math.max(1, asked), pages);
    const onPage = hits.slice((page - 1) * PAGE_HITS, page * PAGE_HITS);
    return {
      // The numbers are those that pick a hit.
      content: [heading, ...onPage.map((hit, index) => `${index + 1}. ${lineOf(hit, locale)}`)].join('\n'),
      facts: [],
      found: hits.length,
      choices: [
        ...onPage.map((hit) => choiceOf(hit, symbols, locale, (code) => `/price ${code}`)),
        ...pageControls({ page, pages }, (to) => `/search ${shown} --page=${to}`, locale),
      ],
    };
  };
