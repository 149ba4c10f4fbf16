import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { typedLetters } from '#src/markets/symbols/hangul.ts';
import { anyText } from '#test/support/any-text.ts';
import { everyRow } from '#test/support/every-row.ts';

const { suggest } = createSymbolSearch();
const symbolsFor = (typed: string, limit = 25): readonly string[] =>
  suggest(typed, limit).map(({ symbol }) => symbol);

describe('suggestions while typing', () => {
  everyRow([
    ['a syllable', '삼', '005930.KS'],
    ['half a syllable behind it', '삼ㅅ', '005930.KS'],
    ['a syllable without its end', '삼서', '005930.KS'],
    ['a consonant that will begin the next syllable', '캌', '035720.KS'],
    ['a vowel that will become another one', '호', 'USDKRW=X'],
    ['only the first letters of syllables', 'ㅅㅅㅈㅈ', '005930.KS'],
    ['a single letter, of the best known that begins so', 'ㅋ', '^KS11'],
    ['decomposed letters', '삼성'.normalize('NFD'), '005930.KS'],
    ['the beginning of a ticker', 'tsl', 'TSLA'],
    ['the beginning of a code', '0059', '005930.KS'],
    ['the beginning of a code with letters', '0126z', '0126Z0.KS'],
    ['the beginning of an English name', 'Samsung El', '005930.KS'],
    ['an alias', '삼전', '005930.KS'],
    ['a word inside of a name', '로직스', '207940.KS'],
    ['a whole ticker, before better known names that begin so', 'ko', 'KO'],
  ])('%s: %s', (_what, typed, symbol) => {
    expect(symbolsFor(typed)[0]).toBe(symbol);
  });

  it('show the best-known instruments for an empty query and nothing for punctuation', () => {
    expect(symbolsFor(' ', 5)).toEqual(['005930.KS', 'AAPL', 'BTC-USD', 'USDKRW=X', '000660.KS']);
    expect(symbolsFor('🚀$')).toEqual([]);
    expect(symbolsFor('날씨')).toEqual([]);
  });

  it('rank prefixes before substrings, without duplicates', () => {
    const found = symbolsFor('에코프로');
    expect(found.slice(0, 3)).toEqual(['086520.KQ', '247540.KQ', '450080.KS']);
    expect(new Set(found).size).toBe(found.length);
    expect(symbolsFor('전자')).toContain('005930.KS');
    // The middle of a code means nothing.
    expect(symbolsFor('5930')).not.toContain('005930.KS');
  });

  it('never exceed the limit', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 24 }), fc.integer({ min: 0, max: 25 }), (typed, limit) => {
        expect(suggest(typed, limit).length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 40 },
    );
  });

  it('include the best-known instrument after every letter of its Korean name', () => {
    const lost = suggest('', 25).flatMap(({ symbol, name }) => {
      const letters = Array.from(name.ko);
      const steps = letters.map((_, index) => letters.slice(0, index + 1).join(''));
      return steps.filter((typed) => !symbolsFor(typed).includes(symbol));
    });
    expect(lost).toEqual([]);
  });
});

describe('splitting Hangul into typed letters', () => {
  it.each([
    ['삼성', 'ㅅㅏㅁㅅㅓㅇ'],
    ['과학', 'ㄱㅗㅏㅎㅏㄱ'],
    ['닭', 'ㄷㅏㄹㄱ'],
    ['까ㅅ'.normalize('NFKC'), 'ㄲㅏㅅ'],
    ['aB1', 'aB1'],
  ])('%s is %s', (text, letters) => {
    expect(typedLetters(text)).toBe(letters);
  });
});
