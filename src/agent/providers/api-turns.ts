import { createHash } from 'node:crypto';
import {
  type ContentBlock,
  type ConversationMessage,
  IMAGE_MIME_TYPES,
  type ImageBlock,
} from '#src/kernel/agent/model.ts';

import type { ToolResultBlock } from '../content-blocks.ts';

/** A turn in the form of the APIs: user and assistant alternate. */
export interface ApiTurn {
  readonly side: 'user' | 'assistant';
  readonly blocks: readonly ContentBlock[];
}

const ALLOWED_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Anthropic accepts 64 characters, chat completions 40. */
const ALLOWED_ID = /^[a-zA-Z0-9_-]{1,40}$/;
const ID_CHARS = 24;

/** An id that every provider accepts; any other id becomes its hash. */
export const safeId = (id: string): string =>
  ALLOWED_ID.test(id) ? id : `id_${createHash('sha256').update(id).digest('hex').slice(0, ID_CHARS)}`;

/** A tool name that every provider accepts. The stored conversation keeps the name that the model invented. */
export const safeToolName = (name: string): string =>
  ALLOWED_NAME.test(name) ? name : name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';

/** Providers reject lone surrogates as invalid text. */
export const safeText = (text: string): string => text.toWellFormed();

/** A lone surrogate in JSON. */
const HALF_CHARACTER = /\\ud[89a-f]/;

const mended = (value: unknown): unknown => {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [safeText(key), mended(field)]));
};

/** Tool input in the form of the APIs: an object of well-formed text. */
export const safeInput = (input: unknown): Readonly<Record<string, unknown>> => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {};
  const isWhole = !HALF_CHARACTER.test(JSON.stringify(input));
  return (isWhole ? input : mended(input)) as Readonly<Record<string, unknown>>;
};

/** The text of a result; providers reject an error without text. */
export const resultText = ({
  content,
  isError,
  media = [],
}: Pick<ToolResultBlock, 'content' | 'isError' | 'media'>): string => {
  if (isError && content.trim() === '') return 'It failed without a message.';
  const shown = media.flatMap(({ altText }) => altText ?? []).join(' ');
  // The person sees the picture, but the model must be told about it.
  const note = `[The picture is attached to your answer; the user sees it. It shows: ${shown}]`;
  return safeText(shown === '' ? content : `${content}\n\n${note}`);
};

/** Drops empty text and the thinking of other models. */
const isFor =
  (modelId: string) =>
  (block: ContentBlock): boolean => {
    if (block.type === 'thinking') return block.model === modelId;
    return block.type !== 'text' || block.text.trim() !== '';
  };

/** APIs reject trailing thinking that led to nothing. */
const withoutLastThoughts = (blocks: readonly ContentBlock[]): readonly ContentBlock[] =>
  blocks.slice(0, blocks.findLastIndex((block) => block.type !== 'thinking') + 1);

/**
 * Converts the conversation to alternating turns for this model: tool results and messages of the person share
 * a side, and neighbours on the same side are merged.
 */
export const toTurns = (messages: readonly ConversationMessage[], modelId: string): readonly ApiTurn[] => {
  const turns: { side: ApiTurn['side']; blocks: ContentBlock[] }[] = [];
  const isForModel = isFor(modelId);
  for (const message of messages) {
    const side = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = withoutLastThoughts(message.content.filter(isForModel));
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.side === side) last.blocks.push(...blocks);
    else turns.push({ side, blocks: [...blocks] });
  }
  return turns;
};

/** Undefined if the model can see the picture; otherwise the text in its place. */
export const imageNote = ({ name, mimeType }: ImageBlock, canSee: boolean): string | undefined =>
  canSee && IMAGE_MIME_TYPES.has(mimeType)
    ? undefined
    : safeText(`[An image, ${name}, that this model cannot see]`);
