import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runInThread } from '../concurrency/run-in-thread.ts';
import { codeKeyIn } from '../storage/person-codes.ts';
import { filesIn, namesIn, sentFileOf } from '../storage/sent-files.ts';
import { SENT_FILE_KINDS } from '../storage/schema.ts';
import type { Part } from './archive.ts';
import type { CopyReport } from './check-copy-worker.ts';
import { withRoomIn } from './room.ts';
import type { SqliteFiles } from '../storage/sqlite-copy.ts';

const PREFIX = '.backup-';
const WORKER = new URL('./check-copy-worker.ts', import.meta.url);
const MAX_HEAP_MB = 256;

export const DATABASE_PART = 'database.sqlite';
export const CODE_KEY_PART = 'person-codes';
/** What operators put into the data directory. */
const OWN_FOLDERS = ['skills'];
/** The only folders whose files a backup may hold. */
export const BACKED_UP_FOLDERS: readonly string[] = [...SENT_FILE_KINDS, ...OWN_FOLDERS];

/** Checks a copy in a thread of its own, because that may take minutes. Throws if it is not sound. */
export const checkCopy = async (path: string, signal: AbortSignal): Promise<CopyReport> => {
  const outcome = await runInThread<CopyReport>(WORKER, path, { maxHeapMb: MAX_HEAP_MB }, signal);
  if (outcome.status === 'failed') throw outcome.error;
  if (outcome.status !== 'reported') throw new Error(`The check of the copy ended early (${outcome.status})`);
  const [problem] = outcome.report.problems;
  if (problem !== undefined) throw new Error(`The copy of the database is not sound: ${problem}`);
  return outcome.report;
};

/** A link costs no space. Some file systems have none. */
const linkOrCopy = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The file was removed since it was listed, or linked before.
    if (code === 'ENOENT' || code === 'EEXIST') return;
    await copyFile(from, to).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause;
    });
  }
};

const linkFiles = async (dataDir: string, staging: string): Promise<void> => {
  for (const kind of SENT_FILE_KINDS) {
    await mkdir(join(staging, kind), { recursive: true, mode: 0o700 });
    for (const name of await namesIn(join(dataDir, kind)))
      await linkOrCopy(join(dataDir, kind, name), join(staging, kind, name));
  }
};

/** The files below a directory. Links are not followed: they may lead to what is none of the bot's. */
const filesBelow = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
};

const ownFiles = async (dataDir: string): Promise<readonly string[]> =>
  (await Promise.all(OWN_FOLDERS.map((folder) => filesBelow(join(dataDir, folder))))).flat();

const fileAt = (path: string): AsyncIterable<Buffer> => createReadStream(path) as AsyncIterable<Buffer>;

const bytesOf = async function* (text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
};

export interface StagedCopy {
  readonly report: CopyReport;
  readonly missingFiles: number;
  readonly parts: () => AsyncIterable<Part>;
}

/**
 * Copies a data directory in use to a place beside it, checks the copy, and gives it as parts. The files are linked before
 * and after the database is copied, so none that the copy refers to is missed, even if it is removed meanwhile.
 */
export const withStagedCopy = async <T>(
  dataDir: string,
  copyTo: SqliteFiles['copyTo'],
  signal: AbortSignal,
  use: (copy: StagedCopy) => Promise<T>,
): Promise<T> => {
  // Left by a process that was killed. There is only one process, and it makes one backup at a time.
  for (const name of await namesIn(dataDir))
    if (name.startsWith(PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true });
  const staging = await mkdtemp(join(dataDir, PREFIX));
  try {
    const database = join(staging, DATABASE_PART);
    await withRoomIn(dataDir, 'Free some space, because the database is copied there first.', async () => {
      await linkFiles(dataDir, staging);
      await copyTo(database, signal);
      await linkFiles(dataDir, staging);
    });
    const report = await checkCopy(database, signal);
    const wanted = new Map(
      report.unsent
        .flatMap(filesIn)
        .flatMap((url) => sentFileOf(url) ?? [])
        .map(({ kind, name }) => [`${kind}/${name}`, join(staging, kind, name)]),
    );
    const staged = new Set<string>();
    for (const kind of SENT_FILE_KINDS)
      for (const name of await namesIn(join(staging, kind))) staged.add(`${kind}/${name}`);
    const found = [...wanted].filter(([name]) => staged.has(name));
    const codeKey = codeKeyIn(dataDir);
    const own = await ownFiles(dataDir);
    return await use({
      report,
      missingFiles: wanted.size - found.length,
      parts: async function* () {
        if (codeKey !== undefined) yield { name: CODE_KEY_PART, content: bytesOf(codeKey) };
        yield { name: DATABASE_PART, content: fileAt(database) };
        for (const [name, path] of found) yield { name, content: fileAt(path) };
        for (const path of own)
          yield { name: path.slice(dataDir.length + 1).replaceAll('\\', '/'), content: fileAt(path) };
      },
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};
