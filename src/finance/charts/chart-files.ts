import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Brand } from '#src/core/ids.ts';
import { newId } from '#src/infra/ids.ts';

type ChartId = Brand<string, 'ChartId'>;

export interface ChartFiles {
  /** Writes an image under an unguessable name and returns its URL. */
  readonly keep: (png: Uint8Array) => Promise<string>;
  /** Removes images older than `olderThan` unless needed, and returns their number. */
  readonly purge: (olderThan: Temporal.Instant, needed?: ReadonlySet<string>) => Promise<number>;
}

/** About 200 MB, so that frequent requests cannot fill the disk. */
const MAX_KEPT = 4_000;
const LOOK_EVERY = 200;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Stores images until they are sent, because an answer may be sent again after a crash. */
export const createChartFiles = (dataDir: string, maxKept = MAX_KEPT): ChartFiles => {
  const directory = join(dataDir, 'charts');
  let untilLook = Math.min(LOOK_EVERY, maxKept);

  /** Removes the oldest files; names sort by age. */
  const thinOut = async (): Promise<void> => {
    const names = (await readdir(directory)).toSorted();
    for (const name of names.slice(0, Math.max(0, names.length - maxKept)))
      await rm(join(directory, name), { force: true });
  };

  return {
    keep: async (png) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${newId<ChartId>()}.png`);
      // A crash during writing leaves only a `.part` file.
      await writeFile(`${path}.part`, png, { mode: 0o600, flag: 'wx' });
      await rename(`${path}.part`, path);
      untilLook -= 1;
      if (untilLook <= 0) {
        untilLook = Math.min(LOOK_EVERY, maxKept);
        await thinOut();
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
