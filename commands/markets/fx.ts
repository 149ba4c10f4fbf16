import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { ConvertQueries } from '#src/features/fx/index.ts';
import { commandResult } from './market-result.ts';

export const fxDefinition: CommandDefinition = {
  name: 'fx',
  aliases: ['환율', '환전', 'convert'],
  description: {
    ko: '금액을 다른 통화나 코인으로 환산합니다',
    en: 'converts between currencies and coins',
  },
  usage: { ko: '/fx 100달러 원', en: '/fx 100 usd krw' },
  category: 'finance',
  isHarmless: true,
  fills: (words) => ({ amount: words.slice(0, -1).join(' '), to: words.at(-1) ?? '' }),
  options: [
    {
      name: 'amount',
      nameKo: '금액',
      description: {
        ko: '금액과 통화 (예: 100 usd krw, 100달러, 3만엔)',
        en: 'amount and currencies, e.g. 100 usd krw or 0.5 btc',
      },
      type: 'text',
    },
    {
      name: 'to',
      nameKo: '통화',
      description: { ko: '바꿀 통화 (예: krw, 원)', en: 'currency to convert into, e.g. krw' },
      type: 'text',
    },
  ],
};

export const fx = ({ markets }: { readonly markets: ConvertQueries }): Command => ({
  definition: fxDefinition,
  execute: async (args, ctx, signal) =>
    commandResult(await markets.convert({ text: args.join(' ') }, ctx, signal)),
});
