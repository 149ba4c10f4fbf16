import type { Kysely } from 'kysely';
import type { TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { alertTables, createAlertTables } from './alerts/tables.ts';
import { briefingTables, createBriefingTables } from './briefings/tables.ts';
import { createFeedbackTables, feedbackTables } from './feedback/tables.ts';
import { createHomeTables, homeTables } from './home-visits/tables.ts';
import { createPortfolioTables, portfolioTables } from './portfolio/tables.ts';
import { createWatchlistTables, watchlistTables } from './watchlist/tables.ts';
import { createWelcomeTables, welcomeTables } from './welcome/tables.ts';

/** The tables of all features. A feature that stores something adds its own here. */
export const FEATURE_TABLES: readonly TableDescriptor[] = [
  ...portfolioTables,
  ...alertTables,
  ...watchlistTables,
  ...briefingTables,
  ...feedbackTables,
  ...welcomeTables,
  ...homeTables,
];

/** Makes the tables of the first features. A table that comes later has a step of its own. */
export const createFeatureTables = async (db: Kysely<unknown>): Promise<void> => {
  await createPortfolioTables(db);
  await createAlertTables(db);
  await createWatchlistTables(db);
  await createBriefingTables(db);
  await createFeedbackTables(db);
  await createWelcomeTables(db);
  await createHomeTables(db);
};
