import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { type Chunk, chunkSteps } from './chunks.ts';
import { closingOf, continued, prefixOf } from './fences.ts';
import { readRegions, type Region, scanRegions } from './regions.ts';
import { firstWhere, isBlank, linesOf, type Line } from './lines.ts';
import { atomAcross, cutText, type Atom, atomsOf } from './cut-text.ts';

/** Ordered from best to worst; `poor` separates a heading from its text. */
type BreakLevel = 'block' | 'item' | 'line' | 'poor';

/** A possible cut between two lines. */
interface BreakPlace extends Frame {
  readonly end: number;
  readonly next: number;
  readonly level: BreakLevel;
}

interface ChunkMap {
  /** In order. */
  readonly places: readonly BreakPlace[];
  /** The block at an offset, or the next one after it. */
  readonly passageAt: (offset: number) => Passage | undefined;
}

/** The quality of a break before a line within a region; undefined if there must be none. */
const levelInside = (region: Region, line: number): BreakLevel | undefined => {
  switch (region.kind) {
    case 'fence':
      // The closing line of a fence must not begin a part.
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

/** The possible cuts of a chunk, between and within its lines. */
const mapChunk = function* (source: string, chunk: Chunk, limit: number): Steps<ChunkMap> {
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

/** A part should be at least half full: a lower break level is preferred to a shorter part. */
const GOOD_FILL = 0.5;
const GOOD_LEVELS: readonly BreakLevel[] = ['block', 'item', 'line'];
/** Indentation that keeps backticks at the start of a part from opening a fence. */
const DEFUSED = '    ';

type Cut = Omit<BreakPlace, 'level'>;

const placeBehind = (chunk: Chunk, following: Chunk | undefined): BreakPlace => ({
  end: chunk.end,
  next: following?.start ?? Number.POSITIVE_INFINITY,
  level: chunk.isHeading ? 'poor' : (following?.level ?? 'block'),
  close: chunk.close,
  open: '',
});

/**
 * Cuts a document into parts of at most `limit` characters at the best breaks. Only chunks that must be cut themselves are
 * parsed.
 */
export const splitMarkdown = function* (source: string, limit: number): Steps<readonly string[]> {
  const chunks = yield* chunkSteps(source);
  const maps = new Map<Chunk, ChunkMap>();
  const mapOf = function* (chunk: Chunk): Steps<ChunkMap> {
    const map = maps.get(chunk) ?? (yield* mapChunk(source, chunk, limit));
    maps.set(chunk, map);
    return map;
  };
  const parts: string[] = [];
  let at = chunks[0]?.start ?? source.length;
  let open = '';

  const fits = ({ end, close }: Cut): boolean => open.length + (end - at) + close.length <= limit;
  const isGood = ({ end }: Cut): boolean => end - at >= limit * GOOD_FILL;

  /** A cut within a line of the passage; undefined if it is no better than `before`. */
  const cutLine = (passage: Passage, from: number, before: Cut | undefined): Cut | undefined => {
    const cutFrom = passage.cutFrom(from);
    const lineEnd = source.indexOf('\n', cutFrom);
    const end = passage.isText || lineEnd === -1 ? passage.end : Math.min(lineEnd - 1, passage.end);
    const to = Math.min(at + limit - open.length - passage.close.length, end);
    if (to <= cutFrom && before) return undefined;
    const room = limit - passage.open.length - passage.linePrefix.length - passage.close.length;
    const near = passage.atoms();
    const atoms = near
      .slice(
        firstWhere(near, (atom) => atom.end > at),
        firstWhere(near, (atom) => atom.start > to),
      )
      .filter((atom) => atom.end - atom.start <= room);
    const start = to > cutFrom ? cutFrom : at;
    const cut = cutText(source, start, Math.max(to, start + 1), atoms);
    if (before && cut.kind === 'inside') return undefined;
    const isLineStart = source.charAt(cut.next - 1) === '\n';
    const isFence = /^(?:```|~~~)/.test(source.slice(cut.next, cut.next + 3));
    return {
      end: cut.end,
      next: cut.next,
      close: passage.close,
      open: passage.open + (isLineStart ? '' : passage.linePrefix) + (isFence ? DEFUSED : ''),
    };
  };

  /** A cut within or before the first chunk that does not fit. */
  const cutInside = function* (chunk: Chunk, before: readonly BreakPlace[]): Steps<Cut> {
    const map = yield* mapOf(chunk);
    const ahead = map.places.slice(
      firstWhere(map.places, ({ end }) => end > at),
      firstWhere(map.places, ({ end }) => end > at + limit),
    );
    const isWhole = ({ end }: BreakPlace): boolean => {
      const across = end > chunk.start && atomAcross(map.passageAt(end - 1)?.atoms() ?? [], end);
      return !across || across.end - across.start > limit;
    };
    const places = [...before, ...ahead.filter(fits)];
    for (const level of GOOD_LEVELS) {
      const good = places.findLast((place) => place.level === level && isGood(place) && isWhole(place));
      if (good) return good;
    }
    const last =
      places.findLast((place) => place.level !== 'poor' && isWhole(place)) ?? places.findLast(isWhole);
    const from = Math.max(at, last?.next ?? 0, chunk.start);
    const passage = map.passageAt(from);
    const lineEnd = source.indexOf('\n', from);
    const length = (lineEnd === -1 ? source.length : lineEnd) - from;
    const isTooLong = passage !== undefined && length + passage.open.length + passage.close.length > limit;
    if (last && !isTooLong) return last;
    const inside = passage && cutLine(passage, Math.max(from, passage.start), last);
    return (
      inside ?? last ?? { end: at + limit - open.length, next: at + limit - open.length, open: '', close: '' }
    );
  };

  const nextCut = function* (index: number): Steps<Cut> {
    const places: BreakPlace[] = [];
    for (let ahead = index; ; ahead += 1) {
      const chunk = chunks[ahead];
      if (!chunk) return places.at(-1) ?? { end: source.length, next: source.length, open: '', close: '' };
      const place = placeBehind(chunk, chunks[ahead + 1]);
      if (!fits(place)) {
        const good = places.findLast((found) => found.level === 'block' && isGood(found));
        return good ?? (yield* cutInside(chunk, places));
      }
      places.push(place);
    }
  };

  for (let index = 0; at < source.length;) {
    yield;
    const cut = yield* nextCut(index);
    const body = source.slice(at, cut.end).trimEnd();
    if (body !== '') parts.push(open + body + cut.close);
    ({ next: at, open } = cut);
    while (index < chunks.length && (chunks[index]?.end ?? 0) <= at) index += 1;
  }
  return parts;
};

/** Text that closes a block at the end of a part and reopens it at the start of the next one. */
interface Frame {
  readonly close: string;
  readonly open: string;
}

/** A block with the data for a cut within its lines. */
interface Passage extends Frame {
  readonly start: number;
  readonly end: number;
  /** Quote marks or indentation for a part that begins within a line. */
  readonly linePrefix: string;
  /** Text may be cut at any white space, code and table rows only between lines. */
  readonly isText: boolean;
  /** The first position from `offset` on behind which a cut leaves text on both sides. */
  readonly cutFrom: (offset: number) => number;
  /** Ranges in the document that must not be cut. */
  readonly atoms: () => readonly Atom[];
}

const QUOTE = /^(?:[ \t]*>)+[ \t]?/;
const NONE: Frame = { open: '', close: '' };

/** Empty if it would leave no room for content. */
const frameOf = (region: Region, lines: readonly string[], limit: number): Frame => {
  if (region.kind === 'fence') {
    const { prefix, marker, language } = region.fence;
    const open = `${prefix}${marker}${language}\n`;
    const close = closingOf(region.fence);
    return open.length + close.length + 2 * prefix.length + 2 < limit ? { open, close } : NONE;
  }
  if (region.kind !== 'table') return NONE;
  const header = lines[region.first] ?? '';
  const open = `${region.prefix}${header.slice(prefixOf(header).length)}\n${lines[region.first + 1] ?? ''}\n`;
  return open.length <= limit / 2 ? { open, close: '' } : NONE;
};

const passageOf = (
  source: string,
  region: Region,
  spans: readonly Line[],
  lines: readonly string[],
  limit: number,
): Passage => {
  const frame = frameOf(region, lines, limit);
  const start = spans[region.first]?.start ?? 0;
  const end = spans[region.last]?.end ?? start;
  const isCode = region.kind === 'fence' || region.kind === 'literal';
  const headLines = frame.open === '' ? 0 : region.kind === 'fence' ? 1 : 2;
  const marks = continued(QUOTE.exec(lines[region.first]?.slice(0, 1_000) ?? '')?.[0] ?? '');
  const quote = region.isInQuote && frame.open.length + marks.length <= limit / 2 ? marks : '';
  let atoms: readonly Atom[] | undefined;
  return {
    ...frame,
    start,
    end,
    linePrefix: region.kind !== 'fence' ? quote : frame.open === '' ? '' : region.fence.prefix,
    isText: !isCode && region.kind !== 'table',
    cutFrom: (offset) => {
      const index = Math.max(
        firstWhere(spans, (span) => span.end >= offset),
        Math.min(region.first + headLines, region.last),
      );
      const lineStart = spans[index]?.start ?? offset;
      const marks = region.kind === 'fence' ? region.fence.prefix : prefixOf(lines[index] ?? '');
      return offset > lineStart ? offset : lineStart + marks.length;
    },
    atoms: () =>
      (atoms ??= isCode
        ? []
        : atomsOf(source.slice(start, end)).map((atom) => ({
            start: atom.start + start,
            end: atom.end + start,
          }))),
  };
};
