import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { quoteMessages } from '#src/markets/answers/quote-messages.ts';
import type { QuotesQueries } from '#src/features/quotes/index.ts';
import { namesIn } from '#src/language/name-scan.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import { type MarketCommandDeps, namesResult } from './market-result.ts';

const MAX_SYMBOLS = 10;

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

export const price = ({ markets, symbols }: MarketCommandDeps<QuotesQueries>): Command => ({
  definition: priceDefinition,
  execute: async (args, ctx, signal) => {
    const queries = await byTime(namesIn(args, symbols, MAX_SYMBOLS), signal);
    const limits = { ...quoteMessages(ctx.locale), least: 1, most: MAX_SYMBOLS };
    return namesResult(queries, limits, () => markets.quotes(queries, ctx, signal));
  },
});
