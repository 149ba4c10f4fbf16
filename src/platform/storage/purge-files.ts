import type { SessionKey } from '#src/kernel/ids.ts';
import { CONVERSATION_FORMATS } from '#src/kernel/agent/conversations.ts';
import { conversationFile, exportName } from './export-file.ts';
import type { SentFiles } from './sent-files.ts';
import type { Uses } from '../services.ts';

interface FilePurgeDeps extends Uses<'clock'> {
  readonly files: Pick<SentFiles, 'remove' | 'purge' | 'urlOf'>;
  /** URLs of files that are still to be sent, which are kept whatever their age. */
  readonly unsentFiles: () => Promise<ReadonlySet<string>>;
}

const SENT_FILES_KEPT_HOURS = 48;

/** Removes files of people that are too old or no longer wanted. */
export const createFilePurge = ({ files, unsentFiles, clock }: FilePurgeDeps) => ({
  /** Removes exports and pictures older than two days that are not waiting to be sent. Returns the counts. */
  purge: async (): Promise<Readonly<Record<string, number>>> => {
    const unsent = await unsentFiles();
    const limit = clock.now().subtract({ hours: SENT_FILES_KEPT_HOURS });
    return {
      exports: await files.purge('exports', limit, unsent),
      charts: await files.purge('charts', limit, unsent),
    };
  },

  /** Removes every file that was made from this conversation. */
  removeConversation: async (sessionKey: SessionKey) => {
    await files.remove(
      CONVERSATION_FORMATS.map((format) =>
        files.urlOf('exports', exportName(conversationFile(sessionKey, format))),
      ),
    );
  },
});
