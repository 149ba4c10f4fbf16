import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { jsonInPieces, sizeInSteps } from '#src/platform/storage/export-file.ts';

it('a long export is the same JSON in pieces as in one', () => {
  const anything = fc.anything({ withBigInt: false, maxDepth: 7 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anything), (value) => {
      const whole = JSON.stringify(value, null, 2);
      const pieces = atOnce(jsonInPieces(value));
      expect(pieces.join('')).toBe(whole);
      expect(atOnce(sizeInSteps(pieces))).toBe(Buffer.byteLength(whole));
    }),
    { numRuns: 300 },
  );
  const messages = Array.from({ length: 100 }, () => ({ text: '가"\n'.repeat(2_000), files: [] }));
  const pieces = atOnce(jsonInPieces({ identities: [{ messages, none: undefined }] }));
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.join('')).toBe(JSON.stringify({ identities: [{ messages }] }, null, 2));
});
