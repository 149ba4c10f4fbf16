import { createRequire } from 'node:module';
import { marked, type Tokens } from 'marked';
import type stringWidthOf from 'string-width';

type StringWidth = typeof stringWidthOf;

const require = createRequire(import.meta.url);
let stringWidth: StringWidth | undefined;

/** Loaded with the first table that needs it: its own tables are large. */
const widthOf = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length;
  stringWidth ??= (require('string-width') as { readonly default: StringWidth }).default;
  return stringWidth(text);
};

export interface TableBlock {
  readonly type: 'table';
  readonly rows: readonly (readonly { readonly type: 'raw_text'; readonly text: string }[])[];
  readonly column_settings: readonly {
    readonly align: 'left' | 'center' | 'right';
    readonly is_wrapped: boolean;
  }[];
}

export type Passage =
  | { readonly kind: 'text'; readonly markdown: string }
  | { readonly kind: 'table'; readonly table: TableBlock };

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
const MAX_CHARACTERS = 9_000;

/** Cells are shown as they are: without the signs of Markdown. */
const plainCell = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)?\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|~])/g, '$1')
    .trim();

const NUMBER = /^[+\-−▲▼△▽]?\s*[$₩€¥£]?[+\-−]?[\d,.]+\s*(?:%|[A-Za-z₩$€¥£원]{1,3})?$/u;

const cellsOf = ({ header, rows }: Tokens.Table): readonly (readonly string[])[] =>
  [header, ...rows].map((row) => row.map(({ text }) => plainCell(text)));

const alignOf = (table: Tokens.Table, cells: readonly (readonly string[])[], column: number) => {
  const given = table.align[column];
  if (given) return given;
  const values = cells.slice(1).map((row) => row[column] ?? '');
  return values.some((value) => value !== '') && values.every((value) => value === '' || NUMBER.test(value))
    ? 'right'
    : 'left';
};

const toBlock = (table: Tokens.Table): TableBlock | undefined => {
  const cells = cellsOf(table);
  const size = cells.flat().reduce((sum, text) => sum + text.length, 0);
  if (cells.length > MAX_ROWS || table.header.length > MAX_COLUMNS || size > MAX_CHARACTERS) return undefined;
  return {
    type: 'table',
    // An empty cell is refused.
    rows: cells.map((row) => row.map((text) => ({ type: 'raw_text', text: text || ' ' }))),
    column_settings: table.header.map((_cell, column) => ({
      align: alignOf(table, cells, column),
      is_wrapped: true,
    })),
  };
};

const toCode = (table: Tokens.Table): string => {
  const cells = cellsOf(table);
  const widths = table.header.map((_cell, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const lineOf = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const text = row[column] ?? '';
        const space = ' '.repeat(width - widthOf(text));
        return alignOf(table, cells, column) === 'right' ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  const [header = [], ...rows] = cells;
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return ['```', lineOf(header), rule, ...rows.map(lineOf), '```', ''].join('\n');
};

/** Slack draws one table a message; the others, and those too large for it, are lined up as code. */
export const readTables = (markdown: string): readonly Passage[] => {
  if (!markdown.includes('|')) return [{ kind: 'text', markdown }];
  const passages: Passage[] = [];
  let text = '';
  let hasTable = false;
  for (const token of marked.lexer(markdown)) {
    const table = token.type === 'table' ? (token as Tokens.Table) : undefined;
    const block = table && !hasTable ? toBlock(table) : undefined;
    if (block) {
      hasTable = true;
      if (text.trim() !== '') passages.push({ kind: 'text', markdown: text });
      passages.push({ kind: 'table', table: block });
      text = '';
    } else text += table ? toCode(table) : token.raw;
  }
  if (text.trim() !== '') passages.push({ kind: 'text', markdown: text });
  return passages;
};
