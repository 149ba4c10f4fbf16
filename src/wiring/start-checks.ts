import type { OpenedModels } from '../agent/open-models.ts';
import { SCHEMA } from './schema.ts';
import { errorMessage, FinClawError } from '../kernel/errors.ts';
import { createMarketHours } from '../markets/calendar/calendar.ts';
import { openTrial, type TrialDeps } from './trial.ts';
import type { ChannelDefinition } from '../platform/channel-definition.ts';
import { isTaskTaken, TERMINAL_TASK, terminalInUse } from '../platform/cluster/cluster.ts';
import type { Config } from '../platform/config/config.ts';
import { requireFreePort } from '../platform/net/listen.ts';
import { requireUsableDirectory } from '../platform/files/make-directory.ts';
import { readSecretKeys } from '../platform/files/secret-box.ts';
import { keysOfBackup } from '../platform/backup/backup-key.ts';
import { upgradeWithoutBackup } from '../platform/backup/before-upgrade.ts';
import { type ExistingDatabase, lookAtDatabase } from '../platform/storage/look-at-database.ts';
import { type AuthProfileRow, listAuthProfiles } from '../agent/store/auth-profiles.ts';
import type { SchemaState } from '../platform/storage/migrate.ts';

/** As the doctor names what it looks at. */
export type StartCheckId =
  | 'data-directory'
  | 'backups'
  | 'keys'
  | 'configuration'
  | 'database'
  | 'models'
  | 'health-port'
  | 'channels';

export interface StartCheck {
  readonly id: StartCheckId;
  /** Throws what a start is refused with. Changes nothing. */
  readonly run: () => Promise<void>;
}

/** A start makes the directory if it is missing. */
const requireUsable = ({ dataDir }: Pick<Config, 'dataDir'>): void => {
  try {
    requireUsableDirectory(dataDir);
  } catch (error) {
    throw new FinClawError(
      `The data directory ${dataDir} cannot be used (${errorMessage(error)}). Set FINCLAW_DATA_DIR to a directory this user may write to.`,
      'DATA_DIR_UNUSABLE',
      { cause: error },
    );
  }
};

/** Before this version changes an older database, it makes a backup. */
const requireBackup = ({ backup }: Pick<Config, 'backup'>, schema: SchemaState | undefined): void => {
  if (schema !== 'old' || !backup.beforeUpgrade) return;
  try {
    requireUsableDirectory(backup.directory);
  } catch (error) {
    throw upgradeWithoutBackup(
      `No backup could be made in ${backup.directory}: ${errorMessage(error)}`,
      error,
    );
  }
};

/** A market without known hours would never count as closed, so a typo would disable the gate. */
const requireKnownMarkets = ({ pipeline }: Pick<Config, 'pipeline'>): void => {
  const hours = createMarketHours();
  const unknown = pipeline.markets?.find((market) => !hours.markets.includes(market));
  if (unknown !== undefined)
    throw new FinClawError(
      `pipeline.markets names "${unknown}"; the markets whose hours are known are ${hours.markets.join(', ')}.`,
      'CONFIG_INVALID',
    );
};

const hasPlatform = ({ platforms }: Pick<Config, 'platforms'>): boolean => Object.keys(platforms).length > 0;

export type FoundDatabase = ExistingDatabase<AuthProfileRow>;

const look = async (config: Config): Promise<FoundDatabase> => {
  const { databaseUrl, engine } = config;
  const found = await lookAtDatabase(
    { ...config, secretKeys: engine.secretKeys, schema: SCHEMA },
    listAuthProfiles,
  );
  if (databaseUrl !== undefined && !hasPlatform(config) && (await isTaskTaken(databaseUrl, TERMINAL_TASK)))
    throw terminalInUse();
  return found;
};

const requireHealthPort = async ({
  httpPort: port,
  httpHost: host,
}: Pick<Config, 'httpPort' | 'httpHost'>): Promise<void> => {
  if (port !== undefined)
    await requireFreePort(
      { host, port },
      'Set FINCLAW_HTTP_PORT to a free port, or leave it out to run without the health server.',
    );
};

/** Where a platform listens that is turned on. */
export const listeningChannels = (
  { platforms }: Pick<Config, 'platforms'>,
  channels: readonly Pick<ChannelDefinition, 'id' | 'listensAt'>[],
) =>
  channels.flatMap(({ id, listensAt }) => {
    const settings = platforms[id];
    const place = settings && listensAt?.(settings);
    return place ? [{ id, ...place }] : [];
  });

interface StartCheckDeps extends Omit<TrialDeps, 'savedKeys'> {
  /** Every platform that the program knows, on or off. */
  readonly channels: Parameters<typeof listeningChannels>[1];
}

/** Everything that can refuse a start, in order, and what is found on the way. */
export interface StartChecks {
  readonly all: readonly StartCheck[];
  readonly database: () => Promise<FoundDatabase>;
  readonly models: () => Promise<OpenedModels>;
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
};

/**
 * The one list of what can refuse a start, beside settings that cannot be read. A start goes through it before it writes
 * anything, the doctor to tell all that it finds. So nothing behind it may refuse a start for its settings alone.
 */
export const createStartChecks = (config: Config, deps: StartCheckDeps): StartChecks => {
  const database = once(() => look(config));
  const models = once(async () => {
    // The doctor asks also where the database cannot be opened.
    const { savedKeys } = await database().catch(() => ({ savedKeys: [] }));
    return openTrial(config, { ...deps, savedKeys });
  });
  return {
    all: [
      { id: 'data-directory', run: async () => requireUsable(config) },
      {
        id: 'backups',
        run: async () => {
          keysOfBackup(config.backup);
          // What is wrong with the database is told by its own check.
          const found = await database().catch(() => undefined);
          requireBackup(config, found?.schema);
        },
      },
      { id: 'keys', run: async () => void readSecretKeys('FINCLAW_SECRET_KEY', config.engine.secretKeys) },
      { id: 'configuration', run: async () => requireKnownMarkets(config) },
      // Before the ports: a second bot is told of the first one, not of its port.
      { id: 'database', run: async () => void (await database()) },
      { id: 'models', run: async () => (await models()).checkWindows() },
      { id: 'health-port', run: () => requireHealthPort(config) },
      {
        id: 'channels',
        run: async () => {
          // Beside another platform, one that cannot listen is named in the log, and the other one starts.
          if (Object.keys(config.platforms).length > 1) return;
          for (const { advice, ...place } of listeningChannels(config, deps.channels))
            await requireFreePort(place, advice);
        },
      },
    ],
    database,
    models,
  };
};

const silent = (logger: StartCheckDeps['logger']): StartCheckDeps['logger'] => {
  const quiet = { ...logger, debug: ignore, info: ignore, warn: ignore, error: ignore, named: () => quiet };
  return quiet;
};

const ignore = (): void => undefined;

/** Throws the first that refuses the start. Its warnings are logged when the start does the same in earnest. */
export const requireStart = async (config: Config, deps: StartCheckDeps): Promise<void> => {
  const { all } = createStartChecks(config, { ...deps, logger: silent(deps.logger) });
  for (const { run } of all) await run();
};
