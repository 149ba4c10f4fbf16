import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { isKindOfFund, meansNote } from './name-words.ts';

export interface NameSpan {
  readonly words: readonly string[];
  /** Null if no name starts with this word. */
  readonly name: string | null;
}

/** The length of `SPDR S&P 500 ETF Trust`. */
export const MAX_NAME_WORDS = 5;
/** Longer than any label with code and market. */
const MAX_LABEL_CHARS = 200;

/**
 * Splits words into names, longest first: `SK hynix tesla` is two. `nameOf` returns null if a run of words is not a
 * name.
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

/** Splits at commas, except within brackets, because the bot's own labels look like `Apple Inc. (AAPL, NASDAQ)`. */
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

/** Words between and around names; some of them are listed companies too. */
const WORDS_AROUND_NAMES =
  /^(?:vs\.?|versus|and|or|및|그리고|하고|이랑|랑|와|과|주가|시세|가격|현재가|종가|주식|알려줘|알려주세요|보여줘|보여주세요|좀|please|stocks?|shares?|prices?|quotes?)$/iu;

/** A future is a different instrument than its underlying. */
const FUTURE = /^(?:선물|futures?)$/iu;

/** Yields after every look-up, because many look-ups would block the event loop. */
type Steps<T> = Generator<undefined, T, undefined>;

type Resolve = SymbolSearch['resolve'];

/** Caches results, because the same word occurs in several runs. */
const cached = (resolve: Resolve): Resolve => {
  const known = new Map<string, ReturnType<Resolve>>();
  return (query) => {
    const match = known.get(query) ?? resolve(query);
    known.set(query, match);
    return match;
  };
};

const read = function* (args: readonly string[], resolve: Resolve, limit: number): Steps<readonly string[]> {
  // Bounds the look-ups for very long input.
  const text = args.join(' ').slice(0, limit * MAX_LABEL_CHARS);
  // `BA C` is Boeing and Citigroup, not BAC. `KOSPI 200` is one name, because 200 is not a code.
  const isGlued = (run: readonly string[], ticker: string): boolean =>
    run.length > 1 &&
    ticker === run.join('').toUpperCase() &&
    run.every((word) => resolve(word).status !== 'unknown');
  // The full text may be one label with commas: `Samsung Electronics Co., Ltd. (005930, KOSPI)`.
  const whole = text.length <= MAX_LABEL_CHARS ? resolve(text) : undefined;
  if (args.length > 1 && whole?.status === 'found' && !isGlued(args, whole.instrument.ticker)) return [text];
  if (args.length > 1 && whole && meansNote(text, whole)) return [text];
  const list = splitList(text);
  const isListed = list.length > 1;
  const pieces = (isListed ? list : args).map((piece) => piece.trim()).filter((piece) => piece !== '');
  if (isListed) {
    const listed: string[] = [];
    // `AAPL, 삼성전자 btc`: a piece that is not a name may contain several.
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
  const isBeside = (word: string): boolean => pieces.length > 1 && WORDS_AROUND_NAMES.test(word);
  const isName = (run: readonly string[]): boolean => {
    const name = run.join(' ');
    if (run.length === 1 && isBeside(name)) return false;
    const match = resolve(name);
    if (run.length > 1 && meansNote(name, match)) return true;
    if (match.status === 'unknown' || (match.status === 'ambiguous' && run.length === 1)) return false;
    // `SK hynix` is listed twice; the name is ambiguous but still one name.
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
 * The names in command arguments: `SK hynix` is one, `AAPL TSLA` are two. Commas separate names explicitly. Returns
 * `limit + 1` names if there are more.
 */
export const namesIn = (
  args: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
  limit: number,
): Steps<readonly string[]> => read(args, cached(symbols.resolve), limit);
