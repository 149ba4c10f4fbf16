import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MediaAttachment } from '#src/core/message.ts';

export interface ExportFiles {
  /** Writes a table to be sent, under a name on disk that nobody can guess; `name` is what the person sees. */
  readonly keep: (name: string, csv: string) => Promise<MediaAttachment>;
}

/**
 * Tables wait in files until they are sent, for an answer may be sent again after a crash. They lie beside exported
 * conversations, and go with them: after the days of retention, and with `/privacy delete`.
 */
export const createExportFiles = (dataDir: string): ExportFiles => {
  const directory = join(dataDir, 'exports');
  return {
    keep: async (name, csv) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `portfolio-${crypto.randomUUID()}.csv`);
      await writeFile(`${path}.part`, csv, { mode: 0o600, flag: 'wx' });
      await rename(`${path}.part`, path);
      return {
        kind: 'file',
        mimeType: 'text/csv',
        name,
        url: pathToFileURL(path).href,
        sizeBytes: Buffer.byteLength(csv),
      };
    },
  };
};
