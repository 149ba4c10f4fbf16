import type { MediaAttachment } from '#src/kernel/message.ts';

/** What a file claims to be, which decides whether it is fetched at all; its bytes decide how it is read. */
export type FileKind =
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
 * By the name where that says it: Windows calls a CSV file an Excel sheet, and many programs call everything
 * a stream of bytes.
 */
export const fileKindOf = ({ kind, mimeType, name }: MediaAttachment): FileKind => {
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
  if (kind === 'audio' || kind === 'video') return unreadable(`${kind} is not heard or seen`);
  return unreadable('files of this kind are not read');
};
