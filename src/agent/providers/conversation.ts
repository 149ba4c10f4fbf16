import { createHash } from 'node:crypto';
import {
  type ContentBlock,
  type ConversationMessage,
  IMAGE_MIME_TYPES,
  type ImageBlock,
} from '#src/kernel/model.ts';

/** A turn as the APIs want it: two sides that alternate. */
export interface ApiTurn {
  readonly side: 'user' | 'assistant';
  readonly blocks: readonly ContentBlock[];
}

const ALLOWED_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Anthropic takes 64 characters, chat completions take 40. */
const ALLOWED_ID = /^[a-zA-Z0-9_-]{1,40}$/;
const ID_CHARS = 24;

/** An id that every provider takes; one that another provider made in its own form becomes a hash of itself. */
export const safeId = (id: string): string =>
  ALLOWED_ID.test(id) ? id : `id_${createHash('sha256').update(id).digest('hex').slice(0, ID_CHARS)}`;

/** A name that every provider takes. Models invent names; what they called stays in the conversation. */
export const safeToolName = (name: string): string =>
  ALLOWED_NAME.test(name) ? name : name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';

/** Half of an emoji is refused as invalid text. */
export const safeText = (text: string): string => text.toWellFormed();

/** What is left of a lone half of a character when it is written as JSON. */
const HALF_CHARACTER = /\\ud[89a-f]/;

const mended = (value: unknown): unknown => {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [safeText(key), mended(field)]));
};

/** Input as the APIs want it: an object of whole characters, whatever the model wrote. */
export const safeInput = (input: unknown): Readonly<Record<string, unknown>> => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {};
  const isWhole = !HALF_CHARACTER.test(JSON.stringify(input));
  return (isWhole ? input : mended(input)) as Readonly<Record<string, unknown>>;
};

/** What a result says; an error without words is refused. */
export const resultText = ({
  content,
  isError,
  media = [],
}: Pick<Extract<ContentBlock, { type: 'tool_result' }>, 'content' | 'isError' | 'media'>): string => {
  if (isError && content.trim() === '') return 'It failed without a message.';
  const shown = media.flatMap(({ altText }) => altText ?? []).join(' ');
  // A person sees the picture; a model has to be told of it.
  const note = `[The picture is attached to your answer; the user sees it. It shows: ${shown}]`;
  return safeText(shown === '' ? content : `${content}\n\n${note}`);
};

/** Blocks that say something to this model: no empty text, and no thoughts of others. */
const isFor =
  (modelId: string) =>
  (block: ContentBlock): boolean => {
    if (block.type === 'thinking') return block.model === modelId;
    return block.type !== 'text' || block.text.trim() !== '';
  };

/** A thought at the very end led to nothing, and is not taken back. */
const withoutLastThoughts = (blocks: readonly ContentBlock[]): readonly ContentBlock[] =>
  blocks.slice(0, blocks.findLastIndex((block) => block.type !== 'thinking') + 1);

/**
 * The conversation in alternating turns, as this model may read it: results and what the person said
 * meanwhile stand on one side, and neighbours of the same side are one turn.
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

/** Undefined where the model can see the picture; otherwise the words that stand in for it. */
export const imageNote = ({ name, mimeType }: ImageBlock, canSee: boolean): string | undefined =>
  canSee && IMAGE_MIME_TYPES.has(mimeType)
    ? undefined
    : safeText(`[An image, ${name}, that this model cannot see]`);
