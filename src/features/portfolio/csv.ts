import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { ExportFile, WriteExport } from '#src/platform/storage/export-file.ts';

/** Characters that start a formula in a spreadsheet, the wide ones in East Asian programs, or that `unmarked` would strip. */
const RISKY = /^[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n']/u;
const MARKED = /^'(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/u;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/u;

/** Whether a spreadsheet would compute the cell. */
export const isFormula = (cell: string): boolean => /^[=+\-@\t\r]/u.test(cell);

/** Removes the apostrophe that keeps a spreadsheet from computing the text. */
export const unmarked = (cell: string): string => cell.replace(MARKED, '');

const csvCell = (text: string): string => {
  const safe = RISKY.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One CSV line: numbers stay as they are, text never becomes a formula. */
export const csvLine = (row: readonly string[]): string => `${row.map(csvCell).join(',')}\r\n`;

/** Spreadsheets recognise UTF-8 only by this mark. */
export const BYTE_ORDER_MARK = '\u{feff}';

/** A CSV file to send; `name` is shown to the person. */
export const csvAttachment = async (
  writeExport: WriteExport,
  file: Omit<ExportFile, 'extension'>,
  name: string,
  csv: string,
): Promise<MediaAttachment> => ({
  kind: 'file',
  mimeType: 'text/csv',
  name,
  url: await writeExport({ ...file, extension: 'csv' }, csv),
  sizeBytes: Buffer.byteLength(csv),
});
