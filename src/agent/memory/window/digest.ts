import { withoutOurMarkup } from '#src/kernel/text.ts';
import { scanIdentifiers } from './identifiers.ts';
import { type Entry, personText } from './turns.ts';

/** One line of what may be remembered. */
export interface DigestLine {
  readonly text: string;
  /** What it names alone, where that is shorter: the tickers with their numbers. */
  readonly brief: string;
  readonly tickers: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

/** Pieces of at most 200 characters, cut between words where there are any. */
const PIECE = /\S.{0,199}(?!\S)|\S.{0,199}/gu;

export const digestLine = (text: string): DigestLine => {
  const found = scanIdentifiers(text);
  // A semicolon between them, for a comma would join a day and a number to a date.
  const named = [...new Set(found.map(({ raw }) => raw))].join('; ');
  return {
    text,
    brief: named !== '' && named.length < text.length ? named : text,
    tickers: new Set(found.flatMap(({ isTicker, keys }) => (isTicker ? keys : []))),
    identifiers: new Set(found.flatMap(({ keys }) => keys)),
  };
};

const piecesOf = (text: string): readonly string[] => withoutOurMarkup(text).match(PIECE) ?? [];

/** What could be remembered without a model, oldest first: an earlier summary, and lines of the person that name something. */
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

interface Ranked {
  /** For each ticker one line that names it, then for each other thing. */
  readonly ofTickers: readonly number[];
  readonly ofOthers: readonly number[];
  readonly rest: readonly number[];
}

/** The numbers of the lines by what is lost with them, the newest first. A line that is there twice counts once. */
const ranked = (lines: readonly DigestLine[], known: ReadonlySet<string>): Ranked => {
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
  return { ofTickers, ofOthers, rest };
};

/**
 * The lines that fit, in their order. One line for each thing that is named goes before a second line about any
 * of them, in brief if need be, tickers first; beyond that the newest win. With `known`, only lines that name
 * something else.
 */
export const selectLines = (
  lines: readonly DigestLine[],
  maxTokens: number,
  countLine: (line: string) => number,
  known?: ReadonlySet<string>,
): readonly string[] => {
  const { ofTickers, ofOthers, rest } = ranked(lines, known ?? new Set());
  const chosen = new Map<number, string>();
  let left = maxTokens;
  const put = (index: number, text = ''): void => {
    const before = chosen.get(index);
    const extra = countLine(text) - (before === undefined ? 0 : countLine(before));
    if (extra > left) return;
    left -= extra;
    chosen.set(index, text);
  };
  const needed = [...ofTickers, ...ofOthers];
  for (const index of needed) put(index, lines[index]?.brief);
  for (const index of needed) if (chosen.has(index)) put(index, lines[index]?.text);
  if (!known) for (const index of rest) put(index, lines[index]?.text);
  return [...chosen].toSorted(([a], [b]) => a - b).map(([, text]) => text);
};
