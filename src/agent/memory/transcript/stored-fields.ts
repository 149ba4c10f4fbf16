import type { Links } from '#src/kernel/agent/links.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { readReceipt } from '#src/kernel/chat/receipt.ts';
import {
  type ContentBlock,
  type ConversationMessage,
  type StandIn,
  WITHOUT_AI,
} from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { readDisplay } from '#src/kernel/chat/tool-display.ts';

/** A parsed JSON object that nobody else has yet. */
export type Fields = Record<string, unknown>;

type Test = (value: unknown) => boolean;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

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
export const cleanStoredMessage = (message: Fields): void => {
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
