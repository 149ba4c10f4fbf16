import { sql } from 'kysely';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** Which process works on a session. PostgreSQL only. */
export type SessionHolders = ReturnType<typeof createSessionHolders>;

const MAX_WAIT_MS = 3_000;

/** The time is part of it, so that an epoch does not come again after its row was deleted. */
const NEW_EPOCH = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export const createSessionHolders = ({ write }: Pick<Storage, 'write'>) => ({
  /**
   * Makes this process the holder, and gives its epoch. From then on the writes of every earlier holder fail. Those under
   * way end first; if one takes too long, this throws.
   */
  take: (sessionKey: SessionKey, processId: string, at: Temporal.Instant): Promise<number> =>
    write(async (tx) => {
      await sql.raw(`set local lock_timeout = ${MAX_WAIT_MS}`).execute(tx);
      const holder = { process_id: processId, held_since: toStoredTime(at) };
      const { epoch } = await tx
        .insertInto('session_holders')
        .values({ session_key: sessionKey, epoch: NEW_EPOCH, ...holder })
        .onConflict((conflict) =>
          conflict.column('session_key').doUpdateSet({
            epoch: sql<number>`greatest(session_holders.epoch + 1, excluded.epoch)`,
            ...holder,
          }),
        )
        .returning('epoch')
        .executeTakeFirstOrThrow();
      return Number(epoch);
    }),
});
