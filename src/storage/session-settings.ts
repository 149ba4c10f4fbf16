import type { Kysely } from 'kysely';
import type { SessionKey } from '#src/core/ids.ts';
import { type Database, toStoredTime } from './schema.ts';

export interface SessionSettings {
  /** Undefined where nobody chose one. */
  readonly getModel: (sessionKey: SessionKey) => Promise<string | undefined>;
  /** Null takes the choice back. */
  readonly setModel: (sessionKey: SessionKey, model: string | null, at: Temporal.Instant) => Promise<void>;
}

/** What people chose for one conversation. It outlives a restart and a reset of the conversation. */
export const createSessionSettings = (db: Kysely<Database>): SessionSettings => ({
  getModel: async (sessionKey) => {
    const row = await db
      .selectFrom('session_settings')
      .select('model')
      .where('session_key', '=', sessionKey)
      .executeTakeFirst();
    return row?.model ?? undefined;
  },

  setModel: async (sessionKey, model, at) => {
    const chosen = { model, updated_at: toStoredTime(at) };
    await db
      .insertInto('session_settings')
      .values({ session_key: sessionKey, ...chosen })
      .onConflict((conflict) => conflict.column('session_key').doUpdateSet(chosen))
      .execute();
  },
});
