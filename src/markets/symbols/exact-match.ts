import type { AssetClass } from '#src/kernel/market/finance.ts';
import { primaryListings, ownersOf, type SymbolIndex } from './symbol-index.ts';
import { isShortPrefix, partialMatches } from './partial-match.ts';
import { keyLetters, type QueryForm } from './symbol-key.ts';

/** Brokers prefix Korean codes with A. */
const KOREAN_CODE = /^a(\d[0-9a-z]{5})$/;

const koreanCode = (index: SymbolIndex, letters: string): readonly number[] => {
  const [, code] = KOREAN_CODE.exec(letters) ?? [];
  return code === undefined ? [] : index.exactKeys(code).filter(index.isCode);
};

interface ExactMatch {
  readonly instruments: readonly number[];
  /** At least one instrument matched by its code. */
  readonly isCode: boolean;
  /** At least one instrument matched by an alias. */
  readonly isAlias: boolean;
}

/** Rank of tickers everybody knows: HD is Home Depot, hardly ever HD현대. */
const FAMOUS = 100;
/** Rank of tickers few people know, even in capitals: WTI is oil, hardly ever W&T Offshore. */
const OBSCURE = 6_500;
const CAPITALS = /^[A-Z]+$/;
const EVERYDAY: ReadonlySet<AssetClass> = new Set(['index', 'rate', 'commodity']);

/**
 * Everyday words for an index, yield or commodity win over the ticker of a lesser-known company: `gold` and `dow`
 * mean the market, `$GOLD` the company. In capitals the query may be a ticker, so it stays ambiguous.
 */
const everydayMatches = (
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

/**
 * A code means this instrument if its rank is below the first bound and much better than all others': BTC is the
 * coin.
 */
const MEANT_BY_CODE = 1_000;
const FAR_BETTER_KNOWN = 7;

/** Instruments that share a code are ambiguous unless one is far better known. */
const dominantOnly = (instruments: readonly number[]): readonly number[] => {
  const [first, second] = instruments;
  if (first === undefined || second === undefined) return instruments;
  return first < MEANT_BY_CODE && second >= first * FAR_BETTER_KNOWN ? [first] : instruments;
};

/**
 * Companies whose name is another company's nickname, if they trade in different currencies and neither is far
 * better known. 힘스 is a company in Seoul and the nickname of one in New York.
 */
const foreignNamesakes = (
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
    return isElsewhere && dominantOnly([first, owner].toSorted((a, b) => a - b)).length > 1;
  });
};

/** True for a coin named like its code: BONK is the coin, hardly ever a small company of that name. */
const isNamedByCode = (index: SymbolIndex, instrument: number, { letters }: QueryForm): boolean => {
  const { assetClass, name } = index.instrumentAt(instrument);
  return (
    assetClass === 'crypto' && [name.en, name.ko].some((each) => keyLetters(each.toLowerCase()) === letters)
  );
};

/**
 * Matches by exact code, name or alias. Aliases win over names: `nasdaq` is the index. A leading `$` prefers codes.
 * Preferred shares and warrants match only by their own names.
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
    const everyday = isDisputed ? everydayMatches(index, keys, codes, query) : [];
    if (everyday.length > 0) return { instruments: ownersOf(index, everyday), isCode: false, isAlias: true };
    // `Nasdaq Inc.` is the company, `nasdaq` the index.
    const isBare = forms.length === 1;
    const unsaid = keys.filter((key) => !index.isCode(key) && index.isAlias(key) !== isBare);
    const elsewhere = isBare ? foreignNamesakes(index, keys.filter(index.isAlias), unsaid) : [];
    const called = keys.filter((key) => !unsaid.includes(key) || elsewhere.includes(key));
    const ownCoins = codes.filter((key) => isNamedByCode(index, index.owners[key] ?? 0, form));
    const meant =
      ownCoins.length > 0 && called.length === codes.length
        ? codes
        : hasDollarSign && codes.length > 0
          ? codes
          : called.length > codes.length
            ? called
            : keys;
    const named = primaryListings(
      index,
      ownersOf(
        index,
        meant.filter((key) => !index.isCode(key)),
      ),
    );
    const allCoded = ownersOf(index, meant.filter(index.isCode));
    const coded = named.length === 0 && !hasDollarSign ? dominantOnly(allCoded) : allCoded;
    return {
      instruments: [...new Set([...coded, ...named])].toSorted((a, b) => a - b),
      isCode: codes.length > 0,
      isAlias: meant.some(index.isAlias),
    };
  }
  return null;
};

const MAX_MEMBERS = 8;
/** Companies up to this rank are meant by their own name: 한화 is 한화, although 한화에어로스페이스 is larger. */
const OWN_NAME = 1_000;
const FAR_LARGER = 4;

