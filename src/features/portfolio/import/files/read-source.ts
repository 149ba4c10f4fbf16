import { errorMessage } from '#src/kernel/errors.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { isTerminal } from '#src/kernel/chat/terminal.ts';
import { decodeText, type Charset, charsetOf, korean } from '#src/platform/text/decode-text.ts';
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE_PX,
  readPictureHeader,
} from '#src/platform/files/picture-header.ts';
import { isTooLarge } from '#src/platform/net/read-at-most.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Uses } from '#src/platform/services.ts';
import type { FileProblem } from '../problems.ts';
import { readDelimited } from './read-delimited.ts';
import { readHtml } from './read-html.ts';
import type { ReadWorkbook } from './read-workbook.ts';
import { type ReadSheets, SHEET_LIMITS, type SheetProblem } from '../sheet.ts';

const FULL_WIDTH = /[\u3040-\u30ff\u4e00-\u9fff]/gu;
const HALF_WIDTH = /[\uff61-\uff9f]/gu;
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const shiftJis = charsetOf('shift_jis');

/** Shift-JIS reads Hangul as half-width kana, which Japanese files hardly use. */
const japanese: Charset = (bytes, isCut) => {
  const text = shiftJis(bytes, isCut);
  if (text === undefined) return undefined;
  return countOf(text, FULL_WIDTH) > countOf(text, HALF_WIDTH) * 3 ? text : undefined;
};

/** Letters of German, French, Dutch, Italian, Spanish and the Nordic languages; signs of money, dashes and quotes. */
const NOT_WESTERN = /[^\u0000-\u007fÀ-ÖØ-öø-ÿŒœŠšŽž€£°§²³«»’“”–—…\u00a0·ºª´]/u;

/** Hangul and Japanese read so are letters among signs and each other, which touch no plain letter. */
const STRANGE =
  /(?<![A-Za-zÀ-ÖØ-öø-ÿ\s])[À-ÖØ-öø-ÿ](?![A-Za-zÀ-ÖØ-öø-ÿ])|(?<![A-Za-zÀ-ÖØ-öø-ÿ])[À-ÖØ-öø-ÿ]{2}(?![A-Za-z])|[À-ÖØ-öø-ÿ]{3}/u;

const windows1252 = charsetOf('windows-1252');

/** Undefined if a character is not of a language that is written so. */
const western: Charset = (bytes, isCut) => {
  const text = windows1252(bytes, isCut);
  const isOther = text === undefined || NOT_WESTERN.test(text) || STRANGE.test(text);
  return isOther ? undefined : text;
};

/**
 * What brokers write besides UTF-8 and UTF-16. Only a table has headings that prove a wrong guess, so no other file is
 * read so. CP949 is tried last, because almost any bytes are valid in it.
 */
export const BROKER_CHARSETS: readonly Charset[] = [western, japanese, korean];

export interface ReadSourceDeps extends Uses<'logger'> {
  /** Reads the bytes of a file attached to a message of this channel. */
  readonly readMedia: (
    channelId: ChannelId,
    media: MediaAttachment,
    maxBytes: number,
    signal: AbortSignal,
  ) => Promise<Uint8Array>;
  readonly readWorkbook: ReadWorkbook;
}

/** A picture has no tables: a model reads it. */
export interface PictureSource {
  readonly status: 'picture';
  readonly mimeType: string;
  readonly base64: string;
}

type Source = ReadSheets<FileProblem> | PictureSource;

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Marks a workbook from before 2007, or one that is locked by a password. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
const PDF = [0x25, 0x50, 0x44, 0x46];
const WEB_PAGE = /^\s*<(?:!doctype|!--|html|head|body|table|style|\?xml|meta|div)/iu;
/** Code fences around pasted text. */
const FENCE = /^\s*```[a-z]*[ \t]*\r?\n|\r?\n?```\s*$/giu;
/** A file name such as `@trades.csv`, typed on a channel that reads no files by name. */
const NAMED_FILE = /^@(?:"[^"\n]{1,300}"|[^\s"]{1,300})$/u;

const refused = (
  kind: Exclude<FileProblem['kind'], Extract<SheetProblem, { readonly line: number }>['kind']>,
): Extract<ReadSheets<FileProblem>, { readonly status: 'refused' }> => ({
  status: 'refused',
  problem: { kind },
});

const beginsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte);

/** Undefined if the bytes are no picture. */
const pictureOf = (bytes: Uint8Array): Source | undefined => {
  const picture = readPictureHeader(bytes);
  if (picture.kind === 'other') return undefined;
  if (picture.kind === 'damaged') return refused('picture-damaged');
  const { mimeType, width, height, isAnimated } = picture;
  if (isAnimated) return refused('picture-damaged');
  return bytes.length > MAX_PICTURE_BYTES || Math.max(width, height) > MAX_PICTURE_SIDE_PX
    ? refused('picture-large')
    : { status: 'picture', mimeType, base64: Buffer.from(bytes).toString('base64') };
};

const sheetsOfText = (text: string, signal: AbortSignal): Promise<ReadSheets> =>
  byTime(WEB_PAGE.test(text.slice(0, 2_000)) ? readHtml(text) : readDelimited(text), signal);

/** The bytes decide how a file is read, not its name: brokers call web pages `.xls`. */
const sourceOfBytes = async (
  bytes: Uint8Array,
  owner: string,
  { readWorkbook }: ReadSourceDeps,
  signal: AbortSignal,
): Promise<Source> => {
  if (bytes.length > SHEET_LIMITS.bytes) return refused('too-large');
  const picture = pictureOf(bytes);
  if (picture) return picture;
  if (beginsWith(bytes, ZIP)) return readWorkbook(bytes, owner, signal);
  if (beginsWith(bytes, OLD_WORKBOOK)) return refused('old-workbook');
  if (beginsWith(bytes, PDF)) return refused('pdf');
  const text = decodeText(bytes, false, BROKER_CHARSETS);
  if (text === undefined) return refused('not-text');
  return text.trim() === '' ? refused('nothing') : sheetsOfText(text, signal);
};

/** Reads the tables of the file that came with a message, or of the pasted text; a picture is not read yet. Throws on abort alone. */
export const readSource = async (
  { text, files }: { readonly text: string; readonly files: readonly MediaAttachment[] },
  { channelId, owner }: { readonly channelId: ChannelId; readonly owner: string },
  deps: ReadSourceDeps,
  signal: AbortSignal,
): Promise<Source> => {
  const [file, ...others] = files;
  if (others.length > 0) return refused('several-files');
  if (!file) {
    const pasted = text.replaceAll(FENCE, '').replace(/^\u{feff}/u, '');
    // Nothing can be attached in a terminal; files are named there.
    if (pasted.trim() === '') return refused(isTerminal(channelId) ? 'nothing-named' : 'nothing');
    if (NAMED_FILE.test(pasted.trim())) return refused('named-only');
    return Buffer.byteLength(pasted) > SHEET_LIMITS.bytes
      ? refused('too-large')
      : sheetsOfText(pasted, signal);
  }
  if ((file.sizeBytes ?? 0) > SHEET_LIMITS.bytes) return refused('too-large');
  let bytes: Uint8Array;
  try {
    bytes = await deps.readMedia(channelId, file, SHEET_LIMITS.bytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isTooLarge(error)) return refused('too-large');
    deps.logger.warn('A file to import could not be fetched', { reason: errorMessage(error) });
    return refused('not-fetched');
  }
  return sourceOfBytes(bytes, owner, deps, signal);
};
