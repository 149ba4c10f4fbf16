import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { barDays, dateOf, isWeekday } from '#src/markets/performance/epoch-day.ts';
import { timeWeightedReturn } from '#src/markets/performance/time-weighted-return.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import type { DailyValues } from '#src/markets/performance/risk.ts';
import { dailyClosesOf, dailyRates } from '#src/features/portfolio/analysis/market-data.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import {
  type ValueSeries,
  valueSeries,
  type ValueSeriesRequest,
} from '#src/features/portfolio/analysis/value-series.ts';
import { APPLE, BITCOIN, HYNIX, SAMSUNG } from '#test/support/instruments.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { historyOf, marketOf, symbols, weekdays } from '#test/features/analysis-support.ts';
import { cash, dayOf, dividend, split, trade } from './ledger-entries.ts';

/** `{ '2026-11-09': 100 }`: the closes of days. */
const closesOf = (byDate: Readonly<Record<string, number>>): DailyValues => ({
  days: Object.keys(byDate).map(dayOf),
  values: Object.values(byDate),
});

const seriesOf = (
  transactions: readonly NewTransaction[],
  request: Partial<Omit<ValueSeriesRequest, 'closes' | 'rates'>> & {
    readonly closes: Readonly<Record<string, DailyValues>>;
    readonly rates?: Readonly<Record<string, DailyValues>>;
  },
) => {
  const walk = valueSeries({
    transactions,
    baseCurrency: 'KRW',
    cashSince: transactions
      .filter(({ kind }) => kind === 'deposit')
      .map(({ date }) => dayOf(date.toString()))
      .toSorted((a, b) => a - b)[0],
    from: dayOf('2026-11-09'),
    to: dayOf('2026-11-16'),
    ...request,
    closes: new Map(Object.entries(request.closes)),
    rates: new Map(Object.entries(request.rates ?? {})),
  });
  return atOnce(walk);
};

const shown = ({ points }: ValueSeries) =>
  points.map(({ day, value, inflow, outflow, contributed }) => [
    dateOf(day).toString().slice('2026-'.length),
    value,
    inflow,
    outflow,
    contributed,
  ]);

const total = (points: ValueSeries['points']): number => {
  const found = timeWeightedReturn(points);
  return found.status === 'ok' ? found.value.total : Number.NaN;
};

const WEEK = closesOf({
  '2026-11-09': 100,
  '2026-11-10': 110,
  '2026-11-12': 120,
  '2026-11-13': 130,
  '2026-11-16': 125,
});

