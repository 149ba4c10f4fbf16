import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#src/platform/config/config.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { FEATURE_TABLES } from '#src/features/tables.ts';
import { codeKeyIn } from '#src/platform/storage/accounts/person-codes.ts';
import { requireUnclaimed } from '#src/platform/storage/backup/claim.ts';
import {
  openFile,
  type OpenedStorage,
  openStorage,
  schemaOf,
  SQLITE_FILE,
  type StorageOptions,
} from '#src/platform/storage/database.ts';
import { createMigrations } from '#src/platform/storage/migrate.ts';
import { bad, type CheckFinding, note, ok } from './check.ts';
import { checkEngine } from './engine.ts';
import { existing } from './machine.ts';
import { checkEmptyPostgres, checkPostgres } from './postgres.ts';
import { withSpareDirectory } from './spare-directory.ts';

const withoutSecretKey = ({ databaseUrl, engine }: Config): readonly CheckFinding[] =>
  databaseUrl !== undefined && engine.secretKeys.length === 0
    ? [
        note(
          'FINCLAW_SECRET_KEY is not set, so the key behind the codes of the audit trail lies open in the database',
          'Make one with: openssl rand -base64 32',
        ),
      ]
    : [];

const NOT_TRIED = note(
  'Models and keys were not checked, because that needs a place for temporary files, and there is none',
  'Set TMPDIR to a directory this user may write to.',
);

/** A start makes the directory if it is missing. */
const requireUsable = (dataDir: string): void => {
  const place = existing(dataDir);
  const { R_OK, W_OK, X_OK } = constants;
  try {
    if (!statSync(place).isDirectory()) throw new Error(`${place} is a file`);
    accessSync(place, (place === dataDir ? R_OK : 0) | W_OK | X_OK);
  } catch (error) {
    throw new FinClawError(
      `The data directory ${dataDir} cannot be used (${errorMessage(error)}). Set FINCLAW_DATA_DIR to a directory this user may write to.`,
      'DATA_DIR_UNUSABLE',
      { cause: error },
    );
  }
};

/** What is given to each check of this file. */
interface Examination {
  readonly config: Config;
  readonly hide: (secret: string) => void;
  /** For what a start would make. Undefined: there is no place for it. */
  readonly spare: string | undefined;
}

const engineFindings = async (
  { config, hide, spare }: Examination,
  storage: OpenedStorage,
): Promise<readonly CheckFinding[]> => {
  const home = existsSync(join(config.dataDir, 'skills')) ? config.dataDir : spare;
  return home === undefined ? [NOT_TRIED] : checkEngine({ config, storage, hide, home });
};

/** Without a database yet, models and keys are tried with one that is gone afterwards. */
const tryEngine = async (examination: Examination): Promise<readonly CheckFinding[]> => {
  const { spare } = examination;
  if (spare === undefined) return [NOT_TRIED];
  const storage = await openStorage({ dataDir: spare, tables: FEATURE_TABLES });
  try {
    return await engineFindings(examination, storage);
  } finally {
    await storage.close();
  }
};

/** The doctor waits for nothing, and leaves to the start what that does after a backup. */
const refusing = (where: string): Required<Pick<StorageOptions, 'beforeUpgrade' | 'onWait'>> => ({
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

/** A start would make a new key. */
const checkWithoutCodeKey = async (dataDir: string, where: string): Promise<readonly CheckFinding[]> => {
  const { db } = openFile({ dataDir });
  try {
    const { beforeUpgrade, onWait } = refusing(where);
    const { known } = schemaOf(FEATURE_TABLES);
    await createMigrations(db, known, {
      isPostgres: false,
      beforeUpgrade: () => Promise.resolve(beforeUpgrade?.({ tables: [], known })),
    }).run((older) => onWait?.(older));
  } finally {
    await db.destroy();
  }
  return [
    note(
      `Database: person-codes.key is missing beside ${SQLITE_FILE} in ${dataDir}, and the next start makes a new one; put it back first if it was left behind. Models and keys were not checked`,
    ),
  ];
};

const examine = async (examination: Examination, where: string): Promise<readonly CheckFinding[]> => {
  const { config } = examination;
  const { dataDir, databaseUrl } = config;
  requireUsable(dataDir);
  if (databaseUrl !== undefined) {
    const findings = await checkEmptyPostgres(databaseUrl);
    if (findings) return [...findings, ...withoutSecretKey(config), ...(await tryEngine(examination))];
  } else if (!existsSync(join(dataDir, SQLITE_FILE))) {
    requireUnclaimed(join(dataDir, SQLITE_FILE));
    const first = ok(`Database: there is none yet; the first start makes it in ${dataDir}`);
    return [first, ...(await tryEngine(examination))];
  } else if (codeKeyIn(dataDir) === undefined) return checkWithoutCodeKey(dataDir, where);
  const storage = await openStorage({
    ...config,
    secretKeys: config.engine.secretKeys,
    tables: FEATURE_TABLES,
    ...refusing(where),
  });
  try {
    await storage.checkWritable();
    return [
      ok(`Database: ${where} is writable and up to date`),
      ...(databaseUrl ? await checkPostgres(storage.db) : []),
      ...withoutSecretKey(config),
      ...(await engineFindings(examination, storage)),
    ];
  } finally {
    await storage.close();
  }
};

/** Opens the database as a start would, and what is built on it; what is missing is not made. */
export const checkStorage = async (
  config: Config,
  hide: (secret: string) => void,
): Promise<readonly CheckFinding[]> => {
  const where = config.databaseUrl ? 'PostgreSQL' : `SQLite in ${config.dataDir}`;
  try {
    return await withSpareDirectory((spare) => examine({ config, hide, spare }, where));
  } catch (error) {
    const code = error instanceof FinClawError ? error.code : undefined;
    if (code === 'UPGRADE_DUE') return [note(errorMessage(error))];
    // Whoever runs there holds the lock, which is no fault.
    return code === 'DATA_DIR_IN_USE'
      ? [
          note(
            `Database: ${where} is in use by a running FinClaw or a restore, so models and keys were not checked`,
          ),
        ]
      : [bad(errorMessage(error))];
  }
};
