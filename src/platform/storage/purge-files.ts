import { createHash } from 'node:crypto';
import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SessionKey } from '#src/kernel/ids.ts';
import { CONVERSATION_FORMATS } from '#src/kernel/ports.ts';
import type { Clock } from '../clock.ts';
import { conversationFile, exportDirectory, exportName } from './accounts/export-file.ts';

interface FilePurgeDeps {
  readonly dataDir: string;
  /** URLs of files that are still to be sent, which are kept whatever their age. */
  readonly unsentFiles: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

interface FilePurge {
  /**
   * Removes exports older than two days that are not waiting to be sent, and files of imported conversations last
   * written before then. Returns the counts.
   */
  readonly purge: (olderThan: Temporal.Instant) => Promise<Readonly<Record<string, number>>>;
  /** Removes every file that was made from this conversation, or that it was imported from. */
  readonly removeConversation: (sessionKey: SessionKey) => Promise<void>;
  /** Removes our files (exports and pictures) among these URLs. Returns how many existed. */
  readonly removeSent: (urls: readonly string[]) => Promise<number>;
}

/** Returns `otherwise` if the file or directory does not exist. */
const ifThere = async <T>(task: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await task;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
};

const SESSION_FILE_CHARS = 32;

/** How the files of a conversation began in versions that kept conversations in files. */
export const sessionFileName = (sessionKey: SessionKey): string =>
  createHash('sha256').update(sessionKey).digest('hex').slice(0, SESSION_FILE_CHARS);

/** Where the files of imported conversations are set aside. */
export const importedDirectory = (dataDir: string): string => join(dataDir, 'sessions-imported');

/** Same retention as pictures. */
const EXPORTS_KEPT_HOURS = 48;

const removeIfThere = (path: string): Promise<boolean> =>
  ifThere(
    unlink(path).then(() => true),
    false,
  );

export const namesIn = (directory: string): Promise<readonly string[]> => ifThere(readdir(directory), []);

const isOlder = async (path: string, limitMs: number): Promise<boolean> => {
  const found = await ifThere(stat(path), undefined);
  return found !== undefined && found.mtimeMs < limitMs;
};

const pathOfUrl = (url: string): string | undefined => {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
};

const removeOlder = async (
  directory: string,
  limitMs: number,
  isKept: (path: string) => boolean,
): Promise<number> => {
  let removed = 0;
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    if (isKept(path) || !(await isOlder(path, limitMs))) continue;
    if (await removeIfThere(path)) removed += 1;
  }
  return removed;
};

/** Removes files of people that are too old or no longer wanted. */
export const createFilePurge = ({ dataDir, unsentFiles, clock }: FilePurgeDeps): FilePurge => {
  const importedDir = importedDirectory(dataDir);
  const exportDir = resolve(exportDirectory(dataDir));
  /** The directories of sent files. */
  const sentDirs = new Set([exportDir, resolve(dataDir, 'charts')]);

  return {
    purge: async (olderThan) => {
      const unsent = await unsentFiles();
      const exportLimit = clock.now().subtract({ hours: EXPORTS_KEPT_HOURS });
      return {
        imported_files: await removeOlder(importedDir, olderThan.epochMilliseconds, () => false),
        exports: await removeOlder(exportDir, exportLimit.epochMilliseconds, (path) =>
          unsent.has(pathToFileURL(path).href),
        ),
      };
    },

    removeConversation: async (sessionKey) => {
      for (const format of CONVERSATION_FORMATS)
        await removeIfThere(join(exportDir, exportName(conversationFile(sessionKey, format))));
      const base = `${sessionFileName(sessionKey)}.`;
      for (const name of await namesIn(importedDir))
        if (name.startsWith(base)) await removeIfThere(join(importedDir, name));
    },

    removeSent: async (urls) => {
      let removed = 0;
      for (const url of urls) {
        const path = pathOfUrl(url);
        if (path === undefined || !sentDirs.has(dirname(path))) continue;
        if (await removeIfThere(path)) removed += 1;
      }
      return removed;
    },
  };
};
