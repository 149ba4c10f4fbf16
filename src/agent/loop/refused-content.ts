import { FinClawError } from '#src/kernel/errors.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';
import { blocksOfOthers } from '../memory/window/turns.ts';
import { type TranscriptEntry, turnsOf } from '../memory/transcript/transcript-entry.ts';
import { classifyFallbackError } from '../errors.ts';
import { pictureNote } from './quoted-text.ts';

/**
 * The rule for a request that a provider refuses before a word of the answer has come: it is made again without one
 * part after the other, and the part without which it is answered is replaced by a note for good. If no part helps, the
 * person's words in this turn are the reason: a note takes their place, and the person is told. So no text ends a
 * conversation for the others in it, and what was accepted before stays.
 *
 * - `results`: what tools returned in this turn
 * - `brought`: what others wrote and this turn's message brought along: files, quotes, headlines
 * - `unanswered`: the words of earlier turns that ended without an answer
 * - `earlier`: everything before this turn except the summary; `summary`: the summary too
 */
export const PARTS_TO_TRY = ['results', 'brought', 'unanswered', 'earlier', 'summary'] as const;
export type RefusedPart = (typeof PARTS_TO_TRY)[number] | 'turn';

/** What can be left out of a conversation that a provider refuses. */
export interface RefusedContent {
  /** What to send without this part; undefined where the conversation has no such part. */
  readonly without: (part: RefusedPart) => readonly ConversationMessage[] | undefined;
  /** Replaces this part by a note, for good. */
  readonly leaveOut: (part: RefusedPart) => Promise<void>;
}

/** Wrong request, or content that cannot be processed. */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/** Whether a provider refused the request itself, and words in it may be the reason. */
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

/** Facts and pictures go with the words: no answer rests on a result that no model has read. */
const withoutResult = (block: ContentBlock): ContentBlock =>
  block.type === 'tool_result'
    ? { type: 'tool_result', toolUseId: block.toolUseId, content: RESULT_NOTE, isError: true }
    : block;

/** One note in the place of all that the person did not write themselves. */
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

/** Notes in the place of what the person and the tools said; which tools were called stays known. */
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

/** The earlier entries with notes in the place of words that were never answered. */
const withoutUnanswered = (before: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
  const unanswered = new Set(
    turnsOf(before)
      .turns.filter((turn) => turn.at(-1)?.message.isNote)
      .map(([first]) => first?.turnId),
  );
  return before.map((entry) =>
    unanswered.has(entry.turnId) && !entry.message.isSummary ? inEntry(entry) : entry,
  );
};

/** The conversation without this part: what was said before, and the turn that is going on. */
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
      // Without one, it was tried already.
      return before.some(({ message }) => message.isSummary) ? own : [...before, ...own];
    case 'turn':
      return [...before, ...own.map((entry) => inEntry(entry))];
  }
  return part satisfies never;
};

/** Wrong request, too large a body, or content that cannot be processed. */
const PICTURE_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Whether a provider refused the request itself, so that a picture in it may be the reason. Providers word this in
 * too many ways to tell by the message alone which part of a request they mean.
 */
export const mayBeAboutPictures = (error: unknown): boolean => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.some((each) => {
    if (!(each instanceof FinClawError)) return false;
    if (each.statusCode === 413) return true;
    if (each.code === 'PROVIDER_REFUSED') return PICTURE_STATUSES.has(each.statusCode);
    // Some compatible servers fail with 500 over a picture that they cannot decode, and say so.
    return classifyFallbackError(each) === 'server-error' && each.details['about'] === 'image';
  });
};

const inWords = (block: ContentBlock): ContentBlock =>
  block.type === 'image' ? pictureNote(block.name, 'picture could not be read') : block;

const hasPicture = ({ content }: ConversationMessage): boolean =>
  content.some(({ type }) => type === 'image');

/** `newest`: those of the last message that has any. */
export type PictureScope = 'newest' | 'all';

/** The messages with words in the place of these pictures; a message without them stays the same object. */
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
 * What to leave out of a refused request, in order. The newest pictures come first, for the others were taken before:
 * one bad picture does not cost a shared conversation the pictures of others.
 */
export const scopesToTry = (messages: readonly ConversationMessage[]): readonly PictureScope[] => {
  const count = messages.filter(hasPicture).length;
  if (count === 0) return [];
  return count === 1 ? ['all'] : ['newest', 'all'];
};
