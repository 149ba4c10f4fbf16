import { describe, expect, it } from 'vitest';
import { rangeLabel, readRange } from '#src/reading/history-range.ts';
import { HISTORY_RANGES } from '#src/kernel/market/finance.ts';
import { everyRow } from '#test/support/every-row.ts';

describe('readRange', () => {
  everyRow([
    ['1d', '1d 1D 하루 1일 오늘'],
    ['5d', '5d 1w 1W 일주일 1주 1주일'],
    ['1mo', '1m 1mo 1month 한달 1개월'],
    ['3mo', '3m 3mo 3개월 3달'],
    ['6mo', '6m 6mo 6개월 반년 여섯달 half-year 180d'],
    ['ytd', 'ytd YTD 올해'],
    ['1y', '1y 1Y 12m 1년 일년 1년간 52주 한해 twelve-months'],
    ['2y', '2y 2년'],
    ['5y', '5y 5년 5년동안 ５Ｙ'],
    ['max', 'max all 전체 최대'],
  ] as const)('reads %s as people write it: %s', (range, words) => {
    for (const word of words.split(' ')) expect([word, readRange(word)]).toEqual([word, range]);
  });

  it('reads each range by its own name, also in decomposed Hangul', () => {
    for (const range of HISTORY_RANGES) expect(readRange(range)).toBe(range);
    expect(readRange('6개월'.normalize('NFD'))).toBe('6mo');
  });

  everyRow(['', '간', 'AAPL', '삼성전자', '005930', '1', 'y', '10y', '-', 'constructor', 'y'.repeat(10_000)])(
    'does not take %j for a range',
    (word) => {
      expect(readRange(word)).toBeUndefined();
    },
  );

  it('names every range in both languages', () => {
    expect(rangeLabel('6mo', 'ko')).toBe('6개월');
    expect(rangeLabel('6mo', 'en')).toBe('6 months');
    for (const locale of ['ko', 'en'] as const) {
      expect(new Set(HISTORY_RANGES.map((range) => rangeLabel(range, locale))).size).toBe(
        HISTORY_RANGES.length,
      );
    }
  });
});
