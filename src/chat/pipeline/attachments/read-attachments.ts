import { decodeText } from '#src/platform/text/decode-text.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type { ReadAttachment } from '#src/kernel/agent/execution.ts';
import { MAX_IMAGE_CHARS } from '#src/kernel/agent/model.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { withoutKeys } from '#src/platform/text/mask-secrets.ts';
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE_PX,
  readPictureHeader,
} from '#src/platform/files/picture-header.ts';
import type { MediaMemory } from '#src/platform/files/media-memory.ts';
import { isTooLarge } from '#src/platform/net/read-at-most.ts';
import type { Uses } from '#src/platform/services.ts';

import type { ReadPdf } from './read-pdf.ts';

/** More would push the conversation out of the model's window. */
const MAX_TEXT_BYTES = 60_000;

/** The start of a text file. Undefined if the bytes are not text. */
const decodeTextFile = (bytes: Uint8Array): string | undefined => {
  const kept = bytes.subarray(0, MAX_TEXT_BYTES);
  const rest = bytes.length - kept.length;
  const text = decodeText(kept, rest > 0);
  return text !== undefined && rest > 0 ? `${text}\n[${rest} more bytes left out]` : text;
};

/** The claimed type decides whether a file is fetched; its bytes decide how it is read. */
type FileKind =
  | { readonly kind: 'image' | 'text' | 'pdf' }
  | { readonly kind: 'unreadable'; readonly reason: string };

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|csv|x-ndjson|yaml)\b)/;
const TEXT_NAME = /\.(?:txt|md|csv|tsv|json|xml|ya?ml|log)$/i;
const PDF_TYPE = /^application\/(?:x-)?pdf\b/;
const PDF_NAME = /\.pdf$/i;

const TABLE_TYPE = /^application\/vnd\.(?:ms-excel|.*spreadsheet)/;
const TABLE_NAME = /\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i;
const DOCUMENT_TYPE =
  /^application\/(?:msword|rtf|x-hwp|haansofthwp|vnd\.(?:hancom|ms-powerpoint|openxmlformats-officedocument|oasis\.opendocument))/;
const DOCUMENT_NAME = /\.(?:docx?|pptx?|rtf|odt|odp|hwpx?|pages|key)$/i;

const unreadable = (reason: string): FileKind => ({ kind: 'unreadable', reason });

/**
 * The file name counts more than the MIME type: Windows labels CSV files as Excel, and many programs send a generic type.
 */
const fileKindOf = ({ kind, mimeType, name }: MediaAttachment): FileKind => {
  if (mimeType.startsWith('image/')) return { kind: 'image' };
  if (TEXT_NAME.test(name)) return { kind: 'text' };
  if (PDF_TYPE.test(mimeType) || PDF_NAME.test(name)) return { kind: 'pdf' };
  if (TABLE_TYPE.test(mimeType) || TABLE_NAME.test(name))
    return unreadable(
      'spreadsheet files are read by /portfolio import alone; it can be sent as CSV or PDF instead',
    );
  if (DOCUMENT_TYPE.test(mimeType) || DOCUMENT_NAME.test(name))
    return unreadable('office documents are not read; it can be sent as PDF or plain text instead');
  if (TEXT_TYPE.test(mimeType)) return { kind: 'text' };
  if (IMAGE_NAME.test(name)) return { kind: 'image' };
  if (kind === 'video') return unreadable('video is not seen');
  return unreadable('files of this kind are not read');
};

/** Counts an image, in base64 characters, towards the person's daily quota; false if that is used up. */
export type TakePicture = (chars: number) => Promise<boolean>;

interface ReadAttachmentsDeps extends Uses<'clock' | 'logger'> {
  readonly readPdf: ReadPdf;
  readonly takePicture: TakePicture;
  /** The person whose files they are, for turns among people. */
  readonly owner: string;
  readonly media: MediaMemory;
}

type ReadableKind = Exclude<FileKind['kind'], 'unreadable'>;

const TIMEOUT_MS = 15_000;
const MAX_FILES = 8;
/** For all files of one message, by the sizes that the platform reports. */
const MAX_TOTAL_BYTES = 30_000_000;

/** Larger files are not fetched. */
const MAX_BYTES: Readonly<Record<ReadableKind, number>> = {
  image: MAX_PICTURE_BYTES,
  text: 10_000_000,
  pdf: 10_000_000,
};
const TOO_LARGE: Readonly<Record<ReadableKind, string>> = {
  image: 'the picture is too large',
  text: 'the file is too large',
  pdf: 'the PDF is too large',
};

const REASONS = {
  empty: 'it is empty',
  damaged: 'the picture is damaged or cut off',
  animated: 'animated pictures are not read; one picture of it can be sent as PNG or JPEG instead',
  dimensions: `the picture has more than ${MAX_PICTURE_SIDE_PX} pixels on a side; it can be sent smaller`,
  noPicture: 'it is not a PNG, JPEG, GIF or WebP picture; it can be sent as PNG or JPEG instead',
  noPdf: 'it is not a sound PDF',
  noText: 'it is not text in UTF-8, UTF-16 or Korean (CP949)',
  tooMany: `only ${MAX_FILES} files at once are read`,
  tooLargeTogether: 'the files are too large together',
  picturesTooLarge: 'the pictures are too large together; they can be sent smaller',
  picturesOfToday:
    'this person has sent as many pictures as are kept in a day; smaller ones, or words, still work',
} as const;

/** Enough bytes to detect the type of a file. */
const BEGINNING_BYTES = 32;
const PDF_MARK = '%PDF-';
/** A PDF may have other bytes before its signature. */
const PDF_MARK_WITHIN_BYTES = 1_024;

