import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Events } from '#src/kernel/events.ts';
import type { SessionKey, TurnId } from '#src/kernel/ids.ts';
import { NEVER_ABORTED } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import { closingMessages } from '../../loop/closing-messages.ts';
import {
  groupByTurn,
  isUnreadable,
  parseTranscript,
  toLine,
  toText,
  type TranscriptEntry,
  type TranscriptLine,
} from './transcript-entry.ts';
import { createLockedSession, isLocked } from './write-lock.ts';
import {
  appendDurably,
  fileNameOf,
  ifThere,
  inFileName,
  linkOnce,
  renameIfThere,
  replaceDurably,
  segmentsOf,
  syncDirectory,
} from './session-files.ts';
import { type RepairedTranscript, repairTranscript } from './transcript-repair.ts';

const keyOf = ({ turnId, at, message }: TranscriptEntry): string => `${turnId} ${at} ${message.role}`;

const turnsIn = (lines: readonly TranscriptLine[]): ReadonlySet<TurnId> =>
  new Set(lines.flatMap((line) => (isUnreadable(line) ? [] : [line.turnId])));

/** The readable entries without duplicates. No turn is closed, because any may be live. */
const readable = (lines: readonly TranscriptLine[]): readonly TranscriptEntry[] =>
  repairTranscript(lines, turnsIn(lines)).entries;

/**
 * Joins a conversation from its segments, oldest first. A segment begins with what was kept of the one before;
 * the first form of such an entry counts, because the kept one may have been shortened. Summaries are dropped,
 * because everything they stand for is present.
 */
const joinSegments = (parts: readonly (readonly TranscriptLine[])[]): readonly TranscriptEntry[] => {
  const known = new Set<string>();
  const all = parts.flatMap((lines) => {
    const fresh = readable(lines).filter((entry) => !entry.message.isSummary && !known.has(keyOf(entry)));
    for (const entry of fresh) known.add(keyOf(entry));
    return fresh;
  });
  return groupByTurn(all);
};

/** A clock that jumps back by more than this is trusted. */
const STEP_BACK_MS = 1_000;

/** Strictly increasing timestamps, because entries with equal times count as duplicates. */
const risingTimes = (clock: Clock): (() => string) => {
  let last: Temporal.Instant | undefined;
  return () => {
    const now = clock.now();
    const aheadMs = last ? last.epochMilliseconds - now.epochMilliseconds : -1;
    const isPassed = last !== undefined && Temporal.Instant.compare(last, now) >= 0;
    last = last && isPassed && aheadMs < STEP_BACK_MS ? last.add({ microseconds: 1 }) : now;
    return last.toString();
  };
};

export type { TranscriptEntry } from './transcript-entry.ts';

export interface TranscriptStore {
  /**
   * Loads the transcript, repaired if necessary, with the entries of each turn together. Turns that are not in
   * `liveTurns` have ended, and are closed where they break off: only the session's own run may pass it,
   * because elsewhere a turn may begin meanwhile. Without it any turn may be live, and none is closed.
   */
  readonly load: (
    sessionKey: SessionKey,
    liveTurns?: ReadonlySet<TurnId>,
  ) => Promise<readonly TranscriptEntry[]>;
  /** Durable when it resolves; absent when it rejects. */
  readonly append: (sessionKey: SessionKey, entry: Omit<TranscriptEntry, 'at'>) => Promise<TranscriptEntry>;
  /**
   * Replaces the transcript by these entries, and keeps the old one as a segment of the same conversation. A
   * crash leaves the old or the new one.
   */
  readonly replace: (sessionKey: SessionKey, entries: readonly TranscriptEntry[]) => Promise<void>;
  /** Archives the history under other names, including segments. False if there was none. */
  readonly archive: (sessionKey: SessionKey) => Promise<boolean>;
  /** All entries of the running conversation, including segments: each once, and no summaries. */
  readonly loadAll: (sessionKey: SessionKey) => Promise<readonly TranscriptEntry[]>;
  /** Size in bytes, without segments. */
  readonly sizeOf: (sessionKey: SessionKey) => Promise<number>;
}

interface Inspected extends RepairedTranscript {
  readonly text: string;
  readonly lines: readonly TranscriptLine[];
}

/** Limit of kinds of damage in a log line. */
const MAX_DESCRIBED = 5;

const inspect = async (text: string, liveTurns: ReadonlySet<TurnId> | undefined): Promise<Inspected> => {
  const lines = await byTime(parseTranscript(text), NEVER_ABORTED);
  return { text, lines, ...repairTranscript(lines, liveTurns ?? turnsIn(lines)) };
};

/**
 * One append-only file of JSON lines per session, written only under its lock. Readers need no lock, because a
 * line is complete as soon as its end is there.
 */
