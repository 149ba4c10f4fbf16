import { sql, type Transaction } from 'kysely';
import type { OwnerId } from '#src/core/ids.ts';
import type { OwnedCounts } from '#src/core/operations.ts';
import type { Storage } from './database.ts';
import { lockOwner } from './portfolio-rows.ts';
import type { Database } from './schema.ts';

const countIn = (table: 'portfolios' | 'alerts' | 'watchlist_entries' | 'briefings', ownerId: OwnerId) =>
  sql<string>`(select count(*) from ${sql.table(table)} where owner_id = ${ownerId})`;

/** How much of it a person owns, whichever of their names they come under. */
export const countOwned = async (db: Storage['db'], ownerId: OwnerId): Promise<OwnedCounts> => {
  const sum = await db
    .selectNoFrom((is) => [
      countIn('portfolios', ownerId).as('portfolios'),
      countIn('alerts', ownerId).as('alerts'),
      countIn('watchlist_entries', ownerId).as('watched'),
      countIn('briefings', ownerId).as('briefings'),
      is
        .selectFrom('transactions')
        .innerJoin('portfolios', 'portfolios.id', 'transactions.portfolio_id')
        .select((all) => all.fn.countAll().as('count'))
        .where('portfolios.owner_id', '=', ownerId)
        .as('transactions'),
    ])
    .executeTakeFirstOrThrow();
  return {
    portfolios: Number(sum.portfolios),
    transactions: Number(sum.transactions),
    alerts: Number(sum.alerts),
    watched: Number(sum.watched),
    briefings: Number(sum.briefings),
  };
};

/** The portfolio goes before its entries: who is just recording one holds it, and is waited for. */
const erasePortfolios = async (tx: Transaction<Database>, ownerId: OwnerId) => {
  await lockOwner(tx, ownerId);
  await tx.deleteFrom('pending_imports').where('owner_id', '=', ownerId).execute();
  const gone = await tx.deleteFrom('portfolios').where('owner_id', '=', ownerId).returning('id').execute();
  let transactions = 0;
  for (const { id } of gone) {
    const { numDeletedRows } = await tx
      .deleteFrom('transactions')
      .where('portfolio_id', '=', id)
      .executeTakeFirstOrThrow();
    transactions += Number(numDeletedRows);
    await tx.deleteFrom('dismissed_actions').where('portfolio_id', '=', id).execute();
  }
  return { portfolios: gone.length, transactions };
};

/** With what they have told and what waits to be told, wherever that would go. */
const eraseAlerts = async (tx: Transaction<Database>, ownerId: OwnerId): Promise<number> => {
  const gone = await tx.deleteFrom('alerts').where('owner_id', '=', ownerId).returning('id').execute();
  for (const { id } of gone) {
    await tx
      .deleteFrom('notifications')
      .where('id', 'in', (told) =>
        told.selectFrom('alert_firings').select('alert_firings.id').where('alert_id', '=', id),
      )
      .execute();
    await tx.deleteFrom('alert_firings').where('alert_id', '=', id).execute();
  }
  return gone.length;
};

/** All that is a person's own, and that their names belong together. */
export const eraseOwned = async (tx: Transaction<Database>, ownerId: OwnerId): Promise<OwnedCounts> => {
  const eraseFrom = async (table: 'watchlist_entries' | 'briefings' | 'identity_links'): Promise<number> => {
    const { numDeletedRows } = await tx
      .deleteFrom(table)
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  };
  const ledger = await erasePortfolios(tx, ownerId);
  const alerts = await eraseAlerts(tx, ownerId);
  const watched = await eraseFrom('watchlist_entries');
  const briefings = await eraseFrom('briefings');
  await eraseFrom('identity_links');
  return { ...ledger, alerts, watched, briefings };
};
