import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { scanNames } from './name-scan.ts';
import {
  canBeName,
  isAcronym,
  isArticle,
  isCode,
  isGeneric,
  isJoining,
  isKindOfFund,
  isOrdinaryWord,
  isStopWord,
  isTooShort,
  meansNote,
  plainNameOf,
} from './name-words.ts';
import { stemsOf } from './particles.ts';

/** How words refer to an instrument: by code, full name, alias (삼전, Google) or part of its name (한국, `berkshire`). */
type NamedBy = 'code' | 'name' | 'alias' | 'part';

const COMPANY_FORM =
  /\b(?:the|incorporated|inc|corporation|corp|(?:and |& )?(?:company|co)|limited|ltd|llc|plc|n\.?v|s\.?a|class [a-c]|common stock)\b\.?/giu;
/** Suffixes that people leave out: Palantir Technologies, Alibaba Group Holding, Amazon.com. */
const LONG_FORM = /\b(?:technolog(?:y|ies)|systems|platforms|group|holdings?|com)\b/giu;

const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const nameKeysOf = (name: string): readonly string[] => {
  const plain = name.normalize('NFKC').replaceAll(COMPANY_FORM, ' ');
  return [name, plain, plain.replaceAll(LONG_FORM, ' ')].map(keyOf).filter((key) => key !== '');
};

export const namedBy = (words: string, { ticker, symbol, exchange, name }: Instrument): NamedBy => {
  const keys = [words, words.normalize('NFKC').replaceAll(COMPANY_FORM, ' ')].map(keyOf);
  const names = [name.en, name.ko].flatMap(nameKeysOf);
  if (names.some((known) => keys.includes(known))) return 'name';
  const codes = [ticker, symbol, `${exchange}${ticker}`, `KRX${ticker}`, `A${ticker}`].map(keyOf);
  if (codes.some((code) => keys.includes(code))) return 'code';
  return names.some((known) => keys.some((key) => known.includes(key))) ? 'part' : 'alias';
};

/** True if several listings share one name: at home and abroad, or in two share classes. */
export const sharesOneName = (words: string, choices: readonly Instrument[]): boolean =>
  choices.length > 0 && choices.every((choice) => namedBy(words, choice) === 'name');

/** Words that the symbol search recognizes. */
interface Known {
  /** As written, without particles. */
  readonly text: string;
  /**
   * `known`: only a name. `unsure`: a code in lower case, or part of one or several names. `ordinary`: an everyday
   * word that is also listed.
   */
  readonly kind: 'known' | 'unsure' | 'ordinary';
  /** True for a full name or code in any case, and for a long part of a unique name. */
  readonly isWhole: boolean;
}

export type NameReader = (run: readonly string[]) => Known | null;

/** The maximum of look-ups per text. */
const MAX_LOOKUPS = 200;
const RANKS: readonly Known['kind'][] = ['known', 'ordinary', 'unsure'];
/** In lower case, codes and short prefixes look like words. */
const SMALL = /^(?=.*[a-z])[a-z0-9]+$/u;
const MIN_SMALL_PART = 4;
const ARTICLE = /^(?:an?|the)$/u;
const LONG_HANGUL = /^\p{Script=Hangul}{3,}$/u;

