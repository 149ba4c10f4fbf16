import type { Lexer, Token, Tokens } from 'marked';
import { isHostileText } from './inline-atoms.ts';

const childrenOf = (token: Token): readonly Token[] =>
  'tokens' in token && token.tokens ? token.tokens : [];

const linkText = (words: string, href: string): string => {
  const isAddress =
    words === '' || words === href || `mailto:${words}` === href || href.endsWith(`//${words}`);
  if (words === '') return href;
  return isAddress ? words : `${words} (${href})`;
};

/** Code between backticks; one blank on either side of it is not part of it. */
const codeOf = (raw: string): string => {
  const code = raw.replace(/^`+/, '').replace(/(?<!`)`+$/, '');
  const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return isPadded ? code.slice(1, -1) : code;
};

/** The words of inline Markdown without its marks; whatever is no mark stays as it was written. */
const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token): string => {
      switch (token.type) {
        case 'strong':
        case 'em':
        case 'del':
          return wordsOf(childrenOf(token));
        case 'link':
          return linkText(wordsOf(childrenOf(token)), (token as Tokens.Link).href);
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

/** What was made to slow the parser down is shown as it is. */
export const plainInline = (text: string, lexer: Lexer): string =>
  isHostileText(text) ? text : wordsOf(lexer.inlineTokens(text));
