import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock } from '#src/infra/clock.ts';

/** Writes a file for one person; gives its address. */
export type WriteExport = (content: string, extension: string) => Promise<string>;

/** Beside exported conversations, for its owner alone to read: it goes when those go. */
export const createExportWriter =
  (dataDir: string, clock: Pick<Clock, 'now'>): WriteExport =>
  async (content, extension) => {
    const directory = join(dataDir, 'exports');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const stamp = clock.now().toString({ smallestUnit: 'millisecond' }).replaceAll(/[:.]/g, '');
    const name = `finclaw-data-${stamp}-${crypto.randomUUID().slice(0, 8)}.${extension}`;
    const path = join(directory, name);
    await writeFile(path, content, { mode: 0o600 });
    return pathToFileURL(path).href;
  };