/** Tells what a run of words names. Each run is looked up once, and long texts only up to a limit. */
export const createNameReader = (symbols: Pick<SymbolSearch, 'resolve'>): NameReader => {
  const byName = new Map<string, Known | null>();

  const lookUp = (text: string, isOneWord: boolean): Known | null => {
    if (isTooShort(text) || isAcronym(text)) return null;
    const match = symbols.resolve(text);
    if (!isOneWord && meansNote(text, match)) return { text, kind: 'known', isWhole: true };
    if (match.status === 'unknown') return null;
    if (isOneWord && isOrdinaryWord(text)) return { text, kind: 'ordinary', isWhole: false };
    if (isGeneric(text)) return null;
    if (match.status === 'ambiguous' && sharesOneName(text, match.choices))
      return { text, kind: 'known', isWhole: true };
    const by = match.status === 'found' ? namedBy(text, match.instrument) : 'part';
    if (by === 'part') {
      const isTold = match.status === 'found' || isOneWord;
      const isShort = SMALL.test(text) && text.length < MIN_SMALL_PART;
      // 하이닉스 is the common name of SK하이닉스 and not the second half of 삼전 하이닉스.
      const isWhole = match.status === 'found' && LONG_HANGUL.test(text);
      return isTold && !isShort ? { text, kind: 'unsure', isWhole } : null;
    }
    return { text, kind: by === 'code' && SMALL.test(text) ? 'unsure' : 'known', isWhole: true };
  };

  const known = (text: string, isOneWord: boolean): Known | null => {
    const before = byName.get(text);
    if (before !== undefined) return before;
    const found = byName.size >= MAX_LOOKUPS ? null : lookUp(text, isOneWord);
    byName.set(text, found);
    return found;
  };

  return (run) => {
    const [first = '', ...others] = run;
    if (isStopWord(first) || first.startsWith('(')) return null;
    const before = others.length > 0 ? `${run.slice(0, -1).join(' ')} ` : '';
    const last = run.at(-1) ?? '';
    // In `near the coast`, the article belongs to the next word, so `near` is not the coin.
    if (before !== '' && ARTICLE.test(last)) return null;
    const readings = stemsOf(last)
      .map((reading) => known(`${before}${reading}`, before === ''))
      .filter((each) => each !== null)
      // Stop words are part of a name only if the whole is one: `bitcoin in won`, 달러 환율.
      .filter(({ isWhole }) => isWhole || before === '' || !run.some(isStopWord));
    return readings.toSorted((a, b) => RANKS.indexOf(a.kind) - RANKS.indexOf(b.kind))[0] ?? null;
  };
};

/** See `Known`. `code`: looks like a code. `other`: may be a name. `noise`: cannot be a name. */
type NameKind = Known['kind'] | 'code' | 'other' | 'noise';

export interface FoundName {
  readonly kind: NameKind;
  /** As written, without particles. */
  readonly text: string;
  /** True in a list with another name: `AAPL, QQQ`, 하이브랑 삼성전자. */
  readonly isListed: boolean;
}

interface Item {
  readonly kind: NameKind | 'and' | 'stop';
  readonly text: string;
  /** True if a particle ends the name, so that the next word is not part of it. */
  readonly isClosed: boolean;
  /** True if it can only be a name of its own, so it is not joined to the previous word. */
  readonly isWhole: boolean;
}

