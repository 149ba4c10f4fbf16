import type { QueueMode } from '#src/kernel/chat/queue.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

export type QueueModeStore = ReturnType<typeof createQueueModeStore>;

export const createQueueModeStore = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  all: async (): Promise<ReadonlyMap<string, QueueMode>> => {
    const rows = await db.selectFrom('queue_modes').select(['scope', 'mode']).execute();
    return new Map(rows.map(({ scope, mode }) => [scope, mode]));
  },

  /** Null removes the choice. */
  set: (scope: string, mode: QueueMode | null, at: Temporal.Instant): Promise<void> =>
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
