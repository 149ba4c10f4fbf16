import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NAME_WORDS, scanNames } from '#src/core/name-scan.ts';

const KNOWN = new Set(['apple', 'sk hynix', 'sk', 'us dollar', 'spdr s&p 500 etf trust', 'a b c d e f']);
const nameOf = (run: readonly string[]): string | null => (KNOWN.has(run.join(' ')) ? run.join(' ') : null);
const scan = (text: string): readonly string[] =>
  scanNames(text.split(' '), nameOf).map(({ name, words }) => name ?? `?${words.join(' ')}`);

describe('scanNames', () => {
  it.each([
    ['apple', ['apple']],
    ['sk hynix', ['sk hynix']],
    ['sk apple', ['sk', 'apple']],
    ['apple sk hynix', ['apple', 'sk hynix']],
    ['sk hynix apple', ['sk hynix', 'apple']],
    ['us dollar us', ['us dollar', '?us']],
    ['my sk hynix now', ['?my', 'sk hynix', '?now']],
    ['spdr s&p 500 etf trust apple', ['spdr s&p 500 etf trust', 'apple']],
  ])('cuts "%s" into the longest names', (text, expected) => {
    expect(scan(text)).toEqual(expected);
  });

  it('finds nothing in nothing', () => {
    expect(scanNames([], nameOf)).toEqual([]);
  });

  it('asks for no more words than a name can have', () => {
    expect(scan('a b c d e f')).toEqual(['?a', '?b', '?c', '?d', '?e', '?f']);
    expect('a b c d e f'.split(' ').length).toBe(MAX_NAME_WORDS + 1);
  });

  it('takes the name as it is called, not as it was written', () => {
    expect(scanNames(['애플은'], () => '애플')).toEqual([{ words: ['애플은'], name: '애플' }]);
  });

  it('loses no word, and doubles none', () => {
    const words = fc.array(fc.constantFrom('sk', 'hynix', 'us', 'dollar', 'apple', 'x'), { maxLength: 20 });
    fc.assert(
      fc.property(words, (typed) => {
        expect(scanNames(typed, nameOf).flatMap((span) => span.words)).toEqual(typed);
      }),
    );
  });
});
