import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitMessage } from '#src/chat/delivery/response-formatter.ts';
import { documents, limits } from './documents.ts';
import { characterCounts, essence, linksIn, readLines, unclosedFences } from './read-parts.ts';

const forAnyDocument = (
  check: (content: string, parts: readonly string[], limit: number) => void,
  numRuns = 60,
): void =>
  fc.assert(
    fc.property(documents, limits, (content, limit) => check(content, splitMessage(content, limit), limit)),
    { numRuns },
  );

describe('splitMessage, for any document', () => {
  it('makes parts within the limit, none of them blank, all of whole characters', () => {
    forAnyDocument((content, parts, limit) => {
      expect(
        parts.filter((part) => part.length > limit || part.trim() === '' || !part.isWellFormed()),
      ).toEqual([]);
      expect(characterCounts(parts)).toEqual(characterCounts([content]));
    });
  });

  it('closes every fence in the part that opened it', () => {
    forAnyDocument((_content, parts) => {
      expect(parts.filter((part) => readLines(part).open !== '')).toEqual([]);
      expect(parts.flatMap(unclosedFences)).toEqual([]);
    });
  });

  it('loses nothing, adds nothing, and leaves code in its fence and text outside', () => {
    forAnyDocument((content, parts) => {
      expect(essence(parts)).toBe(essence([content]));
    });
  });

  it('leaves links, addresses and code in a line whole', () => {
    forAnyDocument((content, parts) => {
      expect(parts.flatMap(linksIn)).toEqual(linksIn(content));
    });
  });
});

describe('splitMessage, for limits that no platform has', () => {
  it('keeps to them, without blank parts', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 20, max: 60 }), (content, limit) => {
        const parts = splitMessage(content.slice(0, 2_000), limit);
        expect(parts.filter((part) => part.length > limit || part.trim() === '')).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
