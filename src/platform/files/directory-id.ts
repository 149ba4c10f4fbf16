import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';

/**
 * The same for every process that sees this directory, under whatever path; undefined if there is none. A path alone would
 * not do: every container has a `/data`.
 */
export const directoryId = (path: string): string | undefined => {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts && createHash('sha256').update(`${facts.dev}:${facts.ino}`).digest('hex').slice(0, 16);
};
