import type { Tokens } from 'marked';
import { displayWidth, padToWidth } from './display-width.ts';
import type { CellReader } from './numeric-cell.ts';

/** Wider than this, a table wraps on every screen and cannot be read. */
const MAX_WIDTH = 100;
const GAP = '  ';

export interface TableText {
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
