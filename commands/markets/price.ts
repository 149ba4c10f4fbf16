import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { TurnContext } from '#src/kernel/message.ts';
import type { FundamentalsQueries } from '#src/features/fundamentals/index.ts';
import type { QuotesQueries } from '#src/features/quotes/index.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { createNameReader, findNames } from '#src/reading/names.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { ephemeral } from '../shared/results.ts';
import { asksForAll, type MarketCommandDeps, namesResult } from './market-result.ts';

const MAX_SYMBOLS = 10;
/** Longer than a message on any platform. */
const MAX_TEXT = 4_000;

export const priceDefinition: CommandDefinition = {
  name: 'price',
  aliases: ['시세', 'quote'],
  description: {
    ko: '종목, 코인, 환율의 시세를 보여 줍니다',
    en: 'the price of a stock, coin or currency',
  },
  usage: { ko: '/price 삼성전자', en: '/price AAPL' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbol',
      nameKo: '종목',
      description: {
        ko: '종목명, 코드, 코인, 환율 (쉼표로 여러 개)',
        en: 'name or code of a stock, coin or currency; separate several with commas',
      },
      type: 'text',
      isRequired: true,
      suggest: 'symbol',
    },
  ],
};

/** The names in a message that somebody asks about. A word that only may be one does not count. */
const namedIn = (text: string, symbols: Pick<SymbolSearch, 'resolve'>): readonly string[] => {
  const found = findNames(text.slice(0, MAX_TEXT), createNameReader(symbols));
  const known = found.flatMap((name) => (name.kind === 'known' ? [name.text] : []));
  return [...new Set(known)].slice(0, MAX_SYMBOLS);
};

type PriceQueries = QuotesQueries & FundamentalsQueries;

/** The price with all figures of the company below, where it has any. */
const withFigures = async (
  query: string,
  markets: PriceQueries,
  ctx: TurnContext,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const [quote, figures] = await Promise.all([
    markets.quotes([query], ctx, signal),
    markets.fundamentals({ query }, ctx, signal),
  ]);
  if (quote.found === 0 || figures.found === 0) return quote;
  return {
    ...quote,
    content: `${quote.content}\n\n${figures.content}`,
    facts: [...quote.facts, ...figures.facts],
    ...(quote.cards && { cards: { ...quote.cards, text: figures.content } }),
  };
};

export const price = ({ markets, symbols }: MarketCommandDeps<PriceQueries>): Command => ({
  definition: priceDefinition,
  execute: async (args, ctx, signal, flags) => {
    const queries =
      args.length === 0 && ctx.forwarded
        ? namedIn(ctx.forwarded.map(({ text }) => text).join('\n'), symbols)
        : await byTime(namesIn(args, symbols, MAX_SYMBOLS), signal);
    if (queries.length === 0 && ctx.forwarded) return ephemeral(quoteTexts(ctx.locale).nothingNamed());
    const limits = { ...quoteTexts(ctx.locale), least: 1, most: MAX_SYMBOLS };
    const [only, another] = queries;
    const isOne = only !== undefined && another === undefined;
    return namesResult(queries, limits, () =>
      isOne && asksForAll(flags)
        ? withFigures(only, markets, ctx, signal)
        : markets.quotes(queries, ctx, signal),
    );
  },
});
