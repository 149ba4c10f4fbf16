import type { Timestamp } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** A saved key of a model provider. The key itself is sealed. */
export interface AuthProfileRow {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly sealedKey: string;
  readonly isActive: boolean;
  readonly priority: number;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
  readonly failureCount: number;
  readonly cooldownUntil: Timestamp | null;
}

export type AuthProfilePatch = Partial<Omit<AuthProfileRow, 'id' | 'provider' | 'createdAt'>>;

export type AuthProfileRows = ReturnType<typeof createAuthProfileRows>;

const timeOrNull = (text: string | null): Timestamp | null =>
  text === null ? null : Temporal.Instant.from(text);

/** Undefined stays undefined, which leaves the column out of the statement. */
const storedOrNull = <At extends Timestamp | null | undefined>(at: At) =>
  at instanceof Temporal.Instant ? toStoredTime(at) : (at as Exclude<At, Timestamp>);

/** All saved keys, the oldest first. */
export const listAuthProfiles = async (db: Storage['db']): Promise<readonly AuthProfileRow[]> => {
  const rows = await db.selectFrom('auth_profiles').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    name: row.name,
    sealedKey: row.sealed_key,
    isActive: row.is_active === 1,
    priority: row.priority,
    createdAt: Temporal.Instant.from(row.created_at),
    lastUsedAt: timeOrNull(row.last_used_at),
    failureCount: row.failure_count,
    cooldownUntil: timeOrNull(row.cooldown_until),
  }));
};

export const createAuthProfileRows = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  /** The oldest first. */
  list: (): Promise<readonly AuthProfileRow[]> => listAuthProfiles(db),

  insert: (row: AuthProfileRow): Promise<void> =>
    write(async (tx) => {
      await tx
        .insertInto('auth_profiles')
        .values({
          id: row.id,
          provider: row.provider,
          name: row.name,
          sealed_key: row.sealedKey,
          is_active: Number(row.isActive),
          priority: row.priority,
          created_at: toStoredTime(row.createdAt),
          last_used_at: storedOrNull(row.lastUsedAt),
          failure_count: row.failureCount,
          cooldown_until: storedOrNull(row.cooldownUntil),
        })
        .execute();
    }),

  /** Changes only the fields of the patch. False when there is no such row. */
  update: (id: string, patch: AuthProfilePatch): Promise<boolean> =>
    write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('auth_profiles')
        .set({
          // The statement needs at least one column, even for an empty patch.
          id,
          name: patch.name,
          sealed_key: patch.sealedKey,
          is_active: patch.isActive === undefined ? undefined : Number(patch.isActive),
          priority: patch.priority,
          last_used_at: storedOrNull(patch.lastUsedAt),
          failure_count: patch.failureCount,
          cooldown_until: storedOrNull(patch.cooldownUntil),
        })
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  delete: (id: string): Promise<boolean> =>
    write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('auth_profiles')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    }),
});
