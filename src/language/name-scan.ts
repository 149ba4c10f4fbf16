import type { SymbolSearch } from '#src/core/finance.ts';
import { isKindOfFund, meansNote } from './name-words.ts';

export interface NameSpan {
  readonly words: readonly string[];
  /** Null: no name begins with this word, which then stands alone. */
  readonly name: string | null;
}

/** `SPDR S&P 500 ETF Trust` has as many. */
export const MAX_NAME_WORDS = 5;
/** Longer than any name of ours with its code and market. */
const MAX_LABEL_CHARS = 200;

/**
 * Cuts words into names, the longest first: `SK hynix tesla` is two. `nameOf` says what a run of words is called,
 * or null if it is no name.
 */
export const scanNames = (
  words: readonly string[],
  nameOf: (run: readonly string[]) => string | null,
): readonly NameSpan[] => {
  const spans: NameSpan[] = [];
  for (let start = 0; start < words.length; start += spans.at(-1)?.words.length ?? 1) {
    let run = words.slice(start, start + MAX_NAME_WORDS);
    let name = nameOf(run);
    while (name === null && run.length > 1) {
      run = run.slice(0, -1);
      name = nameOf(run);
    }
    spans.push({ words: run, name });
  }
  return spans;
};

const SEPARATORS = ',，、;；';

/** At commas, but not at that in `Apple Inc. (AAPL, NASDAQ)`: so we write names ourselves. */
const splitList = (text: string): readonly string[] => {
  const pieces: string[] = [];
  let end = text.length;
  let isInside = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const character = text.charAt(at);
    if (character === ')') isInside = true;
    else if (character === '(') isInside = false;
    else if (!isInside && SEPARATORS.includes(character)) {
      pieces.push(text.slice(at + 1, end));
      end = at;
    }
  }
  return [text.slice(0, end), ...pieces.toReversed()];
};

/** Between names and around them; some of these are listed companies, too. */
const BESIDE_NAMES =
  /^(?:vs\.?|versus|and|or|및|그리고|하고|이랑|랑|와|과|주가|시세|가격|현재가|종가|주식|알려줘|알려주세요|보여줘|보여주세요|좀|please|stocks?|shares?|prices?|quotes?)$/iu;

/** A future is another thing than what stands before the word. */
const FUTURE = /^(?:선물|futures?)$/iu;

/** Work that stops after every look-up: many of them take long, and others want their turn. */
type Steps<T> = Generator<undefined, T, undefined>;

type Resolve = SymbolSearch['resolve'];

/** The same word stands in several runs of words. */
const remembering = (resolve: Resolve): Resolve => {
  const known = new Map<string, ReturnType<Resolve>>();
  return (query) => {
    const match = known.get(query) ?? resolve(query);
    known.set(query, match);
    return match;
  };
};

const read = function* (args: readonly string[], resolve: Resolve, limit: number): Steps<readonly string[]> {
  // Nobody names as much as this; what is behind it would only be looked up in vain.
  const text = args.join(' ').slice(0, limit * MAX_LABEL_CHARS);
  // `BA C` are Boeing and Citigroup, not BAC; `KOSPI 200` is one: 200 is no code.
  const isGlued = (run: readonly string[], ticker: string): boolean =>
    run.length > 1 &&
    ticker === run.join('').toUpperCase() &&
    run.every((word) => resolve(word).status !== 'unknown');
  // As the index knows it, however many words and commas it has: `Samsung Electronics Co., Ltd. (005930, KOSPI)`.
  const whole = text.length <= MAX_LABEL_CHARS ? resolve(text) : undefined;
  if (args.length > 1 && whole?.status === 'found' && !isGlued(args, whole.instrument.ticker)) return [text];
  if (args.length > 1 && whole && meansNote(text, whole)) return [text];
  const list = splitList(text);
  const isListed = list.length > 1;
  const pieces = (isListed ? list : args).map((piece) => piece.trim()).filter((piece) => piece !== '');
  if (isListed) {
    const listed: string[] = [];
    // `AAPL, 삼성전자 btc`: a piece that is no name as a whole may be several.
    for (const piece of pieces.slice(0, limit + 1)) {
      yield;
      const isName = resolve(piece).status !== 'unknown';
      const names = isName ? [piece] : yield* read(piece.split(/\s+/u), resolve, limit);
      const areNames = isName || names.every((name) => resolve(name).status !== 'unknown');
      listed.push(...(areNames ? names : [piece]));
      if (listed.length > limit) break;
    }
    return listed;
  }
  const isBeside = (word: string): boolean => pieces.length > 1 && BESIDE_NAMES.test(word);
  const isName = (run: readonly string[]): boolean => {
    const name = run.join(' ');
    if (run.length === 1 && isBeside(name)) return false;
    const match = resolve(name);
    if (run.length > 1 && meansNote(name, match)) return true;
    if (match.status === 'unknown' || (match.status === 'ambiguous' && run.length === 1)) return false;
    // `SK hynix` is listed twice: which one is a question, but it is one name.
    const meant = match.status === 'found' ? [match.instrument] : match.choices;
    return !meant.some(({ ticker }) => isGlued(run, ticker));
  };
  const names: string[] = [];
  for (let start = 0; start < pieces.length && names.length <= limit;) {
    let length = Math.min(MAX_NAME_WORDS, pieces.length - start);
    for (; length > 1; length -= 1) {
      yield;
      if (isName(pieces.slice(start, start + length))) break;
    }
    if (FUTURE.test(pieces[start + length] ?? '')) length += 1;
    const name = pieces.slice(start, start + length).join(' ');
    if (!isBeside(name) && !isKindOfFund(name, pieces[start - 1])) names.push(name);
    start += length;
  }
  return names;
};

/**
 * What a person names behind a command: `SK hynix` is one name, `AAPL TSLA` are two. Who writes commas has said
 * where the names end. One more than `limit` where there are more: they are not all looked at.
 */
export const namesIn = (
  args: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
  limit: number,
): Steps<readonly string[]> => read(args, remembering(symbols.resolve), limit);
