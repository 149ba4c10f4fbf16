import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { columnsIn } from '../columns/column-headings.ts';
import { cleanCell, type ReadSheets, RowCollector, SHEET_LIMITS } from '../sheet.ts';

const SEPARATORS = [',', '\t', ';', '|', '  ', ' '] as const;
type Separator = (typeof SEPARATORS)[number];
/** Most tables begin within these lines, below their titles. */
const EXAMINED_LINES = 60;
const EXAMINED_CHARACTERS = 60_000;
const QUOTED = /"(?:[^"]|"")*"/gu;
const LINE_BREAK = /\r\n?|\n/u;
/** Markdown draws a line of dashes below its headings. */
const isRule = (line: string): boolean => line.includes('---') && /^[\s|:+-]+$/u.test(line);
const BLANKS: Readonly<Record<'  ' | ' ', RegExp>> = { '  ': / {2,}|\t/u, ' ': /[ \t]+/u };

const isBlank = (separator: Separator): separator is '  ' | ' ' => separator === '  ' || separator === ' ';

/** The cells of a line without quotation marks. */
const plainCells = (line: string, separator: Separator): readonly string[] => {
  if (isBlank(separator)) return line.trim().split(BLANKS[separator]).map(cleanCell);
  if (separator !== '|') return line.split(separator).map(cleanCell);
  const inner = line.trim();
  const from = inner.startsWith('|') ? 1 : 0;
  const to = inner.endsWith('|') && inner.length > 1 ? -1 : undefined;
  return inner.slice(from, to).split('|').map(cleanCell);
};

/**
 * The separator by which some line names the most columns. If no line names columns, the one that makes the most cells
 * on one line; a comma on ties.
 */
const separatorOf = (text: string): Separator => {
  const lines = text.slice(0, EXAMINED_CHARACTERS).replaceAll(QUOTED, 'x').split(LINE_BREAK, EXAMINED_LINES);
  const named = SEPARATORS.map((separator) =>
    Math.max(...lines.map((line) => columnsIn(plainCells(line, separator)))),
  );
  const most = Math.max(...named);
  if (most > 2) return SEPARATORS[named.indexOf(most)] ?? ',';
  const counts = SEPARATORS.slice(0, 3).map((separator) =>
    Math.max(...lines.map((line) => line.split(separator).length)),
  );
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
};

/** A run of text up to a separator, a quotation mark or the end of a line. */
const PLAIN_RUNS = new Map(
  ([',', '\t', ';'] as const).map((separator) => [separator, new RegExp(`[^${separator}"\\r\\n]+`, 'uy')]),
);
/** A run is short enough to count its line breaks in one step; it never ends inside a `\r\n`. */
const QUOTED_RUN = /[^"\r]{1,8192}|\r\n?/uy;
const BREAKS = /\r\n?|\n/gu;
/** The reader also pauses inside a line, which may be as long as the file. */
const RUNS_A_STEP = 1_024;
/** The limit with surrounding blanks. The rest of a longer cell is dropped, because its row is refused. */
const MAX_RAW_CELL_CHARS = SHEET_LIMITS.cellCharacters * 10;

const runAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

/** Reads RFC 4180: quotes, doubled quotes, line breaks inside quotes. */
const readQuoted = function* (text: string, separator: ',' | '\t' | ';', rows: RowCollector): Steps<void> {
  const plain = PLAIN_RUNS.get(separator) ?? QUOTED_RUN;
  let cells: string[] = [];
  let cell = '';
  let wasQuoted = false;
  let hasText = false;
  let line = 1;
  let startLine = 1;
  let at = 0;
  let runs = 0;
  let isLong = false;

  const isStep = (): boolean => {
    runs += 1;
    return runs % RUNS_A_STEP === 0;
  };
  const append = (run: string): void => {
    if (cell.length + run.length > MAX_RAW_CELL_CHARS) isLong = true;
    else cell += run;
  };
  const endCell = (): void => {
    cells.push(cleanCell(cell));
    cell = '';
    wasQuoted = false;
    hasText = false;
    if (isLong) rows.problem ??= { kind: 'long-cell', line: startLine };
    if (cells.length > SHEET_LIMITS.columns * 2)
      rows.problem ??= { kind: 'too-many-columns', line: startLine };
  };
  const endRow = (): void => {
    endCell();
    rows.add(startLine, cells);
    cells = [];
  };
  /** Reads from after a quotation mark to after the closing one. */
  const readQuote = function* (): Steps<void> {
    while (at < text.length) {
      if (isStep()) yield;
      const run = runAt(QUOTED_RUN, text, at);
      append(run);
      line += run.match(BREAKS)?.length ?? 0;
      at += run.length;
      if (text[at] !== '"') continue;
      at += 1;
      if (text[at] !== '"') return;
      append('"');
      at += 1;
    }
    rows.problem ??= { kind: 'open-quote', line: startLine };
  };

  while (at < text.length && !rows.problem) {
    if (isStep()) yield;
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
    } else if (next === '"' && !wasQuoted && !hasText) {
      cell = '';
      wasQuoted = true;
      at += 1;
      yield* readQuote();
    } else {
      // A quotation mark inside a word is text, as in 5" disks.
      const run = runAt(plain, text, at) || next;
      append(run);
      hasText ||= run.trim() !== '';
      at += run.length;
    }
  }
  if (!rows.problem && (cell !== '' || cells.length > 0)) endRow();
};

/** Reads tables that people paste: Markdown, or columns separated by blanks. */
const readPlain = function* (text: string, separator: '|' | '  ' | ' ', rows: RowCollector): Steps<void> {
  let at = 0;
  for (let line = 1; at <= text.length && !rows.problem; line += 1) {
    BREAKS.lastIndex = at;
    const found = BREAKS.exec(text);
    const end = found?.index ?? text.length;
    const typed = text.slice(at, end);
    at = end + (found?.[0].length ?? 1);
    yield;
    if (typed.length > SHEET_LIMITS.cellCharacters * SHEET_LIMITS.columns)
      rows.problem = { kind: 'long-cell', line };
    else if (!isRule(typed)) rows.add(line, plainCells(typed, separator));
  }
};

/** Reads cells separated by comma, tab, semicolon, `|` or blanks. A cell is never more than text. */
export const readDelimited = function* (text: string): Steps<ReadSheets> {
  const separator = separatorOf(text);
  const collected = new RowCollector();
  yield* separator === '|' || isBlank(separator)
    ? readPlain(text, separator, collected)
    : readQuoted(text, separator, collected);
  const { problem, rows } = collected;
  return problem
    ? { status: 'refused', problem }
    : { status: 'ok', sheets: [{ name: '', rows, hasSerialDates: false, isLoose: separator === ' ' }] };
};
