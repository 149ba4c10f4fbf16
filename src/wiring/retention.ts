import type { Engine } from '../agent/engine.ts';
import type { Turns } from '../chat/queue/turns.ts';
import type { Agent } from './agent.ts';
import type { Base } from './base.ts';
import type { People } from './people.ts';
import type { Config } from '../platform/config/config.ts';
import { createAccountData } from '../people/account-data.ts';
import { createExportWriter, exportName } from '../platform/storage/export-file.ts';
import { notify } from '../chat/store/notifications.ts';
import { unsentFiles } from '../chat/store/outbox.ts';
import { createFilePurge } from '../platform/storage/purge-files.ts';
import { createRetention } from '../platform/storage/retention.ts';

interface RetentionParts {
  readonly base: Pick<Base, 'dataDir' | 'storage' | 'files' | 'clock' | 'events' | 'logger'>;
  readonly people: {
    readonly stores: Pick<People['stores'], 'owners'>;
    readonly notifier: Pick<People['notifier'], 'wake'>;
  };
  readonly turns: {
    readonly queue: Pick<Turns['queue'], 'whileStopped'>;
    readonly modes: Pick<Turns['modes'], 'forget'>;
  };
  readonly agent: {
    readonly approvals: Pick<Agent['approvals'], 'giveUp'>;
    readonly transcripts: Pick<Agent['transcripts'], 'remove'>;
  };
  readonly engine: { readonly conversations: Pick<Engine['conversations'], 'reset'> };
}

/** Opens the purge of old data, and what a person can export or have deleted. */
export const openRetention = (
  { retentionDays }: Pick<Config, 'retentionDays'>,
  { base, people, turns: { queue, modes }, agent, engine }: RetentionParts,
) => {
  const { storage, files: sentFiles, clock } = base;
  const files = createFilePurge({
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
    removeConversations: async (sessionKeys, by, eraseRest) => {
      const remove = async () => {
        let removed = 0;
        for (const sessionKey of sessionKeys) {
          await agent.approvals.giveUp(sessionKey, { by, isDecidedToo: true });
          await engine.conversations.reset(sessionKey);
          await files.removeConversation(sessionKey);
          removed += Number(await agent.transcripts.remove(sessionKey));
        }
        const result = await eraseRest(removed);
        for (const sessionKey of sessionKeys) modes.forget(sessionKey);
        return result;
      };
      // A running turn would write into the next conversation, and a waiting one would still read this one.
      const whileStopped = sessionKeys.reduce(
        (work, sessionKey) => () => queue.whileStopped(sessionKey, work),
        remove,
      );
      return whileStopped();
    },
    removeSent: sentFiles.remove,
    removeExport: (file) => sentFiles.remove([sentFiles.urlOf('exports', exportName(file))]),
    owners: people.stores.owners,
    notify,
    wake: people.notifier.wake,
    writeExport: createExportWriter(sentFiles),
  });
  return { retention, accountData };
};
