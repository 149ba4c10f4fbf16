import type { Steps } from '#src/platform/cooperative-tasks.ts';
import { cleanCell, type ReadSheets, RowCollector, SHEET_LIMITS, type SheetProblem } from './sheet.ts';

const SEPARATORS = [',', '\t', ';', '|', '  ', ' '] as const;
type Separator = (typeof SEPARATORS)[number];
/** Titles stand above most tables; the separator shows itself soon below them. */
const LOOKED_AT_LINES = 60;
const LOOKED_AT_CHARACTERS = 60_000;
const QUOTED = /"(?:[^"]|"")*"/gu;
const LINE_BREAK = /\r\n?|\n/u;
/** Below the names of columns in Markdown. */
const isRule = (line: string): boolean => line.includes('---') && /^[\s|:+-]+$/u.test(line);
const BLANKS: Readonly<Record<'  ' | ' ', RegExp>> = { '  ': / {2,}|\t/u, ' ': /[ \t]+/u };

const isBlank = (separator: Separator): separator is '  ' | ' ' => separator === '  ' || separator === ' ';

/** Cells of a line that has no quotation marks. */
const plainCells = (line: string, separator: Separator): readonly string[] => {
  if (isBlank(separator)) return line.trim().split(BLANKS[separator]).map(cleanCell);
  if (separator !== '|') return line.split(separator).map(cleanCell);
  const inner = line.trim();
  const from = inner.startsWith('|') ? 1 : 0;
  const to = inner.endsWith('|') && inner.length > 1 ? -1 : undefined;
  return inner.slice(from, to).split('|').map(cleanCell);
};

/**
 * What parts the cells: the separator by which a line names most columns; where none does, what parts most cells on one
 * line, and a comma where nothing parts anything.
 */
const separatorOf = (text: string, columnsIn: (cells: readonly string[]) => number): Separator => {
  const lines = text
    .slice(0, LOOKED_AT_CHARACTERS)
    .replaceAll(QUOTED, 'x')
    .split(LINE_BREAK, LOOKED_AT_LINES);
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
/** Short enough that its line breaks are counted at once; a `\r\n` stays whole, because it is one break. */
const QUOTED_RUN = /[^"\r]{1,8192}|\r\n?/uy;
const BREAKS = /\r\n?|\n/gu;
/** A line may be as long as the file: the reader also pauses inside of it. */
const RUNS_A_STEP = 1_024;
/** With the blanks around it. The rest of a longer cell is not kept, because its row is refused. */
const MAX_RAW_CELL_CHARS = SHEET_LIMITS.cellCharacters * 10;

const runAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

/** Reads RFC 4180: quotes, doubled quotes, line breaks inside of quotes. */
const readQuoted = function* (
  text: string,
  separator: ',' | '\t' | ';',
  rows: RowCollector,
): Steps<SheetProblem | undefined> {
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
  let problem: SheetProblem | undefined;

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
    if (isLong) problem ??= { kind: 'long-cell', line: startLine };
    if (cells.length > SHEET_LIMITS.columns * 2) problem ??= { kind: 'too-many-columns', line: startLine };
  };
  const endRow = (): void => {
    endCell();
    rows.add(startLine, cells);
    problem ??= rows.problem;
    cells = [];
  };
  /** Reads from behind a quotation mark to behind the one that closes it. */
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
    problem ??= { kind: 'open-quote', line: startLine };
  };

  while (at < text.length) {
    if (problem) break;
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
      // A mark in the middle of a word is a mark, as in 5" disks.
      const run = runAt(plain, text, at) || next;
      append(run);
      hasText ||= run.trim() !== '';
      at += run.length;
    }
  }
  if (!problem && (cell !== '' || cells.length > 0)) endRow();
  return problem;
};

/** Tables that people paste: Markdown, or columns held apart by blanks. */
const readPlain = function* (
  text: string,
  separator: '|' | '  ' | ' ',
  rows: RowCollector,
): Steps<SheetProblem | undefined> {
  let at = 0;
  for (let line = 1; at <= text.length; line += 1) {
    BREAKS.lastIndex = at;
    const found = BREAKS.exec(text);
    const end = found?.index ?? text.length;
    const typed = text.slice(at, end);
    at = end + (found?.[0].length ?? 1);
    yield;
    if (typed.length > SHEET_LIMITS.cellCharacters * SHEET_LIMITS.columns) return { kind: 'long-cell', line };
    if (!isRule(typed)) rows.add(line, plainCells(typed, separator));
    if (rows.problem) return rows.problem;
  }
  return undefined;
};

/**
 * The cells of a text, parted by comma, tab, semicolon, `|` or blanks. Nothing in a cell is ever taken for more than
 * text. `columnsIn` counts the columns that a line names.
 */
export const readDelimited = function* (
  text: string,
  columnsIn: (cells: readonly string[]) => number,
): Steps<ReadSheets> {
  const separator = separatorOf(text, columnsIn);
  const collected = new RowCollector();
  const problem = yield* separator === '|' || isBlank(separator)
    ? readPlain(text, separator, collected)
    : readQuoted(text, separator, collected);
  if (problem) return { status: 'refused', problem };
  const { rows } = collected;
  return {
    status: 'ok',
    sheets: [{ name: '', rows, hasSerialDates: false, isLoose: separator === ' ' }],
  };
};
