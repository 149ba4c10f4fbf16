import type { Locale } from '#src/kernel/locale.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { isNumeric } from '#src/platform/text/numeric-cells.ts';
import { readInline } from './inline.ts';
import { span, type Spans, textOf, widthOf, wrapSpans } from './spans.ts';

type Side = 'left' | 'right' | 'centre';

export interface Table {
  readonly header: readonly string[];
  readonly sides: readonly (Side | undefined)[];
  readonly rows: readonly (readonly string[])[];
}

/** `\|` is a sign of the cell. */
const cellsOf = (line: string): readonly string[] => {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
};

const DELIMITER = /^:?-+:?$/;
/** A wider one fits no screen, and would only take time. */
const MAX_COLUMNS = 40;

const sideOf = (delimiter: string): Side | undefined => {
  if (!delimiter.endsWith(':')) return delimiter.startsWith(':') ? 'left' : undefined;
  return delimiter.startsWith(':') ? 'centre' : 'right';
};

/** The table that begins with this line, and how many lines it has. Undefined if none does. */
export const tableAt = (
  lines: readonly string[],
  at: number,
): { readonly table: Table; readonly length: number } | undefined => {
  const first = lines[at] ?? '';
  const second = lines[at + 1] ?? '';
  if (!first.includes('|') || !second.includes('-')) return undefined;
  const header = cellsOf(first);
  const delimiters = cellsOf(second);
  if (header.length > MAX_COLUMNS) return undefined;
  if (header.length !== delimiters.length || !delimiters.every((cell) => DELIMITER.test(cell)))
    return undefined;
  let end = at + 2;
  while (lines[end]?.includes('|')) end += 1;
  const rows = lines.slice(at + 2, end).map((line) => cellsOf(line));
  return { table: { header, sides: delimiters.map(sideOf), rows }, length: end - at };
};

interface Column {
  readonly side: Side;
  readonly natural: number;
  /** Narrower than this, its words would be cut. */
  readonly least: number;
}

/** A longer word may be cut. */
const MAX_LEAST = 16;

const longestWord = (text: string): number =>
  Math.max(1, ...text.split(' ').map((word) => displayWidth(word)));

const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);

/** The widths with which the table fits; undefined if it cannot without cutting words. */
const fit = (columns: readonly Column[], room: number): readonly number[] | undefined => {
  if (total(columns.map(({ least }) => least)) > room) return undefined;
  const within = (cap: number): readonly number[] =>
    columns.map((column) => Math.max(column.least, Math.min(column.natural, cap)));
  let low = 0;
  let high = Math.max(...columns.map(({ natural }) => natural));
  while (low < high) {
    const cap = Math.ceil((low + high) / 2);
    if (total(within(cap)) <= room) low = cap;
    else high = cap - 1;
  }
  return within(low);
};

const padded = (spans: Spans, width: number, side: Side): Spans => {
  const space = Math.max(0, width - widthOf(spans));
  const before = side === 'right' ? space : side === 'centre' ? Math.floor(space / 2) : 0;
  return [span(' '.repeat(before)), ...spans, span(' '.repeat(space - before))];
};

/** For a table that does not fit: every cell on a line, behind the name of its column. */
const asList = (header: readonly Spans[], rows: readonly (readonly Spans[])[], width: number) =>
  rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => {
      const name = header[column] ?? [];
      if (cell.length === 0) return [];
      return wrapSpans(name.length === 0 ? cell : [...name, span(': '), ...cell], width);
    }),
  ]);

/** Draws a table with lines around its cells, no wider than the screen. */
export const drawTable = (
  { header, sides, rows }: Table,
  width: number,
  locale: Locale,
): readonly Spans[] => {
  const names = header.map((cell) => readInline(cell, locale, ['bold']));
  const cells = rows.map((row) => header.map((_name, column) => readInline(row[column] ?? '', locale)));
  const columns = names.map((name, index): Column => {
    const all = [name, ...cells.map((row) => row[index] ?? [])];
    const values = all.slice(1).map((cell) => textOf(cell));
    return {
      side: sides[index] ?? (isNumeric(values) ? 'right' : 'left'),
      natural: Math.max(1, ...all.map(widthOf)),
      least: Math.min(MAX_LEAST, Math.max(...all.map((cell) => longestWord(textOf(cell))))),
    };
  });
  const widths = fit(columns, width - 3 * columns.length - 1);
  if (!widths) return asList(names, cells, width);

  const rule = (left: string, middle: string, right: string): Spans => [
    span(left + widths.map((each) => '─'.repeat(each + 2)).join(middle) + right, 'dim'),
  ];
  const linesOf = (row: readonly Spans[]): readonly Spans[] => {
    const wrapped = row.map((cell, index) => wrapSpans(cell, widths[index] ?? 1, true));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_none, line) => [
      span('│', 'dim'),
      ...wrapped.flatMap((cell, index) => [
        span(' '),
        ...padded(cell[line] ?? [], widths[index] ?? 1, columns[index]?.side ?? 'left'),
        span(' '),
        span('│', 'dim'),
      ]),
    ]);
  };
  return [
    rule('┌', '┬', '┐'),
    ...linesOf(names),
    rule('├', '┼', '┤'),
    ...cells.flatMap(linesOf),
    rule('└', '┴', '┘'),
  ];
};
