import { resolve } from 'node:path';
import { CHANNELS } from '#channels/index.ts';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { loadDotEnv } from '#src/platform/config/environment.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { RestoreTarget } from '#src/platform/backup/restore.ts';

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Told {
  readonly code?: unknown;
  /** Of PostgreSQL. */
  readonly severity?: unknown;
  /** Of SQLite. */
  readonly errcode?: number;
}

/** SQLite: read-only, failing disk, damaged, full, cannot be opened, not a database. The rest is in the higher bits. */
const SQLITE_CONDITIONS: ReadonlySet<number> = new Set([8, 10, 11, 13, 14, 26]);

/** A wrong word, a full disk, a file that may not be read, or what a database says. Anything else is a bug, with its stack. */
const isForOperator = (error: unknown): boolean => {
  if (error instanceof FinClawError) return error.isOperational;
  const { code = '', severity, errcode = 0 } = error as Told;
  if (severity !== undefined || SQLITE_CONDITIONS.has(errcode & 0xff)) return true;
  return /^E[A-Z]+$/.test(String(code));
};

/** Runs a program with the settings of the bot. What an operator can fix is said in one sentence. */
export const runScript = async (
  run: (config: Config, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  // What the program writes is readable by this user alone.
  process.umask(0o077);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    loadDotEnv();
    await run(loadConfig(process.env, process.cwd(), CHANNELS), stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) say('Stopped.');
    else if (isForOperator(error)) process.stderr.write(`${errorMessage(error)}\n`);
    else throw error;
    process.exitCode = 1;
  }
};

/**
 * How somebody types a place: an address of PostgreSQL, or a directory, with or without `sqlite:` before it. A misspelt
 * address must not become a directory, whose name would hold a password.
 */
export const readPlace = (typed: string): RestoreTarget => {
  if (/^postgres(?:ql)?:\/\//.test(typed)) {
    if (URL.canParse(typed)) return { kind: 'postgres', databaseUrl: typed };
    throw new FinClawError(
      'The address of PostgreSQL cannot be read. In a password, write %23 for #, %2F for /, %40 for @ and so on.',
      'USAGE',
    );
  }
  const directory = typed.replace(/^sqlite:(?:\/\/(?=\/))?/, '');
  if (directory === '' || /^[\w+.-]+:\/\//.test(directory))
    throw new FinClawError(
      'The target is neither a directory nor an address of PostgreSQL, which begins with postgres://',
      'USAGE',
    );
  return { kind: 'sqlite', directory: resolve(directory) };
};

/** The place that a restore or a move fills, as the command line names it. */
export const readTarget = (typed: string): RestoreTarget => {
  const place = readPlace(typed);
  if (place.kind === 'sqlite' || new URL(place.databaseUrl).password === '') return place;
  throw new FinClawError(
    'Every user of this machine can read a password on the command line. Leave it out of the address, and set PGPASSWORD or write it into ~/.pgpass.',
    'USAGE',
  );
};

/** Where the bot has its data with these settings. */
export const ownPlace = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): RestoreTarget =>
  databaseUrl === undefined ? { kind: 'sqlite', directory: dataDir } : { kind: 'postgres', databaseUrl };

/** Without the password. */
export const shownPlace = (place: RestoreTarget): string => {
  if (place.kind === 'sqlite') return place.directory;
  const { host, pathname } = new URL(place.databaseUrl);
  return `PostgreSQL at ${host}, database ${pathname.slice(1)}`;
};
