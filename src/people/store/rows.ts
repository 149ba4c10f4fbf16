import { sql } from 'kysely';
import { isOfOnly } from '#src/kernel/chat/conversation-key.ts';
import { asId, type ChannelId, type OwnerId, type PersonRef, type SessionKey } from '#src/kernel/ids.ts';
import type { AccountCounts, CountLabel } from '#src/kernel/people/privacy.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { createPause } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Reads } from '#src/platform/storage/schema.ts';
import { filesIn } from '#src/platform/storage/sent-files.ts';
import {
  type Account,
  childrenOf,
  type Condition,
  isChildOf,
  isOf,
  keyOf,
  type TableDescriptor,
  type Tx,
  type UnlinkNames,
} from '#src/platform/storage/descriptor.ts';

type Tables = readonly TableDescriptor[];
type Plain = Readonly<Record<string, unknown>>;

/** Whether linked identities share the rows. */
const isShared = ({ owner, parent }: TableDescriptor): boolean =>
  owner.by === 'account' || (owner.by === 'parent' && parent !== undefined && isShared(parent.table));

export const sharedAmong = (tables: Tables): Tables => tables.filter(isShared);

export const labelsOf = (tables: Tables): readonly CountLabel[] =>
  tables.flatMap(({ labels }) => labels ?? []);

const both = (one: Condition, other: Condition | undefined): Condition =>
  other ? sql<boolean>`(${one}) and (${other})` : one;

/** The number of rows of the account, by the count names of the tables. */
export const countRows = async (db: Reads, tables: Tables, account: Account): Promise<AccountCounts> => {
  const counts = tables.flatMap((table) =>
    table.counted
      ? [
          sql`(select count(*) from ${sql.table(table.name)}
            where ${both(isOf(table, account), table.counted.only)}) as ${sql.ref(table.counted.as)}`,
        ]
      : [],
  );
  const { rows } = await sql<Record<string, number | string>>`select ${sql.join(counts)}`.execute(db);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]));
};

/** The conversations that the person alone takes part in. Settings of conversations are few, so all of them are read. */
export const conversationsOf = async (
  db: Reads,
  tables: Tables,
  person: PersonRef,
): Promise<readonly SessionKey[]> => {
  const keys = await Promise.all(
    tables.map(async ({ name, owner, conversations }) => {
      if (conversations === undefined) return [];
      const column = sql.ref(conversations);
      const prefix = (owner.by === 'conversation' && owner.prefix) || '';
      const where =
        owner.by === 'identity'
          ? sql`${sql.ref(owner.channel)} = ${person.channelId} and ${sql.ref(owner.user)} = ${person.userId}`
          : sql`${column} like ${`${prefix}%`}`;
      const { rows } = await sql<{ readonly key: string }>`
        select distinct ${column} as key from ${sql.table(name)} where ${where}`.execute(db);
      return rows.map(({ key }) => asId<SessionKey>(key.slice(prefix.length)));
    }),
  );
  return [...new Set(keys.flat())].filter((key) => isOfOnly(key, person));
};

/** The addresses of files that were sent to the person. */
export const filesSentTo = async (
  db: Reads,
  tables: Tables,
  person: PersonRef,
): Promise<readonly string[]> => {
  const found = await Promise.all(tables.flatMap(({ payloads }) => payloads?.(person).execute(db) ?? []));
  return found.flatMap(({ rows }) => rows).flatMap(({ payload }) => filesIn(payload));
};

/** The number of parents whose child rows are deleted in one statement. */
const IDS_PER_STATEMENT = 500;

const eraseFrom = async (
  tx: Tx,
  tables: Tables,
  table: TableDescriptor,
  where: Condition,
  account: Account,
  at: Temporal.Instant,
  count: (table: TableDescriptor, erased: number) => void,
): Promise<void> => {
  const { erased } = table;
  if (erased !== 'delete' && 'not' in erased) return;
  if (erased !== 'delete' && 'anonymize' in erased) {
    count(table, await erased.anonymize(tx, account));
    return;
  }
  const { before, only, after } = erased === 'delete' ? {} : erased;
  await before?.(tx, account);
  const from = sql`delete from ${sql.table(table.name)} where ${both(where, only?.(account))}`;
  const children = childrenOf(tables, table).filter(({ owner }) => owner.by === 'parent');
  if (children.length === 0 && !after) {
    const { numAffectedRows = 0n } = await from.execute(tx);
    count(table, Number(numAffectedRows));
    return;
  }
  const key = keyOf(table);
  const columns = [...new Set([key, ...(after?.columns ?? [])])];
  const { rows } = await sql<Record<string, unknown>>`${from} returning ${sql.join(
    columns.map((column) => sql.ref(column)),
  )}`.execute(tx);
  count(table, rows.length);
  for (let start = 0; start < rows.length; start += IDS_PER_STATEMENT) {
    const ids = rows.slice(start, start + IDS_PER_STATEMENT).map((row) => row[key]);
    for (const child of children) {
      await eraseFrom(tx, tables, child, isChildOf(child, ids), account, at, count);
    }
  }
  await after?.run(tx, rows as unknown as readonly never[], account, at);
};

/** Erases the rows of the account, each table by its rule; gives the numbers by count name. */
export const eraseRows = async (
  tx: Tx,
  tables: Tables,
  account: Account,
  at: Temporal.Instant,
): Promise<AccountCounts> => {
  const counts: Record<string, number> = {};
  const count = ({ counted }: TableDescriptor, erased: number): void => {
    if (counted) counts[counted.as] = (counts[counted.as] ?? 0) + erased;
  };
  for (const table of tables) count(table, 0);
  for (const table of tables)
    if (table.owner.by !== 'parent' && table.owner.by !== 'nobody')
      await eraseFrom(tx, tables, table, isOf(table, account), account, at, count);
  return counts;
};

