import type { Storage } from '#src/platform/storage/database.ts';
import { lockPortfolio } from './store-rows.ts';
import type { PortfolioStore } from './store-types.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import type { Clock } from '#src/platform/clock.ts';

/** A few years of dividends of many holdings. More of one portfolio are not kept. */
const MAX_DISMISSED = 5_000;

/** What a portfolio is not to be reminded of. */
export const createDismissedActions = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): Pick<PortfolioStore, 'dismissed' | 'dismiss' | 'restore'> => ({
  dismissed: async (ownerId, id) => {
    const rows = await db
      .selectFrom('dismissed_actions')
      .innerJoin('portfolios', 'portfolios.id', 'dismissed_actions.portfolio_id')
      .where('portfolios.id', '=', id)
      .where('portfolios.owner_id', '=', ownerId)
      .select(['symbol', 'kind', 'action_date'])
      .execute();
    return rows.map(({ symbol, kind, action_date }) => ({ symbol, kind, date: action_date }));
  },

  dismiss: (ownerId, id, actions) =>
    write(async (tx) => {
      if (!(await lockPortfolio(tx, ownerId, id))) return false;
      const dismissed_at = toStoredTime(clock.now());
      for (const { symbol, kind, date } of actions.slice(0, MAX_DISMISSED))
        await tx
          .insertInto('dismissed_actions')
          .values({ portfolio_id: id, symbol, kind, action_date: date, dismissed_at })
          .onConflict((conflict) =>
            conflict.columns(['portfolio_id', 'symbol', 'kind', 'action_date']).doNothing(),
          )
          .execute();
      return true;
    }),

  restore: (ownerId, id, actions) =>
    write(async (tx) => {
      if (!(await lockPortfolio(tx, ownerId, id))) return false;
      for (const { symbol, kind, date } of actions)
        await tx
          .deleteFrom('dismissed_actions')
          .where('portfolio_id', '=', id)
          .where('symbol', '=', symbol)
          .where('kind', '=', kind)
          .where('action_date', '=', date)
          .execute();
      return true;
    }),
});
