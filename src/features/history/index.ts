import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import { HISTORY_RANGES } from '#src/kernel/market/finance.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { HistoryQueries } from './history.ts';

const date = (description: string) =>
  z.iso.date().optional().describe(`${description}; ISO, e.g. 2026-10-01`);
const dayOf = (iso: string): Temporal.PlainDate => Temporal.PlainDate.from(iso);

/** A model may give the days in the wrong order. */
const daysFrom = (a: Temporal.PlainDate, b: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(a, b) <= 0 ? { first: a, last: b } : { first: b, last: a };

const input = toolInput(() =>
  z.object({
    symbol: nameInput().describe(
      'Name, ticker or code, e.g. "삼성전자", "AAPL", "005930", "USD/KRW", "bitcoin"',
    ),
    range: z
      .enum(HISTORY_RANGES)
      .default('1y')
      .describe('How far back; `ytd` is since the last close of last year'),
    from: date('The first day that the question is about, instead of a range'),
    to: date(
      'The last day; absent: only the first, answered with the close of that or the trading day before',
    ),
  }),
);

export const getHistory = ({ markets }: { readonly markets: HistoryQueries }): Tool =>
  defineTool({
    name: 'get_history',
    description: [
      'Get how the price of one stock, ETF, index, coin, currency pair or rate went over a time: first and last',
      'close with dates, change in percent, high and low with dates, average volume, and a table of open, high,',
      'low, close and volume (of long times the close and volume of 40 real bars). Use it for questions about the past: how',
      'far it rose or fell in a month, this year or since a date, when it was highest, what it closed at on a day',
      '(give `from`, and `to` for several days). For today',
      'alone use get_quote; to put several side by side use compare; for a picture use make_chart. Closes are',
      'adjusted for splits, not for dividends, and dates are those of the exchange. While trading goes on the last',
      'price is no close: call it the last price. Changes of 1d and ytd are from the close before. Pass the name as',
      'the user wrote it, or a ticker or code. Repeat the source and the as-of time; take no number from memory. When the',
      'name is unknown or fits several the result says so; ask the user then instead of choosing.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ symbol }, locale) => analysisTexts(locale).lookingUpHistory({ name: shortened(symbol) }),
    run: async ({ symbol, range, from, to }, context, signal) => {
      const days = from === undefined ? undefined : daysFrom(dayOf(from), dayOf(to ?? from));
      return toolResult(
        await markets.history({ query: symbol, range, ...(days && { days }) }, context, signal),
      );
    },
  });

export const history = {
  queries: { history: async () => (await import('./history.ts')).historyAnswer },
  tools: { get_history: getHistory },
} satisfies Feature;
