import { statSync } from 'node:fs';

/** One sentence for each file that other users of this machine can read or write; those that are missing are fine. */
export const checkFileModes = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) return [];
    return [
      `${path} may hold secrets, and other users of this machine can open it. Run: chmod 600 '${path}'`,
    ];
  });