/** Whether these owners together would stay within the limits. Locks the counted rows until the transaction is over. */
export const fitsTogether = async (
  tx: Tx,
  tables: Tables,
  owners: readonly OwnerId[],
  max: number,
): Promise<boolean> => {
  for (const { owner } of tables) {
    if (owner.by !== 'account' || !owner.linkLimit) continue;
    for (const one of owners) await owner.linkLimit.lock(tx, one);
    if ((await owner.linkLimit.count(tx, owners)) > max) return false;
  }
  return true;
};

/** The names of what an identity would take on `/link off`, and of what it would leave. */
export const unlinkNamesOf = async (
  db: Reads,
  tables: Tables,
  shared: OwnerId,
  own: OwnerId,
): Promise<UnlinkNames> => {
  const takes: string[] = [];
  const leaves: string[] = [];
  for (const { owner } of tables) {
    const names = owner.by === 'account' ? await owner.unlinkNames?.(db, shared, own) : undefined;
    takes.push(...(names?.takes ?? []));
    leaves.push(...(names?.leaves ?? []));
  }
  return { takes, leaves };
};

/** Moves all rows of one owner to another. */
export const moveRows = async (
  tx: Tx,
  tables: Tables,
  from: OwnerId,
  to: OwnerId,
  platform: ChannelId,
): Promise<void> => {
  for (const { name, owner } of tables) {
    if (owner.by !== 'account') continue;
    const column = sql.ref(owner.column);
    if (owner.link === 'move')
      await sql`update ${sql.table(name)} set ${column} = ${to} where ${column} = ${from}`.execute(tx);
    else await owner.link(tx, from, to, platform);
  }
};

/** Moves what a leaving person takes from the owner `from` to the owner `to`. */
export const splitRows = async (
  tx: Tx,
  tables: Tables,
  person: PersonRef,
  from: OwnerId,
  to: OwnerId,
): Promise<void> => {
  for (const { owner } of tables)
    if (owner.by === 'account' && owner.unlink !== 'stays') await owner.unlink(tx, person, from, to);
};

const ROWS_PER_PAGE = 250;

/** Reads rows of one table in pages, each with the rows of its children. */
const readRows = async (
  db: Reads,
  tables: Tables,
  table: TableDescriptor,
  where: Condition,
  /** The column by which the caller groups the rows. */
  group?: string,
): Promise<readonly { readonly group: unknown; readonly value: unknown }[]> => {
  const { exported } = table;
  if ('not' in exported) return [];
  const pause = createPause(NEVER_ABORTED);
  const limit = exported.rowsPerPage ?? ROWS_PER_PAGE;
  const order = [...(group === undefined ? [] : [group]), ...exported.order];
  const columns = sql.join(order.map((column) => sql.ref(column)));
  const children = childrenOf(tables, table).filter(({ owner }) => owner.by === 'parent');
  const found: { readonly group: unknown; readonly value: unknown }[] = [];
  let behind: Condition | undefined;
  for (let size = limit; size === limit;) {
    await pause();
    const { rows } = await sql<Record<string, unknown>>`
      select ${exported.select ?? sql`*`} from ${sql.table(table.name)}
      where ${both(where, behind)} order by ${columns} limit ${limit}`.execute(db);
    const key = keyOf(table);
    const ids = rows.map((row) => row[key]);
    const nested = ids.length === 0 ? [] : await readChildren(db, tables, children, ids);
    for (const row of rows) {
      const own = exported.row(row as never);
      const value =
        nested.length === 0
          ? own
          : { ...(own as Plain), ...Object.fromEntries(nested.map(([as, of]) => [as, of(row[key])])) };
      found.push({ group: group === undefined ? undefined : row[group], value });
    }
    const last = rows.at(-1);
    if (last) behind = sql<boolean>`(${columns}) > (${sql.join(order.map((column) => last[column]))})`;
    size = rows.length;
  }
  return found;
};

const readChildren = async (
  db: Reads,
  tables: Tables,
  children: Tables,
  ids: readonly unknown[],
): Promise<readonly (readonly [string, (id: unknown) => readonly unknown[]])[]> => {
  const lists: (readonly [string, (id: unknown) => readonly unknown[]])[] = [];
  for (const child of children) {
    if ('not' in child.exported) continue;
    const rows = await readRows(db, tables, child, isChildOf(child, ids), child.parent?.column);
    const groups = Map.groupBy(rows, ({ group }) => group);
    lists.push([child.exported.as, (id) => (groups.get(id) ?? []).map(({ value }) => value)]);
  }
  return lists;
};

/** The exported rows of the account, by export name. */
export const exportRows = async (db: Reads, tables: Tables, account: Account): Promise<Plain> => {
  const lists: Record<string, readonly unknown[]> = {};
  const singles: Record<string, unknown> = {};
  for (const table of tables) {
    const { exported, owner } = table;
    if (owner.by === 'parent' || 'not' in exported) continue;
    const rows = await readRows(db, tables, table, isOf(table, account));
    const values = rows.map(({ value }) => value);
    if (exported.isSingle) singles[exported.as] = values[0] ?? null;
    else lists[exported.as] = [...(lists[exported.as] ?? []), ...values];
  }
  return { ...singles, ...lists };
};
