/** The longest possible match. */
export const MAX_MATCH_CHARS = 100;
/** The number of ways in which a pattern may be tried at one position of a text. */
const MAX_WAYS = 128;

/** Tells operators what a pattern may contain. */
export const PATTERN_RULES =
  'A pattern is a row of characters, classes such as [A-Z0-9], and \\d, \\w, \\s or \\b, each with a count such as {6}, {1,10} or ? where wanted, ' +
  `${MAX_MATCH_CHARS} characters at most. The counts may vary in ${MAX_WAYS} ways together: {1,10} is ten ways, ? is two. Groups, |, + and * are not allowed: write {1,10} for +, and two patterns for |. Example: EMP-\\d{6}`;

/** One character or class, with its count. */
const TOKEN =
  /(?:\\[dDwWsSbB.\\/()[\]{}*+?^$|]|\[\^?(?:\\.|[^\]\\])+\]|[^\\()[\]{}*+?^$|])(?<count>\?|\{(?<from>\d{1,3})(?:,(?<to>\d{1,3}))?\})?/uy;

/** How often each character or class may occur; undefined for a pattern that is not allowed. */
const rangesOf = (source: string): readonly { readonly from: number; readonly to: number }[] | undefined => {
  const ranges: { from: number; to: number }[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const match = TOKEN.exec(source);
    if (!match) return undefined;
    const { count, from, to } = match.groups ?? {};
    if (count === '?') ranges.push({ from: 0, to: 1 });
    else ranges.push({ from: Number(from ?? 1), to: Number(to ?? from ?? 1) });
  }
  return ranges;
};

/**
 * Compiles a pattern of an operator, which cannot stall the program: without groups and with few varying counts, it is
 * tried in few ways at each position of a text. Throws `SyntaxError` with the reason.
 */
export const compileBoundedPattern = (source: string): RegExp => {
  const ranges = rangesOf(source);
  if (!ranges) throw new SyntaxError(`is not one that can be used. ${PATTERN_RULES}`);
  const matchChars = ranges.reduce((sum, { to }) => sum + to, 0);
  const ways = ranges.reduce((product, { from, to }) => product * Math.max(1, to - from + 1), 1);
  if (matchChars > MAX_MATCH_CHARS || ways > MAX_WAYS)
    throw new SyntaxError(`takes too long. ${PATTERN_RULES}`);
  if (ranges.every(({ from }) => from === 0))
    throw new SyntaxError('fits the empty text, so it would fit everywhere');
  return new RegExp(source, 'gu');
};
