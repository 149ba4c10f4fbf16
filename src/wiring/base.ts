import { randomUUID } from 'node:crypto';
import { describeBudgets } from '../platform/config/budgets.ts';
import type { Config } from '../platform/config/config.ts';
import { laneSettings } from '../platform/config/lanes-config.ts';
import type { Events } from '#src/kernel/operations/events.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { ConcurrencyLaneManager } from '../platform/concurrency/concurrency-lane.ts';
import { openCluster, TERMINAL_TASK, terminalInUse } from '../platform/cluster/cluster.ts';
import { type Build, describeBuild } from '../platform/build.ts';
import { createEvents } from '../platform/events.ts';
import type { Hooks } from '../platform/plugins/hook-runner.ts';
import { logEvents } from '../platform/logging/log-events.ts';
import { removeLeftCopy } from '../platform/storage/directory-lock.ts';
import { createBackups, listenForBackups } from '../platform/backup/backups.ts';
import { backUpBeforeUpgrade } from '../platform/backup/before-upgrade.ts';
import { ensureDataDir, openStorage } from '../platform/storage/database.ts';
import { createSentFiles } from '../platform/storage/sent-files.ts';
import { preparedWarmUp } from '../platform/storage/prepared.ts';
import type { Uses } from '#src/platform/services.ts';
import { SCHEMA } from './schema.ts';

type EventsDeps = Build & Uses<'clock' | 'logger'>;

interface BaseDeps extends EventsDeps, Uses<'events'> {
  readonly hooks: Hooks;
  readonly channels: readonly Pick<ChannelPlugin, 'id' | 'capabilities'>[];
}

const keepsTogether = ({ capabilities }: Pick<ChannelPlugin, 'capabilities'>): boolean =>
  capabilities.keepsChatsTogether === true;

/** Opens the events of the program, the log of them, and their traces. */
export const openEvents = async (
  config: Config,
  { clock, logger, ...build }: EventsDeps,
  opened: AsyncDisposableStack,
): Promise<Events> => {
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);
  if (config.proxy) {
    // Before anything connects, and loaded only with a proxy.
    const { useProxy } = await import('../platform/proxy/use-proxy.ts');
    opened.defer(useProxy(config.proxy, logger.named('proxy')));
  }
  if (config.tracing) {
    // Loaded only with a collector.
    const { openTracing } = await import('../platform/tracing/tracing.ts');
    const tracing = openTracing({
      config: config.tracing,
      resource: { version: describeBuild(build), instanceId: randomUUID() },
      events,
      clock,
      logger: logger.named('tracing'),
    });
    opened.defer(tracing.close);
  }
  return events;
};

/** Opens the data directory and the database. Throws when another process uses the same SQLite file. */
export const openBase = async (
  config: Config,
  { channels, clock, events, hooks, logger, ...build }: BaseDeps,
  opened: AsyncDisposableStack,
) => {
  const version = describeBuild(build);
  const { dataDir, databaseUrl, role, engine } = config;
  if (Object.keys(config.platforms).length > 0) logger.info(describeBudgets(engine));
  ensureDataDir(dataDir);
  const channelIds = channels.map(({ id }) => id);
  const { promise: storageFailure, resolve: onFailure } = Promise.withResolvers<Error>();
  const storage = await openStorage({
    ...config,
    secretKeys: engine.secretKeys,
    schema: SCHEMA,
    onFailure,
    onFull: (error) =>
      logger
        .named('storage')
        .error(
          `The disk of ${dataDir} is full, so messages are not accepted. Free some space: then FinClaw goes on by itself.`,
          { error },
        ),
    ...(config.backup.beforeUpgrade && {
      beforeUpgrade: (database) => {
        const source = { dataDir, databaseUrl, version, ...database };
        return backUpBeforeUpgrade(source, config.backup, clock, logger.named('backup'));
      },
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
          role,
          channelIds,
          undividedIds: channels.filter(keepsTogether).map(({ id }) => id),
          clock,
          logger: logger.named('cluster'),
        });
  if (cluster) {
    opened.defer(cluster.close);
    const hasTerminal = channels.some(({ capabilities }) => capabilities.isOwnersTerminal);
    if (hasTerminal && !(await cluster.takeTask(TERMINAL_TASK))) throw terminalInUse();
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
  opened.defer(await listenForBackups(dataDir, backups, logger.named('backup')));
  const files = createSentFiles({
    dataDir,
    clock,
    shared: cluster && { storage, settings: cluster.shareSettings('files'), logger: logger.named('files') },
  });
  return {
    /** As people read it. */
    version,
    dataDir,
    storage,
    backups,
    files,
    /** The other processes on the same PostgreSQL database. Undefined with SQLite. */
    cluster,
    /** The platforms that this process is on. */
    channelIds,
    /** Resolves if the storage failed, so that it can no longer be used. */
    storageFailure,
    /** No other process uses the database. */
    isExclusive: databaseUrl === undefined,
    warmUps: [preparedWarmUp(storage.db)],
    lanes: new ConcurrencyLaneManager(clock, laneSettings(config)),
    hooks,
    clock,
    events,
    logger,
  };
};

/** The services that every other part is built on. */
export type Base = Awaited<ReturnType<typeof openBase>>;

/** The same services, whose log lines name the part. */
export const loggingAs = (base: Base, part: string): Base => ({ ...base, logger: base.logger.named(part) });
