import { expect, it } from 'vitest';
import { createMarketHours } from '#src/finance/calendar.ts';
import { createFinanceContextProvider } from '#src/finance/context-provider.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

it.each([
  ['2026-11-13T02:00:00Z', { KRX: 'open', NYSE: 'closed' }],
  ['2026-11-13T15:00:00Z', { KRX: 'closed', NYSE: 'open' }],
  ['2026-11-14T02:00:00Z', { KRX: 'closed', NYSE: 'closed' }],
])('gives the session of each market as of the clock: %s', async (now, expected) => {
  const provider = createFinanceContextProvider({ hours: createMarketHours(), clock: new ManualClock(now) });
  const sessions = await provider.getMarketSession?.(new AbortController().signal);
  expect(Object.fromEntries((sessions ?? []).map(({ market, state }) => [market, state]))).toEqual(expected);
});

it('leaves out the sources that do not exist yet', () => {
  const provider = createFinanceContextProvider({
    hours: createMarketHours(),
    clock: new ManualClock(),
  });
  expect(Object.keys(provider)).toEqual(['getMarketSession']);
});
