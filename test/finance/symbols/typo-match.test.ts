import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance } from '#src/core/edit-distance.ts';
import { distanceWithin } from '#src/finance/symbols/typo-match.ts';

it('counts mistakes as the plain way does, only faster', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (left, right, limit) => {
      expect(distanceWithin(left, right, limit)).toBe(editDistance(left, right, limit));
    }),
    { numRuns: 2_000 },
  );
});
