import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { EarningsQueries } from '#src/features/earnings/index.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { type MarketCommandDeps, namesResult } from './market-result.ts';

const MAX_COMPANIES = 10;

export const earningsDefinition: CommandDefinition = {
  name: 'earnings',
  aliases: ['실적', '실적발표'],
  description: {
    ko: '기업의 다음 실적 발표 일정을 보여 줍니다',
    en: 'when companies report earnings',
  },
  usage: { ko: '/earnings 엔비디아', en: '/earnings NVDA' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbol',
      nameKo: '종목',
      description: {
        ko: '기업 이름이나 코드 (쉼표로 여러 개), 비우면 주요 기업',
        en: 'name or code of a company; separate several with commas; empty for the biggest ones',
      },
      type: 'text',
      suggest: 'symbol',
    },
  ],
};

export const earnings = ({ markets, symbols }: MarketCommandDeps<EarningsQueries>): Command => ({
  definition: earningsDefinition,
  execute: async (args, ctx, signal) => {
    const queries = await byTime(namesIn(args, symbols, MAX_COMPANIES), signal);
    const { tooMany } = marketTexts(ctx.locale).earnings;
    return namesResult(queries, { most: MAX_COMPANIES, tooMany }, () =>
      markets.earnings({ queries }, ctx, signal),
    );
  },
});
