import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SessionKey } from '#src/kernel/ids.ts';
import { CONVERSATION_FORMATS } from '#src/kernel/ports.ts';
import type { Clock } from '../clock.ts';
import { conversationFile, exportName } from './accounts/export-file.ts';
import { isOlder, namesIn, removeIfThere, type SentFiles } from './sent-files.ts';

interface FilePurgeDeps {
  readonly dataDir: string;
  readonly files: Pick<SentFiles, 'remove' | 'purge' | 'urlOf'>;
  /** URLs of files that are still to be sent, which are kept whatever their age. */
  readonly unsentFiles: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

interface FilePurge {
  /**
   * Removes exports and pictures older than two days that are not waiting to be sent, and files of imported conversations
   * last written before then. Returns the counts.
   */
  readonly purge: (olderThan: Temporal.Instant) => Promise<Readonly<Record<string, number>>>;
  /** Removes every file that was made from this conversation, or that it was imported from. */
  readonly removeConversation: (sessionKey: SessionKey) => Promise<void>;
}

const SESSION_FILE_CHARS = 32;

/** How the files of a conversation began in versions that kept conversations in files. */
export const sessionFileName = (sessionKey: SessionKey): string =>
  createHash('sha256').update(sessionKey).digest('hex').slice(0, SESSION_FILE_CHARS);

/** Where the files of imported conversations are set aside. */
export const importedDirectory = (dataDir: string): string => join(dataDir, 'sessions-imported');

const SENT_FILES_KEPT_HOURS = 48;

const removeOlder = async (directory: string, limitMs: number): Promise<number> => {
  let removed = 0;
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    if ((await isOlder(path, limitMs)) && (await removeIfThere(path))) removed += 1;
  }
  return removed;
};

/** Removes files of people that are too old or no longer wanted. */
export const createFilePurge = ({ dataDir, files, unsentFiles, clock }: FilePurgeDeps): FilePurge => {
  const importedDir = importedDirectory(dataDir);

  return {
    purge: async (olderThan) => {
      const unsent = await unsentFiles();
      const sentLimit = clock.now().subtract({ hours: SENT_FILES_KEPT_HOURS });
      return {
        imported_files: await removeOlder(importedDir, olderThan.epochMilliseconds),
        exports: await files.purge('exports', sentLimit, unsent),
        charts: await files.purge('charts', sentLimit, unsent),
      };
    },

    removeConversation: async (sessionKey) => {
      await files.remove(
        CONVERSATION_FORMATS.map((format) =>
          files.urlOf('exports', exportName(conversationFile(sessionKey, format))),
        ),
      );
      const base = `${sessionFileName(sessionKey)}.`;
      for (const name of await namesIn(importedDir))
        if (name.startsWith(base)) await removeIfThere(join(importedDir, name));
    },
  };
};
