/** Marks a place where an answer was cut; the reader must know that something is missing. */
const CUT_MARK = '\n\n[…]';

/** Backticks behind the marker make it code in a line, not a fence; a marker without end is no marker. */
const FENCE = /^\s*(?:(`{3,16})(?!`)\s*([^`]*)|(~{3,16})(?!~)\s*(.*))$/;
const LANGUAGE = /^\S{1,32}(?!\S)/;

interface OpenFence {
  readonly marker: string;
  readonly language: string;
}

/** The fence that is open after `line`, given the one open before it. */
const fenceAfter = (line: string, open: OpenFence | undefined): OpenFence | undefined => {
  const found = FENCE.exec(line);
  if (!found) return open;
  const marker = found[1] ?? found[3] ?? '';
  const info = found[2] ?? found[4] ?? '';
  if (!open) return { marker, language: LANGUAGE.exec(info)?.[0] ?? '' };
  return marker.startsWith(open.marker) && info === '' ? undefined : open;
};

/** Never through the middle of a character. */
const safeEnd = (text: string, end: number): number => {
  const next = text.charCodeAt(end);
  return next >= 0xdc00 && next <= 0xdfff ? end - 1 : end;
};

/** Pieces of a line that is longer than a whole message, at a space where there is one. */
const hardSplit = (line: string, limit: number): readonly string[] => {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > limit) {
    const space = rest.lastIndexOf(' ', limit);
    const isAtSpace = space > limit / 2;
    const end = isAtSpace ? space : safeEnd(rest, limit);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(isAtSpace ? end + 1 : end);
  }
  return [...pieces, rest];
};

/**
 * Splits at line ends into parts of at most `maxLength` characters. A code fence that must break is
 * closed, and opened again with its language in the next part.
 */
export const splitMessage = (content: string, maxLength: number): readonly string[] => {
  if (content.length <= maxLength) return [content];
  const parts: string[] = [];
  let lines: string[] = [];
  let fence: OpenFence | undefined;
  /** How many lines stand at the end of the part that only open the fence: they move on with it. */
  let opening = 0;

  const lengthOf = (): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const flush = (): void => {
    const moved = opening > 0 ? lines.splice(-opening) : fence ? [fence.marker + fence.language] : [];
    if (lines.length > 0)
      parts.push([...lines, ...(fence && opening === 0 ? [fence.marker] : [])].join('\n'));
    lines = moved;
    opening = moved.length;
  };

  for (const line of content.split('\n')) {
    const room = maxLength - (fence ? 2 * fence.marker.length + fence.language.length + 2 : 0);
    const after = line.length > room ? fence : fenceAfter(line, fence);
    for (const piece of hardSplit(line, room)) {
      const closing = after ? after.marker.length + 1 : 0;
      const needed = lengthOf() + piece.length + closing;
      if (needed > maxLength && lines.length > opening) flush();
      else if (needed > maxLength && fence) lines = [fence.marker + fence.language];
      lines.push(piece);
      opening = after && !fence ? 1 : 0;
    }
    fence = after;
  }
  opening = 0;
  flush();
  return parts.filter((part) => part.trim() !== '');
};

/** Cuts what no one could read any more, and says so. */
export const limitLength = (content: string, maxLength: number): string =>
  content.length <= maxLength
    ? content
    : content.slice(0, safeEnd(content, maxLength - CUT_MARK.length)) + CUT_MARK;
