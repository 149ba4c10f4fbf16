import type { TurnId } from '#src/kernel/ids.ts';
import {
  type ContentBlock,
  type ConversationMessage,
  type StandIn,
  WITHOUT_AI,
} from '#src/kernel/agent/model.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { TranscriptRow } from '#src/agent/store/transcript-rows.ts';
import type { Links } from '#src/kernel/agent/links.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { readReceipt } from '#src/kernel/chat/receipt.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { readDisplay } from '#src/kernel/chat/tool-display.ts';

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

/** A parsed JSON object that nobody else has yet. */
type Fields = Record<string, unknown>;

type Test = (value: unknown) => boolean;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isText: Test = (value) => typeof value === 'string';
const isTextOrAbsent: Test = (value) => value === undefined || typeof value === 'string';
const areTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const areTextsOrAbsent: Test = (value) => value === undefined || areTexts(value);
const isReason: Test = (value) => value === undefined || WITHOUT_AI.some((reason) => reason === value);
const isFlag: Test = (value) => typeof value === 'boolean';

const has = (value: unknown, names: readonly string[], test: Test): boolean =>
  isFields(value) && names.every((name) => test(value[name]));

const FACT_TEXTS = ['entity', 'metric', 'value', 'unit', 'asOf', 'source'] as const satisfies (keyof Fact)[];
const FACT_OPTIONS = ['label', 'day', 'period', 'parameter'] as const satisfies (keyof Fact)[];
const FACT_LISTS = ['names', 'operands'] as const satisfies (keyof Fact)[];
const MEDIA_TEXTS = ['kind', 'mimeType', 'name', 'url'] as const satisfies (keyof MediaAttachment)[];
const STAND_IN_TEXTS = ['model', 'chosen'] as const satisfies (keyof StandIn)[];

/** A metric of another version is allowed: whoever reads it expects that. */
const isFact: Test = (value) =>
  has(value, FACT_TEXTS, isText) &&
  has(value, FACT_OPTIONS, isTextOrAbsent) &&
  has(value, FACT_LISTS, areTextsOrAbsent) &&
  has(value, ['isSample'], isFlag);

const isMedia: Test = (value) => has(value, MEDIA_TEXTS, isText);

/** The further fields of addresses, by origin. */
const LINK_TEXTS: Readonly<Record<Links['from'], readonly string[]>> = {
  person: ['by'],
  quoted: [],
  headlines: [],
  page: ['page'],
};

const areLinks: Test = (value) => {
  if (!isFields(value) || typeof value['from'] !== 'string' || !areTexts(value['urls'])) return false;
  return (
    Object.hasOwn(LINK_TEXTS, value['from']) && has(value, LINK_TEXTS[value['from'] as Links['from']], isText)
  );
};

const keep = (fields: Fields, name: string, test: Test): void => {
  if (fields[name] !== undefined && !test(fields[name])) delete fields[name];
};

/** Keeps the well-formed elements of a list, and no empty one. */
const keepList = (fields: Fields, name: string, test: Test): void => {
  const list = fields[name];
  if (list === undefined || (Array.isArray(list) && list.every(test))) return;
  const kept = Array.isArray(list) ? list.filter(test) : [];
  if (kept.length > 0) fields[name] = kept;
  else delete fields[name];
};

type Message = keyof ConversationMessage;
type ResultBlock = keyof Extract<ContentBlock, { type: 'tool_result' }>;
const MESSAGE_FLAGS = ['isPaused', 'isNote', 'isRepair', 'isSummary'] as const satisfies Message[];
const RESULT_FLAGS = ['isUntrusted', 'dependsOnZone'] as const satisfies ResultBlock[];

const cleanBlock = (block: unknown): void => {
  if (!isFields(block)) return;
  if (block['type'] === 'tool_use') keep(block, 'malformed', isText);
  if (block['type'] !== 'tool_result') return;
  keepList(block, 'facts', isFact);
  keepList(block, 'media', isMedia);
  keep(block, 'receipt', (value) => readReceipt(value) !== undefined);
  keep(block, 'links', areLinks);
  keep(block, 'code', isText);
  keep(block, 'brief', isText);
  for (const flag of RESULT_FLAGS) keep(block, flag, isFlag);
  if (block['display'] !== undefined) {
    const display = readDisplay(block['display']);
    if (display) block['display'] = display;
    else delete block['display'];
  }
  if (!isFlag(block['isError'])) block['isError'] = false;
};

/**
 * Removes from a stored message what stands beside its words and is not what the program writes: whoever reads a
 * conversation may then rely on its types. Changes the message, which was just parsed.
 */
const cleanStoredMessage = (message: Fields): void => {
  keepList(message, 'facts', isFact);
  keepList(message, 'links', areLinks);
  keepList(message, 'inboxIds', isText);
  keepList(message, 'messageIds', isText);
  keep(message, 'shown', isText);
  keep(
    message,
    'standIn',
    (value) => has(value, STAND_IN_TEXTS, isText) && has(value, ['withoutAi'], isReason),
  );
  for (const flag of MESSAGE_FLAGS) keep(message, flag, isFlag);
  if (Array.isArray(message['content'])) for (const block of message['content']) cleanBlock(block);
};
