import type { AssetClass } from '#src/core/finance.ts';
import { mainOnes, ownersOf } from './instruments-found.ts';
import { isHouseName, partialHits } from './partial-match.ts';
import type { SymbolIndex } from './symbol-index.ts';
import { keyLetters, type QueryForm } from './symbol-key.ts';

/** Brokers write an A before a Korean code. */
const KOREAN_CODE = /^a(\d[0-9a-z]{5})$/;

const koreanCode = (index: SymbolIndex, letters: string): readonly number[] => {
  const [, code] = KOREAN_CODE.exec(letters) ?? [];
  return code === undefined ? [] : index.exactKeys(code).filter(index.isCode);
};

interface ExactMatch {
  readonly instruments: readonly number[];
  /** At least one is called so by its code. */
  readonly isCode: boolean;
  /** At least one is called so on purpose. */
  readonly isAlias: boolean;
}

/** Tickers that everybody knows: HD is Home Depot, and hardly ever HD현대. */
const FAMOUS = 100;
/** A ticker that few have heard of, even in capitals: WTI is oil, and hardly ever W&T Offshore. */
const OBSCURE = 6_500;
const CAPITALS = /^[A-Z]+$/;
const EVERYDAY: ReadonlySet<AssetClass> = new Set(['index', 'rate', 'commodity']);

/**
 * Everyday words for an index, a yield or a commodity go before the ticker of a company that is not famous: `gold` and
 * `dow` are what the news speaks of, `$GOLD` is the company. In capitals it may be the ticker, and is a question.
 */
const everydayOnes = (
  index: SymbolIndex,
  keys: readonly number[],
  codes: readonly number[],
  query: string,
): readonly number[] => {
  const rarest = CAPITALS.test(query.trim()) ? OBSCURE : FAMOUS;
  const isHidden = codes.every((key) => (index.owners[key] ?? 0) >= rarest);
  return isHidden
    ? keys.filter(
        (key) => index.isAlias(key) && EVERYDAY.has(index.instrumentAt(index.owners[key] ?? 0).assetClass),
      )
    : [];
};

/** So well known that a code means it, and so much better known than all others with that code: BTC is the coin. */
const MEANT_BY_CODE = 1_000;
const FAR_BETTER_KNOWN = 7;

/** Several with one code are a question, unless nearly everybody means one of them. */
const clearlyMeant = (instruments: readonly number[]): readonly number[] => {
  const [first, second] = instruments;
  if (first === undefined || second === undefined) return instruments;
  return first < MEANT_BY_CODE && second >= first * FAR_BETTER_KNOWN ? [first] : instruments;
};

/**
 * Names of companies behind the same nickname of another: a question, where the two are of different markets and
 * neither is far better known. 힘스 is a company of Seoul, and what people call one of New York.
 */
const namesElsewhere = (
  index: SymbolIndex,
  nicknames: readonly number[],
  names: readonly number[],
): readonly number[] => {
  const [first] = ownersOf(index, nicknames);
  if (first === undefined) return [];
  const { assetClass, currency } = index.instrumentAt(first);
  if (EVERYDAY.has(assetClass)) return [];
  return names.filter((key) => {
    const owner = index.owners[key] ?? 0;
    const isElsewhere = index.instrumentAt(owner).currency !== currency && owner < index.firstSecondary;
    return isElsewhere && clearlyMeant([first, owner].toSorted((a, b) => a - b)).length > 1;
  });
};

/** A coin that has its code for a name: BONK is the coin, and hardly ever a small company of that name. */
const isOwnName = (index: SymbolIndex, instrument: number, { letters }: QueryForm): boolean => {
  const { assetClass, name } = index.instrumentAt(instrument);
  return (
    assetClass === 'crypto' && [name.en, name.ko].some((each) => keyLetters(each.toLowerCase()) === letters)
  );
};

/**
 * What is called exactly so, by code, name or nickname. A nickname goes before a name: `nasdaq` is the index. `$` in
 * front means a code, where there is one; a preferred share or a warrant is meant only by a name of its own.
 */
