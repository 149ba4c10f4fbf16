import type { Transaction } from 'kysely';
import type { ChannelId, OwnerId } from '#src/core/ids.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import { portfolioNameKey } from './portfolio-rows.ts';
import type { Database } from './schema.ts';

/** `main`, `main-slack`, `main-slack-2`: the first that is free, still one word. */
const freeName = (name: string, platform: ChannelId, taken: ReadonlySet<string>): string => {
  if (!taken.has(portfolioNameKey(name))) return name;
  const base = name.endsWith(`-${platform}`) ? name : `${name}-${platform}`;
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(portfolioNameKey(candidate))) return candidate;
  }
};

const movePortfolios = async (
  tx: Transaction<Database>,
  from: OwnerId,
  to: OwnerId,
  platform: ChannelId,
): Promise<void> => {
  const rows = await tx
    .selectFrom('portfolios')
    .select(['id', 'owner_id', 'name', 'name_key'])
    .where('owner_id', 'in', [from, to])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const moving = rows.filter(({ owner_id }) => owner_id === from);
  const taken = new Set(rows.filter(({ owner_id }) => owner_id === to).map(({ name_key }) => name_key));
  /** The one that was meant where none is named stays so for those who had one. */
  const keepsDefault = taken.size === 0;
  for (const row of moving) {
    const name = freeName(row.name, platform, taken);
    const name_key = portfolioNameKey(name);
    taken.add(name_key);
    await tx
      .updateTable('portfolios')
      .set({ owner_id: to, name, name_key, ...(keepsDefault ? {} : { is_default: 0 }) })
      .where('id', '=', row.id)
      .execute();
  }
};

/** Everything that one owner has becomes another one's; a portfolio's name that both have gets the platform behind it. */
export const moveOwned = async (
  tx: Transaction<Database>,
  from: OwnerId,
  to: OwnerId,
  platform: ChannelId,
): Promise<void> => {
  await movePortfolios(tx, from, to, platform);
  await tx
    .updateTable('watchlist_entries')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .where('symbol', 'not in', (is) =>
      is.selectFrom('watchlist_entries as other').select('other.symbol').where('other.owner_id', '=', to),
    )
    .execute();
  await tx.deleteFrom('watchlist_entries').where('owner_id', '=', from).execute();
  for (const table of ['pending_imports', 'briefings'] as const)
    await tx.updateTable(table).set({ owner_id: to }).where('owner_id', '=', from).execute();
  // Whoever has read one of them meanwhile writes for an owner that it has no more.
  await tx
    .updateTable('alerts')
    .set((column) => ({ owner_id: to, version: column('version', '+', 1) }))
    .where('owner_id', '=', from)
    .execute();
};

/** What one identity of an owner set is told where that identity is: it becomes the other owner's. */
export const moveWhatIsToldTo = async (
  tx: Transaction<Database>,
  { channelId, userId }: PersonRef,
  from: OwnerId,
  to: OwnerId,
): Promise<void> => {
  await tx
    .updateTable('briefings')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .execute();
  await tx
    .updateTable('alerts')
    .set((column) => ({ owner_id: to, version: column('version', '+', 1) }))
    .where('owner_id', '=', from)
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .execute();
};

/** The portfolios that one identity began become its own; their names are free there, for nothing else is its own. */
export const moveBegunBy = async (tx: Transaction<Database>, from: OwnerId, own: OwnerId): Promise<void> => {
  const moved = await tx
    .updateTable('portfolios')
    .set({ owner_id: own })
    .where('owner_id', '=', from)
    .where('begun_by', '=', own)
    .returning('id')
    .execute();
  if (moved.length === 0) return;
  await tx
    .updateTable('pending_imports')
    .set({ owner_id: own })
    .where(
      'portfolio_id',
      'in',
      moved.map(({ id }) => id),
    )
    .execute();
};

/** Both keep the watchlist: nobody can tell who added what was on both. */
export const copyWatchlist = async (tx: Transaction<Database>, from: OwnerId, to: OwnerId): Promise<void> => {
  const rows = await tx
    .selectFrom('watchlist_entries')
    .select(['symbol', 'instrument', 'added_at'])
    .where('owner_id', '=', from)
    .execute();
  if (rows.length === 0) return;
  await tx
    .insertInto('watchlist_entries')
    .values(rows.map((row) => ({ ...row, owner_id: to })))
    .onConflict((conflict) => conflict.columns(['owner_id', 'symbol']).doNothing())
    .execute();
};
