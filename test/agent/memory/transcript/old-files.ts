import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import { sessionFileName } from '#src/platform/storage/purge-files.ts';

/** A conversation as versions before wrote it: a file of JSON lines, and numbered segments that it replaced. */
export interface OldConversation {
  readonly sessionKey: SessionKey;
  readonly current?: readonly TranscriptEntry[];
  /** Oldest first. */
  readonly segments?: readonly (readonly TranscriptEntry[])[];
  /** What stands behind the last line of the file, such as half a line. */
  readonly debris?: string;
}

const linesOf = (entries: readonly TranscriptEntry[]): string =>
  entries.map(({ at, turnId, message }) => `${JSON.stringify({ at, turnId, message })}\n`).join('');

/** Writes a conversation into the data directory as versions before did. Gives the beginning of its files' names. */
export const writeOldFiles = (
  dataDir: string,
  { sessionKey, current, segments = [], debris = '' }: OldConversation,
): string => {
  const directory = join(dataDir, 'sessions');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const base = sessionFileName(sessionKey);
  for (const [index, entries] of segments.entries())
    writeFileSync(join(directory, `${base}.2026-11-12T063000.000Z-${index + 1}.segment`), linesOf(entries));
  if (current) writeFileSync(join(directory, `${base}.jsonl`), linesOf(current) + debris);
  return base;
};
