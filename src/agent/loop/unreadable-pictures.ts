import { FinClawError } from '#src/kernel/errors.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';
import { classifyFallbackError } from '../errors.ts';
import { pictureNote } from './quote-text.ts';

/** Wrong request, too large a body, or content that cannot be processed. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Whether a provider refused the request itself, so that a picture in it may be the reason. Providers word this in
 * too many ways to tell by the message alone which part of a request they mean.
 */
export const mayBeAboutPictures = (error: unknown): boolean => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.some((each) => {
    if (!(each instanceof FinClawError)) return false;
    if (each.statusCode === 413) return true;
    if (each.code === 'PROVIDER_REFUSED') return STATUSES.has(each.statusCode);
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
