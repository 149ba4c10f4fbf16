import { expect, it } from 'vitest';
import { hours } from '#src/features/hours/index.ts';
import { symbols } from '#test/support/sample-market.ts';
import type { HoursRequest } from '#src/features/hours/hours.ts';
import { msgContext } from '#test/support/context.ts';

it.each<[string, HoursRequest]>([
  ['', {}],
  ['krx', { market: 'krx' }],
  ['SK hynix', { market: 'SK hynix' }],
  ['krx 2026-11-19', { market: 'krx', date: '2026-11-19' }],
  ['내일 미국', { market: '미국', date: '내일' }],
  ['11월 19일 한국', { market: '한국', date: '11월 19일' }],
  ['s&p 500', { market: 's&p 500' }],
  ['tomorrow', { date: 'tomorrow' }],
])('/hours %s asks for a market and a date where they are named', async (text, expected) => {
  const asked: HoursRequest[] = [];
  const command = hours.command.create({
    symbols,
    markets: {
      hours: async (request) => {
        asked.push(request);
        return { content: 'x', facts: [], found: 1 };
      },
    },
  });
  const { signal } = new AbortController();
  const result = await command.execute(text.split(' '), msgContext(), signal);
  expect(asked).toEqual([expected]);
  expect(result).toEqual({ content: 'x', facts: [], ephemeral: false });
});
