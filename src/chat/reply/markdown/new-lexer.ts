import { createRequire } from 'node:module';
import type { Lexer } from 'marked';

const require = createRequire(import.meta.url);

/** Loaded with the first answer that has to be taken apart: a bot that waits needs no parser. */
export const newLexer = (): Lexer => {
  const marked = require('marked') as { readonly Lexer: typeof Lexer };
  return new marked.Lexer({ gfm: true });
};
