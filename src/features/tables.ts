import type { TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { alertTables } from './alerts/tables.ts';
import { briefingTables } from './briefings/tables.ts';
import { feedbackTables } from './feedback/tables.ts';
import { homeTables } from './home/tables.ts';
import { portfolioTables } from './portfolio/store/tables.ts';
import { watchlistTables } from './watchlist/tables.ts';
import { welcomeTables } from './welcome/tables.ts';

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
