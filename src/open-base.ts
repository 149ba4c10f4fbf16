import { describeBudgets } from './platform/config/budgets.ts';
import type { Config } from './platform/config/config.ts';
import { laneSettings } from './platform/config/lanes-config.ts';
import type { WarmUp } from './kernel/warm-up.ts';
import type { Events } from './kernel/events.ts';
import type { Clock } from './platform/clock.ts';
import { ConcurrencyLaneManager } from './platform/concurrency-lane.ts';
import { createEvents } from './platform/events.ts';
import { createHooks, type Hooks } from './platform/plugins/hook-runner.ts';
import { type FinClawLogger, logEvents } from './platform/logger.ts';
import {
  ensureDataDir,
  openStorage,
  type Storage,
  type StorageOptions,
} from './platform/storage/database.ts';
import { holdPostgresLock } from './platform/storage/postgres-lock.ts';
import { preparedWarmUp } from './platform/storage/prepared.ts';

/** The services that every other part is built on. */
export interface Base {
  readonly dataDir: string;
  readonly storage: Storage;
  /** Resolves if the storage failed and takes no more writes until a restart. */
  readonly storageFailure: Promise<Error>;
  /** Certainly no other process uses the database. PostgreSQL's lock may be lost with its connection. */
  readonly isExclusive: boolean;
  readonly warmUps: readonly WarmUp[];
  readonly lanes: ConcurrencyLaneManager;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** Opens the data directory and the database. Throws when another process uses the database. */
export const openBase = async (
  config: Config,
  { clock, logger, tables }: Pick<Base, 'clock' | 'logger'> & Pick<StorageOptions, 'tables'>,
  opened: AsyncDisposableStack,
): Promise<Base> => {
  const { dataDir, databaseUrl, engine } = config;
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);
  if (Object.keys(config.platforms).length > 0) logger.info(describeBudgets(engine));
  ensureDataDir(dataDir);
  // Before the storage, which migrates the database, and released after it. SQLite locks its own file.
  if (databaseUrl !== undefined)
    opened.defer((await holdPostgresLock(databaseUrl, { clock, logger })).release);
  const { promise: storageFailure, resolve: onFailure } = Promise.withResolvers<Error>();
  const storage = await openStorage({ ...config, secretKeys: engine.secretKeys, tables, onFailure });
  opened.defer(storage.close);
  return {
    dataDir,
    storage,
    storageFailure,
    isExclusive: databaseUrl === undefined,
    warmUps: [preparedWarmUp(storage.db)],
    lanes: new ConcurrencyLaneManager(clock, laneSettings(config)),
    hooks: createHooks(logger, clock),
    clock,
    events,
    logger,
  };
};
