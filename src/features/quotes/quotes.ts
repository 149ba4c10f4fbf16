import type { QueryDeps } from '#src/features/feature.ts';
import { codeFor, type QuoteResult } from '#src/kernel/market/finance.ts';
import type { Audience, MarketQuery } from '#src/kernel/chat/answer.ts';
import { quoteControls } from '#src/markets/answers/controls.ts';
import { describeQuote, quoteCard } from '#src/markets/answers/quote-text.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { foundQuotes, symbolOf } from '#src/markets/answers/quote-table.ts';
import { resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';
import type { AskSparklines } from './sparkline.ts';

export interface QuotesQueries {
  /** Names as people write them. */
  readonly quotes: MarketQuery<readonly string[]>;
}

const describeResult = (result: QuoteResult, audience: Audience, sparkline?: string): string =>
  result.status === 'ok'
    ? describeQuote(result.quote, audience, sparkline)
    : unavailableText(result.instrument, result.reason, audience.locale);

/** One paragraph for each name, in the order of the request. Throws only on abort. */
export const quotesAnswer =
  ({
    market,
    symbols,
    askSparklines,
  }: QueryDeps<'getQuotes'> & {
    /** Absent: prices stand alone. */
    readonly askSparklines?: AskSparklines;
  }): QuotesQueries['quotes'] =>
  async (queries, audience, signal) => {
    const resolved = await resolveNames(
      queries,
      symbols,
      audience.locale,
      (symbol) => `/price ${symbol}`,
      signal,
    );
    const { names, instruments, choices } = resolved;
    const asked = instruments.length === 0 ? [] : market.getQuotes(instruments, signal);
    // After the prices, so that they are first where a source takes requests one by one.
    const sparklinesOf = askSparklines?.(instruments, audience, signal);
    const results = await asked;
    const found = foundQuotes(results);
    const sparklines = await sparklinesOf?.(found);
    const bySymbol = new Map(results.map((result) => [symbolOf(result), result]));

    const paragraphs = names.map((name) => {
      if (name.status === 'missed') return { isQuote: false, text: name.text };
      const { instrument } = name;
      const result = bySymbol.get(instrument.symbol) ?? {
        status: 'unavailable',
        instrument,
        reason: 'no-data',
      };
      return {
        isQuote: result.status === 'ok',
        text: describeResult(result, audience, sparklines?.get(instrument.symbol)?.text),
      };
    });
    // Two names of one company give one paragraph.
    const joined = (parts: typeof paragraphs): string =>
      [...new Set(parts.map(({ text }) => text))].join('\n\n');
    const [only] = found;
    const controls =
      only && names.length === 1 ? quoteControls(codeFor(only.instrument, symbols), audience.locale) : [];
    const offered = choices.length > 0 ? choices : controls;
    return {
      content: joined(paragraphs),
      facts: found.flatMap((quote) => [
        ...quoteFacts(quote),
        ...(sparklines?.get(quote.instrument.symbol)?.facts ?? []),
      ]),
      found: found.length,
      ...(found.length > 0 && {
        cards: {
          items: found.map((quote) => quoteCard(quote, audience)),
          text: joined(paragraphs.filter(({ isQuote }) => !isQuote)),
        },
      }),
      ...(offered.length > 0 && { choices: offered }),
    };
  };
