import { scanNames } from './name-scan.ts';
import { isAcronym } from './ordinary-words.ts';
import type { Known, NameReader } from './known-names.ts';
import {
  canBeName,
  isArticle,
  isCode,
  isGeneric,
  isJoining,
  isKindOfFund,
  isStopWord,
  plainNameOf,
} from './name-words.ts';

/** A name (see `Known`), what looks like a code, words that may be a name, or what cannot be one. */
type NameKind = Known['kind'] | 'code' | 'other' | 'noise';

export interface FoundName {
  readonly kind: NameKind;
  /** As it was written, without its particle. */
  readonly text: string;
  /** Whether it stands in a list with another: `AAPL, QQQ`, 하이브랑 삼성전자. */
  readonly isListed: boolean;
}

interface Item {
  readonly kind: NameKind | 'and' | 'stop';
  readonly text: string;
  /** Whether a particle ends it, so that the next word is none of it. */
  readonly isClosed: boolean;
  /** Whether it can be nothing but a name of its own: it is not joined to the word before it. */
  readonly isWhole: boolean;
}

/** The longest name that the tools accept. */
const MAX_NAME_LENGTH = 100;
const LIST_BREAK = /^[,;·，、]$/u;
const EDGES = /^[^\p{L}\p{N}^$]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
/** One or two letters in brackets belong to what stands before them: 은선물(H) is a hedged fund, and no H. */
const WORDS = /[^\s()[\]{}"“”]+(?:\([A-Za-z]{1,2}\))?|\([A-Za-z]{1,2}\)/gu;
const CLASS_BEHIND = /\([A-Za-z]{1,2}\)$/u;
/** `AAPL in dollars` does not ask for the dollar. */
const IN_DOLLARS = /\bin (?:usd|(?:us )?dollars?)\b/giu;
const IN_WON = /^원화?으?로$/u;
/** 애플주가 is written as often as 애플 주가. */
const GLUED = /(?<=[\p{L}\p{N}])(?=(?:주가|시세|가격|얼마|현재가|종가|차트|뉴스|실적|시총|시가총액))/gu;
/** Around a noun: 카카오 뱅크 주가 does not ask for 카카오, nor `price of bitcoin cash` for bitcoin. */
const AFTER_NOUN = /^(?:얼마|어때|주가|시세|가격|현재가|종가|prices?$|stocks?$|shares?$|quotes?$)/iu;
const BEFORE_NOUN = /^(?:of|for)$/iu;

const isWord = ({ kind }: Item): boolean => kind !== 'and' && kind !== 'stop';

/** 애플 10주 is 애플. */
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

/** What is asked for in one word with the name, apart from it. */
export const unglued = (text: string): string => text.replaceAll('’', "'").replaceAll(GLUED, ' ');

/** Names do not reach over a comma or the end of a sentence. */
const itemsOf = (text: string, nameIn: NameReader): readonly Item[] =>
  unglued(text)
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

/** Words that follow each other, and may be one name together; all else stands alone. */
const groupsOf = (items: readonly Item[]): readonly (readonly Item[])[] => {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    // `, and` is one.
    if (item.kind === 'and' && previous?.kind === 'and') continue;
    const goesOn = previous && isWord(previous) && !previous.isClosed && isWord(item) && !item.isWhole;
    if (group && goesOn) group.push(item);
    else groups.push([item]);
  }
  return groups;
};

/** One name of several words, or each of them for itself. */
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

/** What in a text is a name, or may be one, in its order. */
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
