import type { MediaAttachment } from '#src/kernel/message.ts';
import type { ExportFile, WriteExport } from '#src/platform/storage/export-file.ts';

/** Begins a formula in a spreadsheet program, or would be taken off with our own mark. */
const RISKY = /^[=+\-@\t\r\n']/u;
const MARKED = /^'(?=[=+\-@\t\r\n'])/u;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/u;

/** Whether a spreadsheet program would compute it. */
export const isFormula = (cell: string): boolean => /^[=+\-@\t\r]/u.test(cell);

/** Text that was marked as such, so that no program computes it. */
export const unmarked = (cell: string): string => cell.replace(MARKED, '');

const csvCell = (text: string): string => {
  const safe = RISKY.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line of such a table: numbers go through as they are, text never as a formula. */
export const csvLine = (row: readonly string[]): string => `${row.map(csvCell).join(',')}\r\n`;

/** Spreadsheet programs take a file for UTF-8 only where it says so. */
export const BYTE_ORDER_MARK = '\u{feff}';

/** A table to be sent; `name` is what the person sees. */
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
