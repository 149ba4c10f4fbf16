import type { Tokens } from 'marked';
import { markdownBlocks } from '#src/platform/text/markdown-blocks.ts';
import {
  alignedTable,
  isRightAligned,
  listedTable,
  PHONE_COLUMNS,
  type TextTable,
} from '#src/platform/text/text-table.ts';

interface TableBlock {
  readonly type: 'table';
  readonly rows: readonly (readonly { readonly type: 'raw_text'; readonly text: string }[])[];
  readonly column_settings: readonly {
    readonly align: 'left' | 'center' | 'right';
    readonly is_wrapped: boolean;
  }[];
}

type Passage =
  | { readonly kind: 'text'; readonly markdown: string }
  | { readonly kind: 'table'; readonly table: TableBlock };

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
const MAX_CHARACTERS = 9_000;

/** Removes Markdown: cells are shown as plain text. What is struck must not look like what stands in its place. */
export const plainCell = (markdown: string): string =>
  markdown
    .replaceAll(/~~([^~]{1,80})~~(?= \S)/g, '$1 →')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)?\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|~])/g, '$1')
    .trim();

const tableOf = ({ header, rows }: Tokens.Table, write: (markdown: string) => string): TextTable => ({
  header: header.map(({ text }) => write(text)),
  rows: rows.map((row) => row.map(({ text }) => write(text))),
});

const toBlock = (given: Tokens.Table): TableBlock | undefined => {
  const table = tableOf(given, plainCell);
  const cells = [table.header, ...table.rows];
  const size = cells.flat().reduce((sum, text) => sum + text.length, 0);
  if (cells.length > MAX_ROWS || table.header.length > MAX_COLUMNS || size > MAX_CHARACTERS) return undefined;
  return {
    type: 'table',
    // Slack refuses empty cells.
    rows: cells.map((row) => row.map((text) => ({ type: 'raw_text', text: text || ' ' }))),
    column_settings: table.header.map((_cell, column) => ({
      align: given.align[column] ?? (isRightAligned(table, column) ? 'right' : 'left'),
      is_wrapped: true,
    })),
  };
};

/** Aligned code, or a list if a phone would wrap it. */
const toText = (given: Tokens.Table): string => {
  const table = tableOf(given, plainCell);
  const isRight = (column: number): boolean => isRightAligned(table, column, given.align[column]);
  const code = alignedTable(table, isRight, PHONE_COLUMNS);
  if (code) return ['```', ...code, '```', ''].join('\n');
  const listed = { ...tableOf(given, (markdown) => markdown), header: table.header };
  return `${listedTable(listed, true).join('\n')}\n\n`;
};

/** Slack draws one table per message. Further tables, and those too large, become code or lists. */
export const readTables = (markdown: string): readonly Passage[] => {
  const tokens = markdown.includes('|') ? markdownBlocks(markdown) : undefined;
  if (!tokens) return [{ kind: 'text', markdown }];
  const passages: Passage[] = [];
  let text = '';
  let hasTable = false;
  for (const token of tokens) {
    const table = token.type === 'table' ? (token as Tokens.Table) : undefined;
    const block = table && !hasTable ? toBlock(table) : undefined;
    if (block) {
      hasTable = true;
      if (text.trim() !== '') passages.push({ kind: 'text', markdown: text });
      passages.push({ kind: 'table', table: block });
      text = '';
    } else text += table ? toText(table) : token.raw;
  }
  if (text.trim() !== '') passages.push({ kind: 'text', markdown: text });
  return passages;
};
