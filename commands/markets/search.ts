import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { SearchQueries } from '#src/features/search/index.ts';
import { commandResult } from './market-result.ts';

export const searchDefinition: CommandDefinition = {
  name: 'search',
  aliases: ['검색', '종목검색', 'find'],
  description: {
    ko: '이름이나 코드로 종목, 코인, 환율, 지수를 찾습니다',
    en: 'finds symbols by name or code',
  },
  usage: { ko: '/search 삼성', en: '/search samsung' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'name',
      nameKo: '이름',
      description: {
        ko: '이름, 별명, 초성 또는 코드의 일부',
        en: 'part of a name, a nickname or a code',
      },
      type: 'text',
      isRequired: true,
      suggest: 'symbol',
    },
    {
      name: 'page',
      nameKo: '페이지',
      description: { ko: '검색 결과의 페이지', en: 'page of the results' },
      type: 'integer',
      isNamed: true,
      min: 1,
      max: 3,
    },
  ],
};

export const search = ({ markets }: { readonly markets: SearchQueries }): Command => ({
  definition: searchDefinition,
  execute: async (args, ctx, signal, flags) => {
    const page = Math.trunc(Number(flags?.get('page') ?? 1)) || 1;
    return commandResult(await markets.search({ query: args.join(' '), page }, ctx, signal));
  },
});
