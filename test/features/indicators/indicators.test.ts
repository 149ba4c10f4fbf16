import { kindOf } from '#test/support/fact-kind.ts';
import { describe, expect, it } from 'vitest';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { indicatorsAnswer } from '#src/features/indicators/indicators.ts';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import type { History } from '#src/markets/sources/source.ts';
import { APPLE, KOSPI, SAMSUNG, TEN_YEARS } from '#test/support/instruments.ts';
import { EN, historyOf, KO, marketOf, never, symbols, weekend } from '../analysis-support.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const ask = (history: History, audience: Audience, clock = weekend) =>
  indicatorsAnswer({ market: marketOf([history]), symbols, clock })(
    { query: history.instrument.ticker },
    audience,
    never(),
  );

/** 101, 102, …: what every indicator of it is can be said without a computer. */
const rising = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => 101 + index);

const lineOf = (content: string, name: string): string =>
  content.split('\n').find((line) => line.startsWith(`- **${name}`)) ?? '';

const averages = async (history: History, audience: Audience): Promise<readonly string[]> =>
  [...(await ask(history, audience)).content.matchAll(/SMA (\d+)/gu)].map(([, period = '']) => period);

describe('indicatorsAnswer', () => {
  it('gives only those that were asked for by name', async () => {
    const history = historyOf(APPLE, rising(260));
    const { content, facts } = await indicatorsAnswer({
      market: marketOf([history]),
      symbols,
      clock: weekend,
    })({ query: 'AAPL', only: ['rsi', 'year'] }, EN, never());
    expect([...content.matchAll(/^- \*\*([^*:]+)/gmu)].map(([, name]) => name)).toEqual([
      'RSI 14',
      '52 weeks',
    ]);
    expect(facts.some(({ metric }) => metric === 'sma')).toBe(false);
  });

  it('gives each indicator with its value and what it means', async () => {
    // 260 weekdays up to 360: the mean of the last 20 is 350.5, of the last 200 260.5.
    const { content, found } = await ask(historyOf(APPLE, rising(260)), EN);
    expect(found).toBe(1);
    expect(content).toMatch(/^\*\*Apple \(AAPL\)\*\* close \$360\.00 \(2026-11-13\)\n/u);
    expect(lineOf(content, 'SMA 20')).toBe('- **SMA 20**: $350.50 — close 2.71% above');
    expect(lineOf(content, 'SMA 200')).toBe('- **SMA 200**: $260.50 — close 38.20% above');
    expect(lineOf(content, 'RSI 14')).toBe('- **RSI 14**: 100.00 — overbought (above 70)');
    // An EMA of a straight line lags by (period - 1) / 2: 12.5 less 5.5 are 7 apart, and the signal is the same.
    expect(lineOf(content, 'MACD')).toBe(
      '- **MACD (12, 26, 9)**: 7.0000 · signal 7.0000 · histogram 0.0000 — at the signal',
    );
    // The deviation of 20 numbers in a row is √((20² - 1) / 12).
    expect(lineOf(content, 'Bollinger')).toContain('upper $362.03 · middle $350.50 · lower $338.97');
    expect(lineOf(content, 'ATR 14')).toBe("- **ATR 14**: $2.00 — a day's usual range, 0.56% of the close");
    expect(lineOf(content, '52 weeks')).toContain('high $361.00 (2026-11-13) · low $100.00 (2025-11-17)');
    expect(lineOf(content, '52 weeks')).toContain(
      '0.28% below the high, 260.00% above the low (99.62% of the way up)',
    );
    expect(lineOf(content, 'Volume profile')).toContain('70% of the volume at $');
    expect(content).toContain('Nov 13 close · Yahoo Finance');
    expect(content).not.toMatch(/\b(?:buy|sell|should|recommend)\b/iu);
  });

  it('gives the same as facts', async () => {
    const { facts } = await ask(historyOf(APPLE, rising(260)), KO);
    const values = Object.fromEntries(facts.map((fact) => [kindOf(fact), `${fact.value} ${fact.unit}`]));
    expect(values).toMatchObject({
      'close @2026-11-13': '360 USD',
      'sma(20)': '350.50 USD',
      'distanceFromSma(20)': '2.71 %',
      'ema(12)': '354.50 USD',
      'ema(26)': '347.50 USD',
      'rsi(14)': '100.00 points',
      'macd(12, 26, 9)': '7.0000 USD',
      'macdHistogram(12, 26, 9)': '0.0000 USD',
      'bollingerUpper(20)': '362.03 USD',
      'atr(14)': '2.00 USD',
      'atrPercent(14)': '0.56 %',
      'yearHigh 1y @2026-11-13': '361 USD',
      'periodLowDay 1y': '2025-11-17 date',
      'fromYearHigh 1y': '-0.28 %',
      'yearPosition 1y': '99.62 %',
    });
    expect(new Set(facts.map(kindOf)).size).toBe(facts.length);
    expect(facts.every(({ entity, asOf }) => entity === 'AAPL' && asOf === '2026-11-13T20:30:00Z')).toBe(
      true,
    );
  });

  it('says of what has not enough data that it has not, and states no number', async () => {
    const { content, facts } = await ask(historyOf(APPLE, rising(33)), EN);
    for (const name of ['SMA 50', 'SMA 200', 'MACD (12, 26, 9)']) {
      expect(lineOf(content, name)).toBe(`- **${name}**: not enough data`);
    }
    expect(lineOf(content, 'SMA 20')).toContain('$123.50');
    expect(lineOf(content, 'Since 2026-09-30, less than 52 weeks')).toContain('high $134.00');
    const kinds = facts.map(kindOf);
    expect(kinds).toContain('sma(20)');
    expect(kinds.filter((kind) => /sma\((?:50|200)\)|macd/u.test(kind))).toEqual([]);
  });

  it('has the averages of 60 and 120 days for Koreans and for Korean shares', async () => {
    const usual = ['20', '50', '200'];
    const korean = ['20', '50', '60', '120', '200'];
    expect(await averages(historyOf(APPLE, rising(30)), EN)).toEqual(usual);
    expect(await averages(historyOf(APPLE, rising(30)), KO)).toEqual(korean);
    expect(await averages(historyOf(SAMSUNG, rising(30)), EN)).toEqual(korean);
  });

  it('knows what falls, what hardly moves, and what has no volume', async () => {
    const falling = await ask(historyOf(SAMSUNG, rising(60).toReversed()), KO);
    expect(lineOf(falling.content, 'RSI 14')).toBe('- **RSI 14**: 0.00 — 과매도 구간(30 미만)');
    expect(lineOf(falling.content, 'SMA 20')).toMatch(/₩111 — 종가가 \d+\.\d\d% 아래$/u);
    const flat = await ask(historyOf(KOSPI, [...Array<number>(59).fill(4_000), 3_999.99], { volume: 0 }), KO);
    expect(lineOf(flat.content, 'SMA 20')).toContain('종가와 같음');
    // What is nothing when it is rounded has no sign.
    expect(flat.facts.find((fact) => kindOf(fact) === 'distanceFromSma(20)')?.value).toBe('0.00');
    expect(lineOf(flat.content, '매물대')).toBe('- **매물대**: 거래량 없음');
  });

  it('says of a running day that it runs, and calls no price of it a close', async () => {
    const asOf = '2026-11-13T15:00:00Z';
    const history = historyOf(APPLE, rising(260), { asOf, delayMinutes: 15 });
    const { content, facts } = await ask(history, EN, new ManualClock('2026-11-13T15:15:00Z'));
    expect(content).toContain(' last price $360.00 (2026-11-13)\n');
    expect(lineOf(content, 'SMA 20')).toContain('last price 2.71% above');
    expect(content).toContain('delayed 15 min');
    expect(content).toContain('Today is not over');
    expect(content).not.toMatch(/the close (?:is|·)|of the close/u);
    expect(facts.map(kindOf)).toEqual(expect.arrayContaining(['price @2026-11-13', 'distanceFromSma(20)']));
    expect(facts.filter(({ metric }) => metric === 'close')).toEqual([]);
  });

  it('tells distances from a yield in points', async () => {
    const yields = Array.from({ length: 60 }, (_, index) => (index === 59 ? 4.5 : 4));
    const { content, facts } = await ask(historyOf(TEN_YEARS, yields, { volume: 0 }), EN);
    expect(lineOf(content, 'SMA 20')).toBe('- **SMA 20**: 4.025% — close 0.475%p above');
    expect(lineOf(content, 'ATR 14')).toMatch(/^- \*\*ATR 14\*\*: 2\.\d{3}%p — a day's usual range$/u);
    const units = Object.fromEntries(facts.map(({ metric, unit }) => [metric, unit]));
    expect(units).toMatchObject({ distanceFromSma: '%p', fromYearHigh: '%p', macd: '%p', sma: '%' });
  });

  it('takes nothing but days, and says what it could not get', async () => {
    const weekly = await ask(historyOf(APPLE, rising(60), { interval: '1wk' }), EN);
    expect(weekly).toMatchObject({ found: 0, facts: [] });
    const answer = indicatorsAnswer({ market: marketOf([], 'down'), symbols, clock: weekend });
    expect(await answer({ query: 'AAPL' }, EN, never())).toMatchObject({ found: 0, facts: [] });
    const ambiguous = await answer({ query: '삼성' }, EN, never());
    expect(ambiguous.choices?.[0]?.command).toBe('/chart 005930.KS 1y rsi macd');
  });
});

it('a figure is rounded as its fact is, where it ends in a half that no float has', () => {
  const shown = formatFinancialNumber('86505.855', { locale: 'en', maximumFractionDigits: 2 });
  expect(shown.replace(',', '')).toBe(fixed(86_505.855, 2));
  expect(fixed(-0.001, 2)).toBe('0.00');
});
