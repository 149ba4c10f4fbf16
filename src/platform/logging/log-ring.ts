import type { LogLine } from '#src/kernel/operations/log.ts';

export interface LogRing {
  readonly add: (line: LogLine) => void;
  /** The newest last. */
  readonly lines: () => readonly LogLine[];
}

const MAX_LINES = 1_000;

/** The last log lines, in memory. They must be masked before they are added. */
export const createLogRing = (maxLines = MAX_LINES): LogRing => {
  const lines: LogLine[] = [];
  let next = 0;
  return {
    add: (line) => {
      lines[next] = line;
      next = (next + 1) % maxLines;
    },
    lines: () => [...lines.slice(next), ...lines.slice(0, next)],
  };
};
