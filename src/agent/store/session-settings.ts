import type { SessionKey } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

export interface ChosenModel {
  readonly id: string;
  /** The choice of an administrator always holds; any other only while everybody may choose that model. */
  readonly isByAdmin: boolean;
}

export interface SessionSettings {
  /** Undefined if nobody chose one. */
  readonly getModel: (sessionKey: SessionKey) => Promise<ChosenModel | undefined>;
  /** Null removes the choice. */
  readonly setModel: (
    sessionKey: SessionKey,
    chosen: ChosenModel | null,
    at: Temporal.Instant,
  ) => Promise<void>;
}

const GET_MODEL = prepared<{ readonly sessionKey: SessionKey }>()((db, value) =>
  db
    .selectFrom('session_settings')
    .select(['model', 'chosen_by_admin'])
    .where('session_key', '=', value('sessionKey')),
);

/** The model that people chose for one conversation. It survives a restart and a reset of the conversation. */
export const createSessionSettings = ({ db, write }: Pick<Storage, 'db' | 'write'>): SessionSettings => ({
  getModel: async (sessionKey) => {
    const row = await GET_MODEL.first(db, { sessionKey });
    return row?.model ? { id: row.model, isByAdmin: row.chosen_by_admin === 1 } : undefined;
  },

  setModel: (sessionKey, model, at) =>
    write(async (tx) => {
      const chosen = {
        model: model?.id ?? null,
        chosen_by_admin: model?.isByAdmin ? 1 : 0,
        updated_at: toStoredTime(at),
      };
      await tx
        .insertInto('session_settings')
        .values({ session_key: sessionKey, ...chosen })
        .onConflict((conflict) => conflict.column('session_key').doUpdateSet(chosen))
        .execute();
    }),
});