/** A key with a Latin prefix followed by Hangul. */
const LATIN_PREFIX = /\|([a-z0-9=.]{2,})(?=[^a-z0-9|=.])/g;
const groupCache = new WeakMap<SymbolIndex, ReadonlyMap<string, readonly number[]>>();

/** Korean companies by the Latin prefix of their names: LX인터내셔널 under `lx`. Computed once per index. */
const groupsByPrefix = (index: SymbolIndex): ReadonlyMap<string, readonly number[]> => {
  const known = groupCache.get(index);
  if (known) return known;
  const members = new Map<string, number[]>();
  for (const { 1: letters = '', index: place } of index.keys.matchAll(LATIN_PREFIX)) {
    const owner = index.owners[index.keyAt(place + 1)] ?? 0;
    const { assetClass, currency } = index.instrumentAt(owner);
    if (assetClass === 'equity' && currency === 'KRW') members.getOrInsert(letters, []).push(owner);
  }
  groupCache.set(index, members);
  return members;
};

/** Korean companies with this Latin prefix, if the best known of them ranks above `below`. */
const groupMembers = (index: SymbolIndex, letters: string, below: number): readonly number[] => {
  const members = [...new Set(groupsByPrefix(index).get(letters))].slice(0, MAX_MEMBERS);
  return (members[0] ?? below) < below ? primaryListings(index, members) : [];
};

/** Korean groups that are better known than the US tickers and coins of the same letters: SM, LX, SNT. */
const groupsBehindTicker = (index: SymbolIndex, letters: string, coded: readonly number[]) => {
  const [first = 0] = coded;
  const isElsewhere = coded.every((each) => {
    const { assetClass, currency } = index.instrumentAt(each);
    return currency === 'USD' && (assetClass === 'equity' || assetClass === 'crypto');
  });
  // An exact name match is included already, and a single letter is not a group.
  return isElsewhere && first >= FAMOUS && letters.length > 1 ? groupMembers(index, letters, first) : [];
};

/**
 * Other instruments that an exact match may mean. `SK` and `LG` are companies and the prefix of better-known ones;
 * `vertex` is a small company and the first word of a far larger one. `SK Inc.` is unambiguous.
 */
export const alternativeMeanings = (
  index: SymbolIndex,
  forms: readonly QueryForm[],
  exact: ExactMatch,
): readonly number[] => {
  const [form, ...others] = forms;
  const [first = 0] = exact.instruments;
  if (!form || others.length > 0) return [];
  if (isShortPrefix(form)) {
    if (exact.isCode) return groupsBehindTicker(index, form.letters, exact.instruments);
    const { starting } = partialMatches(index, form, MAX_MEMBERS);
    return (starting[0] ?? Infinity) < first ? starting : [];
  }
  if (exact.isCode || exact.isAlias || first < OWN_NAME) return [];
  return partialMatches(index, form, MAX_MEMBERS).whole.filter((each) => {
    const { assetClass } = index.instrumentAt(each);
    return each * FAR_LARGER <= first && assetClass !== 'etf' && assetClass !== 'fx';
  });
};
