import type { SessionKey } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

export interface ChosenModel {
  readonly id: string;
  /** The choice of an administrator always holds; any other only while everybody may choose that model. */
  readonly isByAdmin: boolean;
}

export type SessionSettings = ReturnType<typeof createSessionSettings>;

const GET_MODEL = prepared<{ readonly sessionKey: SessionKey }>()((db, value) =>
  db
    .selectFrom('session_settings')
    .select(['model', 'chosen_by_admin'])
    .where('session_key', '=', value('sessionKey')),
);

/** The model that people chose for one conversation. It survives a restart and a reset of the conversation. */
export const createSessionSettings = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  /** Undefined if nobody chose one. */
  getModel: async (sessionKey: SessionKey): Promise<ChosenModel | undefined> => {
    const row = await GET_MODEL.first(db, { sessionKey });
    return row?.model ? { id: row.model, isByAdmin: row.chosen_by_admin === 1 } : undefined;
  },

  /** Null removes the choice. */
  setModel: (sessionKey: SessionKey, model: ChosenModel | null, at: Temporal.Instant): Promise<void> =>
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
