import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { analysisOf, exposureOf } from '#src/features/portfolio/analysis/figures.ts';
import { dailyClosesOf } from '#src/features/portfolio/analysis/market-data.ts';
import { valueSeries } from '#src/features/portfolio/analysis/value-series.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { historyOf, weekdays } from '#test/features/analysis-support.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';
import { HYNIX, KOSPI, SAMSUNG } from '#test/support/instruments.ts';
import { cash, dayOf, trade } from './ledger-entries.ts';

const DAYS = 60;
const days = weekdays(DAYS);
const [first = Temporal.PlainDate.from('2026-08-24')] = days;
const SINCE = epochDay(first);

/** Closes that stay above zero and below twice the first one. */
const closes = fc
  .array(fc.integer({ min: -40, max: 40 }), { minLength: DAYS - 1, maxLength: DAYS - 1 })
  .map((moves) => {
    let close = 1_000;
    return [close, ...moves.map((move) => (close = Math.min(1_900, Math.max(200, close + move))))];
  });

const pricedBy = (history: ReturnType<typeof historyOf>) => ({
  history,
  closes: dailyClosesOf(history, SINCE),
  last: history.bars.at(-1)?.close ?? new Decimal(0),
});

const analyse = (
  transactions: readonly NewTransaction[],
  values: readonly number[],
  index: readonly number[] = values,
  indexDays = days,
) => {
  const priced = pricedBy(historyOf(SAMSUNG, values));
  const rules = { baseCurrency: 'KRW', method: 'average', allowsShort: true } as const;
  const derived = atOnce(deriveLedger(transactions, rules));
  if (derived.status !== 'ok') throw new Error(derived.problem.kind);
  const { state } = derived;
  const series = atOnce(
    valueSeries({
      transactions,
      baseCurrency: 'KRW',
      cashSince: state.cashSince && epochDay(state.cashSince),
      from: SINCE - 10,
      to: dayOf('2026-11-14'),
      closes: new Map([[SAMSUNG.symbol, priced.closes]]),
      rates: new Map(),
    }),
  );
  return analysisOf({
    name: 'main',
    baseCurrency: 'KRW',
    range: '3mo',
    riskFreePercent: 0,
    series,
    exposure: exposureOf(
      state,
      () => priced.last,
      () => new Decimal(1),
    ),
    sectors: new Map(),
    benchmark: pricedBy(historyOf(KOSPI, index, { days: indexDays })),
    priced: new Map([[SAMSUNG.symbol, priced]]),
  });
};

const DEPOSIT = 1_000_000;
const positionOf = (kind: 'buy' | 'sell', values: readonly number[]) =>
  trade(kind, SAMSUNG, first.toString(), 100, values[0] ?? 0);
const deposit = () => cash('deposit', first.toString(), DEPOSIT);

