import type { TurnId } from '#src/kernel/ids.ts';
import type { ContentBlock } from '#src/kernel/model.ts';
import { type CorruptionType, fitsRole, hasLegalName, repairTurn, saysNothing } from './turn-repair.ts';
import { isUnreadable, type TranscriptEntry, type TranscriptLine, turnsOf } from './transcript-entry.ts';

/** Takes the results off the calls that wait for one. False for a result that none waits for, or without words. */
const acceptResults = (content: readonly ContentBlock[], open: Set<string>): boolean =>
  content.every(
    (block) => block.type === 'tool_result' && block.content.trim() !== '' && open.delete(block.toolUseId),
  );

/** False for an id that is there twice. */
const addCalls = (content: readonly ContentBlock[], open: Set<string>): boolean =>
  content.every((block) => {
    if (block.type !== 'tool_use') return true;
    if (open.has(block.id) || !hasLegalName(block)) return false;
    open.add(block.id);
    return true;
  });

/**
 * Whether a finished turn is as it should be: it begins with the person and ends with the assistant, and before
 * each message that holds no results every call has exactly one. Nearly all turns are, and this is quick; one
 * that is not has to be looked at closely.
 */
const isCompleteTurn = (turn: readonly TranscriptEntry[], mayContinue: boolean): boolean => {
  const open = new Set<string>();
  let mayAnswer = mayContinue;
  for (const { message } of turn) {
    const { role, content, isPaused } = message;
    if (saysNothing(content) || !content.every((block) => fitsRole(block, role))) return false;
    if (role === 'tool' ? !acceptResults(content, open) : open.size > 0) return false;
    if (role === 'assistant' && (!mayAnswer || !addCalls(content, open))) return false;
    mayAnswer = role !== 'assistant' || isPaused === true || open.size > 0;
  }
  const last = turn.at(-1)?.message;
  return open.size === 0 && last?.role === 'assistant' && last.isPaused !== true;
};

export interface DetectedCorruption {
  readonly type: CorruptionType;
  /** In the transcript as it was given. */
  readonly index: number;
  readonly description: string;
}

export interface RepairOptions {
  /** Turns that the database marks open or suspended: they are gone on with, and end wherever they end. */
  readonly liveTurns: ReadonlySet<TurnId>;
}

export interface CorruptionReport extends RepairOptions {
  readonly corruptions: readonly DetectedCorruption[];
  /** False where lines were there and none could be read. */
  readonly isRecoverable: boolean;
}

interface Mended {
  readonly entries: TranscriptEntry[];
  readonly corruptions: readonly DetectedCorruption[];
}

const UNREADABLE = {
  torn: 'The last line was cut short',
  malformed: 'The line is no entry of a transcript',
} as const;

const textOf = ({ turnId, message }: TranscriptEntry): string => JSON.stringify([turnId, message]);

/** No two appends have the same time, so the same words at the same time in the same turn are one entry. */
class SeenEntries {
  readonly #first = new Map<string, TranscriptEntry>();
  /** Of times at which there is more than one: nearly always none. */
  readonly #texts = new Map<string, Set<string>>();

  /** False for one that was here before. */
  add(entry: TranscriptEntry): boolean {
    const first = this.#first.get(entry.at);
    if (!first) {
      this.#first.set(entry.at, entry);
      return true;
    }
    const texts = this.#texts.getOrInsertComputed(entry.at, () => new Set([textOf(first)]));
    const text = textOf(entry);
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  }
}

const mend = (lines: readonly TranscriptLine[], liveTurns: ReadonlySet<TurnId>): Mended => {
  const corruptions: DetectedCorruption[] = [];
  const seen = new SeenEntries();
  const places = new Map<TranscriptEntry, number>();
  for (const [index, line] of lines.entries()) {
    if (isUnreadable(line))
      corruptions.push({ type: 'truncated-json', index, description: UNREADABLE[line.unreadable] });
    else if (seen.add(line)) places.set(line, index);
    else corruptions.push({ type: 'duplicate-entry', index, description: 'The entry is there twice' });
  }
  const { summaries, turns } = turnsOf([...places.keys()]);
  const report = (entry: TranscriptEntry, type: CorruptionType, description: string): void =>
    void corruptions.push({ type, index: places.get(entry) ?? 0, description });
  // What a summary stands for may be the beginning of the turn behind it.
  let mayContinue = summaries.length > 0;
  const repaired = turns.flatMap((turn) => {
    const [first] = turn;
    const isKept = (first && liveTurns.has(first.turnId)) || isCompleteTurn(turn, mayContinue);
    const entries = isKept ? turn : repairTurn(turn, mayContinue, report);
    mayContinue &&= entries.length === 0;
    return entries;
  });
  return {
    entries: [...summaries, ...repaired],
    corruptions: corruptions.toSorted((a, b) => a.index - b.index),
  };
};

/** Live turns are left as they are, but for lines that cannot be read and entries that are there twice. */
export const detectCorruption = (
  entries: readonly TranscriptLine[],
  { liveTurns }: RepairOptions,
): CorruptionReport => {
  const { corruptions } = mend(entries, liveTurns);
  const isRecoverable = entries.length === 0 || !entries.every(isUnreadable);
  return { corruptions, isRecoverable, liveTurns };
};

/**
 * A conversation that every provider takes: it starts on the person's side, every call has its one result
 * directly behind it, and every turn that is not live ends with words of the assistant. Turns stand together.
 * Nothing that was said is left out but what cannot be read, is there twice, or has no place in its message.
 * A repaired transcript has nothing to be repaired.
 */
export const repairTranscript = (
  entries: readonly TranscriptLine[],
  report: CorruptionReport,
): TranscriptEntry[] => mend(entries, report.liveTurns).entries;
