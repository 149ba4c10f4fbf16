import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tx } from './descriptor.ts';
import type { Database } from './schema.ts';
import { newId } from '../ids.ts';

/** The tables of things that people own and name by short ids. */
type OwnedTable = {
  [Name in keyof Database]: Database[Name] extends Record<'id' | 'owner_id' | 'request_id', string>
    ? Name
    : never;
}[keyof Database];

/** More collisions of random ids in a row are no coincidence. */
const MAX_TRIES = 5;

interface Adding<Refusal> {
  /** As many as the owner may have. */
  readonly limit: number;
  /** What counts, if not every row. */
  readonly counted?: RawBuilder<unknown>;
  readonly refusal: () => Promise<Refusal | undefined>;
  readonly newShortId: () => string;
}

/** Adds a row under a free id, unless the request is known, the owner has the limit, or there is a refusal. */
export const addOwned = async <Name extends OwnedTable, Refusal extends string>(
  tx: Tx,
  name: Name,
  row: Omit<Selectable<Database[Name]>, 'id'> & { readonly owner_id: string; readonly request_id: string },
  { limit, counted = sql`count(*)`, refusal, newShortId }: Adding<Refusal>,
): Promise<
  | { readonly status: 'added' | 'repeated'; readonly row: Selectable<Database[Name]> }
  | { readonly status: 'full' | Refusal }
> => {
  await lockOwner(tx, name, { ...row, id: newId() }, 'request_id');
  const table = tx.withTables<{ owned: Record<string, unknown> }>();
  const own = table.selectFrom(name as 'owned').where('owner_id', '=', row.owner_id);
  const known = await own.selectAll().where('request_id', '=', row.request_id).executeTakeFirst();
  if (known) return { status: 'repeated', row: known as Selectable<Database[Name]> };
  const { count } = await own.select(counted.as('count')).executeTakeFirstOrThrow();
  if (Number(count) >= limit) return { status: 'full' };
  const refused = await refusal();
  if (refused) return { status: refused };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const added = await table
      .insertInto(name as 'owned')
      .values({ ...row, id: newShortId() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added) return { status: 'added', row: added as Selectable<Database[Name]> };
  }
  throw new Error(`Every id that was tried in ${name} is taken`);
};

/**
 * Makes a second request of the same owner wait until this transaction is over: on PostgreSQL both would otherwise count
 * without each other. The row that does so has an empty name, as no other has, and is deleted before anybody can see it.
 */
export const lockOwner = async (
  tx: Tx,
  name: keyof Database,
  row: Readonly<Record<string, unknown>> & { readonly owner_id: string },
  nameColumn: string,
): Promise<void> => {
  const table = tx.withTables<{ owned: Record<string, unknown> }>();
  await table
    .insertInto(name as 'owned')
    .values({ ...row, [nameColumn]: '' })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', nameColumn]).doUpdateSet({ owner_id: row.owner_id }),
    )
    .execute();
  await table
    .deleteFrom(name as 'owned')
    .where('owner_id', '=', row.owner_id)
    .where(nameColumn, '=', '')
    .execute();
};
