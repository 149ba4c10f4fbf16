import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { FinClawError } from '#src/kernel/errors.ts';
import { readSecretKeys, sealedWith, type SecretKey } from '../files/secret-box.ts';
import { putCodeKey } from '../storage/person-codes.ts';
import { type Schema, SQLITE_FILE } from '../storage/database.ts';
import { type Part, readArchive, readText } from './archive.ts';
import { claimDirectory, isAbandoned } from '../storage/directory-lock.ts';
import { directoryRows } from './directory-rows.ts';
import { fillDirectory, fillSqlite, safePath } from './fill-directory.ts';
import { fillPostgres, type TargetSchema } from './fill-postgres.ts';
import { hasKeyIn, readBackupKeys } from './backup-key.ts';
import type { Query } from './postgres-rows.ts';
import { withRoomIn } from './room.ts';
import { readRowPart, tableIn } from './row-parts.ts';
import { countRows } from './rows.ts';
import { damaged, type FileHeader, notEncrypted, withSealedFile } from './sealed-file.ts';
import { isOurs, requireKnown } from './source-schema.ts';
import { checkCopy, CODE_KEY_PART, DATABASE_PART } from './staged-copy.ts';
import { createTransfer, type RowTarget, transfer } from './transfer.ts';

export type RestoreTarget =
  | { readonly kind: 'sqlite'; readonly directory: string }
  | { readonly kind: 'postgres'; readonly databaseUrl: string };

/** What a restored database must not do a second time, in SQL that both databases take. */
export interface Unfinished {
  readonly statements: (now: Temporal.Instant) => readonly string[];
  /** Counts the messages whose senders are told, as `count`. */
  readonly countUnanswered: string;
}

export interface RestoreOptions {
  readonly path: string;
  /** A directory or database that is empty. */
  readonly target: RestoreTarget;
  readonly schema: Schema;
  /** The texts of `FINCLAW_BACKUP_KEY` and `FINCLAW_SECRET_KEY`. */
  readonly keys: readonly string[];
  /** The `.env` that the process began with. */
  readonly envFile?: string | undefined;
  /** Takes a backup that is not encrypted although there is a key. */
  readonly isPlain?: boolean;
  readonly secretKeys: readonly string[];
  /** Nobody has worked on the original since the backup was made, so unfinished messages are answered. */
  readonly isContinued: boolean;
  readonly unfinished: Unfinished;
  readonly now: Temporal.Instant;
  readonly signal: AbortSignal;
}

export interface RestoreReport {
  readonly header: FileHeader;
  readonly rows: number;
  /** Messages that are not answered, because they may have been; their senders are told. */
  readonly unanswered: number;
  /** API keys that the given secret keys do not open. */
  readonly lockedKeys: number;
}

type Run = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Either database. */
type Restored = ReturnType<typeof restored>;

const restored = (run: Run, look: (table: string) => string) => ({
  /** Runs a statement and gives its rows. */
  run,
  has: async (table: string): Promise<boolean> => (await run(look(table))).length > 0,
});

const onSqlite = (database: DatabaseSync): Restored =>
  restored(
    async (text) => database.prepare(text).all(),
    (table) => `select 1 from sqlite_master where name = '${table}'`,
  );
const onPostgres = (query: Query): Restored =>
  restored(
    async (text) => (await query(text)).rows,
    (table) => `select 1 where to_regclass('${table}') is not null`,
  );

/** The steps of the backup's schema. Throws if this version does not know one of them. */
export const schemaLike = (
  migrations: readonly string[],
  { tables, known }: Schema,
  secretKeys: readonly string[],
): TargetSchema => {
  requireKnown(migrations, known);
  const names = new Set(migrations);
  const own = Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)));
  return { tables, migrations: own, secretKeys };
};

const settle = async (
  { run, has }: Restored,
  { tables }: TargetSchema,
  { isContinued, unfinished, now, secretKeys }: RestoreOptions,
): Promise<Pick<RestoreReport, 'unanswered' | 'lockedKeys'>> => {
  // Sessions and codes are not restored, so that nobody can bring along their own in a forged backup.
  for (const { name, isSecret } of tables)
    if (isSecret === true && (await has(name))) await run(`delete from ${name}`);
  if (!isContinued) for (const statement of unfinished.statements(now)) await run(statement);
  const [unanswered] = await run(unfinished.countUnanswered);
  const opened = new Set(readSecretKeys('FINCLAW_SECRET_KEY', secretKeys).map(({ id }) => id));
  const saved = await run('select sealed_key from auth_profiles');
  const locked = saved.filter(({ sealed_key: text }) => !opened.has(sealedWith(String(text)) ?? ''));
  return { unanswered: Number(unanswered?.['count'] ?? 0), lockedKeys: locked.length };
};

const writeTo = async (path: string, content: AsyncIterable<Buffer>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
};

