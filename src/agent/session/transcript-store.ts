import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionKey, TurnId } from '#src/core/ids.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import type { Clock } from '#src/infra/clock.ts';

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

/**
 * One append-only file of JSON lines a session. A line that a crash cut short has no line end: it is taken
 * off before the next one is written. Calls for one session must not overlap; the queue sees to that.
 */
export const createTranscriptStore = (dataDir: string, clock: Clock): TranscriptStore => {
  const directory = join(dataDir, 'sessions');
  /** A hash, for session keys contain ids from outside and may be longer than a file name. */
  const fileOf = (sessionKey: SessionKey): string =>
    join(directory, `${createHash('sha256').update(sessionKey).digest('hex').slice(0, 32)}.jsonl`);

  return {
    load: async (sessionKey) => {
      const path = fileOf(sessionKey);
      const text = await readIfThere(path);
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
      return whole
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as TranscriptEntry);
    },

    append: async (sessionKey, entry) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const line = `${JSON.stringify({ at: clock.now().toString(), ...entry })}\n`;
      const file = await open(fileOf(sessionKey), 'a', 0o600);
      try {
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
