import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/finance.ts';
import { dateOf, daysIn } from '#src/markets/performance/epoch-day.ts';
import { dailyClosesOf, dailyRates } from '#src/features/portfolio/analysis/market-data.ts';
import { historyOf, marketOf, symbols, weekdays } from '#test/features/analysis-support.ts';
import { APPLE } from '#test/support/instruments.ts';
import { dayOf } from './ledger-entries.ts';

const pair = (base: string, price: string): Instrument => ({
  symbol: `${base}${price}=X`,
  ticker: `${base}/${price}`,
  name: { ko: base, en: base },
  exchange: 'FX',
  assetClass: 'fx',
  currency: price,
  priceDecimals: 4,
});

const opening = (date: string) =>
  Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: 'America/New_York', plainTime: '00:30' });

const signal = new AbortController().signal;

describe('closes and rates by day', () => {
  it('are of the days of the exchange, also where its clocks change', () => {
    const dates = ['2026-03-06', '2026-03-09', '2026-10-30', '2026-11-02'];
    const days = daysIn(
      'America/New_York',
      dates.map((date) => opening(date).toInstant()),
    );
    expect(days.map((day) => dateOf(day).toString())).toEqual(dates);
  });

  it('count the close before the first bar for the day from which a year is measured', () => {
    const history = historyOf(APPLE, [110, 120], { range: 'ytd', baseClose: 100 });
    const from = dayOf('2025-12-31');
    const [first, last] = weekdays(2).map((date) => dayOf(date.toString()));
    expect(dailyClosesOf(history, from)).toEqual({ days: [from, first, last], values: [100, 110, 120] });
  });

  it('rates are as markets quote them, the other way round, or over the dollar; else there are none', async () => {
    const histories = [
      historyOf(pair('USD', 'KRW'), [1_400, 1_600], { range: '3mo' }),
      historyOf(pair('EUR', 'USD'), [1.25, 1.5], { range: '3mo' }),
    ];
    const deps = { market: marketOf(histories), symbols };
    const ask = (from: string, to: string) => dailyRates(from, to, { range: '3mo', since: 0 }, deps, signal);
    expect((await ask('USD', 'KRW'))?.closes.values).toEqual([1_400, 1_600]);
    expect((await ask('KRW', 'USD'))?.closes.values).toEqual([1 / 1_400, 1 / 1_600]);
    const euro = await ask('EUR', 'KRW');
    expect(euro?.closes.values).toEqual([1_750, 2_400]);
    expect(euro?.last.toFixed()).toBe('2400');
    expect(euro?.histories).toHaveLength(2);
    expect(await ask('JPY', 'KRW')).toBeUndefined();
    expect(await ask('QQQ', 'KRW')).toBeUndefined();
  });
});
