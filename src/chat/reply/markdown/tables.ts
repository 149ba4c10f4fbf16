import type stringWidthOf from 'string-width';
import { createRequire } from 'node:module';
import type { Tokens } from 'marked';

type StringWidth = typeof stringWidthOf;

const require = createRequire(import.meta.url);
let stringWidth: StringWidth | undefined;

/** Columns that a text takes on a screen: two for a Korean syllable or an emoji, none for what only joins. */
export const displayWidth = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Its tables of emoji take 9 MB: most bots never need them before the first Korean table.
  stringWidth ??= (require('string-width') as { readonly default: StringWidth }).default;
  return stringWidth(text);
};

/** Filled up with spaces to a width; a text that is wider stays as it is. */
const padToWidth = (text: string, width: number, side: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'left' ? text + space : space + text;
};

/** Empty, or a sign for "none": says nothing about its column. */
const NOTHING = /^(?:[-–—]|N\/A|n\/a|없음)?$/;

/** Uses `,` between groups of digits and `.` before decimals. */
const NUMBER =
  /^[+\-−±▲▼△▽]?\s?(?:(?:\p{Sc}|[A-Z]{3,5})\s?)?[+\-−±▲▼△▽]?\s?\(?\d[\d,]*(?:\.\d+)?\s?(?:[%‰]p?|[KMBT]|bps?|[만억조배주개]|\p{Sc}|[A-Z]{3,5})?원?\)?$/u;

interface CellReader {
  /** A column of numbers: every cell that says something is one. */
  readonly isNumeric: (cells: readonly string[]) => boolean;
}

/** Reads amounts, changes and percentages as they are written in a language. */
export const createCellReader = (locale: string): CellReader => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const separator = (type: 'group' | 'decimal'): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const [group, decimal] = [separator('group'), separator('decimal')];
  const written = (character: string): string => {
    if (character === group) return ',';
    if (character === decimal) return '.';
    return character === ',' || character === '.' ? '?' : character;
  };
  const plain = (cell: string): string => Array.from(cell, written).join('');
  return {
    isNumeric: (cells) => {
      const telling = cells.map((cell) => cell.trim()).filter((cell) => !NOTHING.test(cell));
      return telling.length > 0 && telling.every((cell) => NUMBER.test(plain(cell)));
    },
  };
};

/** Wider than this, a table wraps on every screen and cannot be read. */
const MAX_WIDTH = 100;
const GAP = '  ';

interface TableText {
  readonly kind: 'aligned' | 'list';
  readonly lines: readonly string[];
}

export interface TableWriter {
  readonly reader: CellReader;
  /** A cell without its Markdown. */
  readonly plain: (markdown: string) => string;
  /** Whether the list of a wide table may use Markdown. */
  readonly hasMarkdown: boolean;
}

const listOf = (table: Tokens.Table, { plain, hasMarkdown }: TableWriter): readonly string[] => {
  const names = table.header.map(({ text }) => plain(text).trim());
  return table.rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...row.flatMap(({ text }, column) => {
      const name = names[column] ?? '';
      const value = hasMarkdown ? text.trim() : plain(text).trim();
      if (value === '') return [];
      if (name === '') return [value];
      return [hasMarkdown ? `**${name}**: ${value}` : `${name}: ${value}`];
    }),
  ]);
};

/** A table for a place that has none: columns lined up by what the eye sees, or a list where that is too wide. */
export const renderTable = (table: Tokens.Table, writer: TableWriter): TableText => {
  const clean = ({ text }: Tokens.TableCell): string => writer.plain(text).replaceAll(/\s+/g, ' ').trim();
  const header = table.header.map(clean);
  const rows = table.rows.map((row) => row.map(clean));
  const columns = header.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? '');
    const isRight = table.align[index] === 'right' || (!table.align[index] && writer.reader.isNumeric(cells));
    const width = Math.max(1, ...[name, ...cells].map(displayWidth));
    return { width, side: isRight ? ('right' as const) : ('left' as const) };
  });
  const total = columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));
  if (total > MAX_WIDTH) return { kind: 'list', lines: listOf(table, writer) };

  const lineOf = (cells: readonly string[]): string =>
    columns
      .map(({ width, side }, index) => padToWidth(cells[index] ?? '', width, side))
      .join(GAP)
      .trimEnd();
  const rule = columns.map(({ width }) => '-'.repeat(width)).join(GAP);
  return { kind: 'aligned', lines: [lineOf(header), rule, ...rows.map(lineOf)] };
};
