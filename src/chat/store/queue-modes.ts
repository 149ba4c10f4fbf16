import type { QueueMode } from '#src/kernel/chat/queue.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

export interface QueueModeStore {
  readonly all: () => Promise<ReadonlyMap<string, QueueMode>>;
  /** Null removes the choice. */
  readonly set: (scope: string, mode: QueueMode | null, at: Temporal.Instant) => Promise<void>;
}

export const createQueueModeStore = ({ db, write }: Pick<Storage, 'db' | 'write'>): QueueModeStore => ({
  all: async () => {
    const rows = await db.selectFrom('queue_modes').select(['scope', 'mode']).execute();
    return new Map(rows.map(({ scope, mode }) => [scope, mode]));
  },

  set: (scope, mode, at) =>
    write(async (tx) => {
      if (mode === null) {
        await tx.deleteFrom('queue_modes').where('scope', '=', scope).execute();
        return;
      }
      const chosen = { mode, updated_at: toStoredTime(at) };
      await tx
        .insertInto('queue_modes')
        .values({ scope, ...chosen })
        .onConflict((conflict) => conflict.column('scope').doUpdateSet(chosen))
        .execute();
    }),
});
