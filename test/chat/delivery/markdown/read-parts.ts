import { lexer, type Token, type Tokens } from 'marked';

/** Reads text as simply as a platform would, apart from the code under test. */

const MARKS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;
const FENCE_LINE = /^(`{3,}|~{3,})([^`]*)$/;

interface TaggedLine {
  /** Without marks of quotes in front. */
  readonly text: string;
  /** Language and kind of the fence it stands in; empty outside of fences. */
  readonly fence: string;
}

/** The lines of a text with the fence that they stand in, and the fence that stayed open. */
export const readLines = (text: string): { readonly lines: readonly TaggedLine[]; readonly open: string } => {
  const lines: TaggedLine[] = [];
  let open = '';
  let language = '';
  let indent = 0;
  for (const line of text.split('\n')) {
    const marks = MARKS.exec(line)?.[0] ?? '';
    const [, marker, info = ''] = FENCE_LINE.exec(line.slice(marks.length).trimEnd()) ?? [];
    const isDeep = open !== '' && marks.length > indent + 3;
    const isEnd = open !== '' && !isDeep && info === '' && marker?.startsWith(open) === true;
    if (isEnd) open = '';
    else if (open === '' && marker !== undefined) {
      open = marker;
      language = info.trim().split(' ')[0] ?? '';
      indent = marks.length;
    } else {
      const own = line.replace(/^[ \t]*(?:>[ \t]?)+/, '');
      lines.push({ text: own, fence: open === '' ? '' : `${open}${language}:` });
    }
  }
  return { lines, open };
};

/** Every visible character with the fence it stands in, heads of tables once: what splitting must not change. */
export const essence = (texts: readonly string[]): string => {
  const heads = new Set<string>();
  return texts
    .flatMap((text) => {
      const { lines } = readLines(text);
      return lines.filter(({ text: line, fence }, index) => {
        const isHead = (at: number): boolean =>
          lines[at + 1]?.text.trim() === '|---|---:|' && lines[at]?.fence === '' && fence === '';
        const bare = line.replace(/^[-*\d. ]+/, '').trim();
        if (isHead(index)) {
          const isKnown = heads.has(bare);
          heads.add(bare);
          return !isKnown;
        }
        // The row of dashes says nothing that the head does not say.
        return line.trim() !== '|---|---:|';
      });
    })
    .flatMap(({ text, fence }) => Array.from(text.replaceAll(/\s/g, ''), (character) => fence + character))
    .join('\n');
};

const codeBlocks = (tokens: readonly Token[]): readonly Tokens.Code[] =>
  tokens.flatMap((token) => {
    if (token.type === 'code') return [token as Tokens.Code];
    if (token.type === 'list') return (token as Tokens.List).items.flatMap((item) => codeBlocks(item.tokens));
    return token.type === 'blockquote' ? codeBlocks(token.tokens ?? []) : [];
  });

/** Code blocks that the parser finds without an end. */
export const unclosedFences = (text: string): readonly string[] =>
  codeBlocks(lexer(text))
    .filter(({ codeBlockStyle }) => codeBlockStyle !== 'indented')
    .map(({ raw }) => raw.trim())
    .filter((raw) => {
      const marker = /^(?:`{3,}|~{3,})/.exec(raw)?.[0] ?? '';
      const last = raw.split('\n').slice(1).at(-1)?.trim() ?? '';
      return !(last.startsWith(marker) && /^[`~]+$/.test(last));
    });

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How often each thing that a reader sees as one character occurs. */
export const characterCounts = (texts: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const { segment } of graphemes.segment(text))
      if (segment.length > 1) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return counts;
};

const LINK =
  /!?\[[^\]\n]*\]\([^)\n]*\)|<https:[^>\s]+>|(?<![(<])https:\/\/[\w./?=&-]+|``[^\n]+?``|(?<!`)`[^`\n]+`(?!`)/g;

/** Links, addresses and code in text, with those of repeated heads counted once too often at most. */
export const linksIn = (text: string): readonly string[] =>
  readLines(text)
    .lines.filter(({ fence }) => fence === '')
    .flatMap((line) => line.text.match(LINK) ?? []);