describe('the value of a portfolio, day by day', () => {
  it('without cash begins at zero, counts each trade as a flow, and leaves out days without trading', () => {
    const series = seriesOf(
      [
        trade('buy', SAMSUNG, '2026-11-10', 10, 105, { fee: 5 }),
        dividend(SAMSUNG, '2026-11-12', 40, { tax: 6 }),
        // An entry of Saturday counts for Monday.
        trade('sell', SAMSUNG, '2026-11-14', 4, 130, { fee: 2, tax: 1 }),
      ],
      { closes: { [SAMSUNG.symbol]: WEEK } },
    );
    expect(shown(series)).toEqual([
      ['11-09', 0, 0, 0, 0],
      ['11-10', 1_100, 1_055, 0, 1_055],
      ['11-12', 1_200, 0, 34, 1_021],
      ['11-13', 1_300, 0, 0, 1_021],
      ['11-16', 750, 0, 517, 504],
    ]);
    expect(series.contributed.toFixed()).toBe('504');
    expect(series.periodsPerYear).toBe(252);
  });

  it('counts shares bought before a later recorded split in the shares of today, like the closes', () => {
    const closes = { [SAMSUNG.symbol]: WEEK };
    const series = seriesOf(
      [
        trade('buy', SAMSUNG, '2026-11-05', 2, 5_000),
        trade('buy', SAMSUNG, '2026-11-11', 1, 5_600),
        split(SAMSUNG, '2026-11-12', 50),
        // Trades on the day of a split are already in new shares.
        trade('sell', SAMSUNG, '2026-11-12', 50, 119),
      ],
      { closes },
    );
    expect(series.points.map(({ value }) => value)).toEqual([10_000, 11_000, 12_000, 13_000, 12_500]);
  });

  it('with cash includes it in the value and counts only deposits and withdrawals as flows, at the rates of the day', () => {
    const usd = { currency: 'USD', rate: 1_400 };
    const series = seriesOf(
      [
        cash('deposit', '2026-11-09', 1_000_000),
        cash('deposit', '2026-11-10', 100, usd),
        trade('buy', APPLE, '2026-11-10', 2, 45, { ...usd, fee: 1 }),
        dividend(APPLE, '2026-11-12', 3, { ...usd, tax: 1 }),
        cash('fee', '2026-11-12', 1_000),
        cash('withdrawal', '2026-11-13', 9_000),
      ],
      {
        closes: { AAPL: closesOf({ '2026-11-10': 50, '2026-11-12': 55, '2026-11-13': 50 }) },
        rates: { USD: closesOf({ '2026-11-10': 1_400, '2026-11-12': 1_500, '2026-11-13': 1_450 }) },
        to: dayOf('2026-11-13'),
      },
    );
    expect(shown(series)).toEqual([
      ['11-08', 0, 0, 0, 0],
      ['11-09', 1_000_000, 1_000_000, 0, 1_000_000],
      ['11-10', 1_000_000 + 109 * 1_400, 140_000, 0, 1_140_000],
      ['11-12', 999_000 + 121 * 1_500, 0, 0, 1_140_000],
      ['11-13', 990_000 + 111 * 1_450, 0, 9_000, 1_131_000],
    ]);
  });

  it('values a holding at its trade price until there is a close, and begins late if its prices do', () => {
    const late = closesOf({ '2026-11-12': 120, '2026-11-13': 130 });
    const bought = seriesOf([trade('buy', SAMSUNG, '2026-11-10', 1, 90)], {
      closes: { [SAMSUNG.symbol]: late },
    });
    expect(shown(bought).slice(0, 3)).toEqual([
      ['11-09', 0, 0, 0, 0],
      ['11-10', 90, 90, 0, 90],
      ['11-12', 120, 0, 0, 90],
    ]);
    const old = seriesOf([trade('buy', SAMSUNG, '2020-01-02', 1, 9)], { closes: { [SAMSUNG.symbol]: late } });
    expect(shown(old)[0]).toEqual(['11-12', 120, 0, 0, 9]);
    expect(old.isCutShort).toBe(false);
    const older = seriesOf([trade('buy', SAMSUNG, '2020-01-02', 1, 9)], {
      closes: { [SAMSUNG.symbol]: late },
      from: dayOf('2026-06-01'),
    });
    expect(older.isCutShort).toBe(true);
  });

  it('names holdings without prices or rates, which change no return, with and without cash', () => {
    const plain = [trade('buy', SAMSUNG, '2026-11-09', 10, 100)];
    const others = [
      trade('buy', HYNIX, '2026-11-10', 5, 700),
      trade('sell', HYNIX, '2026-11-13', 5, 900),
      trade('buy', APPLE, '2026-11-12', 1, 300),
    ];
    const closes = { [SAMSUNG.symbol]: WEEK, AAPL: WEEK };
    const seen = seriesOf([...plain, ...others], { closes });
    expect(seen.leftOut).toEqual([
      { instrument: HYNIX, why: 'no-prices' },
      { instrument: APPLE, why: 'no-rate' },
    ]);
    expect(seen.points).toEqual(seriesOf(plain, { closes }).points);

    const deposit = cash('deposit', '2026-11-09', 5_000);
    const counted = seriesOf([deposit, ...plain, ...others], { closes });
    expect(counted.leftOutCash).toEqual(['USD']);
    // The deposit of 5,000, less 3,500 paid for the holding left out, plus 4,500 from its sale.
    expect(counted.points.map(({ value }) => value)).toEqual([0, 5_000, 1_600, 1_700, 6_300, 6_250]);
    expect(1 + total(counted.points)).toBeCloseTo(
      (5_100 / 5_000) * (1_700 / 1_600) * (6_300 / 6_200) * (6_250 / 6_300),
      9,
    );
  });

  it('has seven days a week with coins alone, and five with coins and shares', () => {
    const days = Object.fromEntries(
      ['09', '10', '11', '12', '13', '14', '15', '16'].map((day, index) => [`2026-11-${day}`, 100 + index]),
    );
    const closes = { [BITCOIN.symbol]: closesOf(days), [SAMSUNG.symbol]: WEEK };
    const rates = { USD: closesOf({ '2026-11-09': 1 }) };
    const coin = trade('buy', BITCOIN, '2026-11-02', 1, 100, { rate: 1 });
    const alone = seriesOf([coin], { closes, rates });
    expect(alone.points).toHaveLength(8);
    expect(alone.periodsPerYear).toBe(365);
    const shares = [
      trade('buy', SAMSUNG, '2026-11-02', 1, 100),
      // A weekend on which only coins are held is left out, too.
      trade('sell', SAMSUNG, '2026-11-13', 1, 130),
    ];
    const both = seriesOf([coin, ...shares], { closes, rates });
    expect(both.points.every(({ day }) => isWeekday(day))).toBe(true);
    expect(both.periodsPerYear).toBe(252);
  });

  it('equals the value of the ledger on every day, and its contributions are the flows', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    const [start, end] = [dayOf('2026-01-01'), dayOf('2026-06-30')];
    const days = Array.from({ length: end - start + 1 }, (_, index) => start + index).filter(isWeekday);
    const priceOf = new Map(
      [SAMSUNG, HYNIX, APPLE].map(({ symbol }) => [symbol, days.map(() => 50 + random(100))]),
    );
    const rateAt = days.map(() => 1_300 + random(200));
    const dateAt = (index: number): string => dateOf(days[index] ?? start).toString();
    const held = new Map<string, number>();
    const transactions = Array.from({ length: 120 }, (_, index): NewTransaction => {
      const at = index + random(5);
      const instrument = [SAMSUNG, HYNIX, APPLE][random(3)] ?? SAMSUNG;
      const pieces = held.get(instrument.symbol) ?? 0;
      const options = { fee: random(3), ...(instrument === APPLE && { rate: rateAt[at] ?? 1 }) };
      const isSale = pieces > 0 && random(3) === 0;
      const quantity = isSale ? 1 + random(pieces) : 1 + random(20);
      held.set(instrument.symbol, pieces + (isSale ? -quantity : quantity));
      return trade(isSale ? 'sell' : 'buy', instrument, dateAt(at), quantity, 50 + random(100), options);
    });
    // Cash counts from the first deposit on, so half of the trades are paid from outside.
    transactions.push(
      cash('deposit', dateAt(60), 5_000_000),
      cash('deposit', dateAt(60), 40_000, { currency: 'USD', rate: rateAt[60] ?? 1 }),
      cash('withdrawal', dateAt(90), 1_000),
    );
    transactions.sort((a, b) => Temporal.PlainDate.compare(a.date, b.date));
    const series = seriesOf(transactions, {
      from: start,
      to: end,
      closes: Object.fromEntries([...priceOf].map(([symbol, values]) => [symbol, { days, values }])),
      rates: { USD: { days, values: rateAt } },
    });
    for (const [index, day] of days.entries()) {
      if (index % 9 !== 0 && index !== days.length - 1) continue;
      const until = transactions.filter(({ date }) => dayOf(date.toString()) <= day);
      const rules = { baseCurrency: 'KRW', method: 'average', allowsShort: true } as const;
      const derived = atOnce(deriveLedger(until, rules));
      if (derived.status !== 'ok') throw new Error('refused');
      const expected = derived.state.positions.reduce((sum, { instrument, quantity }) => {
        const price = priceOf.get(instrument.symbol)?.[index] ?? 0;
        return sum + quantity.toNumber() * price * (instrument === APPLE ? (rateAt[index] ?? 0) : 1);
      }, 0);
      const money = derived.state.cash.reduce(
        (sum, { amount, currency }) =>
          sum + amount.toNumber() * (currency === 'USD' ? (rateAt[index] ?? 0) : 1),
        0,
      );
      const point = series.points.find((each) => each.day === day);
      expect(point?.value).toBeCloseTo(expected + money, 4);
      const flows = derived.state.flows.reduce((sum, { base }) => sum + (base?.toNumber() ?? Number.NaN), 0);
      expect(point?.contributed).toBeCloseTo(flows, 4);
    }
  });
});

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
  it('belong to the days of the exchange, also around clock changes', () => {
    const dates = ['2026-03-06', '2026-03-09', '2026-10-30', '2026-11-02'];
    const bars = dates.map((date) => ({ at: opening(date).toInstant() }));
    const days = barDays({ bars, timeZone: 'America/New_York' });
    expect(days.map((day) => dateOf(day).toString())).toEqual(dates);
  });

  it('count the close before the first bar for the first day of the range', () => {
    const history = historyOf(APPLE, [110, 120], { range: 'ytd', baseClose: 100 });
    const from = dayOf('2025-12-31');
    const [first, last] = weekdays(2).map((date) => dayOf(date.toString()));
    expect(dailyClosesOf(history, from)).toEqual({ days: [from, first, last], values: [100, 110, 120] });
  });

  it('use the quoted pair, its inverse, or two pairs via the dollar', async () => {
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
