import type { Lexer } from 'marked';
import { continued } from './fence-tracker.ts';
import { prefixOf } from './passage.ts';
import { plainInline } from './plain-inline.ts';
import type { Region } from './region.ts';
import { renderTable, type TableWriter } from './render-table.ts';
import type { BlockWriter } from './rewrite-blocks.ts';

export interface BlockStyle {
  readonly hasMarkdown: boolean;
  readonly hasTables: boolean;
  readonly reader: TableWriter['reader'];
}

/** Behind the marks of the block's first line; the others go on inside of the same list or quote. */
const under = (prefix: string, lines: readonly string[]): readonly string[] =>
  lines.map((line, index) => ((index === 0 ? prefix : continued(prefix)) + line).trimEnd());

const codeLines = (code: readonly string[], { hasMarkdown }: BlockStyle): readonly string[] => {
  if (!hasMarkdown) return code;
  const marker = code.some((line) => line.includes('```')) ? '~~~~' : '```';
  return [marker, ...code, marker];
};

const writeTable = (
  region: Extract<Region, { kind: 'table' }>,
  lines: readonly string[],
  lexer: Lexer,
  style: BlockStyle,
): readonly string[] | undefined => {
  if (!region.table) return undefined;
  const plain = (markdown: string): string => plainInline(markdown, lexer);
  const made = renderTable(region.table, { plain, reader: style.reader, hasMarkdown: style.hasMarkdown });
  return under(prefixOf(lines[0] ?? ''), made.kind === 'list' ? made.lines : codeLines(made.lines, style));
};

const writeFence = (
  region: Extract<Region, { kind: 'fence' }>,
  lines: readonly string[],
  style: BlockStyle,
): readonly string[] => {
  const { prefix } = region.fence;
  const code = lines
    .slice(1, region.isClosed ? -1 : undefined)
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line.trimStart()));
  return under(prefixOf(lines[0] ?? ''), codeLines(code, style));
};

/** `## Title ##`, and a title with a rule below it. */
const withoutHeadingMarks = (text: string): string => {
  const behind = text.replace(/^#{1,6}[ \t]+/, '');
  if (behind === text || text.includes('\n')) return text.replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '');
  return behind.replace(/(?<![ \t])[ \t]+$/, '').replace(/(?<![ \t])[ \t]+#+$/, '');
};

/** Emphasis, links and headings as words; marks of lists and quotes are plain text already. */
const writeText = (region: Region, lines: readonly string[], lexer: Lexer): readonly string[] => {
  const isHeading = region.kind === 'heading';
  const marks = lines.map((line, index) =>
    index === 0 ? prefixOf(line) : (/^[ \t>]*/.exec(line)?.[0] ?? ''),
  );
  const text = lines.map((line, index) => line.slice(marks[index]?.length)).join('\n');
  const words = isHeading ? withoutHeadingMarks(text) : text;
  return plainInline(words, lexer)
    .split('\n')
    .map((line, index) => (marks[index] ?? '') + line);
};

/** Writes those blocks anew that a platform cannot show. */
export const createBlockWriter =
  (style: BlockStyle): BlockWriter =>
  (region, lines, lexer) => {
    switch (region.kind) {
      case 'table':
        return style.hasTables && style.hasMarkdown ? undefined : writeTable(region, lines, lexer, style);
      case 'fence':
        return style.hasMarkdown ? undefined : writeFence(region, lines, style);
      case 'heading':
      case 'text':
        return style.hasMarkdown ? undefined : writeText(region, lines, lexer);
      case 'literal':
      case 'other':
        return undefined;
      default:
        return region satisfies never;
    }
  };
