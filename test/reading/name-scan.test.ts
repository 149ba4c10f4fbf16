import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NAME_WORDS, namesIn, scanNames } from '#src/reading/name-scan.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { everyRow } from '#test/support/every-row.ts';

const KNOWN = new Set(['apple', 'sk hynix', 'sk', 'us dollar', 'spdr s&p 500 etf trust', 'a b c d e f']);
const nameOf = (run: readonly string[]): string | null => (KNOWN.has(run.join(' ')) ? run.join(' ') : null);
const scan = (text: string): readonly string[] =>
  scanNames(text.split(' '), nameOf).map(({ name, words }) => name ?? `?${words.join(' ')}`);

describe('scanNames', () => {
  everyRow([
    ['apple', ['apple']],
    ['sk hynix', ['sk hynix']],
    ['sk apple', ['sk', 'apple']],
    ['apple sk hynix', ['apple', 'sk hynix']],
    ['sk hynix apple', ['sk hynix', 'apple']],
    ['us dollar us', ['us dollar', '?us']],
    ['my sk hynix now', ['?my', 'sk hynix', '?now']],
    ['spdr s&p 500 etf trust apple', ['spdr s&p 500 etf trust', 'apple']],
  ])('splits "%s" into the longest names', (text, expected) => {
    expect(scan(text)).toEqual(expected);
  });

  it('finds nothing in nothing', () => {
    expect(scanNames([], nameOf)).toEqual([]);
  });

  it('never looks up more words than a name can have', () => {
    expect(scan('a b c d e f')).toEqual(['?a', '?b', '?c', '?d', '?e', '?f']);
    expect('a b c d e f'.split(' ').length).toBe(MAX_NAME_WORDS + 1);
  });

  it('returns the listed name, not the typed one', () => {
    expect(scanNames(['애플은'], () => '애플')).toEqual([{ words: ['애플은'], name: '애플' }]);
  });

  it('keeps every word exactly once', () => {
    const words = fc.array(fc.constantFrom('sk', 'hynix', 'us', 'dollar', 'apple', 'x'), { maxLength: 20 });
    fc.assert(
      fc.property(words, (typed) => {
        expect(scanNames(typed, nameOf).flatMap((span) => span.words)).toEqual(typed);
      }),
    );
  });
});

describe('names in command arguments', () => {
  const symbols = createSymbolSearch();

  everyRow([
    ['SK hynix', ['SK hynix']],
    ['Berkshire Hathaway AAPL', ['Berkshire Hathaway', 'AAPL']],
    ['AAPL TSLA', ['AAPL', 'TSLA']],
    ['BA C', ['BA', 'C']],
    ['V T', ['V', 'T']],
    ['USD KRW', ['USD KRW']],
    ['BRK B', ['BRK B']],
    ['AAPL, 삼성전자 btc', ['AAPL', '삼성전자', 'btc']],
    ['애플 vs 테슬라', ['애플', '테슬라']],
    ['apple or tesla', ['apple', 'tesla']],
    ['apple and tesla', ['apple', 'tesla']],
    ['삼성전자 주가', ['삼성전자']],
    ['애플, 테슬라 주가', ['애플', '테슬라']],
    ['apple stock price', ['apple']],
    ['AAPL，MSFT;TSLA', ['AAPL', 'MSFT', 'TSLA']],
    ['vs', ['vs']],
    ['KOSPI 200', ['KOSPI 200']],
    ['KOSPI 200 AAPL', ['KOSPI 200', 'AAPL']],
    ['The Goldman Sachs Group Inc. (GS, NYSE)', ['The Goldman Sachs Group Inc. (GS, NYSE)']],
    ['Samsung Electronics Co., Ltd. (005930, KOSPI)', ['Samsung Electronics Co., Ltd. (005930, KOSPI)']],
    ['JPMorgan Nasdaq Equity Premium Income ETF', ['JPMorgan Nasdaq Equity Premium Income ETF']],
    ['애플 주가 알려줘', ['애플']],
    ['Apple Inc. (AAPL, NASDAQ), TSLA', ['Apple Inc. (AAPL, NASDAQ)', 'TSLA']],
    ['AAPL, Samsungg Electronic', ['AAPL', 'Samsungg Electronic']],
    // Behind Hangul, ETN and ETF are kinds of funds, and 선물 is part of what is named.
    ['신한 레버리지 WTI ETN', ['신한 레버리지 WTI ETN']],
    ['신한 레버리지 팔라듐 ETN', ['신한 레버리지 팔라듐 ETN']],
    ['AAPL 신한 레버리지 WTI ETN', ['AAPL', '신한 레버리지 WTI ETN']],
    ['애플 ETN', ['애플']],
    ['AAPL ETN', ['AAPL', 'ETN']],
    ['코스피200 선물', ['코스피200 선물']],
    ['삼성전자 코스피200 선물', ['삼성전자', '코스피200 선물']],
  ])('are kept whole in %j, even if one has several listings', (typed, names) => {
    expect(atOnce(namesIn(typed.split(' '), symbols, 10))).toEqual(names);
  });

  it('are looked up only to one more than the limit', () => {
    let looked = 0;
    const resolve = () => {
      looked += 1;
      return { status: 'unknown', suggestions: [] } as const;
    };
    const list = Array.from({ length: 2_500 }, (_, index) => `name${index}`).join(',');
    expect(atOnce(namesIn([list], { resolve }, 10)).length).toBeGreaterThan(10);
    expect(looked).toBeLessThan(500);
  });
});
