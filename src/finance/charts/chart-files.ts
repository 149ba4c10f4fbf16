import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Brand } from '#src/core/ids.ts';
import { newId } from '#src/infra/ids.ts';

type ChartId = Brand<string, 'ChartId'>;

export interface ChartFiles {
  /** Writes a picture under a name that nobody can guess; gives its address. */
  readonly keep: (png: Uint8Array) => Promise<string>;
  /** Removes pictures that were written before, without those that are still needed; gives how many. */
  readonly purge: (olderThan: Temporal.Instant, needed?: ReadonlySet<string>) => Promise<number>;
}

/** Some 200 MB: a person who asks as often as they may would fill a disk otherwise. */
const MAX_KEPT = 4_000;
const LOOK_EVERY = 200;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Pictures wait in files until they are sent, for an answer may be sent again after a crash. */
export const createChartFiles = (dataDir: string, maxKept = MAX_KEPT): ChartFiles => {
  const directory = join(dataDir, 'charts');
  let untilLook = Math.min(LOOK_EVERY, maxKept);

  /** The oldest of too many go; their names sort by age. */
  const thinOut = async (): Promise<void> => {
    const names = (await readdir(directory)).toSorted();
    for (const name of names.slice(0, Math.max(0, names.length - maxKept)))
      await rm(join(directory, name), { force: true });
  };

  return {
    keep: async (png) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${newId<ChartId>()}.png`);
      // A crash in the middle leaves a file that is no picture to anybody.
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
