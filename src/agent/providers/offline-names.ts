import type { SymbolSearch } from '#src/core/finance.ts';
import { scanNames } from '#src/core/name-scan.ts';
import {
  canBeName,
  isCode,
  isJoining,
  isStopWord,
  isTooShort,
  plainNameOf,
  readingsOf,
} from './offline-words.ts';

/** A name, what looks like a code, words that may be a name, or what cannot be one. */
type NameKind = 'known' | 'code' | 'other' | 'noise';

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
}

/** What the tool takes. */
const MAX_NAME_LENGTH = 100;
const LIST_BREAK = /^[,;·，、]$/u;
const EDGES = /^[^\p{L}\p{N}^$]+|[^\p{L}\p{N}]+$/gu;
/** `AAPL in dollars` does not ask for the dollar. */
const IN_DOLLARS = /\bin (?:usd|(?:us )?dollars?)\b/giu;
const IN_WON = /^(원화?)으?로$/u;
/** 애플주가 is written as often as 애플 주가. */
const GLUED_PRICE = /(?<=[\p{L}\p{N}])(?=주가|시세|가격|얼마|현재가|종가)/gu;
/** Around a noun: 카카오 뱅크 주가 does not ask for 카카오, nor `price of bitcoin cash` for bitcoin. */
const AFTER_NOUN = /^(?:얼마|주가|시세|가격|현재가|종가|prices?$|stocks?$|shares?$|quotes?$)/iu;
const BEFORE_NOUN = /^(?:of|for)$/iu;

const isWord = ({ kind }: Item): boolean => kind !== 'and' && kind !== 'stop';

const nameIn =
  (symbols: SymbolSearch) =>
  (run: readonly string[]): string | null => {
    const [first = '', ...others] = run;
    if (isStopWord(first)) return null;
    const before = others.length > 0 ? `${run.slice(0, -1).join(' ')} ` : '';
    const isName = (name: string): boolean => {
      const { status } = symbols.resolve(name);
      return status === 'found' || (status === 'ambiguous' && before === '');
    };
    const readings = readingsOf(run.at(-1) ?? '').map((reading) => `${before}${reading}`);
    return readings.find((name) => !isTooShort(name) && isName(name)) ?? null;
  };

const itemsOfWords = (words: readonly string[], symbols: SymbolSearch): readonly Item[] =>
  scanNames(words, nameIn(symbols)).flatMap(({ words: run, name }): readonly Item[] => {
    const last = run.at(-1) ?? '';
    const and: Item = { kind: 'and', text: last, isClosed: true };
    if (name === null && isStopWord(last)) return [isJoining(last) ? and : { ...and, kind: 'stop' }];
    const text = name ?? plainNameOf(last);
    const isClosed = text !== run.join(' ');
    const kind = name !== null ? 'known' : isCode(text) ? 'code' : canBeName(text) ? 'other' : 'noise';
    return [{ kind, text, isClosed }, ...(isClosed && isJoining(last) ? [and] : [])];
  });

/** Names do not reach over a comma or the end of a sentence. */
const itemsOf = (text: string, symbols: SymbolSearch): readonly Item[] =>
  text
    .replaceAll('’', "'")
    .replaceAll(IN_DOLLARS, ' ')
    .replaceAll(GLUED_PRICE, ' ')
    .split(/([,;·，、?!…\n])/u)
    .flatMap((part, index): readonly Item[] => {
      if (index % 2 === 1)
        return [{ kind: LIST_BREAK.test(part) ? 'and' : 'stop', text: part, isClosed: true }];
      const words = part.split(/[\s()[\]{}"“”]+/u).map((word) => word.replaceAll(EDGES, ''));
      return itemsOfWords(
        words.filter((word) => word !== '').map((word) => word.replace(IN_WON, '$1')),
        symbols,
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
    const goesOn =
      previous && isWord(previous) && !previous.isClosed && isWord(item) && item.kind !== 'known';
    if (group && goesOn) group.push(item);
    else groups.push([item]);
  }
  return groups;
};

/** One name of several words, or each of them for itself. */
const namesOf = (
  group: readonly Item[],
  [before, after]: readonly [Item | undefined, Item | undefined],
  symbols: SymbolSearch,
): readonly Item[] => {
  const [first, ...rest] = group;
  if (!first || rest.length === 0 || group.some(({ kind }) => kind === 'noise')) return group;
  const text = group.map((item) => item.text).join(' ');
  const whole: Item = { kind: 'other', text, isClosed: true };
  const isCodes = rest.every(({ kind }) => kind === 'code');
  if (first.kind !== 'known') return isCodes && first.kind === 'code' ? group : [whole];
  if (symbols.resolve(first.text).status === 'ambiguous') return [whole];
  const isNoun = AFTER_NOUN.test(after?.text ?? '') || BEFORE_NOUN.test(before?.text ?? '');
  return isNoun && !isCodes ? [whole] : group;
};

/** What in a text is a name, or may be one, in its order. */
export const findNames = (text: string, symbols: SymbolSearch): readonly FoundName[] => {
  const groups = groupsOf(itemsOf(text, symbols));
  const items = groups.flatMap((group, index) =>
    namesOf(group, [groups[index - 1]?.at(-1), groups[index + 1]?.[0]], symbols),
  );
  return items.flatMap(({ kind, text }, index): readonly FoundName[] => {
    if (kind === 'and' || kind === 'stop') return [];
    const isListedOn = (step: 1 | -1): boolean => {
      const [next, beyond] = [items[index + step], items[index + 2 * step]];
      if (next?.kind === 'and') return beyond !== undefined && isWord(beyond);
      return kind === 'code' && next !== undefined && isWord(next);
    };
    if (text.length > MAX_NAME_LENGTH) return [{ kind: 'noise', text, isListed: false }];
    return [{ kind, text, isListed: isListedOn(1) || isListedOn(-1) }];
  });
};
