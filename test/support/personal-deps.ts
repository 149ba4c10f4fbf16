import type { AccountFeatureDeps } from '#src/finance/personal.ts';
import { ConcurrencyLaneManager } from '#src/infra/concurrency-lane.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { Storage } from '#src/storage/database.ts';
import { createNotificationStore } from '#src/storage/notifications.ts';
import { createAccountStores } from '#src/storage/personal-stores.ts';

/** What people have lies in this database, and nobody can be reached. */
export const personalDepsOn = (storage: Storage, clock: Clock): AccountFeatureDeps => ({
  stores: createAccountStores(storage, clock),
  notifications: createNotificationStore(storage.db),
  settings: {
    alerts: {
      everySeconds: 60,
      maxPerPerson: 100,
      maxPerChannel: 50,
      maxRepeatingPerChannel: 10,
      repeatMinutesInChannel: 15,
      maxBriefingsPerChannel: 5,
    },
    portfolio: { riskFreePercent: 0 },
  },
  lanes: new ConcurrencyLaneManager(clock),
  wake: () => undefined,
  membership: async () => 'member',
  directTarget: async () => undefined,
  readMedia: async () => new Uint8Array(),
});
