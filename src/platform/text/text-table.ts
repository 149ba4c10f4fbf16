import { displayWidth } from './display-width.ts';
import { isNumeric } from './numeric-cells.ts';

/** A wider line of code wraps on a phone. */
export const PHONE_COLUMNS = 32;
const GAP = '  ';
const SAYS_SOMETHING = /\p{L}/u;
/** The head of a first column that says no more than that a row is something. */
const GENERIC_HEAD =
  /^(?:name|symbol|date|item|asset|ticker|company|metric|종목|종목명|이름|날짜|일자|항목|구분|자산|지표)$/iu;

export interface TextTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Columns of numbers stand on the right. A side that the author chose counts more. */
export const isRightAligned = ({ rows }: TextTable, column: number, chosen?: string | null): boolean =>
  chosen === 'right' || (!chosen && isNumeric(rows.map((row) => row[column] ?? '')));

/** A wider text stays as it is. */
const padToWidth = (text: string, width: number, isRight: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return isRight ? space + text : text + space;
};

/** The table as lines of aligned columns; undefined if they would be wider than this. Cells are plain text. */
export const alignedTable = (
  { header, rows }: TextTable,
  isRight: (column: number) => boolean,
  maxColumns: number,
): readonly string[] | undefined => {
  const widths = header.map((name, column) =>
    Math.max(1, ...[name, ...rows.map((row) => row[column] ?? '')].map(displayWidth)),
  );
  const total = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  if (total > maxColumns) return undefined;
  const sides = widths.map((_width, column) => isRight(column));
  const lineOf = (cells: readonly string[]): string =>
    widths
      .map((width, column) => padToWidth(cells[column] ?? '', width, sides[column] === true))
      .join(GAP)
      .trimEnd();
  return [lineOf(header), widths.map((width) => '-'.repeat(width)).join(GAP), ...rows.map(lineOf)];
};

/**
 * The table as a list: `- **Apple** — Price: $304.12 · Change: +1.2%`. The head of its first column stands above it,
 * unless it is generic. Cells without a value are left out.
 */
export const listedTable = ({ header, rows }: TextTable, hasMarkdown: boolean): readonly string[] => {
  const heads = header.map((head) => head.trim());
  if (rows.length === 0) return [heads.filter((head) => head !== '').join(' · ')];
  const lines = rows.map(([first = '', ...cells]) => {
    const words = first.replaceAll('**', '').trim();
    const name = words !== '' && hasMarkdown ? `**${words}**` : words;
    const values = cells.flatMap((cell, index) => {
      const head = heads[index + 1] ?? '';
      const value = cell.trim();
      if (value === '') return [];
      // A head such as `%` says nothing that its values do not say.
      return [SAYS_SOMETHING.test(head) ? `${head}: ${value}` : value];
    });
    return `- ${[name, values.join(' · ')].filter((part) => part !== '').join(' — ')}`;
  });
  const [first = ''] = heads;
  const words = first.replaceAll('**', '').trim();
  return SAYS_SOMETHING.test(words) && !GENERIC_HEAD.test(words) ? [`${first}:`, ...lines] : lines;
};
