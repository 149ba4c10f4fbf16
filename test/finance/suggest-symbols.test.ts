import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSymbolSearch } from '#src/finance/symbols.ts';
import { typedLetters } from '#src/finance/typed-letters.ts';
import { anyText } from '#test/support/any-text.ts';

const { suggest } = createSymbolSearch(SAMPLE_INSTRUMENTS);
const symbolsFor = (typed: string, limit = 25): readonly string[] =>
  suggest(typed, limit).map(({ symbol }) => symbol);

describe('what somebody who is typing may mean', () => {
  it.each([
    ['a syllable', '삼', '005930.KS'],
    ['half a syllable behind it', '삼ㅅ', '005930.KS'],
    ['a syllable without its end', '삼서', '005930.KS'],
    ['a consonant that will begin the next syllable', '캌', '035720.KS'],
    ['a vowel that will become another one', '호', 'USDKRW=X'],
    ['only the first letters of syllables', 'ㅅㅅㅈㅈ', '005930.KS'],
    ['a single letter', 'ㅋ', '035720.KS'],
    ['decomposed letters', '삼성'.normalize('NFD'), '005930.KS'],
    ['the beginning of a ticker', 'aap', 'AAPL'],
    ['the beginning of a code', '0059', '005930.KS'],
    ['the beginning of an English name', 'Samsung El', '005930.KS'],
    ['an alias', '삼전', '005930.KS'],
    ['a word inside of a name', 'hynix', '000660.KS'],
    ['a whole ticker, before longer names', 'KO', 'KO'],
  ])('%s: %s', (_what, typed, symbol) => {
    expect(symbolsFor(typed)[0]).toBe(symbol);
  });

  it('offers the best known where nothing is typed yet, and nothing for signs', () => {
    const best = SAMPLE_INSTRUMENTS.slice(0, 5).map(({ instrument }) => instrument.symbol);
    expect(symbolsFor(' ', 5)).toEqual(best);
    expect(symbolsFor('🚀$')).toEqual([]);
    expect(symbolsFor('날씨')).toEqual([]);
  });

  it('puts what begins so before what has it inside, and names nothing twice', () => {
    const found = symbolsFor('전자');
    expect(found).toContain('005930.KS');
    expect(new Set(found).size).toBe(found.length);
    const starting = symbolsFor('에코프로');
    expect(starting.slice(0, 2)).toEqual(['086520.KQ', '247540.KQ']);
  });

  it('never gives more than was asked for, whatever is typed', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 24 }), fc.integer({ min: 0, max: 25 }), (typed, limit) => {
        expect(suggest(typed, limit).length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 40 },
    );
  });

  it('offers every instrument at each letter of its Korean name', () => {
    const lost = SAMPLE_INSTRUMENTS.flatMap(({ instrument }) => {
      const name = instrument.name.ko;
      const steps = Array.from(name, (_, index) =>
        Array.from(name)
          .slice(0, index + 1)
          .join(''),
      );
      return steps.filter((typed) => !suggest(typed, 100).includes(instrument));
    });
    expect(lost).toEqual([]);
  });

  it('is fast enough to be asked at every letter, with 2,000 instruments', () => {
    const [first] = SAMPLE_INSTRUMENTS;
    if (!first) throw new Error('no instruments');
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      instrument: {
        ...first.instrument,
        symbol: `S${index}`,
        ticker: `T${index}`,
        name: { ko: `종목${index}`, en: `Company ${index}` },
      },
      aliases: [],
    }));
    const large = createSymbolSearch(many);
    const startedAt = performance.now();
    for (let round = 0; round < 10; round += 1) large.suggest('없는이름', 25);
    expect((performance.now() - startedAt) / 10).toBeLessThan(100);
  });
});

describe('letters as they are typed', () => {
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
