import { closingOf, continued, prefixOf } from './fences.ts';
import { type Atom, atomsOf } from './cut-text.ts';
import type { Region } from './regions.ts';
import { firstWhere, type Line } from './lines.ts';

/** Text that closes a block at the end of a part and reopens it at the start of the next one. */
export interface Frame {
  readonly close: string;
  readonly open: string;
}

/** A block with the data for a cut within its lines. */
export interface Passage extends Frame {
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
