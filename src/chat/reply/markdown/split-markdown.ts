import type { Steps } from '#src/platform/steps.ts';
import { type BreakLevel, type BreakPlace, type ChunkMap, mapChunk } from './break-places.ts';
import { type Chunk, chunkSteps } from './chunks.ts';
import { cutText } from './cut-text.ts';
import { atomAcross } from './inline-atoms.ts';
import type { Passage } from './passage.ts';
import { firstWhere } from './source-lines.ts';

/** A part that is cut earlier than here looks lost: the next best place is taken before that. */
const GOOD_FILL = 0.5;
const GOOD_LEVELS: readonly BreakLevel[] = ['block', 'item', 'line'];
/** In front of a run of backticks that must begin a part: code by indentation, not an open fence. */
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
 * Cuts a document into parts of at most `limit` characters, at the best places there are. Only chunks that
 * must be cut themselves are parsed.
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

  /** Inside of a line of the passage; undefined when that is no better than `before`. */
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

  /** A place inside of the first chunk that does not fit, or before it. */
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
