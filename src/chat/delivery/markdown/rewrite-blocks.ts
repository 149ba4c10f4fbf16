import type { Lexer, Token, Tokens } from 'marked';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { newLexer } from '#src/platform/text/markdown-blocks.ts';
import { readRegions, type Region } from './regions.ts';
import { type Chunk, chunkSteps } from './chunks.ts';
import { isHostileText } from './cut-text.ts';
import { continued, prefixOf } from './fences.ts';
import { alignedTable, isRightAligned, listedTable, PHONE_COLUMNS } from '#src/platform/text/text-table.ts';

/** The new lines of a block; undefined leaves it unchanged. */
type BlockWriter = (region: Region, lines: readonly string[], lexer: Lexer) => readonly string[] | undefined;

interface ReadChunk extends Chunk {
  readonly text: string;
  readonly lines: readonly string[];
  /** Undefined: the chunk stays unchanged. */
  readonly regions: readonly Region[] | undefined;
}

/** A line without text, or the edge of the chunk. */
const isEmpty = (line = ''): boolean => /^[ \t>]*$/.test(line);

/**
 * Rewrites some blocks of a document and leaves every other byte unchanged, also chunks that would take too long to parse.
 */
export const rewriteBlocks = function* (
  source: string,
  isConcerned: (chunk: string) => boolean,
  write: BlockWriter,
): Steps<string> {
  // Shared by all chunks, because link definitions may be in another chunk.
  const lexer = newLexer();
  const chunks: ReadChunk[] = [];
  for (const chunk of yield* chunkSteps(source)) {
    const text = source.slice(chunk.start, chunk.end);
    const lines = text.split('\n');
    chunks.push({
      ...chunk,
      text,
      lines,
      regions: isConcerned(text) ? readRegions(lines, lexer) : undefined,
    });
    yield;
  }
  let written = '';
  let from = 0;
  for (const { start, end, text, lines, regions } of chunks) {
    const made: string[] = [];
    let next = 0;
    for (const region of regions ?? []) {
      yield;
      const own = lines.slice(region.first, region.last + 1);
      made.push(...lines.slice(next, region.first));
      next = region.last + 1;
      const block = write(region, own, lexer) ?? own;
      const isOpen = block.length > 1 && isEmpty(block[0]) && isEmpty(made.at(-1));
      const isEnded = block.length > 1 && isEmpty(block.at(-1)) && isEmpty(lines[next]);
      made.push(...block.slice(isOpen ? 1 : 0, isEnded ? -1 : undefined));
    }
    written += source.slice(from, start) + (next === 0 ? text : [...made, ...lines.slice(next)].join('\n'));
    from = end;
  }
  return written + source.slice(from);
};

const childrenOf = (token: Token): readonly Token[] =>
  'tokens' in token && token.tokens ? token.tokens : [];

const linkText = (words: string, href: string): string => {
  const isAddress =
    words === '' || words === href || `mailto:${words}` === href || href.endsWith(`//${words}`);
  if (words === '') return href;
  return isAddress ? words : `${words} (${href})`;
};

/** Code without its backticks and without one padding space on either side. */
const codeOf = (raw: string): string => {
  const code = raw.replace(/^`+/, '').replace(/(?<!`)`+$/, '');
  const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return isPadded ? code.slice(1, -1) : code;
};

/** Inline Markdown as plain text. */
const plainTextOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token): string => {
      switch (token.type) {
        case 'strong':
        case 'em':
        case 'del':
          return plainTextOf(childrenOf(token));
        case 'link':
          return linkText(plainTextOf(childrenOf(token)), (token as Tokens.Link).href);
        case 'image':
          return linkText((token as Tokens.Image).text, (token as Tokens.Image).href);
        case 'codespan':
          return codeOf(token.raw);
        case 'escape':
          return (token as Tokens.Escape).text;
        case 'br':
          return '\n';
        default:
          return token.raw;
      }
    })
    .join('');

/** A text that would make the parser slow stays unchanged. */
const plainInline = (text: string, lexer: Lexer): string =>
  isHostileText(text) ? text : plainTextOf(lexer.inlineTokens(text));

interface BlockStyle {
  readonly hasMarkdown: boolean;
  readonly hasTables: boolean;
}

/** Adds the marks of the block's first line; the other lines continue the same list or quote. */
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
  const made = renderTable(region.table, { plain, hasMarkdown: style.hasMarkdown });
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

/** For `## Title ##` and for a title that is underlined. */
const withoutHeadingMarks = (text: string): string => {
  const behind = text.replace(/^#{1,6}[ \t]+/, '');
  if (behind === text || text.includes('\n')) return text.replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '');
  return behind.replace(/(?<![ \t])[ \t]+$/, '').replace(/(?<![ \t])[ \t]+#+$/, '');
};

/** Writes emphasis, links and headings as plain text; list and quote marks stay. */
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

/** Rewrites the blocks that a platform cannot show. */
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
const renderTable = (table: Tokens.Table, { plain, hasMarkdown }: TableWriter): TableText => {
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
