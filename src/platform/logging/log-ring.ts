import type { LogLine } from '#src/kernel/operations/log.ts';

const MAX_LINES = 1_000;

/** The last log lines, in memory. They must be masked before they are added. */
export const createLogRing = (maxLines = MAX_LINES) => {
  const lines: LogLine[] = [];
  let next = 0;
  return {
    add: (line: LogLine) => {
      lines[next] = line;
      next = (next + 1) % maxLines;
    },
    /** The newest last. */
    lines: (): readonly LogLine[] => [...lines.slice(next), ...lines.slice(0, next)],
  };
};