/** The maximum length that tools accept. */
const MAX_NAME_LENGTH = 100;
const LIST_BREAK = /^[,;·，、]$/u;
const EDGES = /^[^\p{L}\p{N}^$]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
/** One or two letters in brackets belong to the previous word: 은선물(H) is a hedged fund, not H. */
const WORDS = /[^\s()[\]{}"“”]+(?:\([A-Za-z]{1,2}\))?|\([A-Za-z]{1,2}\)/gu;
const CLASS_BEHIND = /\([A-Za-z]{1,2}\)$/u;
/** `AAPL in dollars` does not ask for the dollar. */
const IN_DOLLARS = /\bin (?:usd|(?:us )?dollars?)\b/giu;
const IN_WON = /^원화?으?로$/u;
/** 애플주가 is written as often as 애플 주가. */
const GLUED = /(?<=[\p{L}\p{N}])(?=(?:주가|시세|가격|얼마|현재가|종가|차트|뉴스|실적|시총|시가총액))/gu;
/** Nouns around a compound name: 카카오 뱅크 주가 does not ask for 카카오, nor `price of bitcoin cash` for bitcoin. */
const AFTER_NOUN = /^(?:얼마|어때|주가|시세|가격|현재가|종가|prices?$|stocks?$|shares?$|quotes?$)/iu;
const BEFORE_NOUN = /^(?:of|for)$/iu;

const isWord = ({ kind }: Item): boolean => kind !== 'and' && kind !== 'stop';

/** 애플 10주 names 애플. */
const isNumber = ({ kind, text }: Item): boolean => kind === 'noise' && /^\d/u.test(text);

const kindOfUnknown = (text: string): NameKind => {
  if (isGeneric(text) || isAcronym(text)) return 'noise';
  return isCode(text) ? 'code' : canBeName(text) ? 'other' : 'noise';
};

const itemsOfWords = (words: readonly string[], nameIn: NameReader): readonly Item[] => {
  let previous = '';
  return scanNames(words, (run) => nameIn(run)?.text ?? null).flatMap(({ words: run }): readonly Item[] => {
    const last = run.at(-1) ?? '';
    const known = nameIn(run);
    const isEaten = isArticle(previous) && known !== null && known.text === known.text.toLowerCase();
    const isKind = run.length === 1 && isKindOfFund(plainNameOf(last), previous);
    previous = last;
    const and: Item = { kind: 'and', text: last, isClosed: true, isWhole: true };
    if (isKind) return [{ ...and, kind: 'stop' }];
    if (known === null && isStopWord(last)) return [isJoining(last) ? and : { ...and, kind: 'stop' }];
    const text = known?.text ?? plainNameOf(last);
    const isClosed = text !== run.join(' ');
    const kind = isEaten ? 'noise' : (known?.kind ?? kindOfUnknown(text));
    const item: Item = { kind, text, isClosed, isWhole: known?.isWhole ?? false };
    return [item, ...(isClosed && isJoining(last) ? [and] : [])];
  });
};

/** Separates the name from an attached noun such as 주가. */
export const separateNouns = (text: string): string => text.replaceAll('’', "'").replaceAll(GLUED, ' ');

/** Names do not cross commas or sentence ends. */
const itemsOf = (text: string, nameIn: NameReader): readonly Item[] =>
  separateNouns(text)
    .replaceAll(IN_DOLLARS, ' ')
    .split(/([,;·，、?!…\n])/u)
    .flatMap((part, index): readonly Item[] => {
      if (index % 2 === 1) {
        const kind = LIST_BREAK.test(part) ? 'and' : 'stop';
        return [{ kind, text: part, isClosed: true, isWhole: true }];
      }
      const words = (part.match(WORDS) ?? []).map((word) =>
        CLASS_BEHIND.test(word) ? word : word.replaceAll(EDGES, ''),
      );
      return itemsOfWords(
        words.filter((word) => word !== '').map((word) => word.replace(IN_WON, '원화')),
        nameIn,
      );
    });

/** Groups consecutive words that may be one name. */
const groupsOf = (items: readonly Item[]): readonly (readonly Item[])[] => {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    // `, and` counts once.
    if (item.kind === 'and' && previous?.kind === 'and') continue;
    const goesOn = previous && isWord(previous) && !previous.isClosed && isWord(item) && !item.isWhole;
    if (group && goesOn) group.push(item);
    else groups.push([item]);
  }
  return groups;
};

/** One name of several words, or each word by itself. */
const namesOf = (
  group: readonly Item[],
  [before, after]: readonly [Item | undefined, Item | undefined],
): readonly Item[] => {
  const [first, ...rest] = group;
  if (!first || rest.length === 0 || group.some(isNumber)) return group;
  const text = group.map((item) => item.text).join(' ');
  // 스타벅스 커피 is not 스타벅스.
  const isNoName = group.some(({ kind }) => kind === 'noise' || kind === 'ordinary');
  const whole: Item = { kind: isNoName ? 'noise' : 'other', text, isClosed: true, isWhole: false };
  if (isNoName) return [whole];
  const isCodes = rest.every(({ kind }) => kind === 'code');
  if (!first.isWhole) return isCodes && first.kind === 'code' ? group : [whole];
  const isNoun = AFTER_NOUN.test(after?.text ?? '') || BEFORE_NOUN.test(before?.text ?? '');
  return isNoun && !isCodes ? [whole] : group;
};

/** Names and possible names in a text, in order. */
export const findNames = (text: string, nameIn: NameReader): readonly FoundName[] => {
  const groups = groupsOf(itemsOf(text, nameIn));
  const items = groups.flatMap((group, index) =>
    namesOf(group, [groups[index - 1]?.at(-1), groups[index + 1]?.[0]]),
  );
  return items.flatMap(({ kind, text: name }, index): readonly FoundName[] => {
    if (kind === 'and' || kind === 'stop') return [];
    const isListedOn = (step: 1 | -1): boolean => {
      const [next, beyond] = [items[index + step], items[index + 2 * step]];
      if (next?.kind === 'and') return beyond !== undefined && isWord(beyond);
      return kind === 'code' && next !== undefined && isWord(next);
    };
    if (name.length > MAX_NAME_LENGTH) return [{ kind: 'noise', text: name, isListed: false }];
    return [{ kind, text: name, isListed: isListedOn(1) || isListedOn(-1) }];
  });
};
