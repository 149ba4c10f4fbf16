import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { NewsQueries } from '#src/features/news/index.ts';
import { commandResult, type MarketCommandDeps } from './market-result.ts';

const USUAL_HEADLINES = 5;
const MAX_HEADLINES = 10;
/** Codes of exchanges are longer than this. */
const COUNT = /^(-?\d{1,3})(?:개|건)?$/;

export const newsDefinition: CommandDefinition = {
  name: 'news',
  aliases: ['뉴스'],
  description: {
    ko: '시장이나 한 종목의 최신 뉴스를 보여 줍니다',
    en: 'news about the market or a company',
  },
  usage: { ko: '/news 삼성전자 10', en: '/news AAPL 10' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbol',
      nameKo: '종목',
      description: {
        ko: '종목명이나 코드, 비우면 시장 전체',
        en: 'name or code; empty for the market as a whole',
      },
      type: 'text',
      suggest: 'symbol',
    },
    {
      name: 'count',
      nameKo: '개수',
      description: { ko: '1~10개, 기본 5개', en: 'how many, 1 to 10 (default 5)' },
      type: 'integer',
    },
  ],
};

export const news = ({ markets, symbols }: MarketCommandDeps<NewsQueries>): Command => ({
  definition: newsDefinition,
  execute: async (args, ctx, signal) => {
    const whole = args.join(' ').trim();
    const [, number] = COUNT.exec(args.at(-1) ?? '') ?? [];
    // The number in `S&P 500` is part of the name.
    const isName = args.length > 1 && symbols.resolve(whole).status !== 'unknown';
    const hasCount = number !== undefined && !isName;
    const query = hasCount ? args.slice(0, -1).join(' ').trim() : whole;
    const limit = hasCount ? Math.min(Math.max(1, Number(number)), MAX_HEADLINES) : USUAL_HEADLINES;
    return commandResult(await markets.news({ ...(query !== '' && { query }), limit }, ctx, signal));
  },
});
