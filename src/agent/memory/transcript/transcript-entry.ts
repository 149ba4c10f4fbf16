import type { TurnId } from '#src/kernel/ids.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { TranscriptRow } from '#src/agent/store/transcript-rows.ts';
import { cleanStoredMessage, isFields } from './stored-fields.ts';

export interface TranscriptEntry {
  readonly turnId: TurnId;
  readonly at: string;
  readonly message: ConversationMessage;
}

/** Stands for a row that cannot be read. */
interface UnreadableLine {
  readonly unreadable: true;
}

export type TranscriptLine = TranscriptEntry | UnreadableLine;

export const isUnreadable = (line: TranscriptLine): line is UnreadableLine => 'unreadable' in line;

/** Fields that must be text for a block to be usable; others may be missing, and invalid ones are left out. */
const TEXTS: Readonly<Record<ContentBlock['type'], readonly string[]>> = {
  text: ['text'],
  thinking: ['model', 'text'],
  image: ['name', 'mimeType', 'base64'],
  tool_use: ['id', 'name'],
  tool_result: ['toolUseId', 'content'],
};

const isBlock = (value: unknown): boolean => {
  if (!isFields(value) || typeof value['type'] !== 'string' || !Object.hasOwn(TEXTS, value['type']))
    return false;
  return TEXTS[value['type'] as ContentBlock['type']].every((name) => typeof value[name] === 'string');
};

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool']);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z$/;
const isInstant = (at: string): boolean => INSTANT.test(at) && !Number.isNaN(Date.parse(at));
const LONG_AGO = '1970-01-01T00:00:00Z';

export const aMomentLater = (at: string): string => {
  const timeMs = Date.parse(at);
  return Temporal.Instant.fromEpochMilliseconds(Number.isNaN(timeMs) ? 0 : timeMs + 1).toString();
};

/** `before` is the time of the line before. One without a time comes a moment later: equal times mean duplicates. */
const entryOf = (value: unknown, before: string): TranscriptEntry | undefined => {
  if (!isFields(value) || typeof value['turnId'] !== 'string' || typeof value['at'] !== 'string')
    return undefined;
  const { message, at } = value;
  if (value['turnId'] === '' || !isFields(message) || !ROLES.has(message['role'])) return undefined;
  if (!Array.isArray(message['content']) || !message['content'].every(isBlock)) return undefined;
  cleanStoredMessage(message);
  if (!isInstant(at)) value['at'] = aMomentLater(before);
  return value as unknown as TranscriptEntry;
};

const UNREADABLE: UnreadableLine = { unreadable: true };

const parseRow = (turnId: string, at: string, message: string, before: string): TranscriptLine => {
  try {
    return entryOf({ turnId, at, message: JSON.parse(message) as unknown }, before) ?? UNREADABLE;
  } catch {
    return UNREADABLE;
  }
};

/** One unreadable row must not cost the whole conversation. */
export const parseRows = function* (
  rows: readonly Pick<TranscriptRow, 'turnId' | 'at' | 'message'>[],
): Steps<readonly TranscriptLine[]> {
  const lines: TranscriptLine[] = [];
  let before = LONG_AGO;
  for (const { turnId, at, message } of rows) {
    const line = parseRow(turnId, at, message, before);
    lines.push(line);
    if (!isUnreadable(line)) before = line.at;
    yield;
  }
  return lines;
};

interface GroupedTranscript {
  readonly summaries: readonly TranscriptEntry[];
  /** In the order in which the turns ended. */
  readonly turns: readonly (readonly TranscriptEntry[])[];
}

export const turnsOf = (entries: readonly TranscriptEntry[]): GroupedTranscript => {
  const summaries: TranscriptEntry[] = [];
  const turns = new Map<TurnId, TranscriptEntry[]>();
  let last: TurnId | undefined;
  for (const entry of entries) {
    if (entry.message.isSummary) {
      summaries.push(entry);
      continue;
    }
    const turn = turns.get(entry.turnId) ?? [];
    turn.push(entry);
    // A map keeps insertion order, so deleting first moves a returning turn to the end.
    if (entry.turnId !== last) turns.delete(entry.turnId);
    turns.set(entry.turnId, turn);
    last = entry.turnId;
  }
  return { summaries, turns: [...turns.values()] };
};

/**
 * Groups the entries of each turn at the position of its last one: while a turn waits for a decision, another
 * person's turn may be written in between. A summary replaces what was before, and stays first.
 */
export const groupByTurn = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
  const { summaries, turns } = turnsOf(entries);
  return [...summaries, ...turns.flat()];
};
