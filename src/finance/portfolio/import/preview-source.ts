import { errorMessage } from '#src/core/errors.ts';
import type { ChannelId } from '#src/core/ids.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import { decodeText } from '#src/infra/decode-text.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { isTooLarge } from '#src/infra/read-at-most.ts';
import { CSV_LIMITS } from './csv.ts';
import type { FileProblem } from './csv-problems.ts';

export type ReadMedia = (
  channelId: ChannelId,
  media: MediaAttachment,
  maxBytes: number,
  signal: AbortSignal,
) => Promise<Uint8Array>;

export type SourceText =
  | { readonly status: 'ok'; readonly text: string }
  | { readonly status: 'refused'; readonly problem: FileProblem };

/** A zip (xlsx), an old workbook (xls), or a web page that calls itself one, as some brokers send. */
const WORKBOOKS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const WEB_PAGE = /^\s*<(?:!doctype|html|table|\?xml|meta)/iu;
/** Around what is pasted. */
const FENCE = /^\s*```[a-z]*[ \t]*\r?\n|\r?\n?```\s*$/giu;

const refused = (
  kind:
    | 'nothing'
    | 'nothing-named'
    | 'several-files'
    | 'too-large'
    | 'not-fetched'
    | 'not-text'
    | 'spreadsheet',
) => ({ status: 'refused', problem: { kind } }) as const;

const textOfBytes = (bytes: Uint8Array): SourceText => {
  if (bytes.length > CSV_LIMITS.bytes) return refused('too-large');
  if (WORKBOOKS.some((mark) => mark.every((byte, index) => bytes[index] === byte)))
    return refused('spreadsheet');
  const text = decodeText(bytes);
  if (text === undefined) return refused('not-text');
  if (WEB_PAGE.test(text)) return refused('spreadsheet');
  return text.trim() === '' ? refused('nothing') : { status: 'ok', text };
};

/** The table that is to be read: the file that came with the message, or what was pasted into it. Throws on abort alone. */
export const sourceText = async (
  { text, files }: { readonly text: string; readonly files: readonly MediaAttachment[] },
  channelId: ChannelId,
  deps: { readonly readMedia: ReadMedia; readonly logger: FinClawLogger },
  signal: AbortSignal,
): Promise<SourceText> => {
  const [file, ...others] = files;
  if (others.length > 0) return refused('several-files');
  if (!file) {
    const pasted = text.replaceAll(FENCE, '').replace(/^\u{feff}/u, '');
    // At a keyboard nothing can be attached: files are named.
    if (pasted.trim() === '') return refused(channelId === 'console' ? 'nothing-named' : 'nothing');
    return Buffer.byteLength(pasted) > CSV_LIMITS.bytes
      ? refused('too-large')
      : { status: 'ok', text: pasted };
  }
  if ((file.sizeBytes ?? 0) > CSV_LIMITS.bytes) return refused('too-large');
  try {
    return textOfBytes(await deps.readMedia(channelId, file, CSV_LIMITS.bytes, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (isTooLarge(error)) return refused('too-large');
    deps.logger.warn('A file to import could not be fetched', { reason: errorMessage(error) });
    return refused('not-fetched');
  }
};
