import { createHash } from 'node:crypto';
import type { ContentBlock, ConversationMessage } from '#src/core/model.ts';

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

/** Input as the APIs want it: an object, whatever the model wrote. */
export const safeInput = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Readonly<Record<string, unknown>>)
    : {};

/** Blocks that say something; an API refuses a conversation with an empty text in it. */
const isSaid = (block: ContentBlock): boolean => block.type !== 'text' || block.text.trim() !== '';

/**
 * The conversation in alternating turns: results and what the person said meanwhile stand on one side, and
 * neighbours of the same side are one turn.
 */
export const toTurns = (messages: readonly ConversationMessage[]): readonly ApiTurn[] => {
  const turns: { side: ApiTurn['side']; blocks: ContentBlock[] }[] = [];
  for (const message of messages) {
    const side = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = message.content.filter(isSaid);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.side === side) last.blocks.push(...blocks);
    else turns.push({ side, blocks });
  }
  return turns;
};

/** What stands in for a picture where the model cannot see. */
export const imageNote = (name: string): string => `[An image, ${name}, that this model cannot see]`;
