import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionKey, TurnId } from '#src/core/ids.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';

export interface TranscriptEntry {
  readonly turnId: TurnId;
  readonly at: string;
  readonly message: ConversationMessage;
}

export interface TranscriptStore {
  readonly load: (sessionKey: SessionKey) => Promise<readonly TranscriptEntry[]>;
  /** On disk when it resolves. */
  readonly append: (sessionKey: SessionKey, entry: Omit<TranscriptEntry, 'at'>) => Promise<void>;
  /** Sets the history aside under another name. False when there was none. */
  readonly archive: (sessionKey: SessionKey) => Promise<boolean>;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const readIfThere = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
};

const LINE_FEED = 0x0a;

/** A write that a full disk cut short leaves half a line: the next one must not be glued to it. */
const dropTornLine = async (file: FileHandle): Promise<void> => {
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  if (size === 0 || last[0] === LINE_FEED) return;
  const bytes = Buffer.alloc(size);
  await file.read(bytes, 0, size, 0);
  await file.truncate(bytes.lastIndexOf(LINE_FEED) + 1);
};

/**
 * One append-only file of JSON lines a session. A line that a crash cut short has no line end: it is taken
 * off before the next one is written. Calls for one session must not overlap; the queue sees to that.
 */
export const createTranscriptStore = (
  dataDir: string,
  clock: Clock,
  logger: FinClawLogger,
): TranscriptStore => {
  /** One unreadable line must not cost the whole conversation. */
  const parseLine = (line: string, sessionKey: SessionKey): readonly TranscriptEntry[] => {
    try {
      const entry = JSON.parse(line) as TranscriptEntry | null;
      if (!entry?.turnId || !Array.isArray(entry.message?.content)) throw new Error('not an entry');
      return [entry];
    } catch (error) {
      logger.error('A line of a transcript cannot be read and is left out', { sessionKey, error });
      return [];
    }
  };

  const directory = join(dataDir, 'sessions');
  /** A hash, for session keys contain ids from outside and may be longer than a file name. */
  const fileOf = (sessionKey: SessionKey): string =>
    join(directory, `${createHash('sha256').update(sessionKey).digest('hex').slice(0, 32)}.jsonl`);

  return {
    load: async (sessionKey) => {
      // What follows the last line end was cut short; the next append takes it off.
      const lines = (await readIfThere(fileOf(sessionKey))).split('\n').slice(0, -1);
      return lines.flatMap((line) => (line === '' ? [] : parseLine(line, sessionKey)));
    },

    append: async (sessionKey, entry) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const line = `${JSON.stringify({ at: clock.now().toString(), ...entry })}\n`;
      const file = await open(fileOf(sessionKey), 'a+', 0o600);
      try {
        await dropTornLine(file);
        await file.writeFile(line);
        await file.datasync();
      } finally {
        await file.close();
      }
    },

    archive: async (sessionKey) => {
      const path = fileOf(sessionKey);
      const suffix = clock.now().toString({ smallestUnit: 'millisecond' }).replaceAll(':', '');
      try {
        await rename(path, path.replace(/\.jsonl$/, `.${suffix}.archived`));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
};
