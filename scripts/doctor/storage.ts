import type { Config } from '#src/platform/config/config.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { codeKeyIn } from '#src/platform/storage/person-codes.ts';
import { openStorage, SQLITE_FILE } from '#src/platform/storage/database.ts';
import type { FoundDatabase } from '#src/wiring/start-checks.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { bad, note, ok } from './check.ts';
import { checkEmptyPostgres, checkPostgres } from './postgres.ts';

const withoutSecretKey = ({ databaseUrl, engine }: Config): readonly Finding[] =>
  databaseUrl !== undefined && engine.secretKeys.length === 0
    ? [
        note(
          'FINCLAW_SECRET_KEY is not set, so the key behind the codes of the audit trail lies open in the database',
          'Make one with: openssl rand -base64 32',
        ),
      ]
    : [];

const upgradeDue = ({ backup }: Pick<Config, 'backup'>, where: string): Finding =>
  note(
    `Database: ${where} is of an earlier version; the next start ${backup.beforeUpgrade ? 'makes a backup and ' : ''}brings it up to date`,
  );

const open = async (config: Config, where: string): Promise<readonly Finding[]> => {
  const { databaseUrl, engine } = config;
  const storage = await openStorage({
    ...config,
    secretKeys: engine.secretKeys,
    schema: SCHEMA,
    // What the start does after a backup is left to it.
    beforeUpgrade: async () => {
      throw new FinClawError(upgradeDue(config, where).text, 'UPGRADE_DUE');
    },
  });
  try {
    await storage.checkWritable();
    return [
      ok(`Database: ${where} is writable and up to date`),
      ...(databaseUrl === undefined ? [] : await checkPostgres(storage.db)),
      ...withoutSecretKey(config),
    ];
  } finally {
    await storage.close();
  }
};

const describe = async (
  config: Config,
  { schema }: FoundDatabase,
  where: string,
): Promise<readonly Finding[]> => {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined)
    return schema === 'none'
      ? [...(await checkEmptyPostgres(databaseUrl)), ...withoutSecretKey(config)]
      : open(config, where);
  if (schema === 'none') return [ok(`Database: there is none yet; the first start makes it in ${dataDir}`)];
  if (schema === 'old') return [upgradeDue(config, where)];
  // A start would make a new key.
  return codeKeyIn(dataDir) === undefined
    ? [
        note(
          `Database: person-codes.key is missing beside ${SQLITE_FILE} in ${dataDir}, and the next start makes a new one; put it back first if it was left behind`,
        ),
      ]
    : open(config, where);
};

/** Whoever runs there holds the lock, which is no fault. */
const IN_USE: ReadonlySet<string> = new Set(['DATA_DIR_IN_USE', 'TERMINAL_IN_USE']);

const troubleWith = (error: unknown, where: string): Finding => {
  const code = error instanceof FinClawError ? error.code : '';
  if (code === 'UPGRADE_DUE') return note(errorMessage(error));
  return IN_USE.has(code)
    ? note(`Database: ${where} is in use by a running FinClaw or a restore, so saved keys were not checked`)
    : bad(errorMessage(error));
};

/** Opens the database as a start would, if that is found to be possible; what is missing is not made. */
export const checkDatabase = async (
  config: Config,
  found: FoundDatabase | { readonly refusal: unknown },
): Promise<readonly Finding[]> => {
  const where = config.databaseUrl ? 'PostgreSQL' : `SQLite in ${config.dataDir}`;
  if ('refusal' in found) return [troubleWith(found.refusal, where)];
  try {
    return await describe(config, found, where);
  } catch (error) {
    return [troubleWith(error, where)];
  }
};
