import type { QuoteResult, Quotes, SymbolSearch } from '#src/kernel/finance.ts';
import type { Audience, MarketQuery } from '#src/kernel/market-queries.ts';
import { quoteCard } from '#src/markets/answers/quote-card.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { describeQuote } from '#src/markets/answers/quote-text.ts';
import { resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';

/** Names as people write them. */
export interface QuotesQueries {
  readonly quotes: MarketQuery<readonly string[]>;
}

interface QuotesDeps {
  readonly market: Quotes;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
}

const describeResult = (result: QuoteResult, audience: Audience): string =>
  result.status === 'ok'
    ? describeQuote(result.quote, audience)
    : unavailableText(result.instrument, result.reason, audience.locale);

const symbolOf = (result: QuoteResult): string =>
  (result.status === 'ok' ? result.quote.instrument : result.instrument).symbol;

/** From names to quotes: one paragraph a name, in the order asked. Throws on abort alone. */
export const quotesAnswer =
  ({ market, symbols }: QuotesDeps): QuotesQueries['quotes'] =>
  async (queries, audience, signal) => {
    const resolved = await resolveNames(
      queries,
      symbols,
      audience.locale,
      (symbol) => `/price ${symbol}`,
      signal,
    );
    const { names, instruments, choices } = resolved;
    const results = instruments.length === 0 ? [] : await market.getQuotes(instruments, signal);
    const bySymbol = new Map(results.map((result) => [symbolOf(result), result]));

    const paragraphs = names.map((name) => {
      if (name.status === 'missed') return { isQuote: false, text: name.text };
      const { instrument } = name;
      const result = bySymbol.get(instrument.symbol) ?? {
        status: 'unavailable',
        instrument,
        reason: 'no-data',
      };
      return { isQuote: result.status === 'ok', text: describeResult(result, audience) };
    });
    // A set: two names of one company are one quote.
    const joined = (parts: typeof paragraphs): string =>
      [...new Set(parts.map(({ text }) => text))].join('\n\n');
    const found = results.flatMap((result) => (result.status === 'ok' ? [result.quote] : []));
    return {
      content: joined(paragraphs),
      facts: found.flatMap(quoteFacts),
      found: found.length,
      ...(found.length > 0 && {
        cards: {
          items: found.map((quote) => quoteCard(quote, audience)),
          text: joined(paragraphs.filter(({ isQuote }) => !isQuote)),
        },
      }),
      ...(choices.length > 0 && { choices }),
    };
  };
