import { createRequire } from 'node:module';
import type { Lexer, Token } from 'marked';

const require = createRequire(import.meta.url);

/** The parser is loaded on first use. */
export const newLexer = (): Lexer => {
  const marked = require('marked') as { readonly Lexer: typeof Lexer };
  return new marked.Lexer({ gfm: true });
};

/** Above these limits the parser takes more than linear time or overflows the stack. People nest three or four levels. */
const MAX_LENGTH = 16_000;
const MAX_LIST_LINES = 200;
/** The cells of longer tables are too many to be read in one step. */
const MAX_TABLE_LINES = 500;
const LIST = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/m;
const TOO_DEEP = /^(?: *(?:>|(?:[-*+]|\d{1,9}[.)])(?= ))){9}|^ {48}|\[{64}/m;

const maxLines = (text: string): number =>
  LIST.test(text) ? MAX_LIST_LINES : text.includes('|') ? MAX_TABLE_LINES : Infinity;

/** A text that would make the parser slow. */
const isHostile = (text: string): boolean =>
  text.length > MAX_LENGTH ||
  TOO_DEEP.test(text.replaceAll('\t', '    ')) ||
  text.split('\n').length > maxLines(text);

/**
 * The blocks of a text, without what is inside of their lines. Undefined if parsing would take too long, or if the parser
 * fails, as it does for some quotes in lists.
 */
export const markdownBlocks = (text: string, lexer: Lexer = newLexer()): readonly Token[] | undefined => {
  if (isHostile(text)) return undefined;
  try {
    return lexer.blockTokens(text, []);
  } catch {
    return undefined;
  }
};
