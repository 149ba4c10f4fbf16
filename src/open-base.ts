import { randomUUID } from 'node:crypto';
import { describeBudgets } from './platform/config/budgets.ts';
import type { Config } from './platform/config/config.ts';
import { laneSettings } from './platform/config/lanes-config.ts';
import type { WarmUp } from './kernel/warm-up.ts';
import type { Events } from './kernel/events.ts';
import type { ChannelPlugin } from './kernel/channel.ts';
import { errorMessage, FinClawError } from './kernel/errors.ts';
import type { Clock } from './platform/clock.ts';
import { ConcurrencyLaneManager } from './platform/concurrency-lane.ts';
import { type Cluster, openCluster } from './platform/cluster/cluster.ts';
import { listenForControl } from './platform/control-socket.ts';
import { createPollingLoop } from './platform/polling-loop.ts';
import { readSecretKeys } from './platform/secret-box.ts';
import { createEvents } from './platform/events.ts';
import { createHooks, type Hooks } from './platform/plugins/hook-runner.ts';
import type { FinClawLogger } from './platform/logger.ts';
import { logEvents } from './platform/logging/log-events.ts';
import { removeLeftCopy } from './platform/storage/backup/claim.ts';
import { type Backups, createBackups } from './platform/storage/backup/backups.ts';
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
  readonly backups: Backups;
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

/** Throws if no backup could be made: then nothing is changed. */
const backUpBeforeUpgrade = async (
  { dataDir, databaseUrl, backup }: Pick<Config, 'dataDir' | 'databaseUrl' | 'backup'>,
  {
    clock,
    logger,
    ...database
  }: Pick<OpenedStorage, 'copyTo' | 'tables' | 'known'> & Pick<BaseDeps, 'version' | 'clock' | 'logger'>,
): Promise<void> => {
  try {
    const { makeBackup } = await import('./platform/storage/backup/make-backup.ts');
    const { path, bytes } = await makeBackup({ dataDir, databaseUrl, ...database }, backup, {
      reason: 'upgrade',
      at: clock.now(),
      signal: new AbortController().signal,
    });
    logger.info('A backup was made, because this version is about to change the database', {
      path,
      bytes,
    });
  } catch (error) {
    throw new FinClawError(
      `${errorMessage(error).replace(/\.$/, '')}. This version has to change the database, and does not do so without a backup. Free some space, or set backup.directory. To upgrade without a backup, set backup.beforeUpgrade to false.`,
      'UPGRADE_BACKUP_FAILED',
      { cause: error },
    );
  }
};

/** What `npm run backup` asks a running process for. */
const isBackupRequest = (request: unknown): request is { readonly to?: string } =>
  typeof request === 'object' && request !== null && 'ask' in request && request.ask === 'backup';

/** A failure is not worth ending for: then `npm run backup` says that the database is in use. */
const listenForBackups = async (
  dataDir: string,
  { makeIn }: Pick<Backups, 'makeIn'>,
  { logger, opened }: Pick<BaseDeps, 'logger'> & Pick<SchemaWatch, 'opened'>,
): Promise<void> => {
  try {
    const server = await listenForControl(dataDir, async (request) => {
      if (!isBackupRequest(request)) throw new Error('FinClaw does not know this request');
      return makeIn(request.to);
    });
    opened.defer(server.close);
  } catch (error) {
    logger.warn('Other programs cannot ask FinClaw for backups', { error });
  }
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
  if (config.tracing) {
    // Loaded only with a collector.
    const { openTracing } = await import('./platform/tracing/tracing.ts');
    const tracing = openTracing({
      config: config.tracing,
      resource: { version, instanceId: randomUUID() },
      events,
      clock,
      logger: logger.named('tracing'),
    });
    opened.defer(tracing.close);
  }
  if (Object.keys(config.platforms).length > 0) logger.info(describeBudgets(engine));
  // A start that would never make a backup must not look like one that does.
  readSecretKeys('FINCLAW_BACKUP_KEY', config.backup.keys);
  ensureDataDir(dataDir);
  const channelIds = channels.map(({ id }) => id);
  const { promise: storageFailure, resolve: onFailure } = Promise.withResolvers<Error>();
  const onWait: StorageOptions['onWait'] = (processes) =>
    logger
      .named('storage')
      .warn(
        'The database has to be changed in a way that older versions cannot work with. Waiting until they have stopped.',
        { processes },
      );
  const storage = await openStorage({
    ...config,
    secretKeys: engine.secretKeys,
    tables,
    onFailure,
    onWait,
    ...(config.backup.beforeUpgrade && {
      beforeUpgrade: (database) =>
        backUpBeforeUpgrade(config, { ...database, version, clock, logger: logger.named('backup') }),
    }),
  });
  opened.defer(storage.close);
  if (databaseUrl === undefined) await removeLeftCopy(dataDir);
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
          logger: logger.named('cluster'),
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
  const backups = createBackups({
    source: {
      dataDir,
      databaseUrl,
      copyTo: storage.copyTo,
      tables: storage.tables,
      known: storage.known,
      version,
    },
    settings: config.backup,
    leads: cluster?.isLeading,
    clock,
    events,
  });
  opened.defer(backups.stop);
  // With PostgreSQL, any program can read the database itself.
  if (databaseUrl === undefined)
    await listenForBackups(dataDir, backups, { logger: logger.named('backup'), opened });
  return {
    dataDir,
    storage,
    backups,
    files: createSentFiles({
      dataDir,
      clock,
      shared: cluster && { storage, settings: cluster.shareSettings('files'), logger: logger.named('files') },
    }),
    cluster,
    channelIds,
    storageFailure,
    isExclusive: databaseUrl === undefined,
    warmUps: [preparedWarmUp(storage.db)],
    lanes: new ConcurrencyLaneManager(clock, laneSettings(config)),
    hooks: createHooks(logger.named('plugins'), clock),
    clock,
    events,
    logger,
  };
};
