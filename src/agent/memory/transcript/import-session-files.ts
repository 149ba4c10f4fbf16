import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionKey } from '#src/kernel/ids.ts';
import { NEVER_ABORTED } from '#src/platform/abort.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import {
  hasRows,
  insertRow,
  knownSessions,
  type TranscriptRow,
} from '#src/platform/storage/messages/transcript-rows.ts';
import { importedDirectory, sessionFileName } from '#src/platform/storage/purge-files.ts';
import { namesIn } from '#src/platform/storage/sent-files.ts';
import { changeRows } from './row-change.ts';
import { parseTranscript, type TranscriptEntry, type TranscriptLine } from './transcript-entry.ts';
import { readable, wholeConversation } from './transcript-store.ts';

interface ImportDeps {
  readonly dataDir: string;
  readonly storage: Pick<Storage, 'db' | 'write'>;
  readonly logger: FinClawLogger;
}

interface ImportedRow {
  readonly row: TranscriptRow;
  readonly state: 'current' | 'compacted';
}

const SEGMENT = /-(\d+)\.segment$/;

const numberOf = (name: string): number => Number(SEGMENT.exec(name)?.[1] ?? Infinity);

/** The parts of a conversation, oldest first: numbered segments, and then the file that was read. */
const partsOf = (base: string, names: readonly string[]): readonly string[] =>
  names
    .filter((name) => name === `${base}.jsonl` || SEGMENT.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b));

const positionOf = (at: string): number => Number(Temporal.Instant.from(at).epochNanoseconds / 1_000n);

/** The rows of a conversation: `current` is what its last file held, `lines` everything. */
const toRows = (
  lines: readonly TranscriptLine[],
  current: readonly TranscriptEntry[],
): readonly ImportedRow[] => {
  let position = 0;
  const whole = wholeConversation(lines).map(({ turnId, at, message }): TranscriptRow => {
    position = Math.max(position + 1, positionOf(at));
    return { position, version: 0, turnId, at, message: JSON.stringify(message) };
  });
  // As if the whole conversation had been replaced by the last file at once.
  const { retired, added } = changeRows(whole, 1, current);
  const compacted = new Set<unknown>(retired);
  return [
    ...whole.map((row) => ({
      row,
      state: compacted.has(row) ? ('compacted' as const) : ('current' as const),
    })),
    ...added.map((row) => ({ row, state: 'current' as const })),
  ];
};

/**
 * Moves the conversations of versions that kept them in files into the database, one in a transaction. The files are set
 * aside, where retention and `/privacy delete` still reach them. It may be interrupted anywhere, and goes on at the next
 * start.
 */
export const importSessionFiles = async ({ dataDir, storage, logger }: ImportDeps): Promise<void> => {
  const directory = join(dataDir, 'sessions');
  const names = await namesIn(directory);
  if (names.length === 0) return;
  const aside = importedDirectory(dataDir);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  const sessions = new Map([...(await knownSessions(storage.db))].map((key) => [sessionFileName(key), key]));
  const groups = Map.groupBy(names, (name) => name.split('.', 1)[0] ?? '');
  let imported = 0;
  let unknown = 0;

  const readPart = async (name: string): Promise<readonly TranscriptLine[]> =>
    byTime(parseTranscript(await readFile(join(directory, name), 'utf8')), NEVER_ABORTED);

  const importSession = async (sessionKey: SessionKey, parts: readonly string[]): Promise<void> => {
    const lines: (readonly TranscriptLine[])[] = [];
    for (const part of parts) lines.push(await readPart(part));
    const isRunning = parts.at(-1)?.endsWith('.jsonl') === true;
    const rows = toRows(lines.flat(), isRunning ? readable(lines.at(-1) ?? []) : []);
    await storage.write(async (tx) => {
      // An interrupted import has stored it already.
      if (await hasRows(tx, sessionKey, ['current', 'compacted'])) return;
      for (const { row, state } of rows) await insertRow(tx, sessionKey, row, state);
    });
    imported += 1;
  };

  for (const [base, files] of groups) {
    const parts = partsOf(base, files);
    const sessionKey = sessions.get(base);
    if (parts.length > 0 && sessionKey) await importSession(sessionKey, parts);
    else if (parts.length > 0) unknown += 1;
    for (const name of files)
      if (name.endsWith('.lock') || name.endsWith('.tmp')) await rm(join(directory, name), { force: true });
      else await rename(join(directory, name), join(aside, name));
  }
  await rmdir(directory);
  logger.info('Conversations were moved from files into the database', { imported, setAside: aside });
  if (unknown > 0)
    logger.warn('Some files of conversations belong to no known message, and were only set aside', {
      unknown,
      setAside: aside,
    });
};
