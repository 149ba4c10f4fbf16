import type { Config } from '#src/platform/config/config.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { FEATURE_TABLES } from '#src/features/tables.ts';
import { ensureDataDir, type OpenedStorage, openStorage } from '#src/platform/storage/database.ts';
import { inspectPostgres } from '#src/platform/storage/postgres.ts';
import { bad, note, ok } from './check.ts';
import { checkEngine } from './engine.ts';

const WITHOUT_SECRET_KEY = note(
  'FINCLAW_SECRET_KEY is not set, so the key behind the codes of the audit trail lies open in the database',
  'Make one with: openssl rand -base64 32',
);

const SLOW_MS = 20;
const SKEWED_MS = 2_000;

/** Several processes agree on times and take turns over the database, so its clock and the way to it matter. */
const checkPostgres = async (db: OpenedStorage['db']): Promise<readonly Finding[]> => {
  const { version, isTooOld, latencyMs, clockAheadMs } = await inspectPostgres(db);
  if (isTooOld) return [bad(`PostgreSQL ${version} is too old; FinClaw needs version 14 or later`)];
  const answers = `PostgreSQL ${version} answers in ${latencyMs.toFixed(1)} ms`;
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1);
  return [
    latencyMs > SLOW_MS
      ? note(`${answers}, and a message needs many answers; run it closer to the bot`)
      : ok(answers),
    Math.abs(clockAheadMs) > SKEWED_MS
      ? bad(
          `The clock of this machine is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of the database; synchronize both with NTP`,
        )
      : ok('The clocks of this machine and of the database agree'),
  ];
};

/** Opens the database as a start would, and what is built on it. */
export const checkStorage = async (
  config: Config,
  hide: (secret: string) => void,
): Promise<readonly Finding[]> => {
  const where = config.databaseUrl ? 'PostgreSQL' : `SQLite in ${config.dataDir}`;
  try {
    ensureDataDir(config.dataDir);
    const storage = await openStorage({
      ...config,
      secretKeys: config.engine.secretKeys,
      tables: FEATURE_TABLES,
      // The start makes a backup before it changes the database, and the doctor changes nothing.
      beforeUpgrade: async () => {
        throw new FinClawError(
          `Database: ${where} is of an earlier version; the next start makes a backup and brings it up to date. Models and keys were not checked`,
          'UPGRADE_DUE',
        );
      },
      onWait: (older) => {
        const processes = older.map(({ role, version }) => `${role} ${version}`).join(', ');
        throw new FinClawError(
          `Database: this version has to change it in a way that older versions cannot work with, and these still run: ${processes}. Stop them first.`,
          'OLDER_PROCESSES',
        );
      },
    });
    try {
      await storage.checkWritable();
      return [
        ok(`Database: ${where} is writable and up to date`),
        ...(config.databaseUrl ? await checkPostgres(storage.db) : []),
        ...(config.databaseUrl && config.engine.secretKeys.length === 0 ? [WITHOUT_SECRET_KEY] : []),
        ...(await checkEngine(config, storage, hide)),
      ];
    } finally {
      await storage.close();
    }
  } catch (error) {
    const code = error instanceof FinClawError ? error.code : undefined;
    if (code === 'UPGRADE_DUE') return [note(errorMessage(error))];
    // A running bot holds the lock, which is no fault.
    return code === 'DATA_DIR_IN_USE'
      ? [note(`Database: ${where} is in use by a running FinClaw, so models and keys were not checked`)]
      : [bad(errorMessage(error))];
  }
};
