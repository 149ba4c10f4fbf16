import type { Steps } from '#src/infra/steps.ts';

/** One line of a table, and where it stood. */
export interface CsvRow {
  /** Counted from 1, in the file as an editor shows it. */
  readonly line: number;
  /** As they stand there, blanks around them left out. */
  readonly cells: readonly string[];
}

export const CSV_LIMITS = { bytes: 1_000_000, rows: 5_000, columns: 60, cellCharacters: 2_000 } as const;

export type CsvProblem =
  | { readonly kind: 'too-many-rows' }
  | { readonly kind: 'too-many-columns'; readonly line: number }
  | { readonly kind: 'long-cell'; readonly line: number }
  /** A quotation mark that nothing closes: from there on nothing can be trusted. */
  | { readonly kind: 'open-quote'; readonly line: number };

export type CsvTable =
  | { readonly status: 'ok'; readonly rows: readonly CsvRow[] }
  | { readonly status: 'refused'; readonly problem: CsvProblem };

const SEPARATORS = [',', '\t', ';'] as const;
/** Titles stand above most tables; the separator shows itself soon below them. */
const LOOKED_AT_LINES = 40;
const QUOTED = /"(?:[^"]|"")*"/gu;

/** What parts most cells on one line; a comma where nothing parts anything. */
const separatorOf = (text: string): (typeof SEPARATORS)[number] => {
  const lines = text
    .slice(0, CSV_LIMITS.bytes)
    .replaceAll(QUOTED, '')
    .split(/\r\n?|\n/u, LOOKED_AT_LINES);
  const counts = SEPARATORS.map((separator) =>
    Math.max(...lines.map((line) => line.split(separator).length)),
  );
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
};

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');

/** What goes on until a separator, a quotation mark or the end of a line. */
const PLAIN_RUNS = new Map(
  SEPARATORS.map((separator) => [separator, new RegExp(`[^${separator}"\\r\\n]+`, 'uy')]),
);
const QUOTED_RUN = /[^"]+/uy;
const BREAKS = /\r\n?|\n/gu;

const runAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

/**
 * The cells of a text, as RFC 4180 has them: quotes, doubled quotes, line breaks inside of quotes; parted by comma,
 * tab or semicolon. Lines without any content are left out. Nothing in a cell is ever taken for more than text.
 */
export const readCsv = function* (text: string): Steps<CsvTable> {
  const separator = separatorOf(text);
  const plain = PLAIN_RUNS.get(separator) ?? QUOTED_RUN;
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let wasQuoted = false;
  let line = 1;
  let startLine = 1;
  let at = 0;
  let problem: CsvProblem | undefined;

  const endCell = (): void => {
    if (cell.length > CSV_LIMITS.cellCharacters) problem ??= { kind: 'long-cell', line: startLine };
    cells.push(cell.trim());
    if (cells.length > CSV_LIMITS.columns) problem ??= { kind: 'too-many-columns', line: startLine };
    cell = '';
    wasQuoted = false;
  };
  const endRow = (): void => {
    endCell();
    if (!isEmpty(cells)) rows.push({ line: startLine, cells });
    if (rows.length > CSV_LIMITS.rows) problem ??= { kind: 'too-many-rows' };
    cells = [];
  };
  /** From behind a quotation mark to behind the one that closes it. */
  const takeQuoted = (): void => {
    for (;;) {
      const run = runAt(QUOTED_RUN, text, at);
      cell += run;
      line += run.match(BREAKS)?.length ?? 0;
      at += run.length;
      if (at >= text.length) {
        problem ??= { kind: 'open-quote', line: startLine };
        return;
      }
      at += 1;
      if (text[at] !== '"') return;
      cell += '"';
      at += 1;
    }
  };

  while (at < text.length) {
    if (problem) break;
    const next = text[at] ?? '';
    if (next === separator) {
      endCell();
      at += 1;
    } else if (next === '\n' || next === '\r') {
      endRow();
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      startLine = line;
      yield;
    } else if (next === '"' && !wasQuoted && cell.trim() === '') {
      cell = '';
      wasQuoted = true;
      at += 1;
      takeQuoted();
    } else {
      // A mark in the middle of a word is a mark, as in 5" disks.
      const run = runAt(plain, text, at) || next;
      cell += run;
      at += run.length;
    }
  }
  if (!problem && (cell !== '' || cells.length > 0)) endRow();
  return problem ? { status: 'refused', problem } : { status: 'ok', rows };
};

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
