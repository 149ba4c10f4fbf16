import type { Steps } from '#src/platform/steps.ts';
import type { Chunk } from './chunks.ts';
import { closingOf } from './fence-tracker.ts';
import { type Frame, frameOf, type Passage, passageOf } from './passage.ts';
import { readRegions } from './read-regions.ts';
import type { Region } from './region.ts';
import { scanRegions } from './scan-regions.ts';
import { firstWhere, isBlank, linesOf } from './source-lines.ts';

/** From the best to the worst; `poor` tears apart what belongs together. */
export type BreakLevel = 'block' | 'item' | 'line' | 'poor';

/** Where a document can be cut between two lines. */
export interface BreakPlace extends Frame {
  readonly end: number;
  readonly next: number;
  readonly level: BreakLevel;
}

export interface ChunkMap {
  /** In order. */
  readonly places: readonly BreakPlace[];
  /** The block at a place of the document, or the next one behind it. */
  readonly passageAt: (offset: number) => Passage | undefined;
}

/** How good a break before a line inside of a region is; undefined where there must be none. */
const levelInside = (region: Region, line: number): BreakLevel | undefined => {
  switch (region.kind) {
    case 'fence':
      // The last line of a closed fence is its end: a part before it closes by itself.
      return line === region.first + 1 || (region.isClosed && line === region.last) ? undefined : 'item';
    case 'table':
      return line <= region.first + 2 ? undefined : 'item';
    case 'heading':
      return 'poor';
    case 'literal':
      return 'item';
    case 'text':
    case 'other':
      return region.isInQuote ? 'item' : 'line';
    default:
      return region satisfies never;
  }
};

const levelBefore = (region: Region, before: Region | undefined): BreakLevel => {
  if (before?.kind === 'heading') return 'poor';
  return region.isTopLevel ? 'block' : 'item';
};

const REGIONS_A_STEP = 256;

/** Where a chunk can be cut, between its lines and inside of them. */
export const mapChunk = function* (source: string, chunk: Chunk, limit: number): Steps<ChunkMap> {
  const spans = linesOf(source, chunk.start, chunk.end);
  const lines = spans.map(({ start, end }) => source.slice(start, end));
  yield;
  const regions = readRegions(lines) ?? scanRegions(lines);
  yield;
  const passages: Passage[] = [];
  for (const region of regions) {
    passages.push(passageOf(source, region, spans, lines, limit));
    if (passages.length % REGIONS_A_STEP === 0) yield;
  }

  const placesIn = (region: Region, before: Region | undefined): readonly BreakPlace[] => {
    const inside = frameOf(region, lines, limit);
    const between = {
      open: '',
      close: before?.kind === 'fence' && !before.isClosed ? closingOf(before.fence) : '',
    };
    return spans.slice(region.first, region.last + 1).flatMap((span, index) => {
      const level = index === 0 ? levelBefore(region, before) : levelInside(region, region.first + index);
      if (!level || span.start === chunk.start || isBlank(source, span)) return [];
      return [{ end: span.start - 1, next: span.start, level, ...(index === 0 ? between : inside) }];
    });
  };

  const places: BreakPlace[] = [];
  for (const [index, region] of regions.entries()) {
    for (const place of placesIn(region, regions[index - 1])) places.push(place);
    if (index % REGIONS_A_STEP === 0) yield;
  }
  return {
    places,
    passageAt: (offset) => passages[firstWhere(passages, ({ end }) => end > offset)],
  };
};
