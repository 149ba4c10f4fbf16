import type { Tokens } from 'marked';
import { displayWidth } from '#src/platform/display-width.ts';
import { isNumeric } from '#src/platform/numeric-cells.ts';

/** A wider text stays as it is. */
const padToWidth = (text: string, width: number, side: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'left' ? text + space : space + text;
};

/** A wider table would wrap on every screen. */
const MAX_WIDTH = 100;
const GAP = '  ';

interface TableText {
  readonly kind: 'aligned' | 'list';
  readonly lines: readonly string[];
}

interface TableWriter {
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

/** Renders a table as aligned columns, or as a list if it is too wide. */
export const renderTable = (table: Tokens.Table, writer: TableWriter): TableText => {
  const clean = ({ text }: Tokens.TableCell): string => writer.plain(text).replaceAll(/\s+/g, ' ').trim();
  const header = table.header.map(clean);
  const rows = table.rows.map((row) => row.map(clean));
  const columns = header.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? '');
    const isRight = table.align[index] === 'right' || (!table.align[index] && isNumeric(cells));
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
