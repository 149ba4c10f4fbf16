import { errorMessage } from '#src/kernel/errors.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { MediaAttachment } from '#src/kernel/message.ts';
import { decodeText } from '#src/platform/decode-text.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { isTooLarge } from '#src/platform/read-at-most.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import type { FileProblem } from '../problems.ts';
import { columnsIn } from '../tables/column-headings.ts';
import { readDelimited } from './read-delimited.ts';
import { readHtml } from './read-html.ts';
import type { ReadWorkbook } from './read-workbook.ts';
import { type ReadSheets, type Sheet, SHEET_LIMITS } from './sheet.ts';

export type ReadMedia = (
  channelId: ChannelId,
  media: MediaAttachment,
  maxBytes: number,
  signal: AbortSignal,
) => Promise<Uint8Array>;

export type Source =
  | { readonly status: 'ok'; readonly sheets: readonly Sheet[] }
  | { readonly status: 'refused'; readonly problem: FileProblem };

export interface SourceDeps {
  readonly readMedia: ReadMedia;
  readonly readWorkbook: ReadWorkbook;
  readonly logger: FinClawLogger;
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** A workbook of before 2007, or one that is locked by a password. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
const PDF = [0x25, 0x50, 0x44, 0x46];
const WEB_PAGE = /^\s*<(?:!doctype|!--|html|head|body|table|style|\?xml|meta|div)/iu;
/** Around what is pasted. */
const FENCE = /^\s*```[a-z]*[ \t]*\r?\n|\r?\n?```\s*$/giu;
/** `@trades.csv`, typed where nobody reads files. */
const NAMED_FILE = /^@(?:"[^"\n]{1,300}"|[^\s"]{1,300})$/u;

const refused = (
  kind:
    | 'nothing'
    | 'nothing-named'
    | 'named-only'
    | 'several-files'
    | 'too-large'
    | 'not-fetched'
    | 'pdf'
    | 'not-text'
    | 'old-workbook',
) => ({ status: 'refused', problem: { kind } }) as const;

const beginsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte);

const sheetsOfText = (text: string, signal: AbortSignal): Promise<ReadSheets> =>
  byTime(WEB_PAGE.test(text.slice(0, 2_000)) ? readHtml(text) : readDelimited(text, columnsIn), signal);

/** By its bytes, whatever it is called: brokers call web pages `.xls`. */
const sheetsOfBytes = async (
  bytes: Uint8Array,
  owner: string,
  { readWorkbook }: Pick<SourceDeps, 'readWorkbook'>,
  signal: AbortSignal,
): Promise<Source> => {
  if (bytes.length > SHEET_LIMITS.bytes) return refused('too-large');
  if (beginsWith(bytes, ZIP)) return readWorkbook(bytes, owner, signal);
  if (beginsWith(bytes, OLD_WORKBOOK)) return refused('old-workbook');
  if (beginsWith(bytes, PDF)) return refused('pdf');
  const text = decodeText(bytes);
  if (text === undefined) return refused('not-text');
  return text.trim() === '' ? refused('nothing') : sheetsOfText(text, signal);
};

/** The tables that are to be read: of the file that came with the message, or pasted into it. Throws on abort alone. */
export const readSource = async (
  { text, files }: { readonly text: string; readonly files: readonly MediaAttachment[] },
  { channelId, owner }: { readonly channelId: ChannelId; readonly owner: string },
  deps: SourceDeps,
  signal: AbortSignal,
): Promise<Source> => {
  const [file, ...others] = files;
  if (others.length > 0) return refused('several-files');
  if (!file) {
    const pasted = text.replaceAll(FENCE, '').replace(/^\u{feff}/u, '');
    // At a keyboard nothing can be attached: files are named.
    if (pasted.trim() === '') return refused(channelId === 'console' ? 'nothing-named' : 'nothing');
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
  return sheetsOfBytes(bytes, owner, deps, signal);
};
