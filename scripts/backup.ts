import { existsSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { FEATURE_TABLES } from '#src/features/tables.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { BackupOutcome } from '#src/kernel/operations.ts';
import type { Config } from '#src/platform/config/config.ts';
import { commandFor } from '#src/platform/command-for.ts';
import { askControl } from '#src/platform/control-socket.ts';
import { type BackupReport, makeBackup } from '#src/platform/storage/backup/make-backup.ts';
import { openFile, schemaOf, SQLITE_FILE } from '#src/platform/storage/database.ts';
import { readPlace, runScript, say } from './database/run-script.ts';
import { HELP, readOptions } from './options/read-options.ts';

// Makes a backup: npm run backup [-- --to DIRECTORY]. A running bot makes it itself, and goes on answering.

const USAGE = commandFor('backup', '[--to DIRECTORY]');
const schema = schemaOf(FEATURE_TABLES);
const { version } = packageJson;

type Made = Pick<BackupReport, 'bytes' | 'rows' | 'tookMs' | 'isEncrypted'>;

const tell = (path: string, { bytes, rows, tookMs, isEncrypted }: Made): void => {
  say(path);
  say(
    `${(bytes / 1_000).toFixed(0)} kB, ${rows} rows, ${(tookMs / 1_000).toFixed(1)} s, read back and compared, ${
      isEncrypted ? 'encrypted' : 'NOT encrypted (set FINCLAW_BACKUP_KEY)'
    }`,
  );
};

/** False if no bot runs on the data directory. */
const askBot = async (
  { dataDir, backup }: Config,
  to: string | undefined,
  signal: AbortSignal,
): Promise<boolean> => {
  const reply = await askControl(dataDir, { ask: 'backup', to }, { signal });
  if (reply.status === 'absent') return false;
  if (reply.status === 'failed') throw new FinClawError(reply.reason, 'BACKUP_FAILED');
  const outcome = reply.answer as BackupOutcome;
  if (outcome.status === 'running')
    throw new FinClawError(
      'FinClaw is making a backup already. Try again when it is complete.',
      'BACKUP_RUNNING',
    );
  if (outcome.status === 'failed') throw new FinClawError(outcome.reason, 'BACKUP_FAILED');
  tell(join(to ?? backup.directory, outcome.file), outcome);
  return true;
};

/** No bot answers here, so it is not a bot that has to be stopped. */
const openAlone = (dataDir: string): ReturnType<typeof openFile> => {
  try {
    return openFile({ dataDir });
  } catch (error) {
    if (!(error instanceof FinClawError) || error.code !== 'DATA_DIR_IN_USE') throw error;
    throw new FinClawError(
      `Another program of FinClaw is using ${dataDir}, such as a backup or a move. Try again when it has ended.`,
      error.code,
      { cause: error },
    );
  }
};

const backUpItself = async (
  { dataDir, databaseUrl, backup }: Config,
  to: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const settings = to === undefined ? backup : { ...backup, directory: to, keep: Number.MAX_SAFE_INTEGER };
  const job = { reason: 'asked' as const, at: Temporal.Now.instant(), signal };
  if (databaseUrl !== undefined) {
    const report = await makeBackup({ dataDir, databaseUrl, ...schema, version }, settings, job);
    tell(report.path, report);
    return;
  }
  if (!existsSync(join(dataDir, SQLITE_FILE)))
    throw new FinClawError(
      `There is no database in ${dataDir}, so there is nothing to back up.`,
      'NO_DATABASE',
    );
  const { db, copyTo } = openAlone(dataDir);
  try {
    const report = await makeBackup({ dataDir, copyTo, ...schema, version }, settings, job);
    tell(report.path, report);
  } finally {
    await db.destroy();
  }
};

/** An address must not become a directory, whose name would hold a password. */
const directoryIn = (typed: string): string => {
  const place = readPlace(typed);
  if (place.kind === 'sqlite') return place.directory;
  throw new FinClawError(`A backup goes into a directory. Usage: ${USAGE}`, 'USAGE');
};

await runScript(async (config, signal) => {
  const { values } = readOptions(USAGE, { options: { to: { type: 'string' }, ...HELP } });
  if (values.help) return say(USAGE);
  const to = values.to === undefined ? undefined : directoryIn(values.to);
  if (config.databaseUrl === undefined && (await askBot(config, to, signal))) return undefined;
  return backUpItself(config, to, signal);
});
