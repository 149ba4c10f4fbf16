import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { OverviewQueries } from '#src/features/overview/index.ts';
import { commandResult } from './market-result.ts';

export const marketDefinition: CommandDefinition = {
  name: 'market',
  aliases: ['시장', '증시', '시황'],
  description: {
    ko: '주요 지수, 환율, 금리를 한눈에 보여 줍니다',
    en: 'indices, the won, bitcoin and rates',
  },
  usage: { ko: '/market', en: '/market' },
  category: 'finance',
  isHarmless: true,
};

export const market = ({ markets }: { readonly markets: OverviewQueries }): Command => ({
  definition: marketDefinition,
  execute: async (_args, ctx, signal, flags) =>
    commandResult(await markets.overview({ of: 'markets' }, ctx, signal), flags),
});
