import { kindOf } from '#test/support/fact-kind.ts';
import { describe, expect, it } from 'vitest';
import type { MarketAnswer, Audience } from '#src/kernel/chat/answer.ts';
import { historyAnswer } from '#src/features/history/history.ts';
import type { History } from '#src/markets/sources/source.ts';
import { SAMSUNG } from '#test/support/instruments.ts';
import { EN, historyOf, KO, marketOf, never, symbols, weekdays, weekend } from '../analysis-support.ts';
import { inFull } from '#test/support/in-full.ts';

const day = (iso: string): Temporal.PlainDate => Temporal.PlainDate.from(iso);
const ask = (
  history: History,
  [first, last]: readonly [string, string],
  audience: Audience,
): Promise<MarketAnswer> =>
  inFull(
    historyAnswer({ market: marketOf([history]), symbols, clock: weekend })(
      { query: '삼성전자', range: '1y', days: { first: day(first), last: day(last) } },
      audience,
      never(),
    ),
  );

describe('the price of a day', () => {
  // Monday 2 November to Friday 13 November.
  const closes = [70_000, 71_000, 72_000, 73_000, 80_000, 85_000, 90_000, 70_000, 77_000, 100_000];
  const history = historyOf(SAMSUNG, closes, { range: '1mo' });

  it('is its close, with the change from the close before', async () => {
    const { content, facts, found } = await ask(history, ['2026-11-12', '2026-11-12'], KO);
    expect(found).toBe(1);
    expect(content.split('\n').slice(0, 2)).toEqual([
      '**삼성전자 (005930, KOSPI)** · 2026-11-12',
      '종가 ₩77,000 · 등락률 +10.00%',
    ]);
    expect(content).not.toContain('거래가 없어');
    expect(facts[0]).toMatchObject({ metric: 'close', day: '2026-11-12', value: '77000', unit: 'KRW' });
    expect(facts.map(kindOf)).toEqual([
      'close @2026-11-12',
      'open @2026-11-12',
      'dayHigh @2026-11-12',
      'dayLow @2026-11-12',
      'volume @2026-11-12',
      'changePercent 1d @2026-11-12',
    ]);
  });

  it('without trading is the close of the trading day before, and says which', async () => {
    const { content } = await ask(history, ['2026-11-08', '2026-11-08'], EN);
    expect(content).toContain('· 2026-11-06');
    expect(content).toContain('Close ₩80,000');
    expect(content).toContain('No trading on 2026-11-08, so this is the close before it');
  });

  it('after the data, or in a gap of them, is not said to be without trading', async () => {
    const until = historyOf(SAMSUNG, closes.slice(0, -2), { range: '1mo', days: weekdays(10).slice(0, -2) });
    const days = weekdays(10).toSpliced(5, 1);
    const gap = historyOf(SAMSUNG, closes.slice(0, -1), { range: '1mo', days });
    const [after, within] = [
      await ask(until, ['2026-11-12', '2026-11-12'], KO),
      await ask(gap, ['2026-11-09', '2026-11-09'], EN),
    ];
    expect(after.content).toContain('2026-11-12 자료가 없어서 마지막 종가');
    expect(within.content).toContain('My data ends before 2026-11-09');
    for (const { content } of [after, within]) expect(content).not.toMatch(/no trading|거래가 없/u);
  });

  it.each([
    ['2027-01-01', '1mo', /still to come/u],
    ['2020-01-01', 'max', /only available since 2026-11-02/u],
  ] as const)('that there is no price of is no number: %s', async (date, range, words) => {
    const { content, facts, found } = await ask({ ...history, range }, [date, date], EN);
    expect(content).toMatch(words);
    expect({ facts, found }).toEqual({ facts: [], found: 0 });
  });

  it('of a range of days is how it went from the close before them', async () => {
    const { content } = await ask(history, ['2026-11-09', '2026-11-11'], EN);
    expect(content).toContain('2026-11-09 – 2026-11-11 (3 daily bars)');
    expect(content).toContain('Close ₩80,000 (2026-11-06) → ₩70,000 (2026-11-11) · change -12.50%');
    expect(content).toContain('High ₩90,001 (2026-11-10) · Low ₩69,999 (2026-11-11)');
  });

  it('of which only weeks are known says that it is that of the week', async () => {
    const days = [day('2023-05-15'), day('2023-05-22'), day('2023-05-29')];
    const weekly = historyOf(SAMSUNG, [1, 2, 3], { range: '5y', interval: '1wk', days });
    expect((await ask(weekly, ['2023-05-24', '2023-05-24'], EN)).content).toContain(
      'Only weekly prices that far back: close of the week of 2023-05-22',
    );
  });
});