/** Unpacks a backup of SQLite, and checks what was unpacked. */
const unpack = async (
  { path, secretKeys, signal }: RestoreOptions,
  keys: readonly SecretKey[],
  directory: string,
): Promise<number> => {
  const database = join(directory, SQLITE_FILE);
  const onPart = async ({ name, content }: Part): Promise<void> => {
    if (name === CODE_KEY_PART) putCodeKey(directory, await readText(content, path), secretKeys);
    else if (name === DATABASE_PART) await writeTo(database, content);
    else await writeTo(safePath(directory, name), content);
  };
  const { manifest } = await readArchive(path, keys, onPart, signal);
  const { rows } = await checkCopy(database, signal);
  if (JSON.stringify(rows) !== JSON.stringify(manifest.rows))
    throw damaged(path, 'its database does not hold what its list of contents says');
  return countRows(rows);
};

/** Copies the rows of a backup of PostgreSQL. */
const putRows = async (
  { path, signal }: RestoreOptions,
  keys: readonly SecretKey[],
  target: RowTarget,
): Promise<number> => {
  const { put, end } = createTransfer(target, signal);
  const onPart = async ({ name, content }: Part): Promise<void> => {
    if (name === CODE_KEY_PART) await target.putCodeKey(await readText(content, path));
    else if (tableIn(name) !== undefined) await put(await readRowPart(content, path));
    else throw damaged(path, `it holds ${JSON.stringify(name)}, which does not belong there`);
  };
  const { manifest } = await readArchive(path, keys, onPart, signal);
  const { rows } = await end();
  if (rows !== countRows(manifest.rows)) throw damaged(path, 'it does not hold as many rows as it says');
  return rows;
};

const withSqlite = async <T>(path: string, use: (database: DatabaseSync) => Promise<T>): Promise<T> => {
  const database = new DatabaseSync(path);
  try {
    return await use(database);
  } finally {
    database.close();
  }
};

/** Where a backup of SQLite is unpacked before its rows go to PostgreSQL. */
const PREFIX = 'finclaw-restore-';

/** Removes what restores left that were killed: it holds everything, and no key protects it. */
const removeAbandoned = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const directory = join(parent, name);
    if (!name.startsWith(PREFIX) || !isAbandoned(directory)) continue;
    await rm(directory, { recursive: true, force: true });
  }
};

const MORE_ROOM =
  'A backup is unpacked there before its rows go to PostgreSQL: free some space, or set TMPDIR to a directory with more.';

const fromSqlite = async (
  options: RestoreOptions,
  keys: readonly SecretKey[],
  schema: TargetSchema,
): Promise<Omit<RestoreReport, 'header'>> => {
  const { target } = options;
  if (target.kind === 'sqlite')
    return fillDirectory(target.directory, async (staging) => {
      const rows = await unpack(options, keys, staging);
      const settled = await withSqlite(join(staging, SQLITE_FILE), (database) =>
        settle(onSqlite(database), schema, options),
      );
      return { rows, ...settled };
    });
  await removeAbandoned(tmpdir());
  const unpacked = await mkdtemp(join(tmpdir(), PREFIX));
  const claim = claimDirectory(unpacked);
  try {
    await withRoomIn(tmpdir(), MORE_ROOM, () => unpack(options, keys, unpacked));
    return await withSqlite(join(unpacked, SQLITE_FILE), (database) =>
      fillPostgres(target.databaseUrl, schema, async (filled, query) => {
        const { rows } = await transfer(
          directoryRows(database, unpacked, schema.tables),
          filled,
          options.signal,
        );
        return { rows, ...(await settle(onPostgres(query), schema, options)) };
      }),
    );
  } finally {
    claim.release();
    await rm(unpacked, { recursive: true, force: true });
  }
};

const fromPostgres = (
  options: RestoreOptions,
  keys: readonly SecretKey[],
  schema: TargetSchema,
): Promise<Omit<RestoreReport, 'header'>> => {
  const { target } = options;
  if (target.kind === 'postgres')
    return fillPostgres(target.databaseUrl, schema, async (filled, query) => ({
      rows: await putRows(options, keys, filled),
      ...(await settle(onPostgres(query), schema, options)),
    }));
  return fillDirectory(target.directory, (staging) =>
    fillSqlite(staging, schema, async (filled, database) => ({
      rows: await putRows(options, keys, filled),
      ...(await settle(onSqlite(database), schema, options)),
    })),
  );
};

/** Restores a backup into an empty directory or database, of either kind. After a failure the target is as empty as before. */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreReport> => {
  const { path, isPlain, envFile } = options;
  const keys = isPlain === true ? [] : readBackupKeys(options.keys);
  const header = await withSealedFile(path, keys, async (file) => file.header);
  if (!header.key && isPlain !== true && hasKeyIn(envFile)) throw notEncrypted(path);
  const schema = schemaLike(header.migrations, options.schema, options.secretKeys);
  if (!isOurs(header.migrations))
    throw new FinClawError(
      `The backup ${options.path} holds no data of FinClaw, because there was none where it was made. Use another one.`,
      'BACKUP_EMPTY',
    );
  const restore = header.database === 'sqlite' ? fromSqlite : fromPostgres;
  return { header, ...(await restore(options, keys, schema)) };
};
