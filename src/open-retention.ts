import type { Engine } from './agent/engine.ts';
import type { Turns } from './chat/turns/turns.ts';
import type { Agent } from './open-agent.ts';
import type { Base } from './open-base.ts';
import type { People } from './open-people.ts';
import type { Config } from './platform/config/config.ts';
import { createAccountData } from './platform/storage/accounts/account-data.ts';
import { createExportWriter, exportName } from './platform/storage/accounts/export-file.ts';
import { unsentFiles } from './platform/storage/messages/outbox.ts';
import { createFilePurge } from './platform/storage/purge-files.ts';
import { createRetention } from './platform/storage/retention.ts';

interface RetentionParts {
  readonly base: Base;
  readonly people: Pick<People, 'stores' | 'notifier'>;
  readonly turns: Pick<Turns, 'queue' | 'modes'>;
  readonly agent: Pick<Agent, 'approvals' | 'transcripts'>;
  readonly engine: Pick<Engine, 'conversations'>;
}

/** Opens the purge of old data, and what a person can export or have deleted. */
export const openRetention = (
  { retentionDays }: Pick<Config, 'retentionDays'>,
  { base, people, turns: { queue, modes }, agent, engine }: RetentionParts,
) => {
  const { dataDir, storage, files: sentFiles, clock } = base;
  const files = createFilePurge({
    dataDir,
    files: sentFiles,
    unsentFiles: () => unsentFiles(storage),
    clock,
  });
  const retention = createRetention({
    ...base,
    purgeFiles: files.purge,
    days: retentionDays,
  });
  const accountData = createAccountData({
    storage,
    clock,
    retentionDays,
    removeConversations: async (sessionKeys, by) => {
      let removed = 0;
      for (const sessionKey of sessionKeys) {
        // A running turn would write into the next conversation, and a waiting one would still read this one.
        removed += await queue.whileStopped(sessionKey, async () => {
          await agent.approvals.giveUp(sessionKey, { by, isDecidedToo: true });
          await engine.conversations.reset(sessionKey);
          await files.removeConversation(sessionKey);
          return Number(await agent.transcripts.remove(sessionKey));
        });
        modes.forget(sessionKey);
      }
      return removed;
    },
    removeSent: sentFiles.remove,
    removeExport: (file) => sentFiles.remove([sentFiles.urlOf('exports', exportName(file))]),
    owners: people.stores.owners,
    wake: people.notifier.wake,
    writeExport: createExportWriter(sentFiles),
  });
  return { retention, accountData };
};
