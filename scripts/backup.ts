import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA } from '#src/wiring/schema.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { BackupOutcome } from '#src/kernel/operations/backup.ts';
import { describeBuild, readBuild } from '#src/platform/build.ts';
import type { Config } from '#src/platform/config/config.ts';
import { commandFor } from '#src/platform/how-to-run.ts';
import { askControl } from '#src/platform/net/control-socket.ts';
import { keysOfBackup } from '#src/platform/backup/backup-key.ts';
import type { BackupRequest } from '#src/platform/backup/backups.ts';
import { type BackupReport, makeBackup } from '#src/platform/backup/make-backup.ts';
import { openFile, SQLITE_FILE } from '#src/platform/storage/database.ts';
import { readPlace, runScript, say } from './database/run-script.ts';
import { HELP, readOptions } from './options/read-options.ts';

// Makes a backup: npm run backup [-- --to DIRECTORY] [--plain]. A running bot makes it itself, and goes on answering.

const USAGE = commandFor('backup', '[--to DIRECTORY] [--plain]');
const version = describeBuild(readBuild());

type Made = Pick<BackupReport, 'bytes' | 'rows' | 'tookMs'>;

const NOT = 'NOT encrypted';

const tell = (path: string, { bytes, rows, tookMs }: Made, protection: string): void => {
  say(path);
  say(
    `${(bytes / 1_000).toFixed(0)} kB, ${rows} rows, ${(tookMs / 1_000).toFixed(1)} s, read back and compared, ${protection}`,
  );
};

/** What was asked for on the command line. */
type Asked = Pick<BackupRequest, 'to' | 'isPlain'>;

/** False if no bot runs on the data directory. */
const askBot = async ({ dataDir, backup }: Config, asked: Asked, signal: AbortSignal): Promise<boolean> => {
  const keyId = keysOfBackup({ ...backup, isPlain: asked.isPlain })[0]?.id;
  const reply = await askControl(dataDir, { ask: 'backup', ...asked, keyId }, { signal });
  if (reply.status === 'absent') return false;
  if (reply.status === 'failed') throw new FinClawError(reply.reason, 'BACKUP_FAILED');
  const outcome = reply.answer as BackupOutcome;
  if (outcome.status === 'running')
    throw new FinClawError(
      'FinClaw is making a backup already. Try again when it is complete.',
      'BACKUP_RUNNING',
    );
  if (outcome.status === 'failed') throw new FinClawError(outcome.reason, 'BACKUP_FAILED');
  const { file, isEncrypted } = outcome;
  const open = asked.isPlain ? NOT : `${NOT} (set FINCLAW_BACKUP_KEY, and restart the bot)`;
  const closed =
    keyId === undefined ? 'encrypted with the FINCLAW_BACKUP_KEY of the running bot' : 'encrypted';
  tell(join(asked.to ?? backup.directory, file), outcome, isEncrypted ? closed : open);
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
  { to, isPlain }: Asked,
  signal: AbortSignal,
): Promise<void> => {
  const place = to === undefined ? {} : { directory: to, keep: Number.MAX_SAFE_INTEGER };
  const settings = { ...backup, ...place, isPlain };
  const say = (report: BackupReport): void => {
    const open = isPlain ? NOT : `${NOT} (set FINCLAW_BACKUP_KEY)`;
    tell(report.path, report, report.isEncrypted ? 'encrypted' : open);
  };
  const job = { reason: 'asked' as const, at: Temporal.Now.instant(), signal };
  if (databaseUrl !== undefined) {
    say(await makeBackup({ dataDir, databaseUrl, ...SCHEMA, version }, settings, job));
    return;
  }
  if (!existsSync(join(dataDir, SQLITE_FILE)))
    throw new FinClawError(
      `There is no database in ${dataDir}, so there is nothing to back up.`,
      'NO_DATABASE',
    );
  const { db, copyTo } = openAlone(dataDir);
  try {
    say(await makeBackup({ dataDir, copyTo, ...SCHEMA, version }, settings, job));
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
  const { values } = readOptions(USAGE, {
    options: { to: { type: 'string' }, plain: { type: 'boolean', default: false }, ...HELP },
  });
  if (values.help) return say(USAGE);
  const to = values.to === undefined ? undefined : directoryIn(values.to);
  const asked = { to, isPlain: values.plain };
  return (await askBot(config, asked, signal)) ? undefined : backUpItself(config, asked, signal);
});
