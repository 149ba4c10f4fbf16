import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { OverviewQueries, OverviewRequest } from '#src/features/overview/index.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { type MarketCommandDeps, namesResult } from './market-result.ts';

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

export const cryptoDefinition: CommandDefinition = {
  name: 'crypto',
  aliases: ['코인', '암호화폐'],
  description: {
    ko: '주요 코인의 시세를 원화나 달러로 보여 줍니다',
    en: 'the biggest coins in dollars or won',
  },
  usage: { ko: '/crypto', en: '/crypto BTC ETH' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'coins',
      nameKo: '코인',
      description: {
        ko: '코인 이름 (쉼표로 여러 개), 비우면 주요 코인',
        en: 'names of coins, separated by commas; empty for the biggest ones',
      },
      type: 'text',
      suggest: 'symbol',
    },
    {
      name: 'currency',
      nameKo: '통화',
      description: { ko: '원화 또는 달러', en: 'won or dollars' },
      type: 'text',
      choices: [
        { value: 'krw', label: { ko: '원화', en: 'won' } },
        { value: 'usd', label: { ko: '달러', en: 'US dollars' } },
      ],
    },
  ],
};

/** A currency is the first or the last word: `krw`, `BTC ETH usd`, `원화 비트코인`. Elsewhere it belongs to a name. */
const splitCurrency = (args: readonly string[]) => {
  const last = CURRENCIES.get((args.at(-1) ?? '').toLowerCase());
  if (last) return { currency: last, rest: args.slice(0, -1) };
  const first = CURRENCIES.get((args[0] ?? '').toLowerCase());
  return { currency: first, rest: first ? args.slice(1) : args };
};

export const crypto = ({ markets, symbols }: MarketCommandDeps<OverviewQueries>): Command => ({
  definition: cryptoDefinition,
  execute: async (args, ctx, signal) => {
    const { currency, rest } = splitCurrency(args);
    const names = await byTime(namesIn(rest, symbols, MAX_COINS), signal);
    const { tooMany } = marketTexts(ctx.locale).overview;
    return namesResult(names, { most: MAX_COINS, tooMany }, () =>
      markets.overview({ of: 'crypto', names, ...(currency && { currency }) }, ctx, signal),
    );
  },
});
