import type { Notify } from '#src/kernel/chat/notification.ts';
import type { SupportShares } from '#src/kernel/people/support-shares.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { createSupportShareStore } from './store/support-shares.ts';

const SHARED_FOR = { hours: 24 };

/** The shares as people use them, with `/support`. */
export const openSupportShares = (
  storage: Storage,
  notify: Notify<Tx>,
  clock: Pick<Clock, 'now'>,
): SupportShares => {
  const { share, revoke, current } = createSupportShareStore(storage, notify);
  return {
    share: async (chat) => {
      const now = clock.now();
      const expiresAt = now.add(SHARED_FOR);
      await share(chat, now, expiresAt);
      return expiresAt;
    },
    revoke: (chat) => revoke(chat, clock.now()),
    current: (sessionKey) => current(sessionKey, clock.now()),
  };
};
