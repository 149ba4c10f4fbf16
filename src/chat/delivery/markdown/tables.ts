import type { Tokens } from 'marked';
import { alignedTable, isRightAligned, listedTable, PHONE_COLUMNS } from '#src/platform/text/text-table.ts';

/** For plain text, which is read on wide screens. */
const SCREEN_COLUMNS = 100;

interface TableText {
  readonly kind: 'aligned' | 'list';
  readonly lines: readonly string[];
}

interface TableWriter {
  /** A cell without its Markdown. */
  readonly plain: (markdown: string) => string;
  /** Platforms with Markdown show code on phones too, and the list of a wide table may use Markdown. */
  readonly hasMarkdown: boolean;
}

/** Renders a table as aligned columns, or as a list if it is too wide. */
export const renderTable = (table: Tokens.Table, { plain, hasMarkdown }: TableWriter): TableText => {
  const cellsOf = (write: (markdown: string) => string) => {
    const clean = ({ text }: Tokens.TableCell): string => write(text).replaceAll(/\s+/g, ' ').trim();
    return { header: table.header.map(clean), rows: table.rows.map((row) => row.map(clean)) };
  };
  const shown = cellsOf(plain);
  const isRight = (column: number): boolean => isRightAligned(shown, column, table.align[column]);
  const lines = alignedTable(shown, isRight, hasMarkdown ? PHONE_COLUMNS : SCREEN_COLUMNS);
  if (lines) return { kind: 'aligned', lines };
  const listed = hasMarkdown ? { ...cellsOf((markdown) => markdown), header: shown.header } : shown;
  return { kind: 'list', lines: listedTable(listed, hasMarkdown) };
};
