import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Brand } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';

type ChartId = Brand<string, 'ChartId'>;

export interface ChartFiles {
  /** Writes an image under an unguessable name and returns its URL. */
  readonly save: (png: Uint8Array) => Promise<string>;
  /** Removes images older than `olderThan` unless needed, and returns their number. */
  readonly purge: (olderThan: Temporal.Instant, needed?: ReadonlySet<string>) => Promise<number>;
}

/** About 200 MB, so that frequent requests cannot fill the disk. */
const MAX_FILES = 4_000;
const CLEAN_UP_EVERY = 200;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Stores images until they are sent, because an answer may be sent again after a crash. */
export const createChartFiles = (dataDir: string, maxFiles = MAX_FILES): ChartFiles => {
  const directory = join(dataDir, 'charts');
  let writesUntilCleanUp = Math.min(CLEAN_UP_EVERY, maxFiles);

  /** Removes the oldest files; names sort by age. */
  const removeOldest = async (): Promise<void> => {
    const names = (await readdir(directory)).toSorted();
    for (const name of names.slice(0, Math.max(0, names.length - maxFiles)))
      await rm(join(directory, name), { force: true });
  };

  return {
    save: async (png) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${newId<ChartId>()}.png`);
      // A crash during writing leaves only a `.part` file.
      await writeFile(`${path}.part`, png, { mode: 0o600, flag: 'wx' });
      await rename(`${path}.part`, path);
      writesUntilCleanUp -= 1;
      if (writesUntilCleanUp <= 0) {
        writesUntilCleanUp = Math.min(CLEAN_UP_EVERY, maxFiles);
        await removeOldest();
      }
      return pathToFileURL(path).href;
    },
    purge: async (olderThan, needed = new Set()) => {
      let names: readonly string[];
      try {
        names = await readdir(directory);
      } catch (error) {
        if (isMissing(error)) return 0;
        throw error;
      }
      let removed = 0;
      for (const name of names) {
        const path = join(directory, name);
        const { mtimeMs } = await stat(path);
        if (mtimeMs >= olderThan.epochMilliseconds || needed.has(pathToFileURL(path).href)) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
};
