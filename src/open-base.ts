import { describeBudgets } from './platform/config/budgets.ts';
import type { Config } from './platform/config/config.ts';
import { laneSettings } from './platform/config/lanes-config.ts';
import type { WarmUp } from './kernel/warm-up.ts';
import type { Events } from './kernel/events.ts';
import type { ChannelPlugin } from './kernel/channel.ts';
import { FinClawError } from './kernel/errors.ts';
import type { Clock } from './platform/clock.ts';
import { ConcurrencyLaneManager } from './platform/concurrency-lane.ts';
import { type Cluster, openCluster } from './platform/cluster/cluster.ts';
import { createPollingLoop } from './platform/polling-loop.ts';
import { createEvents } from './platform/events.ts';
import { createHooks, type Hooks } from './platform/plugins/hook-runner.ts';
import { type FinClawLogger, logEvents } from './platform/logger.ts';
import {
  ensureDataDir,
  type OpenedStorage,
  openStorage,
  type Storage,
  type StorageOptions,
} from './platform/storage/database.ts';
import { createSentFiles, type SentFiles } from './platform/storage/sent-files.ts';
import { preparedWarmUp } from './platform/storage/prepared.ts';

/** The services that every other part is built on. */
export interface Base {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly files: SentFiles;
  /** Resolves if the storage can no longer be used: it failed, or a newer version has changed it. */
  readonly storageFailure: Promise<Error>;
  /** No other process uses the database. */
  readonly isExclusive: boolean;
  /** The other processes on the same PostgreSQL database. Undefined with SQLite. */
  readonly cluster: Cluster | undefined;
  /** The platforms that this process is on. */
  readonly channelIds: readonly string[];
  readonly warmUps: readonly WarmUp[];
  readonly lanes: ConcurrencyLaneManager;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

interface BaseDeps extends Pick<Base, 'clock' | 'logger'>, Pick<StorageOptions, 'tables'> {
  readonly version: string;
  readonly channels: readonly Pick<ChannelPlugin, 'id' | 'capabilities'>[];
}

interface SchemaWatch {
  readonly clock: Clock;
  readonly onFailure: (error: Error) => void;
  readonly opened: AsyncDisposableStack;
}

/** The answers of a terminal must appear where the question was typed. */
const TERMINAL = 'console';

const LOOK_AT_SCHEMA_MS = 5_000;

/** A newer version changes the schema when it sees no older process. It does not see one that starts or hangs just then. */
const watchSchema = async (
  { migrations }: Pick<OpenedStorage, 'migrations'>,
  { clock, onFailure, opened }: SchemaWatch,
): Promise<void> => {
  const loop = createPollingLoop(async () => {
    try {
      await migrations.check();
    } catch (error) {
      if (error instanceof FinClawError && error.code === 'DATABASE_NEWER') {
        onFailure(error);
        return undefined;
      }
    }
    return LOOK_AT_SCHEMA_MS;
  }, clock);
  opened.defer(loop.stop);
  await loop.start();
};
const keepsTogether = ({ capabilities }: Pick<ChannelPlugin, 'capabilities'>): boolean =>
  capabilities.keepsChatsTogether === true;

/** Opens the data directory and the database. Throws when another process uses the same SQLite file. */
export const openBase = async (
  config: Config,
  { version, channels, clock, logger, tables }: BaseDeps,
  opened: AsyncDisposableStack,
): Promise<Base> => {
  const { dataDir, databaseUrl, role, engine } = config;
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);
  if (Object.keys(config.platforms).length > 0) logger.info(describeBudgets(engine));
  ensureDataDir(dataDir);
  const channelIds = channels.map(({ id }) => id);
  const { promise: storageFailure, resolve: onFailure } = Promise.withResolvers<Error>();
  const onWait: StorageOptions['onWait'] = (processes) =>
    logger.warn(
      'The database has to be changed in a way that older versions cannot work with. Waiting until they have stopped.',
      { processes },
    );
  const storage = await openStorage({
    ...config,
    secretKeys: engine.secretKeys,
    tables,
    onFailure,
    onWait,
  });
  opened.defer(storage.close);
  const cluster =
    databaseUrl === undefined
      ? undefined
      : await openCluster({
          databaseUrl,
          version,
          newestMigration: storage.migrations.newest,
          role,
          channelIds,
          undividedIds: channels.filter(keepsTogether).map(({ id }) => id),
          clock,
          logger,
        });
  if (cluster) {
    opened.defer(cluster.close);
    await watchSchema(storage, { clock, onFailure, opened });
    if (channelIds.some((id) => id === TERMINAL) && !(await cluster.takeTask('terminal chat')))
      throw new FinClawError(
        'Another terminal chat is running on this PostgreSQL database. Stop it first, or give this one its own DATABASE_URL.',
        'TERMINAL_IN_USE',
      );
  }
  return {
    dataDir,
    storage,
    files: createSentFiles({
      dataDir,
      clock,
      shared: cluster && { storage, settings: cluster.shareSettings('files'), logger },
    }),
    cluster,
    channelIds,
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