export const exactMatch = (
  index: SymbolIndex,
  forms: readonly QueryForm[],
  query: string,
): ExactMatch | null => {
  const hasDollarSign = query.trimStart().startsWith('$');
  for (const form of forms) {
    const same = index.exactKeys(form.letters).filter((key) => form.isCodeLike || !index.isCode(key));
    const keys = same.length > 0 ? same : koreanCode(index, form.letters);
    if (keys.length === 0) continue;
    const codes = keys.filter(index.isCode);
    const isDisputed = codes.length > 0 && forms.length === 1 && !hasDollarSign;
    const everyday = isDisputed ? everydayOnes(index, keys, codes, query) : [];
    if (everyday.length > 0) return { instruments: ownersOf(index, everyday), isCode: false, isAlias: true };
    // Who writes `Nasdaq Inc.` names the company, and who writes `nasdaq` the index.
    const isBare = forms.length === 1;
    const unsaid = keys.filter((key) => !index.isCode(key) && index.isAlias(key) !== isBare);
    const elsewhere = isBare ? namesElsewhere(index, keys.filter(index.isAlias), unsaid) : [];
    const called = keys.filter((key) => !unsaid.includes(key) || elsewhere.includes(key));
    const ownCoins = codes.filter((key) => isOwnName(index, index.owners[key] ?? 0, form));
    const meant =
      ownCoins.length > 0 && called.length === codes.length
        ? codes
        : hasDollarSign && codes.length > 0
          ? codes
          : called.length > codes.length
            ? called
            : keys;
    const named = mainOnes(
      index,
      ownersOf(
        index,
        meant.filter((key) => !index.isCode(key)),
      ),
    );
    const allCoded = ownersOf(index, meant.filter(index.isCode));
    const coded = named.length === 0 && !hasDollarSign ? clearlyMeant(allCoded) : allCoded;
    return {
      instruments: [...new Set([...coded, ...named])].toSorted((a, b) => a - b),
      isCode: codes.length > 0,
      isAlias: meant.some(index.isAlias),
    };
  }
  return null;
};

const MAX_MEMBERS = 8;
/** A company that is known by its own name is meant by it: 한화 is 한화, though 한화에어로스페이스 is larger. */
const OWN_NAME = 1_000;
const FAR_LARGER = 4;

/** A key that begins in Latin letters and goes on in Hangul. */
const LATIN_HOUSE = /\|([a-z0-9=.]{2,})(?=[^a-z0-9|=.])/g;
const houses = new WeakMap<SymbolIndex, ReadonlyMap<string, readonly number[]>>();

/** The Korean companies behind each Latin beginning of a name: LX인터내셔널 behind `lx`. Found once for an index. */
const housesOf = (index: SymbolIndex): ReadonlyMap<string, readonly number[]> => {
  const known = houses.get(index);
  if (known) return known;
  const members = new Map<string, number[]>();
  for (const { 1: letters = '', index: place } of index.keys.matchAll(LATIN_HOUSE)) {
    const owner = index.owners[index.keyAt(place + 1)] ?? 0;
    const { assetClass, currency } = index.instrumentAt(owner);
    if (assetClass === 'equity' && currency === 'KRW') members.getOrInsert(letters, []).push(owner);
  }
  houses.set(index, members);
  return members;
};

/** Companies of Korea whose names begin with these letters, where the best known of them is better known than `below`. */
const houseMembers = (index: SymbolIndex, letters: string, below: number): readonly number[] => {
  const members = [...new Set(housesOf(index).get(letters))].slice(0, MAX_MEMBERS);
  return (members[0] ?? below) < below ? mainOnes(index, members) : [];
};

/** Houses of Korea behind tickers and coins that are not as well known: SM, LX, SNT. */
const housesBehind = (index: SymbolIndex, letters: string, coded: readonly number[]) => {
  const [first = 0] = coded;
  const isElsewhere = coded.every((each) => {
    const { assetClass, currency } = index.instrumentAt(each);
    return currency === 'USD' && (assetClass === 'equity' || assetClass === 'crypto');
  });
  // One that is called just so is there already, and a single letter is no house.
  return isElsewhere && first >= FAMOUS && letters.length > 1 ? houseMembers(index, letters, first) : [];
};

/**
 * Who else may be meant by what one is called exactly. `SK` and `LG` are companies, but also what better known ones
 * begin with; `vertex` is a small company, and the first word of a far larger one. Who says `SK Inc.` means that one.
 */
export const alsoMeant = (
  index: SymbolIndex,
  forms: readonly QueryForm[],
  exact: ExactMatch,
): readonly number[] => {
  const [form, ...others] = forms;
  const [first = 0] = exact.instruments;
  if (!form || others.length > 0) return [];
  if (isHouseName(form)) {
    if (exact.isCode) return housesBehind(index, form.letters, exact.instruments);
    const { starting } = partialHits(index, form, MAX_MEMBERS);
    return (starting[0] ?? Infinity) < first ? starting : [];
  }
  if (exact.isCode || exact.isAlias || first < OWN_NAME) return [];
  return partialHits(index, form, MAX_MEMBERS).whole.filter((each) => {
    const { assetClass } = index.instrumentAt(each);
    return each * FAR_LARGER <= first && assetClass !== 'etf' && assetClass !== 'fx';
  });
};
