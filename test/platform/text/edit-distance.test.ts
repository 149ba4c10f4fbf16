import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from '#src/platform/text/edit-distance.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';

/** Few letters, so that texts meet, swap and repeat often. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

/** The definition, read aloud: slow, and so simple that it is right. */
const byDefinition = (left: string, right: string): number => {
  if (left === '' || right === '') return left.length + right.length;
  const isSame = left.at(-1) === right.at(-1);
  const isSwap = left.length > 1 && left.at(-1) === right.at(-2) && left.at(-2) === right.at(-1);
  return Math.min(
    byDefinition(left.slice(0, -1), right) + 1,
    byDefinition(left, right.slice(0, -1)) + 1,
    byDefinition(left.slice(0, -1), right.slice(0, -1)) + (isSame ? 0 : 1),
    isSwap ? byDefinition(left.slice(0, -2), right.slice(0, -2)) + 1 : Infinity,
  );
};

describe('editDistance', () => {
  everyRow([
    ['the same', 'price', 'price', 0],
    ['two empty texts', '', '', 0],
    ['a wrong character', 'price', 'prise', 1],
    ['a missing character', 'price', 'pice', 1],
    ['a character too many', 'price', 'pricce', 1],
    ['swapped neighbours', 'price', 'prcie', 1],
    ['a swap and a wrong character', 'reset', 'rseat', 2],
    ['one missing from the beginning and one too many at the end', 'abcdef', 'bcdefg', 2],
    ['a Korean syllable', '삼성전자', '삼선전자', 1],
    ['nothing typed', '', 'abc', 3],
  ])('counts the typing mistakes in %s', (_what, left, right, mistakes) => {
    expect(editDistance(left, right, 3)).toBe(mistakes);
  });

  it('is as far there as back', () => {
    fc.assert(
      fc.property(word, word, fc.nat({ max: 6 }), (left, right, limit) => {
        expect(editDistance(left, right, limit)).toBe(editDistance(right, left, limit));
      }),
    );
  });

  it('is zero for the same text and for no other', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, left, 0)).toBe(0);
        expect(editDistance(left, right, 6) === 0).toBe(left === right);
      }),
    );
  });

  it('is what the definition says up to the limit, and infinite beyond it', () => {
    fc.assert(
      fc.property(word, word, fc.nat({ max: 6 }), (left, right, limit) => {
        const mistakes = byDefinition(left, right);
        expect(editDistance(left, right, limit)).toBe(mistakes <= limit ? mistakes : Infinity);
      }),
    );
  });

  it('gives up early on long texts that are far apart', () => {
    const startedMs = cpuMs();
    expect(editDistance('a'.repeat(20_000), 'b'.repeat(20_000), 2)).toBe(Infinity);
    expect(cpuMs() - startedMs).toBeLessThan(1_000);
  });
});
