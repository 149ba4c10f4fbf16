import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import type { ConvertQueries } from './convert.ts';

const MAX_LENGTH = 40;

const input = toolInput(() =>
  z.object({
    amount: z
      .union([z.string().min(1).max(MAX_LENGTH), z.number().nonnegative()])
      .default('1')
      .describe('Decimal, best as text: "100", "1,250.50", "3만"'),
    from: z.string().min(1).max(MAX_LENGTH).describe('Currency of the amount, e.g. "USD", "원", "BTC"'),
    to: z.string().min(1).max(MAX_LENGTH).describe('Currency to convert into, e.g. "KRW", "엔"'),
  }),
);

export const convertCurrency = ({ markets }: { readonly markets: ConvertQueries }): Tool =>
  defineTool({
    name: 'convert_currency',
    description: [
      'Convert an amount of money into another currency, or get an exchange rate (amount 1). Knows the currencies of',
      'the world by ISO code, sign or name in Korean and English, and the large coins (BTC, ETH, …). Use it whenever',
      'money of one currency is to be told in another; never convert with a rate from memory. The result names the',
      'rate, its as-of time and its source: repeat them, and that it is a cross rate where it says so.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ from, to }, locale) =>
      hoursTexts(locale).fx.converting({ from: shortened(from), to: shortened(to) }),
    run: async ({ amount, from, to }, context, signal) =>
      toolResult(await markets.convert({ amount: String(amount), from, to }, context, signal)),
  });

export const fx = {
  queries: { convert: async () => (await import('./convert.ts')).convertAnswer },
  tools: { convert_currency: convertCurrency },
} satisfies Feature;

export type { ConvertQueries } from './convert.ts';
