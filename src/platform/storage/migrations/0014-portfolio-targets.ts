import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The weights that a person wants a portfolio to have. */
export const portfolioTargets: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('portfolios').addColumn('targets', 'text').execute();
  },
};
