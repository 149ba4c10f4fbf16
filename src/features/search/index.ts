import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { symbolTexts } from './texts.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { SearchQueries } from './search.ts';

const input = toolInput(() =>
  z.object({
    query: nameInput().describe(
      'A name, part of a name, nickname or code, e.g. "삼성", "hynix", "ㅅㅅㅈㅈ", "0126Z0"',
    ),
  }),
);

export const searchSymbol = ({ markets }: { readonly markets: SearchQueries }): Tool =>
  defineTool({
    name: 'search_symbol',
    description: [
      'Search stocks and ETFs in Korea and the United States, indices, coins, currency pairs, commodities and rates by a',
      'name, a part of one, a nickname, a code or the initials of a Korean name, in Korean or English. Use it when you',
      'do not know the code, when another tool says that a name is unknown or fits several, or when the user asks what',
      'is listed under a name. It returns up to eight hits with name, code, exchange and kind, the likeliest first, and no',
      'prices. When several companies fit, ask the user which one is meant instead of choosing; what it calls similar',
      'names is not what was asked for.',
    ].join(' '),
    group: 'finance',
    input,
    progress: ({ query }, locale) => symbolTexts(locale).searching({ query: echo(query) }),
    run: async ({ query }, context, signal) => toolResult(await markets.search({ query }, context, signal)),
  });

export const search = {
  queries: { search: async () => (await import('./search.ts')).searchAnswer },
  tools: { search_symbol: searchSymbol },
} satisfies Feature;

export type { SearchQueries } from './search.ts';
