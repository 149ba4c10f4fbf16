import { expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { FLAT_BAR, instrumentOf, quoteOf } from './market-fixtures.ts';
import { open, signal } from './resilient-set-up.ts';

const at = (text: string) => Temporal.Instant.from(text);

it('a price whose time has not come yet is left out and logged, a clock that is a minute off is not', async () => {
  const clock = new ManualClock('2026-11-13T15:00:00Z');
  const times: Readonly<Record<string, string>> = {
    AAPL: '2026-11-14T15:00:00Z',
    KO: '2026-11-13T15:01:00Z',
  };
  const asOfOf = ({ symbol }: Instrument) => at(times[symbol] ?? '2026-11-13T15:00:00Z');
  const extended = { session: 'after', price: new Decimal(1), asOf: at('2026-11-13T21:00:00Z') } as const;
  const bar = (time: string) => ({ ...FLAT_BAR, at: at(time) });
  const { ask, source, lines } = open(
    {
      getQuotes: async (wanted) =>
        wanted.map((instrument) => quoteOf(instrument, { asOf: asOfOf(instrument), extended })),
      getHistory: async (instrument, range) => ({
        ...quoteOf(instrument),
        range,
        interval: '1d',
        timeZone: 'America/New_York',
        bars: [bar('2026-11-13T14:30:00Z'), bar('2026-11-16T14:30:00Z')],
        asOf: at('2026-11-16T14:30:00Z'),
      }),
      getDays: async (instrument) => ({
        ...quoteOf(instrument),
        timeZone: 'America/New_York',
        bars: [bar('2026-11-13T14:30:00Z'), bar('2026-11-16T14:30:00Z')],
        actions: ['2026-11-13', '2026-11-16'].map((date) => ({
          kind: 'split',
          date: Temporal.PlainDate.from(date),
          ratio: new Decimal(4),
        })),
        asOf: at('2026-11-16T14:30:00Z'),
      }),
    },
    clock,
  );
  const [quote, ...others] = await ask(['AAPL', 'KO']);
  expect([quote?.instrument.symbol, quote?.extended, others]).toEqual(['KO', undefined, []]);
  const history = await source.getHistory?.(instrumentOf('AAPL'), '1mo', signal);
  expect([history?.bars.length, history?.asOf.toString()]).toEqual([1, '2026-11-13T14:30:00Z']);
  const [first, last] = ['2026-11-01', '2026-11-30'].map((date) => Temporal.PlainDate.from(date));
  const days = first && last && (await source.getDays?.(instrumentOf('AAPL'), { first, last }, signal));
  expect([days?.bars.length, days?.actions.length, days?.asOf.toString()]).toEqual([
    1,
    1,
    '2026-11-13T14:30:00Z',
  ]);
  // Once a minute is enough.
  expect(lines.map(({ asked, symbol }) => [asked, symbol])).toEqual([['quotes', 'AAPL']]);
});

it('a machine whose clock is minutes behind still has prices, of now, and none that is called real time', async () => {
  const clock = new ManualClock('2026-11-13T15:00:00Z');
  const { ask } = open(
    {
      getQuotes: async (wanted) =>
        wanted.map((instrument) =>
          quoteOf(instrument, { asOf: at('2026-11-13T15:03:00Z'), delayMinutes: 0 }),
        ),
    },
    clock,
  );
  const [quote] = await ask(['AAPL']);
  expect(quote?.asOf.toString()).toMatch(/^2026-11-13T15:00:00/);
  expect(quote?.delayMinutes).toBeUndefined();
});
