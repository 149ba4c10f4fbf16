import { closesFence, fenceEnd, followFence, type OpenFence } from './fence-tracker.ts';

const MARKER = /`{3}|~{3}/;

/** A marker that no line of the code can be taken for. */
const shortMarker = (code: readonly string[]): string => {
  const text = code.join('\n');
  const free = ['```', '~~~'].find((marker) => !text.includes(marker));
  if (free !== undefined) return free;
  const runs = text.match(/~{3,}/g) ?? [];
  return '~'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
};

/**
 * Fences whose marker and language would fill half of a part get a short marker; what stood behind the
 * long one becomes the first line of the code. Everything else stays as it is.
 */
export const shortenFences = (source: string, limit: number): string => {
  const isTooLong = (line: string, { marker, prefix }: OpenFence): boolean =>
    line.length + prefix.length + marker.length + 2 > limit / 2;
  // Few documents have such a line at all.
  const longest = Math.max(4, Math.ceil(limit / 4) - 1);
  const lines = source.split('\n');
  if (!lines.some((line) => line.length >= longest && MARKER.test(line.slice(0, 1_003)))) return source;
  const made: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const fence = followFence(line, undefined, 0);
    const end = fence ? fenceEnd(lines, index, fence) : index + 1;
    const isClosed = fence !== undefined && end < lines.length && closesFence(lines[end] ?? '', fence);
    const code = lines.slice(index + 1, end);
    if (fence && isTooLong(line, fence) && (isClosed || code.length > 0)) {
      const markerAt = line.indexOf(fence.marker);
      const info = line.slice(markerAt + fence.marker.length).trim();
      const marker = shortMarker([info, ...code]);
      made.push(line.slice(0, markerAt) + marker, ...(info === '' ? [] : [fence.prefix + info]), ...code);
      if (isClosed) made.push(fence.prefix + marker);
    } else made.push(line, ...code, ...(isClosed ? [lines[end] ?? ''] : []));
    index = isClosed ? end + 1 : end;
  }
  return made.join('\n');
};