describe('short positions', () => {
  it('gain what a long position of that size loses, and never show a positive rate for a loss', () => {
    fc.assert(
      fc.property(closes, (values) => {
        const [long, short] = (['buy', 'sell'] as const).map((kind) =>
          analyse([deposit(), positionOf(kind, values)], values),
        );
        const gains = [long, short].map((each) => (each?.series.points.at(-1)?.value ?? 0) - DEPOSIT);
        expect(gains[0]).toBeCloseTo(-(gains[1] ?? 0), 6);
        for (const [at, each] of [long, short].entries()) {
          const gain = gains[at] ?? 0;
          expect(each?.xirr.status === 'ok' && Math.sign(Math.round(each.xirr.value * 1e9) + 0)).toBe(
            Math.sign(gain),
          );
          expect(each?.twr.status === 'ok' && each.twr.value.total).toBeCloseTo(gain / DEPOSIT, 9);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('without cash have no return, no rate and no beta, because there is no capital', () => {
    fc.assert(
      fc.property(closes, (values) => {
        const { twr, xirr, drawdown, benchmark } = analyse([positionOf('sell', values)], values);
        const none = { status: 'undefined', reason: 'negative-value' };
        expect([twr, xirr, drawdown, benchmark?.beta]).toEqual([none, none, none, none]);
      }),
      { numRuns: 30 },
    );
  });

  it('count by their size among the shares of sectors and currencies', () => {
    const state = {
      cash: [],
      positions: [
        { instrument: SAMSUNG, quantity: new Decimal(30) },
        { instrument: HYNIX, quantity: new Decimal(-29) },
      ],
    } as unknown as Parameters<typeof exposureOf>[0];
    const exposure = exposureOf(
      state,
      () => new Decimal(100),
      () => new Decimal(1),
    );
    const sectorBySymbol = new Map([SAMSUNG, HYNIX].map(({ symbol }) => [symbol, symbol]));
    const { sectors, currencies } = analysisOf({
      ...analyse([], []),
      exposure,
      sectors: sectorBySymbol,
      benchmark: undefined,
      priced: new Map(),
    });
    expect(sectors.map(({ key, share }) => [key, share.times(100).toFixed(1)])).toEqual([
      [SAMSUNG.symbol, '50.8'],
      [HYNIX.symbol, '-49.2'],
    ]);
    expect(currencies.map(({ share }) => share.toNumber())).toEqual([1]);
  });

  it('measures the gain of longs and shorts together by their sizes, not by the net value', async () => {
    const { say, prices } = await openPortfolios();
    prices.set('005930.KS', { price: '110', previousClose: '100' });
    prices.set('000660.KS', { price: '100', previousClose: '100' });
    await say('/portfolio 매수 삼성전자 10 100');
    await say('/portfolio short on');
    await say('/portfolio 매도 SK하이닉스 9 100 --tax=0');
    const { content } = await say('/portfolio');
    // A gain of 100 on the sizes 1,000 and 900, not on the net value of 100.
    expect(content).toMatch(/평가손익:? \+₩100 \(\+5\.26%\)/u);
    expect(content).toContain('▲ +₩100 (+5.26%)');
  });
});

describe('the index beside a portfolio', () => {
  it('has the return of a portfolio with the same holdings, and their beta is 1', () => {
    fc.assert(
      fc.property(closes, (values) => {
        const { twr, benchmark } = analyse([positionOf('buy', values)], values);
        const total = twr.status === 'ok' ? twr.value.total : Number.NaN;
        expect(benchmark?.change).toEqual({ status: 'ok', value: expect.closeTo(total, 9) });
        if (benchmark?.beta.status === 'ok') expect(benchmark.beta.value).toBeCloseTo(1, 6);
      }),
      { numRuns: 60 },
    );
  });

  it('is shown over the same days whether or not the portfolio has a return', () => {
    const values = Array.from({ length: DAYS }, (_, at) => 1_000 + at);
    const index = values.map((value) => 3_000 - value);
    const begun = days[20]?.toString() ?? '';
    const short = analyse([trade('sell', SAMSUNG, begun, 1, 1_020)], values, index);
    expect(short.xirr).toMatchObject({ reason: 'negative-value' });
    // From the day of the first entry to the last.
    expect(short.benchmark?.change).toEqual({ status: 'ok', value: expect.closeTo(1_941 / 1_980 - 1, 12) });
  });

  it('is not shown if its data begin later, end earlier, or have no day between', () => {
    const values = Array.from({ length: DAYS }, (_, at) => 1_000 + at);
    const held = [positionOf('buy', values)];
    const notCovered = { status: 'undefined', reason: 'index-not-covered' };
    const late = analyse(held, values, values.slice(20), days.slice(20));
    expect(late.benchmark?.change).toEqual(notCovered);
    const early = analyse(held, values, values.slice(0, 30), days.slice(0, 30));
    expect(early.benchmark?.change).toEqual(notCovered);
    const today = analyse([trade('buy', SAMSUNG, '2026-11-13', 1, 1_000)], values);
    expect(today.benchmark?.change).toEqual({ status: 'too-few', needs: 1, has: 0 });
  });
});
