import type { AssetClass } from '#src/core/finance.ts';
import { mainOnes, ownersOf } from './instruments-found.ts';
import { isHouseName, partialHits } from './partial-match.ts';
import type { SymbolIndex } from './symbol-index.ts';
import type { QueryForm } from './symbol-key.ts';

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
const OBSCURE = 5_000;
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
    const called = keys.filter((key) => index.isCode(key) || index.isAlias(key) === (forms.length === 1));
    const meant = hasDollarSign && codes.length > 0 ? codes : called.length > codes.length ? called : keys;
    const named = mainOnes(
      index,
      ownersOf(
        index,
        meant.filter((key) => !index.isCode(key)),
      ),
    );
    const coded = ownersOf(index, meant.filter(index.isCode));
    return {
      instruments: [...new Set([...coded, ...named])].toSorted((a, b) => a - b),
      isCode: codes.length > 0,
      isAlias: meant.some(index.isAlias),
    };
  }
  return null;
};

const MAX_MEMBERS = 8;
const HANGUL_LETTER = /[^a-z0-9|=]/;
/** A company that is known by its own name is meant by it: 한화 is 한화, though 한화에어로스페이스 is larger. */
const OWN_NAME = 1_000;
const FAR_LARGER = 4;

/** Companies of Korea whose names begin with these letters and go on in Hangul: LX인터내셔널. The better known first. */
const houseMembers = (index: SymbolIndex, letters: string, below: number): readonly number[] => {
  const members = new Set<number>();
  let place = index.keys.indexOf(`|${letters}`);
  while (place !== -1 && members.size < MAX_MEMBERS) {
    const owner = index.owners[index.keyAt(place + 1)] ?? 0;
    const next = index.keys.charAt(place + 1 + letters.length);
    if (owner >= below && members.size === 0) break;
    const { assetClass, currency } = index.instrumentAt(owner);
    if (HANGUL_LETTER.test(next) && assetClass === 'equity' && currency === 'KRW') members.add(owner);
    place = index.keys.indexOf(`|${letters}`, place + 1);
  }
  return mainOnes(index, [...members]);
};

/** Houses of Korea behind a ticker of America that is not as well known: SM, LX, HL. */
const housesBehind = (index: SymbolIndex, letters: string, [ticker = 0, ...others]: readonly number[]) => {
  const { assetClass, currency } = index.instrumentAt(ticker);
  const isAmerican = assetClass === 'equity' && currency === 'USD';
  // One that is called just so is there already.
  return isAmerican && others.length === 0 && ticker >= FAMOUS ? houseMembers(index, letters, ticker) : [];
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
