import { z } from 'zod';
import { action, defineAbility, option } from '#src/features/ability.ts';
import { shortened } from '#src/kernel/text.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import type { ConvertQueries } from './convert.ts';

const MAX_LENGTH = 40;

interface Asked {
  /** As a person typed it, instead of the others. */
  readonly text: string | undefined;
  readonly amount: string | number;
  readonly from: string;
  readonly to: string;
}

const currency = (description: string) => () => z.string().min(1).max(MAX_LENGTH).describe(description);

export const fx = defineAbility({
  queries: { convert: async () => (await import('./convert.ts')).convertAnswer },
  name: 'fx',
  aliases: ['환율', '환전', 'convert'],
  description: {
    ko: '금액을 다른 통화나 코인으로 환산합니다',
    en: 'converts between currencies and coins',
  },
  usage: { ko: '/fx 100달러 원', en: '/fx 100 usd krw' },
  concern: 'market',
  actions: {
    convert: action<{ readonly markets: ConvertQueries }, Asked>({
      fills: (words) => ({ amount: words.slice(0, -1).join(' '), to: words.at(-1) ?? '' }),
      input: {
        text: {},
        amount: {
          input: () =>
            z
              .union([z.string().min(1).max(MAX_LENGTH), z.number().nonnegative()])
              .default('1')
              .describe('Decimal, best as text: "100", "1,250.50", "3만"'),
          option: option('amount', '금액', {
            ko: '금액과 통화 (예: 100 usd krw, 100달러, 3만엔)',
            en: 'amount and currencies, e.g. 100 usd krw or 0.5 btc',
          }),
        },
        from: { input: currency('Currency of the amount, e.g. "USD", "원", "BTC"') },
        to: {
          input: currency('Currency to convert into, e.g. "KRW", "엔"'),
          option: option('to', '통화', {
            ko: '바꿀 통화 (예: krw, 원)',
            en: 'currency to convert into, e.g. krw',
          }),
        },
      },
      read: ({ words }) => ({ text: words.join(' '), amount: '', from: '', to: '' }),
      run: ({ text, amount, from, to }, { markets }, who, signal) =>
        markets.convert(text === undefined ? { amount: String(amount), from, to } : { text }, who, signal),
      progress: ({ from, to }, locale) =>
        hoursTexts(locale).fx.converting({ from: shortened(from), to: shortened(to) }),
      tool: {
        name: 'convert_currency',
        description: [
          'Convert an amount of money into another currency, or get an exchange rate (amount 1). Knows the currencies of',
          'the world by ISO code, sign or name in Korean and English, and the large coins (BTC, ETH, …). Use it whenever',
          'money of one currency is to be told in another; never convert with a rate from memory. The result names the',
          'rate, its as-of time and its source: repeat them, and that it is a cross rate where it says so.',
        ],
        isExternal: true,
      },
    }),
  },
});

export type { ConvertQueries } from './convert.ts';
