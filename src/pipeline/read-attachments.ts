import type { ChannelPlugin } from '#src/core/channel.ts';
import { errorMessage } from '#src/core/errors.ts';
import type { ReadAttachment } from '#src/core/execution.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import { MAX_IMAGE_CHARS } from '#src/core/model.ts';
import { raceAbort, withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { withoutKeys } from '#src/infra/mask-secrets.ts';
import { decodeTextFile } from './attachments/decode-text-file.ts';
import { type FileKind, fileKindOf } from './attachments/file-kind.ts';
import type { ReadPdf } from './attachments/read-pdf.ts';

export interface ReadAttachmentsDeps {
  readonly readPdf: ReadPdf;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

type ReadableKind = Exclude<FileKind['kind'], 'unreadable'>;

const TIMEOUT_MS = 15_000;
const MAX_FILES = 8;

/** More is not even fetched. Of pictures: what the providers take of one, before it grows by a third in base64. */
const MAX_BYTES: Readonly<Record<ReadableKind, number>> = {
  image: 3_750_000,
  text: 10_000_000,
  pdf: 10_000_000,
};
const TOO_LARGE: Readonly<Record<ReadableKind, string>> = {
  image: 'the picture is too large',
  text: 'the file is too large',
  pdf: 'the PDF is too large',
};

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

/** Files of settings hold keys; a model has no use for them. */
const withoutItsKeys = (file: ReadAttachment): ReadAttachment =>
  file.kind === 'text' ? { ...file, text: withoutKeys(file.text) } : file;

/**
 * What came with a message, read through the channel that brought it: pictures, text and the text of PDFs.
 * Never fails: a file that cannot be read is named to the model with the reason, so that the answer can say so.
 */
export const readAttachments = async (
  media: readonly MediaAttachment[],
  channel: ChannelPlugin,
  deps: ReadAttachmentsDeps,
  parent: AbortSignal,
): Promise<readonly ReadAttachment[]> => {
  if (media.length === 0) return [];
  const { signal, clear } = withDeadline(parent, TIMEOUT_MS, deps.clock, () => new Error('it took too long'));

  const toAttachment = async (
    { name, mimeType }: MediaAttachment,
    kind: ReadableKind,
    bytes: Uint8Array,
  ): Promise<ReadAttachment> => {
    const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name, reason });
    if (bytes.length === 0) return unreadable('it is empty');
    if (bytes.length > MAX_BYTES[kind]) return unreadable(TOO_LARGE[kind]);
    if (kind === 'image')
      return { kind: 'image', name, mimeType, base64: Buffer.from(bytes).toString('base64') };
    if (kind === 'pdf') return deps.readPdf(name, bytes, signal);
    const text = decodeTextFile(bytes);
    return text === undefined
      ? unreadable('it is not text in UTF-8, UTF-16 or Korean (CP949)')
      : { kind: 'text', name, text };
  };

  const read = async (file: MediaAttachment, index: number): Promise<ReadAttachment> => {
    const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name: file.name, reason });
    if (index >= MAX_FILES) return unreadable(`only ${MAX_FILES} files at once are read`);
    const known = fileKindOf(file);
    if (known.kind === 'unreadable') return unreadable(known.reason);
    if (!channel.readMedia) return unreadable('this channel does not hand over files');
    if ((file.sizeBytes ?? 0) > MAX_BYTES[known.kind]) return unreadable(TOO_LARGE[known.kind]);
    try {
      const fetched = channel.readMedia(file, signal);
      const attachment = fetched.then((bytes) => toAttachment(file, known.kind, bytes));
      return await raceAbort(attachment, signal, deps.clock, 0);
    } catch (error) {
      parent.throwIfAborted();
      deps.logger.warn('An attachment could not be read', { name: file.name, error });
      return unreadable(errorMessage(error));
    }
  };
  try {
    return withinLimit((await Promise.all(media.map(read))).map(withoutItsKeys));
  } finally {
    clear();
  }
};