export const createTranscriptStore = (
  dataDir: string,
  clock: Clock,
  logger: FinClawLogger,
  events?: Events,
): TranscriptStore => {
  const directory = join(dataDir, 'sessions');
  const pathOf = (name: string): string => join(directory, name);
  const nextTime = risingTimes(clock);

  const locked = createLockedSession(directory, clock, events);

  const read = (name: string): Promise<string> => ifThere(readFile(pathOf(name), 'utf8'), '');

  /**
   * An interrupted turn is closed by appending. If something must be removed, the damaged file is kept under
   * another name, once: the first copy is closest to the original, and a failing disk must not fill up with
   * copies. Archiving removes it.
   */
  const writeRepaired = async (sessionKey: SessionKey, found: Inspected): Promise<void> => {
    const base = fileNameOf(sessionKey);
    const { corruptions, isRecoverable } = found;
    const content = toText(found.entries, found);
    if (content.startsWith(found.text))
      await appendDurably(directory, `${base}.jsonl`, content.slice(found.text.length));
    else
      await replaceDurably(directory, `${base}.jsonl`, content, async (path) => {
        await linkOnce(path, pathOf(`${base}.damaged`));
      });
    const counts: Record<string, number> = {};
    for (const { type } of corruptions) counts[type] = (counts[type] ?? 0) + 1;
    logger.warn('A transcript was damaged and is repaired', {
      sessionKey,
      corruptions: counts,
      found: [...new Set(corruptions.map(({ description }) => description))].slice(0, MAX_DESCRIBED),
      isRecoverable,
    });
    events?.emit('session:repair', { sessionKey, corruptions: Object.keys(counts) });
  };

  return {
    load: async (sessionKey, liveTurns) => {
      const name = `${fileNameOf(sessionKey)}.jsonl`;
      const found = await inspect(await read(name), liveTurns);
      if (found.corruptions.length === 0) return found.entries;
      try {
        return await locked(sessionKey, async () => {
          // Another process may have been writing the unfinished line.
          const text = await read(name);
          const again = text === found.text ? found : await inspect(text, liveTurns);
          if (again.corruptions.length > 0) await writeRepaired(sessionKey, again);
          return again.entries;
        });
      } catch (error) {
        if (isLocked(error)) throw error;
        // On a full disk the conversation is still readable, and is repaired again next time.
        logger.error('A repaired transcript could not be written', { sessionKey, error });
        return found.entries;
      }
    },

    append: (sessionKey, { turnId, message }) =>
      locked(sessionKey, async () => {
        const entry: TranscriptEntry = { turnId, at: nextTime(), message };
        await appendDurably(directory, `${fileNameOf(sessionKey)}.jsonl`, toLine(entry));
        return entry;
      }),

    replace: (sessionKey, entries) =>
      locked(sessionKey, async () => {
        const base = fileNameOf(sessionKey);
        const number = ((await segmentsOf(directory, base)).at(-1)?.number ?? 0) + 1;
        const segment = pathOf(`${base}.${inFileName(clock.now())}-${number}.segment`);
        const content = entries.map(toLine).join('');
        await replaceDurably(directory, `${base}.jsonl`, content, async (path) => {
          await linkOnce(path, segment);
        });
      }),

    archive: async (sessionKey) => {
      if (!(await ifThere(stat(directory), undefined))) return false;
      return locked(sessionKey, async () => {
        const base = fileNameOf(sessionKey);
        const aside = `${base}.${inFileName(clock.now())}`;
        const segments = await segmentsOf(directory, base);
        // The newest part goes last: until then nothing counts as archived, and a retry moves the rest.
        for (const { name, number } of segments)
          await renameIfThere(pathOf(name), pathOf(`${aside}-${number}.archived`));
        await renameIfThere(pathOf(`${base}.damaged`), pathOf(`${aside}.damaged.archived`));
        const hadFile = await renameIfThere(pathOf(`${base}.jsonl`), pathOf(`${aside}.archived`));
        await syncDirectory(directory);
        return hadFile || segments.length > 0;
      });
    },

    loadAll: async (sessionKey) => {
      const base = fileNameOf(sessionKey);
      const segments = await segmentsOf(directory, base);
      const names = [...segments.map(({ name }) => name), `${base}.jsonl`];
      const texts = await Promise.all(names.map(read));
      const parts: (readonly TranscriptLine[])[] = [];
      for (const text of texts) parts.push(await byTime(parseTranscript(text), NEVER_ABORTED));
      return joinSegments(parts);
    },

    sizeOf: async (sessionKey) => {
      const found = await ifThere(stat(pathOf(`${fileNameOf(sessionKey)}.jsonl`)), undefined);
      return found?.size ?? 0;
    },
  };
};

/**
 * Closes a suspended turn that will not be resumed: each of its calls gets a result with the reason. Otherwise
 * the next message would find a conversation that looks damaged.
 */
export const createCloseTurn =
  (transcripts: Pick<TranscriptStore, 'load' | 'append'>) =>
  async (sessionKey: SessionKey, turnId: TurnId, why: string): Promise<void> => {
    const entries = await transcripts.load(sessionKey);
    const own = entries.flatMap((entry) => (entry.turnId === turnId ? [entry.message] : []));
    for (const message of closingMessages(own, '', why))
      await transcripts.append(sessionKey, { turnId, message });
  };
