import { z } from 'zod';
import type { QuoteLookup } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { shortened } from '#src/core/text.ts';
import { defineTool, type Tool } from '#src/core/tool.ts';

export interface GetQuoteDeps {
  readonly lookUpQuotes: QuoteLookup;
}

const MAX_SYMBOLS = 10;
const MAX_NAME_LENGTH = 100;
/** More names make no status line. */
const MAX_NAMED = 2;

const lookingUp = (symbols: readonly string[], locale: Locale): string => {
  const names = symbols.map(shortened).filter((name) => name !== '');
  const words = texts(locale).live;
  if (names.length === 0) return words.anyQuotes();
  return words.quotes({
    names: names.slice(0, MAX_NAMED).join(', '),
    more: Math.max(0, names.length - MAX_NAMED),
  });
};

export const getQuote = ({ lookUpQuotes }: GetQuoteDeps): Tool =>
  defineTool({
    name: 'get_quote',
    description: [
      'Get the latest price of stocks, ETFs, indices, coins and currency pairs, with the change from the',
      'previous close, day and 52-week range and volume. Use it whenever the user asks what something costs,',
      'how it is doing or how far it moved, and never state a price from memory. Pass names as the user wrote',
      'them, in Korean or English, or tickers or codes; ask for several in one call. Every result carries its',
      'source and its as-of time: repeat both. When a name is unknown or fits several companies the result',
      'says so; ask the user then instead of choosing.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input: z.object({
      symbols: z
        .array(z.string().min(1).max(MAX_NAME_LENGTH))
        .min(1)
        .max(MAX_SYMBOLS)
        .describe('Names, tickers or codes, e.g. ["삼성전자", "AAPL", "005930", "USD/KRW", "bitcoin"]'),
    }),
    progress: ({ symbols }, locale) => lookingUp(symbols, locale),
    run: async ({ symbols }, { locale, timeZone }, signal) => {
      const { content, facts, found } = await lookUpQuotes(symbols, locale, timeZone, signal);
      return { content, facts, isError: found === 0 };
    },
  });
