import { z } from 'zod';
import { action, defineAbility, limited, names, option } from '#src/features/ability.ts';
import type { MarketQueryDeps } from '#src/features/feature.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Audience, MarketAnswer } from '#src/kernel/chat/answer.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { nameInput, statusNames } from '#src/markets/answers/name-input.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import { createNameReader, findNames } from '#src/reading/names.ts';
import { asksForAll } from '#src/markets/answers/command-result.ts';
import type { FundamentalsQueries } from '../fundamentals/index.ts';
import type { QuotesQueries } from './quotes.ts';

const MAX_SYMBOLS = 10;
interface Deps {
  readonly markets: QuotesQueries & FundamentalsQueries;
}

interface Asked {
  readonly symbols: readonly string[];
  /** `--all`: of one company also its figures. */
  readonly hasFigures: boolean;
}

/** Longer than a message on any platform. */
const MAX_TEXT = 4_000;

/** The names in a message that somebody asks about. A word that only may be one does not count. */
const namedIn = (text: string, symbols: Pick<SymbolSearch, 'resolve'>): readonly string[] => {
  const found = findNames(text.slice(0, MAX_TEXT), createNameReader(symbols));
  const known = found.flatMap((name) => (name.kind === 'known' ? [name.text] : []));
  return [...new Set(known)].slice(0, MAX_SYMBOLS);
};

/** The price with all figures of the company below, where it has any. */
const withFigures = async (
  query: string,
  { markets }: Deps,
  who: Audience,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const [quote, figures] = await Promise.all([
    markets.quotes([query], who, signal),
    markets.fundamentals({ query }, who, signal),
  ]);
  if (quote.found === 0 || figures.found === 0) return quote;
  return {
    ...quote,
    content: `${quote.content}\n\n${figures.content}`,
    facts: [...quote.facts, ...figures.facts],
    ...(quote.cards && { cards: { ...quote.cards, text: figures.content } }),
  };
};

export const quotes = defineAbility({
  queries: {
    quotes: async () => {
      const { quotesAnswer } = await import('./quotes.ts');
      const { askSparklines } = await import('./sparkline.ts');
      return (deps: MarketQueryDeps) => quotesAnswer({ ...deps, askSparklines: askSparklines(deps) });
    },
  },
  name: 'price',
  aliases: ['시세', 'quote'],
  description: {
    ko: '종목, 코인, 환율의 시세를 보여 줍니다',
    en: 'the price of a stock, coin or currency',
  },
  usage: { ko: '/price 삼성전자', en: '/price AAPL' },
  concern: 'market',
  actions: {
    quotes: action<Deps, Asked>({
      hasDetails: true,
      input: {
        symbols: {
          input: () =>
            z
              .array(nameInput())
              .min(1)
              .max(MAX_SYMBOLS)
              .describe('Names, tickers or codes, e.g. ["삼성전자", "AAPL", "005930", "USD/KRW", "bitcoin"]'),
          option: option('symbol', '종목', {
            ko: '종목명, 코드, 코인, 환율 (쉼표로 여러 개)',
            en: 'name or code of a stock, coin or currency; separate several with commas',
            isRequired: true,
            suggest: 'symbol',
          }),
          refuse: limited({ least: 1, most: MAX_SYMBOLS, texts: quoteTexts }),
        },
        hasFigures: { usual: false },
      },
      read: function* (typed) {
        const { forwarded, locale } = typed.ctx;
        const symbols =
          typed.words.length === 0 && forwarded
            ? namedIn(forwarded.map(({ text }) => text).join('\n'), typed.symbols)
            : yield* names(MAX_SYMBOLS)(typed);
        return symbols.length === 0 && forwarded
          ? quoteTexts(locale).nothingNamed()
          : { symbols, hasFigures: asksForAll(typed.flags) };
      },
      run: ({ symbols, hasFigures }, deps, who, signal) => {
        const [only = ''] = symbols;
        return hasFigures && symbols.length === 1
          ? withFigures(only, deps, who, signal)
          : deps.markets.quotes(symbols, who, signal);
      },
      progress: ({ symbols }, locale) => {
        const shown = statusNames(symbols);
        return shown ? liveTexts(locale).quotes(shown) : liveTexts(locale).anyQuotes();
      },
      tool: {
        name: 'get_quote',
        description: [
          'Get the latest price of stocks, ETFs, indices, coins, currency pairs and interest rates, with the change',
          'from the previous regular close, pre-market or after-hours price, day and 52-week range and volume. Use it',
          'whenever the user asks what something costs, how it is doing or how far it moved, and never state a price',
          'from memory. Pass names as the user wrote them, in Korean or English, or tickers or codes; ask for several',
          'in one call. Every result carries its source, delay and as-of time: repeat them, and say so when a price',
          'is called stale. When a name is unknown or fits several companies the result says so; ask the user then',
          'instead of choosing.',
        ],
        isExternal: true,
      },
    }),
  },
});
