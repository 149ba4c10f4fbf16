import { z } from 'zod';
import { action, defineAbility, limited, option } from '#src/features/ability.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import type { OverviewQueries, OverviewRequest } from './overview.ts';

const MAX_COINS = 10;

const CURRENCIES: ReadonlyMap<string, NonNullable<OverviewRequest['currency']>> = new Map([
  ['krw', 'KRW'],
  ['원', 'KRW'],
  ['원화', 'KRW'],
  ['won', 'KRW'],
  ['usd', 'USD'],
  ['달러', 'USD'],
  ['dollar', 'USD'],
]);

/** A currency is the first or the last word: `krw`, `BTC ETH usd`, `원화 비트코인`. Elsewhere it belongs to a name. */
const splitCurrency = (args: readonly string[]) => {
  const last = CURRENCIES.get((args.at(-1) ?? '').toLowerCase());
  if (last) return { currency: last, rest: args.slice(0, -1) };
  const first = CURRENCIES.get((args[0] ?? '').toLowerCase());
  return { currency: first, rest: first ? args.slice(1) : args };
};

interface Deps {
  readonly markets: OverviewQueries;
}

export const overview = defineAbility({
  queries: { overview: async () => (await import('./overview.ts')).overviewAnswer },
  name: 'market',
  aliases: ['시장', '증시', '시황'],
  description: {
    ko: '주요 지수, 환율, 금리를 한눈에 보여 줍니다',
    en: 'indices, the won, bitcoin and rates',
  },
  usage: { ko: '/market', en: '/market' },
  concern: 'market',
  actions: {
    markets: action<Deps, Required<OverviewRequest>>({
      hasDetails: true,
      input: {
        of: { input: () => z.enum(['markets', 'crypto']).default('markets'), usual: 'markets' },
        currency: {
          input: () =>
            z
              .enum(['KRW', 'USD'])
              .optional()
              .describe('For coins; leave out for the usual one of the language of the user'),
        },
        names: {
          input: () =>
            z
              .array(nameInput())
              .max(MAX_COINS)
              .optional()
              .describe('For coins: only these, e.g. ["BTC", "이더리움"]; leave out for the biggest'),
        },
      },
      run: (request, { markets }, who, signal) => markets.overview(request, who, signal),
      progress: ({ of }, locale) => marketTexts(locale).progress[of](),
      tool: {
        name: 'get_market_overview',
        description: [
          'Get the markets at a glance in one call. of="markets": KOSPI, KOSDAQ, S&P 500, NASDAQ, Dow, VIX, USD/KRW,',
          'bitcoin and the US 10-year rate. of="crypto": the biggest coins in won or dollars, and the kimchi premium',
          'where it can be computed. Use it when the user asks how the market is doing today (시황, 증시 어때) or about',
          'coins in general; for single names use get_quote. Each line has its own as-of and session state: markets',
          'close at different times, so do not present yesterday’s close as today’s. Repeat source and as-of, say so',
          'when something is called stale, and name what is missing instead of filling it in.',
        ],
        isExternal: true,
      },
    }),
  },
});

/** The coins of the same query, for which models have the same tool. */
export const coins = defineAbility({
  name: 'crypto',
  aliases: ['코인', '암호화폐'],
  description: {
    ko: '주요 코인의 시세를 원화나 달러로 보여 줍니다',
    en: 'the biggest coins in dollars or won',
  },
  usage: { ko: '/crypto', en: '/crypto BTC ETH' },
  concern: 'market',
  actions: {
    coins: action<Deps, { names: readonly string[]; currency: OverviewRequest['currency'] }>({
      hasDetails: true,
      input: {
        names: {
          option: option('coins', '코인', {
            ko: '코인 이름 (쉼표로 여러 개), 비우면 주요 코인',
            en: 'names of coins, separated by commas; empty for the biggest ones',
            suggest: 'symbol',
          }),
          refuse: limited({ most: MAX_COINS, texts: (locale) => marketTexts(locale).overview }),
        },
        currency: {
          option: option('currency', '통화', {
            ko: '원화 또는 달러',
            en: 'won or dollars',
            choices: [
              { value: 'krw', label: { ko: '원화', en: 'won' } },
              { value: 'usd', label: { ko: '달러', en: 'US dollars' } },
            ],
          }),
        },
      },
      read: function* ({ words, symbols }) {
        const { currency, rest } = splitCurrency(words);
        return { names: yield* namesIn(rest, symbols, MAX_COINS), currency };
      },
      run: (request, { markets }, who, signal) => markets.overview({ of: 'crypto', ...request }, who, signal),
    }),
  },
});

export type { OverviewRequest } from './overview.ts';
