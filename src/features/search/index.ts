import { action, defineAbility, option } from '#src/features/ability.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import type { SearchQueries } from './search.ts';
import { symbolTexts } from './texts.ts';

export const search = defineAbility({
  queries: { search: async () => (await import('./search.ts')).searchAnswer },
  name: 'search',
  aliases: ['검색', '종목검색', 'find'],
  description: {
    ko: '이름이나 코드로 종목, 코인, 환율, 지수를 찾습니다',
    en: 'finds symbols by name or code',
  },
  usage: { ko: '/search 삼성', en: '/search samsung' },
  concern: 'market',
  actions: {
    hits: action({
      input: {
        query: {
          input: () =>
            nameInput().describe(
              'A name, part of a name, nickname or code, e.g. "삼성", "hynix", "ㅅㅅㅈㅈ", "0126Z0"',
            ),
          option: option('name', '이름', {
            ko: '이름, 별명, 초성 또는 코드의 일부',
            en: 'part of a name, a nickname or a code',
            isRequired: true,
            suggest: 'symbol',
          }),
          read: ({ words }) => words.join(' '),
        },
        page: {
          option: option('page', '페이지', {
            ko: '검색 결과의 페이지',
            en: 'page of the results',
            type: 'integer',
            isNamed: true,
            min: 1,
            max: 3,
          }),
          read: ({ flags }): number | undefined => Math.trunc(Number(flags.get('page') ?? 1)) || 1,
        },
      },
      run: ({ query, page }, { markets }: { readonly markets: SearchQueries }, who, signal) =>
        markets.search({ query, ...(page !== undefined && { page }) }, who, signal),
      progress: ({ query }, locale) => symbolTexts(locale).searching({ query: echo(query) }),
      tool: {
        name: 'search_symbol',
        description: [
          'Search stocks and ETFs in Korea and the United States, indices, coins, currency pairs, commodities and rates by a',
          'name, a part of one, a nickname, a code or the initials of a Korean name, in Korean or English. Use it when you',
          'do not know the code, when another tool says that a name is unknown or fits several, or when the user asks what',
          'is listed under a name. It returns up to eight hits with name, code, exchange and kind, the likeliest first, and no',
          'prices. When several companies fit, ask the user which one is meant instead of choosing; what it calls similar',
          'names is not what was asked for.',
        ],
      },
    }),
  },
});

export type { SearchQueries } from './search.ts';
