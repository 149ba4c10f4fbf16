import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { Decimal } from '#src/kernel/money.ts';
import { earningsAnswer } from '#src/features/earnings/earnings.ts';
import type { EarningsDate, EarningsFound, MarketResult } from '#src/markets/sources/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { APPLE, en, ko, marketOf, SAMSUNG, signal, symbols } from '../news/news-support.ts';

const dateOf = (instrument: Instrument, from: string, more: Partial<EarningsDate> = {}): EarningsDate => ({
  instrument,
  from: Temporal.PlainDate.from(from),
  to: Temporal.PlainDate.from(from),
  isEstimate: false,
  asOf: Temporal.Instant.from('2026-11-13T06:00:00Z'),
  source: 'Yahoo Finance',
  isSample: false,
  ...more,
});

const setUp = (result: MarketResult<EarningsFound>, now?: string) => {
  const asked: (readonly Instrument[])[] = [];
  const market = marketOf({
    getEarnings: async (instruments) => {
      asked.push(instruments);
      return result;
    },
  });
  return { asked, answer: earningsAnswer({ market, symbols, clock: new ManualClock(now) }) };
};
const known = (...dates: readonly EarningsDate[]) =>
  ({ status: 'ok', value: { dates, unasked: [] } }) as const;

/** What is said where there is nothing. */
const said = async (result: MarketResult<EarningsFound>, queries: readonly string[] = []) => {
  const answer = await setUp(result).answer({ queries }, ko, signal);
  expect(answer).toMatchObject({ found: 0, facts: [] });
  return answer.content;
};

describe('earnings', () => {
  it('come by date, what is estimated called so, with the expected EPS in its currency', async () => {
    const span = { to: Temporal.PlainDate.from('2027-02-02'), isEstimate: true };
    const { answer } = setUp(
      known(
        dateOf(APPLE, '2027-01-28', { ...span, epsEstimate: new Decimal('2.674') }),
        dateOf(SAMSUNG, '2027-01-07', { epsEstimate: new Decimal('1834.6') }),
      ),
    );
    const { content, facts, found } = await answer({ queries: ['AAPL', '삼성전자'] }, ko, signal);
    expect(content.split('\n').filter((line) => line.startsWith('|'))).toEqual([
      '| 날짜 | 기업 | EPS 예상 |',
      '| --- | --- | ---: |',
      '| 2027-01-07 | 삼성전자 (005930) | ₩1,835 |',
      '| 2027-01-28~02-02 (추정) | 애플 (AAPL) | $2.67 |',
    ]);
    expect(content).toContain('2026-11-13 15:00 KST · Yahoo Finance');
    expect(found).toBe(2);
    expect(facts.map(({ entity, metric, value, unit }) => [entity, metric, value, unit])).toEqual([
      ['005930.KS', 'earningsDay', '2027-01-07', 'date'],
      ['005930.KS', 'epsEstimate', '1834.6', 'KRW'],
      ['AAPL', 'earningsDay', '2027-01-28', 'date'],
      ['AAPL', 'earningsLastDay', '2027-02-02', 'date'],
      ['AAPL', 'epsEstimate', '2.674', 'USD'],
    ]);
  });

  it('that are past stand below, by the day of the exchange, and only for those who asked about them', async () => {
    // In Seoul it is already the 14th, in New York still the 13th.
    const dates = known(dateOf(SAMSUNG, '2026-11-13'), dateOf(APPLE, '2026-11-13'));
    const { answer } = setUp(dates, '2026-11-13T16:00:00Z');
    const { content } = await answer({ queries: ['005930.KS', 'AAPL'] }, en, signal);
    const past = content.indexOf(marketTexts('en').earnings.past());
    expect(past).toBeGreaterThan(content.indexOf('Apple (AAPL)'));
    expect(content.indexOf('(005930)')).toBeGreaterThan(past);
    const all = await answer({ queries: [] }, en, signal);
    expect(all.content).toContain('Apple (AAPL)');
    expect(all.content).not.toContain('Samsung');
  });

  it('without names are those of the biggest companies that the index knows', async () => {
    const { asked, answer } = setUp(known(dateOf(APPLE, '2027-01-28')));
    const { content } = await answer({ queries: [] }, en, signal);
    expect(asked).toEqual([[SAMSUNG, APPLE]]);
    expect(content).toContain('2 big companies');
    // Which of ours the small index of this test lacks is nobody's question.
    expect(content).not.toContain('I do not know');
  });

  it('say what is not known, what is no company, and what is no name', async () => {
    const { answer } = setUp(known(dateOf(APPLE, '2027-01-28')));
    const { content } = await answer({ queries: ['AAPL', '삼성전자', 'BTC', 'qwertz'] }, en, signal);
    expect(content).toContain('No earnings date is known for Samsung Electronics (005930, X).');
    expect(content).toContain('Only companies report earnings: Bitcoin (BTC-USD, X).');
    expect(content).toContain('know "qwertz"');
  });

  it('that could not be asked about are not called unknown', async () => {
    const some = { dates: [dateOf(APPLE, '2027-01-28')], unasked: [SAMSUNG] };
    const { answer } = setUp({ status: 'ok', value: some });
    const { content, found } = await answer({ queries: ['AAPL', '삼성전자'] }, en, signal);
    expect(found).toBe(1);
    expect(content).toContain('cannot be reached, so I do not know about Samsung Electronics (005930, X).');
    expect(content).not.toContain('No earnings date is known');
    const all = await answer({ queries: [] }, en, signal);
    expect(all.content).toContain('Next earnings: 1 big company');
    expect(all.content).toContain('so I do not know about Samsung Electronics');
    const none = await said({ status: 'ok', value: { dates: [], unasked: [SAMSUNG] } });
    expect(none).toBe(marketTexts('ko').earnings.unasked({ names: '삼성전자 (005930, X)' }));
  });

  it('are nothing, with the reason, where there are none', async () => {
    const t = marketTexts('ko').earnings;
    expect(await said({ status: 'unavailable', reason: 'down' })).toBe(t.down());
    expect(await said({ status: 'unavailable', reason: 'not-in-sample' })).toBe(t.sample());
    expect(await said(known())).toBe(t.noneOfBiggest());
    expect(await said({ status: 'unavailable', reason: 'no-data' }, ['AAPL'])).toContain('애플 (AAPL, X)');
    expect(await said(known(), ['BTC'])).toContain('기업이 아니에요');
  });
});
