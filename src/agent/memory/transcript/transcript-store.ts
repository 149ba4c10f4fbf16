import { LRUCache } from 'lru-cache';
import type { Events } from '#src/kernel/operations/events.ts';
import type { SessionKey, TurnId } from '#src/kernel/ids.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { atOnce, byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { RowPlace, TranscriptRow, TranscriptRows, RowChange } from '#src/agent/store/transcript-rows.ts';
import { receiptsIn } from '#src/agent/content-blocks.ts';
import { closingMessages } from './closing-messages.ts';
import {
  groupByTurn,
  isUnreadable,
  parseRows,
  type TranscriptEntry,
  type TranscriptLine,
} from './transcript-entry.ts';
import { type RepairedTranscript, repairTranscript } from './transcript-repair.ts';

const turnsIn = (lines: readonly TranscriptLine[]): ReadonlySet<TurnId> =>
  new Set(lines.flatMap((line) => (isUnreadable(line) ? [] : [line.turnId])));

/** Equal for all forms of an entry. */
const formOf = ({ turnId, at, message }: TranscriptEntry): string => `${turnId} ${at} ${message.role}`;

/** The readable entries without duplicates. No turn is closed, because any may be live. */
const readable = (lines: readonly TranscriptLine[]): readonly TranscriptEntry[] =>
  repairTranscript(lines, turnsIn(lines)).entries;

/**
 * A whole conversation from all of its entries. The first form of an entry counts, because later ones were shortened.
 * Summaries are dropped, because everything they stand for is present.
 */
const wholeConversation = (lines: readonly TranscriptLine[]): readonly TranscriptEntry[] => {
  const known = new Set<string>();
  const entries = readable(lines).filter((entry) => {
    const key = formOf(entry);
    if (entry.message.isSummary || known.has(key)) return false;
    known.add(key);
    return true;
  });
  return groupByTurn(entries);
};

/** A clock that jumps back by more than this is trusted. */
const STEP_BACK_US = 1_000_000;

const microsecondsOf = (at: Temporal.Instant): number => Number(at.epochNanoseconds / 1_000n);

