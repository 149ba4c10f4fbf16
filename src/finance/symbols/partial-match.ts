import { isOrdinaryWord } from '#src/language/ordinary-words.ts';
import { mainOnes } from './instruments-found.ts';
import type { SymbolIndex } from './symbol-index.ts';
import { isLatin, isSyllableEnd, type QueryForm } from './symbol-key.ts';
import { isOrdinaryPart, saysNothing } from './telling-words.ts';

interface PartialHits {
  /** Names that begin so, the better known first. */
  readonly starting: readonly number[];
  /** Those of them of which it is whole words (of Hangul: whole syllables). */
  readonly whole: readonly number[];
  /** Names that have it inside (of few letters: whose first word begins so), without those that begin so. */
  readonly containing: readonly number[];
  /** The one of `whole` whose name it stands for. */
  readonly told: number | undefined;
}

const MIN_LATIN_PART = 4;
/** Part of a name stands for the whole of the well known only: `stock` is not Stock Yards Bancorp. */
const WELL_KNOWN = 2_000;
const MIN_PART = 2;
/** Fewer are a word of every day too often: 아마, 호텔. */
const MIN_TELLING_SYLLABLES = 3;

/** Up to three Latin letters: of a house (`KB`, `SNT`), or a ticker. */
export const isHouseName = ({ text, letters }: QueryForm): boolean =>
  isLatin(letters) && text.length < MIN_LATIN_PART;

/** As a person separates: a Latin word begins, a Hangul syllable ends. */
const fits = (index: SymbolIndex, letters: string, place: number): boolean =>
  isLatin(letters) ? index.isWordStart(place) : isSyllableEnd(index.keys, place + letters.length);

/** A Latin word ends before this place: `kb` in `KB금융`, not in `Kbridge`. */
const isWordEnd = (index: SymbolIndex, place: number): boolean =>
  index.isWordStart(place) || !isLatin(index.keys.charAt(place));

/** What a name has behind this place, word by word. */
const wordsBehind = (index: SymbolIndex, place: number, end: number): readonly string[] => {
  const words: string[] = [];
  let start = place;
  for (let next = place + 1; next <= end; next += 1) {
    if (next < end && !index.isWordStart(next)) continue;
    words.push(index.keys.slice(start, next));
    start = next;
  }
  return words;
};

/**
 * Whether it stands for the whole name, and is no word in its own right. In Latin: what is left out says nothing
 * (`palantir` of Palantir Technologies; not `tencent` of Tencent Music). In Hangul: it is half of it and more.
 */
const isTellingAt = (
  index: SymbolIndex,
  { text, letters }: QueryForm,
  place: number,
  key: number,
): boolean => {
  const [from, end] = [place + letters.length, (index.starts[key + 1] ?? 0) - 1];
  if (isOrdinaryPart(text) || isOrdinaryWord(text)) return false;
  if (isLatin(letters)) return wordsBehind(index, from, end).every(saysNothing);
  return text.length >= MIN_TELLING_SYLLABLES && letters.length * 2 >= end - place;
};

/** Without funds where there is a company: `goldman sachs` is the bank, and none of the funds that it issues. */
const withoutFunds = (index: SymbolIndex, instruments: readonly number[]): readonly number[] => {
  const others = instruments.filter((each) => index.instrumentAt(each).assetClass !== 'etf');
  return others.length > 0 ? others : instruments;
};

/** Who is meant, if there is no doubt: the only one, a well-known company, and not part of a better known name. */
const toldOf = (
  index: SymbolIndex,
  { letters }: QueryForm,
  {
    whole,
    containing,
    telling,
  }: Record<'whole' | 'containing', readonly number[]> & {
    readonly telling: ReadonlySet<number>;
  },
): number | undefined => {
  const [first, ...others] = whole;
  if (first === undefined || others.length > 0 || first >= WELL_KNOWN || !telling.has(first))
    return undefined;
  // A fund that is named after the company is no other one.
  const elsewhere = containing.find((each) => index.instrumentAt(each).assetClass !== 'etf') ?? Infinity;
  const isElsewhere = elsewhere < (isLatin(letters) ? first : Infinity);
  return isElsewhere || index.instrumentAt(first).assetClass !== 'equity' ? undefined : first;
};

/** Names of which this is a part. Part of a code means nothing. All lists end at `limit`: then there are more. */
export const partialHits = (index: SymbolIndex, form: QueryForm, limit: number): PartialHits => {
  const { text, letters } = form;
  const [starting, whole, containing, telling] = [
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
  ];
  if (text.length < MIN_PART) return { starting: [], whole: [], containing: [], told: undefined };
  const isShort = isHouseName(form);
  const pattern = isShort ? `|${letters}` : letters;
  const shift = isShort ? 1 : 0;
  let found = index.keys.indexOf(pattern);
  while (found !== -1 && (starting.size < limit || containing.size < limit)) {
    const place = found + shift;
    const key = index.keyAt(place);
    const owner = index.owners[key] ?? 0;
    if (!index.isCode(key) && fits(index, letters, place)) {
      const isWhole = !isLatin(letters) || isWordEnd(index, place + letters.length);
      const isStart = index.starts[key] === place && (!isShort || isWhole);
      const group = isStart ? starting : containing;
      if (group.size < limit) group.add(owner);
      if (isStart && isWhole && whole.size < limit) whole.add(owner);
      if (isStart && isWhole && isTellingAt(index, form, place, key)) telling.add(owner);
    }
    found = index.keys.indexOf(pattern, found + 1);
  }
  const inside = mainOnes(
    index,
    [...containing].filter((owner) => !starting.has(owner)),
  );
  const words = withoutFunds(index, mainOnes(index, [...whole]));
  return {
    starting: withoutFunds(index, mainOnes(index, [...starting])),
    whole: words,
    containing: inside,
    told: toldOf(index, form, { whole: words, containing: inside, telling }),
  };
};
