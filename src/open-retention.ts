import { createSessionFilePurge } from './agent/memory/transcript/purge-session-files.ts';
import type { ToolApprovals } from './agent/tools/approvals.ts';
import type { Events } from './kernel/events.ts';
import type { SessionKey } from './kernel/ids.ts';
import type { Clock } from './platform/clock.ts';
import type { FinClawLogger } from './platform/logger.ts';
import type { Storage } from './platform/storage/database.ts';
import { createAccountData } from './platform/storage/accounts/account-data.ts';
import { createExportWriter } from './platform/storage/accounts/export-file.ts';
import { liveSessions } from './platform/storage/messages/inbox.ts';
import type { OwnerStore } from './platform/storage/accounts/owners.ts';
import { createRetention } from './platform/storage/retention.ts';
import { unsentFiles } from './platform/storage/messages/outbox.ts';
import type { Turns } from './chat/turns/turns.ts';

export interface RetentionParts {
  readonly dataDir: string;
  readonly retentionDays: number;
  readonly storage: Storage;
  readonly owners: OwnerStore;
  readonly purgeCharts: (needed: ReadonlySet<string>) => Promise<number>;
  readonly resetConversation: (sessionKey: SessionKey) => Promise<boolean>;
  /** Sends notifications that were stored. */
  readonly wake: () => void;
  readonly approvals: ToolApprovals;
  readonly turns: Pick<Turns, 'queue' | 'modes'>;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** What is kept and for how long, and what a person can export or have deleted. */
export const openRetention = ({
  dataDir,
  retentionDays,
  storage,
  owners,
  purgeCharts,
  resetConversation,
  wake,
  approvals,
  turns: { queue, modes },
  clock,
  events,
  logger,
}: RetentionParts) => {
  const files = createSessionFilePurge({
    dataDir,
    liveSessions: () => liveSessions(storage),
    unsentFiles: () => unsentFiles(storage),
    clock,
  });
  const retention = createRetention({
    storage,
    purgeFiles: async (olderThan) => ({
      ...(await files.purge(olderThan)),
      charts: await purgeCharts(await unsentFiles(storage)),
    }),
    days: retentionDays,
    clock,
    events,
    logger,
  });
  const personalData = createAccountData({
    storage,
    clock,
    retentionDays,
    removeConversations: async (sessionKeys, by) => {
      let removed = 0;
      for (const sessionKey of sessionKeys) {
        // What runs would write the rest of itself into the next conversation, what waits would still read this one.
        removed += await queue.whileStopped(sessionKey, async () => {
          await approvals.giveUp(sessionKey, { by, isDecidedToo: true });
          await resetConversation(sessionKey);
          return files.removeConversations([sessionKey]);
        });
        modes.forget(sessionKey);
      }
      return removed;
    },
    removeSent: files.removeSent,
    owners,
    wake,
    writeExport: createExportWriter(dataDir),
  });
  return { retention, personalData };
};
