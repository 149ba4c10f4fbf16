/** A code block that is open: what it takes to close it. */
export interface Fence {
  readonly mark: '`' | '~';
  readonly length: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Also inside quotations and lists, whose marks stand before it. */
const FENCE = /^[\t >]*(?:(?:[-*+]|\d{1,9}[.)])[\t ]+)*(`{3,}|~{3,})([^]*)/;

/** Which code block is open behind a line, given the one that was open before it. */
export const fenceAfter = (line: string, open: Fence | undefined): Fence | undefined => {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
  const mark = marks.startsWith('~') ? '~' : '`';
  if (open) {
    const isEnd = marks !== '' && mark === open.mark && marks.length >= open.length && rest.trim() === '';
    return isEnd ? undefined : open;
  }
  // Backticks behind backticks are code inside a line.
  if (marks === '' || (mark === '`' && rest.includes('`'))) return undefined;
  return { mark, length: marks.length };
};

/**
 * The code inside a line, its backticks included: a run of them ends at the next run of the same length; where
 * there is none, it is only text.
 */
export const codeSpansIn = (line: string): readonly Span[] => {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  /** From right to left: where the next run of each length stands. */
  const nextOfLength = new Map<number, number>();
  const closings = runs
    .toReversed()
    .map(({ length, index }) => {
      const closing = nextOfLength.get(length);
      nextOfLength.set(length, index);
      return { start: index, end: closing === undefined ? undefined : closing + length };
    })
    .toReversed();
  const spans: Span[] = [];
  let done = 0;
  for (const { start, end } of closings) {
    if (start < done || end === undefined) continue;
    spans.push({ start, end });
    done = end;
  }
  return spans;
};
