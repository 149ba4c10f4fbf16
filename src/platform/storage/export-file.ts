import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file that is made for somebody to take along. There is one of each kind and subject at a time. */
export interface ExportFile {
  readonly kind: 'data' | 'conversation' | 'portfolio' | 'import-errors';
  /** Whose it is: a person, a conversation, a portfolio. */
  readonly subject: string;
  readonly extension: string;
}

/** Writes a file for one person; gives its address. In pieces where it is long: they are written one after another. */
export type WriteExport = (file: ExportFile, content: string | readonly string[]) => Promise<string>;

export const exportDirectory = (dataDir: string): string => join(dataDir, 'exports');

const NAME_LENGTH = 32;

/** The same for the same subject, and nothing of the subject is in it. */
export const exportName = ({ kind, subject, extension }: ExportFile): string => {
  const hash = createHash('sha256').update(subject).digest('hex');
  return `${kind}-${hash.slice(0, NAME_LENGTH)}.${extension}`;
};

/**
 * Exports wait in files until they are sent, for an answer may be sent again after a crash. A new one takes the place of
 * an earlier one, so that nobody fills the disk by asking again; an answer that was not sent yet finds the newer file
 * under the same address. They go after two days, and with `/privacy delete`.
 */
export const createExportWriter =
  (dataDir: string): WriteExport =>
  async (file, content) => {
    const directory = exportDirectory(dataDir);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, exportName(file));
    const part = `${path}.${randomUUID()}.part`;
    await writeFile(part, content as string | Iterable<string>, { mode: 0o600, flag: 'wx' });
    await rename(part, path);
    return pathToFileURL(path).href;
  };
