import type { Instrument, Quote, QuoteResult } from '#src/kernel/finance.ts';
import { marketMessages } from '#src/markets/answers/market-messages.ts';
import { briefingMessages } from './messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { Decimal } from '#src/kernel/money.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { foundQuotes, missingTexts } from '#src/markets/answers/quote-results.ts';
import { quoteTable } from '#src/markets/answers/quote-table.ts';

const symbolOf = (result: QuoteResult): string =>
  (result.status === 'ok' ? result.quote.instrument : result.instrument).symbol;

/** Those of these instruments, in their order. */
export const resultsOf = (
  instruments: readonly Instrument[],
  results: readonly QuoteResult[],
): readonly QuoteResult[] => {
  const bySymbol = new Map(results.map((result) => [symbolOf(result), result]));
  return instruments.flatMap(({ symbol }) => bySymbol.get(symbol) ?? []);
};

/** How far it moved, whichever way; what is not known comes last. */
const size = ({ price, previousClose }: Quote): Decimal =>
  previousClose === undefined || previousClose.isZero()
    ? new Decimal(-1)
    : price.minus(previousClose).dividedBy(previousClose).abs();

const table = (quotes: readonly Quote[], nameOf: (quote: Quote) => string, audience: Audience): string => {
  const { name: nameHead, level: levelHead } = marketMessages(audience.locale).overview;
  return quoteTable(quotes, { nameOf, nameHead, levelHead }, audience);
};

/** A title, a table, and what is missing in it. Nothing where nothing was asked for. */
const section = (
  title: string,
  results: readonly QuoteResult[],
  shown: readonly Quote[],
  nameOf: (quote: Quote) => string,
  audience: Audience,
): readonly string[] =>
  results.length === 0
    ? []
    : [
        title,
        ...(shown.length > 0 ? [table(shown, nameOf, audience)] : []),
        ...missingTexts(results, audience.locale),
      ];

export const marketsSection = (results: readonly QuoteResult[], audience: Audience): readonly string[] => {
  const { short } = marketMessages(audience.locale).overview;
  const nameOf = ({ instrument: { symbol, name } }: Quote): string => short[symbol] ?? name[audience.locale];
  return section(
    briefingMessages(audience.locale).markets(),
    results,
    foundQuotes(results),
    nameOf,
    audience,
  );
};

export const namedSection = (results: readonly QuoteResult[], audience: Audience): readonly string[] =>
  section(
    briefingMessages(audience.locale).named(),
    results,
    foundQuotes(results),
    ({ instrument }) => narrowName(instrument, audience.locale),
    audience,
  );

/** The biggest moves first; the rest is counted. */
export const watchedSection = (
  results: readonly QuoteResult[],
  limit: number,
  audience: Audience,
): readonly string[] => {
  const t = briefingMessages(audience.locale);
  const quotes = foundQuotes(results).toSorted((a, b) => size(b).comparedTo(size(a)));
  const left = quotes.length - limit;
  return [
    ...section(
      t.watchlist(),
      results,
      quotes.slice(0, limit),
      ({ instrument }) => narrowName(instrument, audience.locale),
      audience,
    ),
    ...(left > 0 ? [t.moreWatched({ count: left })] : []),
  ];
};