const isPdf = (bytes: Uint8Array, claimed: ReadableKind): boolean => {
  const searched = claimed === 'pdf' ? PDF_MARK_WITHIN_BYTES : PDF_MARK.length;
  return Buffer.from(bytes.subarray(0, searched)).includes(PDF_MARK);
};

/** An image with its detected type, or the reason why it cannot be used. Undefined if it is not an image. */
const readPicture = (name: string, bytes: Uint8Array): ReadAttachment | undefined => {
  const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name, reason });
  const isLarge = bytes.length > MAX_BYTES.image;
  const picture = readPictureHeader(isLarge ? bytes.subarray(0, BEGINNING_BYTES) : bytes);
  if (picture.kind === 'other') return undefined;
  if (isLarge) return unreadable(TOO_LARGE.image);
  if (picture.kind === 'damaged') return unreadable(REASONS.damaged);
  const { mimeType, width, height, isAnimated } = picture;
  if (Math.max(width, height) > MAX_PICTURE_SIDE_PX) return unreadable(REASONS.dimensions);
  // One provider refuses the whole request, the other sees only the first frame.
  if (isAnimated) return unreadable(REASONS.animated);
  return { kind: 'image', name, mimeType, base64: Buffer.from(bytes).toString('base64') };
};

/** Keeps the first images up to the limit per request and the person's daily quota. */
const withinLimit = async (
  files: readonly ReadAttachment[],
  takePicture: TakePicture,
): Promise<readonly ReadAttachment[]> => {
  let left = MAX_IMAGE_CHARS;
  const kept: ReadAttachment[] = [];
  for (const file of files) {
    const { name } = file;
    const chars = file.kind === 'image' ? file.base64.length : 0;
    if (chars > left) kept.push({ kind: 'unreadable', name, reason: REASONS.picturesTooLarge });
    else if (chars > 0 && !(await takePicture(chars)))
      kept.push({ kind: 'unreadable', name, reason: REASONS.picturesOfToday });
    else {
      left -= chars;
      kept.push(file);
    }
  }
  return kept;
};

/** Configuration files contain keys, which the model does not need. */
const withoutItsKeys = (file: ReadAttachment): ReadAttachment =>
  file.kind === 'text' ? { ...file, text: withoutKeys(file.text) } : file;

const withOrigin = (file: ReadAttachment, { isMaybeOurs }: MediaAttachment): ReadAttachment =>
  file.kind === 'text' && isMaybeOurs ? { ...file, isMaybeOurs } : file;

const late = (): Error => new Error('it took too long');

/**
 * Reads the attachments of a message through its channel: images, text files and the text of PDFs. An unreadable file does
 * not fail it: the model gets its name and the reason, so that the answer can mention it.
 */
export const readAttachments = async (
  media: readonly MediaAttachment[],
  channel: ChannelPlugin,
  deps: ReadAttachmentsDeps,
  parent: AbortSignal,
): Promise<readonly ReadAttachment[]> => {
  if (media.length === 0) return [];
  /** The bytes decide the type; the claimed type only decides the error message. */
  const toAttachment = async (
    name: string,
    claimed: ReadableKind,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<ReadAttachment> => {
    const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name, reason });
    if (bytes.length === 0) return unreadable(REASONS.empty);
    if (bytes.length > MAX_BYTES[claimed]) return unreadable(TOO_LARGE[claimed]);
    const picture = readPicture(name, bytes);
    if (picture) return picture;
    if (isPdf(bytes, claimed)) return deps.readPdf(name, bytes, signal);
    if (claimed === 'image') return unreadable(REASONS.noPicture);
    if (claimed === 'pdf') return unreadable(REASONS.noPdf);
    const text = decodeTextFile(bytes);
    return text === undefined ? unreadable(REASONS.noText) : { kind: 'text', name, text };
  };

  let leftBytes = MAX_TOTAL_BYTES;
  const read = async (file: MediaAttachment, index: number): Promise<ReadAttachment> => {
    const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name: file.name, reason });
    if (index >= MAX_FILES) return unreadable(REASONS.tooMany);
    const claimed = fileKindOf(file);
    if (claimed.kind === 'unreadable') return unreadable(claimed.reason);
    const { readMedia } = channel;
    if (!readMedia) return unreadable('this channel does not hand over files');
    const maxBytes = MAX_BYTES[claimed.kind];
    const sizeBytes = file.sizeBytes ?? 0;
    if (sizeBytes > maxBytes) return unreadable(TOO_LARGE[claimed.kind]);
    if (sizeBytes > leftBytes) return unreadable(REASONS.tooLargeTogether);
    leftBytes -= sizeBytes;
    try {
      const held = async (): Promise<ReadAttachment> => {
        // Files of others, which wait for the same memory, cost this one no time.
        using limit = withDeadline(parent, TIMEOUT_MS, deps.clock, late);
        const { signal } = limit;
        const fetched = readMedia(file, maxBytes, signal);
        const attachment = fetched.then((bytes) => toAttachment(file.name, claimed.kind, bytes, signal));
        return withOrigin(await raceAbort(attachment, signal, deps.clock, 0), file);
      };
      return await deps.media.hold(deps.owner, sizeBytes || maxBytes, held, parent);
    } catch (error) {
      parent.throwIfAborted();
      if (isTooLarge(error)) return unreadable(TOO_LARGE[claimed.kind]);
      deps.logger.warn('An attachment could not be read', { mimeType: file.mimeType, error });
      return unreadable(errorMessage(error));
    }
  };
  return withinLimit((await Promise.all(media.map(read))).map(withoutItsKeys), deps.takePicture);
};
