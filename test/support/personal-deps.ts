import type { AccountFeatureDeps } from '#src/features/open/deps.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createNotificationStore } from '#src/chat/store/notifications.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';

/** What people have lies in this database, and nobody can be reached. */
export const personalDepsOn = (storage: Storage, clock: Clock): AccountFeatureDeps => ({
  stores: createAccountStores(storage, clock),
  notifications: createNotificationStore(storage),
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
  readPicture: async () => ({ status: 'no-model' }),
});
