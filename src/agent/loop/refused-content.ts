import { FinClawError } from '#src/kernel/errors.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { blocksOfOthers } from '../memory/window/turns.ts';
import { type TranscriptEntry, turnsOf } from '../memory/transcript/transcript-entry.ts';
import { classifyFallbackError } from '../errors.ts';
import { pictureNote } from './quoted-text.ts';

/**
 * Handles a request that a provider refuses before the answer has begun. The request is retried without one
 * part after the other, and the part without which it is answered is replaced by a note for good. If no part
 * helps, the person's message is the reason: a note replaces it, and the person is told. So no text blocks a
 * shared conversation, and previously accepted content stays. Parts: `results` are this turn's tool results;
 * `brought` is what others wrote and this message included (files, quotes, headlines); `unanswered` are earlier
 * messages without an answer; `earlier` is everything before this turn except the summary; `summary` includes
 * the summary.
 */
export const PARTS_TO_TRY = ['results', 'brought', 'unanswered', 'earlier', 'summary'] as const;
export type RefusedPart = (typeof PARTS_TO_TRY)[number] | 'turn';

/** The parts of a refused conversation that can be left out. */
export interface RefusedContent {
  /** The conversation without this part; undefined if it has no such part. */
  readonly without: (part: RefusedPart) => readonly ConversationMessage[] | undefined;
  /** Replaces this part by a note for good. */
  readonly leaveOut: (part: RefusedPart) => Promise<void>;
}

/** Invalid request, or content that cannot be processed. */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/** Whether a provider refused the request, possibly because of text in it. */
export const mayBeAboutText = (error: unknown): boolean =>
  error instanceof FinClawError &&
  error.code === 'PROVIDER_REFUSED' &&
  CONTENT_STATUSES.has(error.statusCode) &&
  error.details['about'] !== 'setting';

const MESSAGE_NOTE: ContentBlock = {
  type: 'text',
  text: "[a message that the model's provider refused]",
};
const BROUGHT_NOTE: ContentBlock = {
  type: 'text',
  text: "[left out: the model's provider refused what came with this message]",
};
const RESULT_NOTE = "[left out: the model's provider refused this result]";

const isReplaced = ({ content }: ConversationMessage): boolean =>
  content.every((block) =>
    block.type === 'tool_result'
      ? block.content === RESULT_NOTE
      : block.type === 'text' && block.text === MESSAGE_NOTE.text,
  );

/**
 * Facts and pictures are removed with the text: no answer may rest on a result that no model has read. What the call has
 * changed is still told.
 */
const withoutResult = (block: ContentBlock): ContentBlock =>
  block.type === 'tool_result'
    ? {
        type: 'tool_result',
        toolUseId: block.toolUseId,
        content: RESULT_NOTE,
        isError: true,
        ...(block.receipt && { receipt: block.receipt }),
      }
    : block;

/** Replaces everything that the person did not write by one note. */
const withoutBrought = (message: ConversationMessage): ConversationMessage => {
  const brought = message.role === 'user' ? blocksOfOthers(message) : [];
  if (brought.length === 0) return message;
  const links = message.links?.filter(({ from }) => from === 'person') ?? [];
  const { links: _gone, ...rest } = message;
  const kept = message.content.filter((block) => !brought.includes(block));
  const [words, ...context] = kept;
  const content = [...(words ? [words] : []), BROUGHT_NOTE, ...context];
  return { ...rest, content, ...(links.length > 0 ? { links } : {}) };
};

/** Replaces the text of the person and of tools by notes; the record of tool calls stays. */
const withoutWords = (message: ConversationMessage): ConversationMessage => {
  if (message.role === 'assistant' || isReplaced(message)) return message;
  if (message.role === 'tool') return { ...message, content: message.content.map(withoutResult) };
  const { links: _gone, ...rest } = message;
  return { ...rest, content: [MESSAGE_NOTE] };
};

const inEntry = (
  entry: TranscriptEntry,
  change: (message: ConversationMessage) => ConversationMessage = withoutWords,
): TranscriptEntry => {
  const message = change(entry.message);
  return message === entry.message ? entry : { ...entry, message };
};

/** Replaces messages that were never answered by notes. */
const withoutUnanswered = (before: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
  const unanswered = new Set(
    turnsOf(before)
      .turns.filter((turn) => turn.at(-1)?.message.isNote && turn.at(-1)?.message.shown === undefined)
      .map(([first]) => first?.turnId),
  );
  return before.map((entry) =>
    unanswered.has(entry.turnId) && !entry.message.isSummary ? inEntry(entry) : entry,
  );
};

/** The earlier entries and the current turn, without this part. */
export const withoutPart = (
  before: readonly TranscriptEntry[],
  own: readonly TranscriptEntry[],
  part: RefusedPart,
): readonly TranscriptEntry[] => {
  switch (part) {
    case 'results':
      return [...before, ...own.map((entry) => (entry.message.role === 'tool' ? inEntry(entry) : entry))];
    case 'brought':
      return [...before, ...own.map((entry) => inEntry(entry, withoutBrought))];
    case 'unanswered':
      return [...withoutUnanswered(before), ...own];
    case 'earlier':
      return [...before.filter(({ message }) => message.isSummary), ...own];
    case 'summary':
      // Without a summary, this equals `earlier`, which was already tried.
      return before.some(({ message }) => message.isSummary) ? own : [...before, ...own];
    case 'turn':
      return [...before, ...own.map((entry) => inEntry(entry))];
  }
  return part satisfies never;
};

/** Invalid request, body too large, or content that cannot be processed. */
const PICTURE_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Whether a provider refused the request, possibly because of a picture. Error messages vary too much between
 * providers to tell which part they mean.
 */
export const mayBeAboutPictures = (error: unknown): boolean => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.some((each) => {
    if (!(each instanceof FinClawError)) return false;
    if (each.statusCode === 413) return true;
    if (each.code === 'PROVIDER_REFUSED') return PICTURE_STATUSES.has(each.statusCode);
    // Some compatible servers answer 500 for a picture that they cannot decode, and name the image.
    return classifyFallbackError(each) === 'server-error' && each.details['about'] === 'image';
  });
};

const inWords = (block: ContentBlock): ContentBlock =>
  block.type === 'image' ? pictureNote(block.name, 'picture could not be read') : block;

const hasPicture = ({ content }: ConversationMessage): boolean =>
  content.some(({ type }) => type === 'image');

/** `newest`: pictures of the last message that has any. */
export type PictureScope = 'newest' | 'all';

/** Replaces these pictures by text; a message without them stays the same object. */
export const withoutPictures = (
  messages: readonly ConversationMessage[],
  scope: PictureScope,
): readonly ConversationMessage[] => {
  const newest = messages.findLastIndex(hasPicture);
  return messages.map((message, index) =>
    hasPicture(message) && (scope === 'all' || index === newest)
      ? { ...message, content: message.content.map(inWords) }
      : message,
  );
};

/**
 * The scopes to try in order. The newest pictures come first, because the others were accepted before: one bad
 * picture does not cost a shared conversation the rest.
 */
export const scopesToTry = (messages: readonly ConversationMessage[]): readonly PictureScope[] => {
  const count = messages.filter(hasPicture).length;
  if (count === 0) return [];
  return count === 1 ? ['all'] : ['newest', 'all'];
};
