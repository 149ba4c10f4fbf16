import { closingOf, CONTAINER_MARKS, continued } from './fences.ts';
import { type Atom, atomsOf } from './cut-text.ts';
import type { Region } from './regions.ts';
import { firstWhere, type Line } from './lines.ts';

/** What a part needs behind it that ends inside of a block, and before it one that begins there. */
export interface Frame {
  readonly close: string;
  readonly open: string;
}

/** A block with what a cut inside of one of its lines must know. */
export interface Passage extends Frame {
  readonly start: number;
  readonly end: number;
  /** What a line needs before it that begins inside of another: its marks of quotes or its indentation. */
  readonly linePrefix: string;
  /** Code and rows are lines; text may be cut at any white space. */
  readonly isText: boolean;
  /** The first place from `offset` on behind which a cut leaves something on both sides. */
  readonly cutFrom: (offset: number) => number;
  /** What must stay whole, as places in the document. */
  readonly atoms: () => readonly Atom[];
}

const PREFIX = new RegExp(`^${CONTAINER_MARKS}`);
const QUOTE = /^(?:[ \t]*>)+[ \t]?/;
const NONE: Frame = { open: '', close: '' };

export const prefixOf = (line: string): string => PREFIX.exec(line.slice(0, 1_000))?.[0] ?? '';

/** None where it would leave no room for anything else. */
export const frameOf = (region: Region, lines: readonly string[], limit: number): Frame => {
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

export const passageOf = (
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
    linePrefix:
      region.kind === 'fence'
        ? frame.open === ''
          ? ''
          : region.fence.prefix
        : region.isInQuote
          ? quote
          : '',
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
