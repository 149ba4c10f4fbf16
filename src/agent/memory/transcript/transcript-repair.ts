import type { TurnId } from '#src/kernel/ids.ts';
import type { ContentBlock } from '#src/kernel/agent/model.ts';
import { type CorruptionType, fitsRole, hasLegalName, repairTurn, saysNothing } from './turn-repair.ts';
import { isUnreadable, type TranscriptEntry, type TranscriptLine, turnsOf } from './transcript-entry.ts';

/** Matches results to open calls. False for a result without an open call or without text. */
const acceptResults = (content: readonly ContentBlock[], open: Set<string>): boolean =>
  content.every(
    (block) => block.type === 'tool_result' && block.content.trim() !== '' && open.delete(block.toolUseId),
  );

/** False for a duplicate id. */
const addCalls = (content: readonly ContentBlock[], open: Set<string>): boolean =>
  content.every((block) => {
    if (block.type !== 'tool_use') return true;
    if (open.has(block.id) || !hasLegalName(block)) return false;
    open.add(block.id);
    return true;
  });

/**
 * Quick check whether a finished turn is well-formed: it begins with the person and ends with the assistant,
 * and every call has exactly one result before the next message that is no result. Only the few turns that fail
 * need a repair.
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
  /** Index in the given transcript. */
  readonly index: number;
  readonly description: string;
}

export interface RepairedTranscript {
  readonly entries: readonly TranscriptEntry[];
  readonly corruptions: readonly DetectedCorruption[];
  /** False if there were lines and none was readable. */
  readonly isRecoverable: boolean;
}

const UNREADABLE = 'The line is not a transcript entry';

const textOf = ({ turnId, message }: TranscriptEntry): string => JSON.stringify([turnId, message]);

/** Appends have distinct times, so entries with equal text, time and turn are duplicates. */
class SeenEntries {
  readonly #first = new Map<string, TranscriptEntry>();
  /** Only for times with several entries, which are rare. */
  readonly #texts = new Map<string, Set<string>>();

  /** False for a duplicate. */
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

/**
 * Repairs a conversation so that every provider accepts it: it starts with the person, every call has one
 * result directly after it, and every turn that is not live ends with an assistant message. The entries of a
 * turn stand together. Drops only unreadable lines, duplicates and blocks that are invalid in their message. A
 * repaired transcript needs no repair. `liveTurns` are open or suspended turns: they will be resumed, so they may
 * end anywhere, and only unreadable lines and duplicates are dropped from them.
 */
export const repairTranscript = (
  lines: readonly TranscriptLine[],
  liveTurns: ReadonlySet<TurnId>,
): RepairedTranscript => {
  const corruptions: DetectedCorruption[] = [];
  const seen = new SeenEntries();
  const places = new Map<TranscriptEntry, number>();
  for (const [index, line] of lines.entries()) {
    if (isUnreadable(line)) corruptions.push({ type: 'truncated-json', index, description: UNREADABLE });
    else if (seen.add(line)) places.set(line, index);
    else corruptions.push({ type: 'duplicate-entry', index, description: 'The entry is duplicated' });
  }
  const { summaries, turns } = turnsOf([...places.keys()]);
  const report = (entry: TranscriptEntry, type: CorruptionType, description: string): void =>
    void corruptions.push({ type, index: places.get(entry) ?? 0, description });
  // A summary may include the beginning of the following turn.
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
    isRecoverable: lines.length === 0 || !lines.every(isUnreadable),
  };
};