/** Strictly increasing times in microseconds, because entries with equal times count as duplicates. */
const risingTimes = (clock: Clock): (() => { readonly at: string; readonly us: number }) => {
  let lastUs = 0;
  return () => {
    const now = clock.now();
    const nowUs = microsecondsOf(now);
    const isPassed = nowUs <= lastUs && lastUs - nowUs < STEP_BACK_US;
    lastUs = isPassed ? lastUs + 1 : nowUs;
    const at = isPassed ? Temporal.Instant.fromEpochNanoseconds(BigInt(lastUs) * 1_000n) : now;
    return { at: at.toString(), us: lastUs };
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
  /**
   * Survives the end of the process when it resolves, and a power cut once a later write is durable. An entry with tool
   * calls is durable at once: a call that may have had an effect must be known after a power cut.
   */
  readonly append: (sessionKey: SessionKey, entry: Omit<TranscriptEntry, 'at'>) => Promise<TranscriptEntry>;
  /** Does the same, but gives the entry before it is stored. */
  readonly startAppend: (
    sessionKey: SessionKey,
    entry: Omit<TranscriptEntry, 'at'>,
  ) => { readonly entry: TranscriptEntry; readonly stored: Promise<void> };
  /** Replaces the transcript by these entries. What they replace still belongs to the whole conversation. */
  readonly replace: (sessionKey: SessionKey, entries: readonly TranscriptEntry[]) => Promise<void>;
  /** Archives the whole conversation; the next entry begins a new one. False if there was none. */
  readonly archive: (sessionKey: SessionKey) => Promise<boolean>;
  /** All entries of the running conversation, also replaced ones: each once, and no summaries. */
  readonly loadAll: (sessionKey: SessionKey) => Promise<readonly TranscriptEntry[]>;
  /** Whether the conversation has no entry. One that another process has just archived may count as running. */
  readonly isEmpty: (sessionKey: SessionKey) => Promise<boolean>;
  /** Deletes the conversation with everything archived. False if there was none. */
  readonly remove: (sessionKey: SessionKey) => Promise<boolean>;
}

const inspect = (
  lines: readonly TranscriptLine[],
  liveTurns: ReadonlySet<TurnId> | undefined,
): RepairedTranscript => repairTranscript(lines, liveTurns ?? turnsIn(lines));

/** Limit of kinds of damage in a log line. */
const MAX_DESCRIBED = 5;

/** More than are ever under way at once: after a load the place of the last entry is known again. */
const MAX_SESSIONS = 1_000;

/** Limits of the text of all conversations in memory, beside their number, and of one of them. One with pictures is mostly longer, and not kept. */
const MAX_KEPT_CHARS = 16_000_000;
const MAX_CHARS_OF_ONE = 500_000;
/** After this time, the text of a conversation that another process deleted has left the memory too. */
const KEPT_FOR_MS = 600_000;

interface KeptConversation {
  readonly lines: readonly TranscriptLine[];
  /** The places of the first and the last row; none if there are no rows. */
  readonly ends: readonly RowPlace[];
  readonly chars: number;
}

/** Without the text of the row. */
const placeOf = ({ position, version }: RowPlace): RowPlace => ({ position, version });

const isSamePlace = (one: RowPlace | undefined, other: RowPlace | undefined): boolean =>
  one?.position === other?.position && one?.version === other?.version;

const endsOf = (first: RowPlace | undefined, last: RowPlace | undefined): readonly RowPlace[] =>
  first && last ? [placeOf(first), placeOf(last)] : [];

/**
 * Keeps conversations that were read or written lately, because reading and parsing one takes longer than all other
 * queries of a message. Before one is used, the database is asked for its first and last row: another process that archives,
 * deletes or summarizes a conversation changes the first one, and one that goes on with it the last one.
 */
const createKeptConversations = (rows: TranscriptRows) => {
  const kept = new LRUCache<SessionKey, KeptConversation>({
    max: MAX_SESSIONS,
    maxSize: MAX_KEPT_CHARS,
    maxEntrySize: MAX_CHARS_OF_ONE,
    sizeCalculation: ({ chars }) => Math.max(1, chars),
    ttl: KEPT_FOR_MS,
    ttlAutopurge: true,
  });
  let changes = 0;
  return {
    read: async (sessionKey: SessionKey): Promise<KeptConversation> => {
      const known = kept.get(sessionKey);
      if (known) {
        const [first, last] = await rows.ends(sessionKey);
        if (isSamePlace(first, known.ends[0]) && isSamePlace(last, known.ends[1])) return known;
      }
      const changesBefore = changes;
      const found = await rows.current(sessionKey);
      const lines = await byTime(parseRows(found), NEVER_ABORTED);
      const chars = found.reduce((sum, { message }) => sum + message.length, 0);
      const read = { lines, ends: endsOf(found[0], found.at(-1)), chars };
      if (changes === changesBefore) kept.set(sessionKey, read);
      return read;
    },
    /** A row was stored behind the one at `before`. What does not end there was read too early or too late, and is dropped. */
    append: (sessionKey: SessionKey, row: TranscriptRow, entry: TranscriptEntry, before: number): void => {
      const known = kept.get(sessionKey);
      if (!known) return;
      const [first, last] = known.ends;
      if ((last?.position ?? 0) !== before) {
        kept.delete(sessionKey);
        return;
      }
      const chars = known.chars + row.message.length;
      kept.set(sessionKey, { lines: [...known.lines, entry], ends: endsOf(first ?? row, row), chars });
    },
    /** Whether it has entries, as far as is known without a query. */
    has: (sessionKey: SessionKey): boolean => (kept.peek(sessionKey)?.lines.length ?? 0) > 0,
    /** Makes a change that may leave both ends as they are. */
    change: async <T>(sessionKey: SessionKey, change: () => Promise<T>): Promise<T> => {
      try {
        return await change();
      } finally {
        // A read that began before the change may end after it.
        changes += 1;
        kept.delete(sessionKey);
      }
    },
  };
};

/** Conversations as rows of the database. Only the run that holds a session writes to it. */
export const createTranscriptStore = (
  rows: TranscriptRows,
  clock: Clock,
  logger: FinClawLogger,
  events?: Events,
): TranscriptStore => {
  const nextTime = risingTimes(clock);
  const kept = createKeptConversations(rows);
  const lastPositions = new LRUCache<SessionKey, number>({ max: MAX_SESSIONS });

  /**
   * Learns where a conversation ends, before its next entry. Entries that are not read count too: after the clock was set
   * back, a new entry must neither come before them nor take the place of one.
   */
  const learnPosition = async (sessionKey: SessionKey, lastRead: number): Promise<void> => {
    const known = lastPositions.get(sessionKey) ?? (await rows.lastPosition(sessionKey));
    lastPositions.set(sessionKey, Math.max(lastRead, lastPositions.get(sessionKey) ?? known));
  };

  /** Rising within the session, also after the clock was set back. */
  const nextPosition = (sessionKey: SessionKey, us: number): number => {
    const position = Math.max(us, (lastPositions.get(sessionKey) ?? 0) + 1);
    lastPositions.set(sessionKey, position);
    return position;
  };

  const report = (sessionKey: SessionKey, { corruptions, isRecoverable }: RepairedTranscript): void => {
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

  /** Repairs again in the transaction, because an entry may have been added. Damaged ones stay in the database. */
  const writeRepaired = async (
    sessionKey: SessionKey,
    liveTurns: ReadonlySet<TurnId> | undefined,
  ): Promise<RepairedTranscript> => {
    let repaired = inspect([], liveTurns);
    await rows.change(
      sessionKey,
      'damaged',
      (current, nextVersion) => {
        repaired = inspect(atOnce(parseRows(current)), liveTurns);
        return changeRows(current, nextVersion, repaired.entries);
      },
      clock.now(),
    );
    return repaired;
  };

  const startAppend: TranscriptStore['startAppend'] = (sessionKey, { turnId, message }) => {
    const { at, us } = nextTime();
    const before = lastPositions.get(sessionKey) ?? 0;
    const position = nextPosition(sessionKey, us);
    const row = { position, version: 0, turnId, at, message: JSON.stringify(message) };
    const entry = { turnId, at, message };
    const isDurable = message.content.some(({ type }) => type === 'tool_use');
    const stored = rows
      .append(sessionKey, row, isDurable)
      .then(() => kept.append(sessionKey, row, entry, before));
    return { entry, stored };
  };

  return {
    load: async (sessionKey, liveTurns) => {
      const { lines, ends } = await kept.read(sessionKey);
      await learnPosition(sessionKey, ends[1]?.position ?? 0);
      const inspected = inspect(lines, liveTurns);
      if (inspected.corruptions.length === 0) return inspected.entries;
      try {
        const repaired = await kept.change(sessionKey, () => writeRepaired(sessionKey, liveTurns));
        report(sessionKey, repaired);
        return repaired.entries;
      } catch (error) {
        // On a full disk the conversation is still readable, and is repaired again next time.
        logger.error('A repaired transcript could not be written', { sessionKey, error });
        return inspected.entries;
      }
    },

    startAppend,

    append: async (sessionKey, given) => {
      const { entry, stored } = startAppend(sessionKey, given);
      await stored;
      return entry;
    },

    replace: (sessionKey, entries) =>
      kept.change(sessionKey, () =>
        rows.change(
          sessionKey,
          'compacted',
          (current, nextVersion) => changeRows(current, nextVersion, entries),
          clock.now(),
        ),
      ),

    archive: (sessionKey) => kept.change(sessionKey, () => rows.archive(sessionKey, clock.now())),

    loadAll: async (sessionKey) =>
      wholeConversation(await byTime(parseRows(await rows.all(sessionKey)), NEVER_ABORTED)),

    isEmpty: async (sessionKey) => !kept.has(sessionKey) && !(await rows.hasAny(sessionKey, 'current')),

    remove: (sessionKey) => kept.change(sessionKey, () => rows.remove(sessionKey)),
  };
};

/**
 * Closes a suspended turn that will not be resumed: each of its calls gets a result with the reason. Otherwise
 * the next message would find a conversation that looks damaged. Returns what the turn has changed.
 */
export const createCloseTurn =
  (transcripts: Pick<TranscriptStore, 'load' | 'append'>) =>
  async (sessionKey: SessionKey, turnId: TurnId, why: string): Promise<readonly ChangeReceipt[]> => {
    const entries = await transcripts.load(sessionKey);
    const own = entries.flatMap((entry) => (entry.turnId === turnId ? [entry.message] : []));
    for (const message of closingMessages(own, '', why))
      await transcripts.append(sessionKey, { turnId, message });
    return receiptsIn(own);
  };

const keyOf = ({ turnId, at }: Pick<TranscriptRow, 'turnId' | 'at'>): string => `${turnId} ${at}`;

const isBehind = (place: RowPlace, other: RowPlace): boolean =>
  place.position === other.position ? place.version > other.version : place.position > other.position;

/** Before every entry: the clock of no machine shows 1970. */
const START: RowPlace = { position: 0, version: 0 };

/**
 * How the current rows become these entries. A row whose entry is unchanged and in order stays. Other entries get the
 * place behind the entry before them; a changed entry takes the place of its old form.
 */
const changeRows = (
  current: readonly TranscriptRow[],
  nextVersion: number,
  entries: readonly TranscriptEntry[],
): RowChange => {
  const left = Map.groupBy(current, keyOf);
  const added: TranscriptRow[] = [];
  const kept = new Set<TranscriptRow>();
  let version = nextVersion;
  let last = START;
  for (const { turnId, at, message } of entries) {
    const text = JSON.stringify(message);
    const forms = left.get(keyOf({ turnId, at })) ?? [];
    const same = forms.find((row) => row.message === text && !kept.has(row));
    if (same && isBehind(same, last)) {
      kept.add(same);
      last = same;
      continue;
    }
    const old = forms.find((row) => !kept.has(row) && row.position >= last.position);
    const row = { position: old?.position ?? last.position, version, turnId, at, message: text };
    version += 1;
    added.push(row);
    last = row;
  }
  return { retired: current.filter((row) => !kept.has(row)), added };
};
