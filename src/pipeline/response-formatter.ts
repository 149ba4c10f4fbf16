/** Marks a place where an answer was cut; the reader must know that something is missing. */
const CUT_MARK = '\n\n[…]';

const FENCE = /^\s*(```+|~~~+)\s*(\S*)/;

interface OpenFence {
  readonly marker: string;
  readonly language: string;
}

/** The fence that is open after `line`, given the one open before it. */
const fenceAfter = (line: string, open: OpenFence | undefined): OpenFence | undefined => {
  const found = FENCE.exec(line);
  if (!found) return open;
  const [, marker = '', language = ''] = found;
  if (!open) return { marker, language };
  return marker.startsWith(open.marker) && language === '' ? undefined : open;
};

/** Pieces of a line that is longer than a whole message; never through the middle of a character. */
const hardSplit = (line: string, limit: number): readonly string[] => {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > limit) {
    const space = rest.lastIndexOf(' ', limit);
    let end = space > limit / 2 ? space : limit;
    const next = rest.charCodeAt(end);
    if (next >= 0xdc00 && next <= 0xdfff) end -= 1;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
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
  let length = 0;
  let fence: OpenFence | undefined;

  const flush = (): void => {
    if (lines.length === 0) return;
    parts.push([...lines, ...(fence ? [fence.marker] : [])].join('\n'));
    lines = fence ? [fence.marker + fence.language] : [];
    length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  };

  for (const line of content.split('\n').flatMap((whole) => hardSplit(whole, Math.floor(maxLength / 2)))) {
    const after = fenceAfter(line, fence);
    const closing = (after ?? fence)?.marker.length ?? -1;
    if (length + line.length + 1 + closing > maxLength) flush();
    lines.push(line);
    length += line.length + 1;
    fence = after;
  }
  flush();
  return parts.filter((part) => part.trim() !== '');
};

/** Cuts what no one could read any more, and says so. */
export const limitLength = (content: string, maxLength: number): string =>
  content.length <= maxLength ? content : content.slice(0, maxLength - CUT_MARK.length) + CUT_MARK;
