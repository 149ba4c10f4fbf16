import { withoutOurMarkup } from '#src/kernel/text.ts';
import { scanIdentifiers } from './identifiers.ts';
import { type Entry, personText } from './turns.ts';

/** A line that may be kept in a summary. */
export interface DigestLine {
  readonly text: string;
  /** Only its identifiers (tickers, numbers), if that is shorter than the text. */
  readonly brief: string;
  readonly tickers: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

/** Matches pieces of at most 200 characters, cut between words if possible. */
const PIECE = /\S.{0,199}(?!\S)|\S.{0,199}/gu;

export const digestLine = (text: string): DigestLine => {
  const found = scanIdentifiers(text);
  // A comma would join a day and a number to a date.
  const named = [...new Set(found.map(({ raw }) => raw))].join('; ');
  return {
    text,
    brief: named !== '' && named.length < text.length ? named : text,
    tickers: new Set(found.flatMap(({ isTicker, keys }) => (isTicker ? keys : []))),
    identifiers: new Set(found.flatMap(({ keys }) => keys)),
  };
};

const piecesOf = (text: string): readonly string[] => withoutOurMarkup(text).match(PIECE) ?? [];

/** The lines to choose from without a model, oldest first: an earlier summary, and lines of the person with identifiers. */
export const digestLines = (
  earlierLines: readonly string[],
  removed: readonly Entry[],
): readonly DigestLine[] => {
  const said = removed
    .flatMap(({ message }) => personText(message).flatMap(piecesOf))
    .map((piece) => digestLine(`user: ${piece}`))
    .filter(({ identifiers }) => identifiers.size > 0);
  return [...earlierLines.flatMap(piecesOf).map(digestLine), ...said];
};

/**
 * Ranks the indexes of the lines, newest first: `needed` has one line for each ticker, then one for each other
 * identifier; `rest` has the others. Duplicate lines count once.
 */
const ranked = (
  lines: readonly DigestLine[],
  known: ReadonlySet<string>,
): { readonly needed: readonly number[]; readonly rest: readonly number[] } => {
  const covered = new Set(known);
  const texts = new Set<string>();
  const names = (index: number, kind: 'tickers' | 'identifiers'): boolean => {
    const line = lines[index];
    if (!line || line[kind].isSubsetOf(covered)) return false;
    for (const key of line.identifiers) covered.add(key);
    texts.add(line.text);
    return true;
  };
  const isNewText = (index: number): boolean => {
    const { size } = texts;
    return texts.add(lines[index]?.text ?? '').size > size;
  };
  const newestFirst = [...lines.keys()].toReversed();
  const ofTickers = newestFirst.filter((index) => names(index, 'tickers'));
  const others = new Set(newestFirst).difference(new Set(ofTickers));
  const ofOthers = [...others].filter((index) => names(index, 'identifiers'));
  const rest = [...others.difference(new Set(ofOthers))].filter(isNewText);
  return { needed: [...ofTickers, ...ofOthers], rest };
};

/**
 * Selects the lines that fit, in their order. Every identifier gets one line, in brief if necessary, before any
 * gets a second; tickers come first, and then the newest lines. With `known`, only lines with other identifiers
 * are selected.
 */
export const selectLines = (
  lines: readonly DigestLine[],
  maxTokens: number,
  countLine: (line: string) => number,
  known?: ReadonlySet<string>,
): readonly string[] => {
  const { needed, rest } = ranked(lines, known ?? new Set());
  const chosen = new Map<number, string>();
  let left = maxTokens;
  const put = (index: number, text = ''): void => {
    const before = chosen.get(index);
    const extra = countLine(text) - (before === undefined ? 0 : countLine(before));
    if (extra > left) return;
    left -= extra;
    chosen.set(index, text);
  };
  for (const index of needed) put(index, lines[index]?.brief);
  for (const index of needed) if (chosen.has(index)) put(index, lines[index]?.text);
  if (!known) for (const index of rest) put(index, lines[index]?.text);
  return [...chosen].toSorted(([a], [b]) => a - b).map(([, text]) => text);
};
