import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const make = (): string | undefined => {
  try {
    return mkdtempSync(join(tmpdir(), 'finclaw-doctor-'));
  } catch {
    // A container may have no place for temporary files.
    return undefined;
  }
};

/**
 * Gives the work a directory for what a start would make in the data directory, and removes it. Undefined: nothing can be
 * written anywhere.
 */
export const withSpareDirectory = async <T>(work: (path: string | undefined) => Promise<T>): Promise<T> => {
  const path = make();
  if (path === undefined) return work(undefined);
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  // The program ends without waiting for a check that is late.
  process.once('exit', remove);
  try {
    return await work(path);
  } finally {
    process.off('exit', remove);
    remove();
  }
};
