import type { ChannelPlugin } from '#src/core/channel.ts';
import { errorMessage } from '#src/core/errors.ts';
import type { ReadAttachment } from '#src/core/execution.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import { IMAGE_MIME_TYPES, MAX_IMAGE_CHARS } from '#src/core/model.ts';
import { raceAbort, withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';

export interface ReadAttachmentsDeps {
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

const TIMEOUT_MS = 15_000;
const MAX_FILES = 8;
/** What the providers take of one picture, before it grows by a third in base64. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_TEXT_BYTES = 60_000;

const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|csv|x-ndjson|yaml)\b)/;
const TEXT_NAME = /\.(?:txt|md|csv|tsv|json|xml|ya?ml|log)$/i;

const decode = (bytes: Uint8Array): string | undefined => {
  const kept = bytes.subarray(0, MAX_TEXT_BYTES);
  try {
    // A cut may fall inside a character: only a whole file is read strictly.
    const text = new TextDecoder('utf-8', { fatal: kept.length === bytes.length }).decode(kept);
    const rest = bytes.length - kept.length;
    return rest > 0 ? `${text}\n[${rest} more bytes left out]` : text;
  } catch {
    return undefined;
  }
};

const toAttachment = (file: MediaAttachment, bytes: Uint8Array): ReadAttachment => {
  const { name, mimeType } = file;
  if (bytes.length === 0) return { kind: 'unreadable', name, reason: 'it is empty' };
  if (IMAGE_MIME_TYPES.has(mimeType)) {
    return bytes.length > MAX_IMAGE_BYTES
      ? { kind: 'unreadable', name, reason: 'the picture is too large' }
      : { kind: 'image', name, mimeType, base64: Buffer.from(bytes).toString('base64') };
  }
  const text = decode(bytes);
  return text === undefined
    ? { kind: 'unreadable', name, reason: 'it is not UTF-8 text' }
    : { kind: 'text', name, text };
};

const isReadable = ({ mimeType, name }: MediaAttachment): boolean =>
  IMAGE_MIME_TYPES.has(mimeType) || TEXT_TYPE.test(mimeType) || TEXT_NAME.test(name);

/** Of more pictures than a request may carry, the first ones are taken. */
const withinLimit = (files: readonly ReadAttachment[]): readonly ReadAttachment[] => {
  let left = MAX_IMAGE_CHARS;
  return files.map((file) => {
    if (file.kind !== 'image') return file;
    left -= file.base64.length;
    const reason = 'the pictures are too large together';
    return left >= 0 ? file : { kind: 'unreadable', name: file.name, reason };
  });
};

/**
 * What came with a message, read through the channel that brought it: pictures and text. Never fails: a
 * file that cannot be read is named to the model with the reason, so that the answer can say so.
 */
export const readAttachments = async (
  media: readonly MediaAttachment[],
  channel: ChannelPlugin,
  deps: ReadAttachmentsDeps,
  parent: AbortSignal,
): Promise<readonly ReadAttachment[]> => {
  if (media.length === 0) return [];
  const { signal, clear } = withDeadline(parent, TIMEOUT_MS, deps.clock, () => new Error('it took too long'));
  const read = async (file: MediaAttachment, index: number): Promise<ReadAttachment> => {
    const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name: file.name, reason });
    if (index >= MAX_FILES) return unreadable(`only ${MAX_FILES} files at once are read`);
    if (!isReadable(file)) return unreadable('files of this kind are not read');
    if (!channel.readMedia) return unreadable('this channel does not hand over files');
    try {
      return toAttachment(file, await raceAbort(channel.readMedia(file, signal), signal, deps.clock, 0));
    } catch (error) {
      parent.throwIfAborted();
      deps.logger.warn('An attachment could not be read', { name: file.name, error });
      return unreadable(errorMessage(error));
    }
  };
  try {
    return withinLimit(await Promise.all(media.map(read)));
  } finally {
    clear();
  }
};
