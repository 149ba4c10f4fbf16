import type { Token } from 'marked';
import { newLexer } from './new-lexer.ts';
import { firstWhere } from './source-lines.ts';

/** A stretch that loses its meaning when it is cut. */
export interface Atom {
  readonly start: number;
  readonly end: number;
}

/** Beyond these the parser takes more than linear time. */
const MAX_LENGTH = 8_000;
const LONG_RUN = /([*_~`[\]<!])\1{23}/;

/** Made to hurt, or no text at all. */
export const isHostileText = (text: string): boolean => text.length > MAX_LENGTH || LONG_RUN.test(text);

const WHOLE: ReadonlySet<string> = new Set(['link', 'image', 'codespan', 'html', 'escape']);
const EMPHASIS: ReadonlySet<string> = new Set(['strong', 'em', 'del']);
/** Emphasis of a few words stays whole; of whole sentences it may break. */
const SHORT_EMPHASIS = 80;

const SCAN =
  /(?<!`)(`{1,8})(?!`)[^`\n]{1,500}\1(?!`)|!?\[[^[\]\n]{0,500}\]\([^()\s]{0,2000}(?: "[^"\n]{0,200}")?\)|<?\bhttps?:\/\/\S+/g;

const scanned = (text: string): readonly Atom[] =>
  [...text.matchAll(SCAN)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));

/** False when the tokens do not add up to the text. */
const collect = (tokens: readonly Token[], text: string, from: number, atoms: Atom[]): boolean => {
  let start = from;
  for (const token of tokens) {
    if (!text.startsWith(token.raw, start)) return false;
    const end = start + token.raw.length;
    if (WHOLE.has(token.type) || (EMPHASIS.has(token.type) && token.raw.length <= SHORT_EMPHASIS))
      atoms.push({ start, end });
    else if (EMPHASIS.has(token.type) && 'tokens' in token && 'text' in token) {
      const inside = text.indexOf(String(token.text), start);
      if (inside === -1 || !collect(token.tokens ?? [], text, inside, atoms)) return false;
    }
    start = end;
  }
  return true;
};

/** Links, addresses, code, short emphasis: what must stay whole inside a block of text, in order. */
export const atomsOf = (text: string): readonly Atom[] => {
  if (!/[[`<\\*_~]|:\/\/|www\.|@/.test(text)) return [];
  if (isHostileText(text)) return scanned(text);
  // Marks of quotes are no text; spaces instead of them keep every place.
  const plain = text.replaceAll(/\n[ \t>]+/g, (found) => found.replaceAll('>', ' '));
  const atoms: Atom[] = [];
  const lexer = newLexer();
  return collect(lexer.inlineTokens(plain), plain, 0, atoms) ? atoms : scanned(text);
};

/** The atom that lies across a place. */
export const atomAcross = (atoms: readonly Atom[], at: number): Atom | undefined => {
  const found = atoms[firstWhere(atoms, ({ end }) => end > at)];
  return found && found.start < at ? found : undefined;
};
