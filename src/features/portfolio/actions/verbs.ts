import type { TypedWords } from '#src/features/ability.ts';
import { amountsIn } from '#src/reading/amounts.ts';
import type { AskedVerb } from '#src/reading/asked-verb.ts';
import { textOf, withoutNames } from './line.ts';
import { isOfReport } from './reports.ts';

/** Endings of Korean verbs: `매수했어`, `입금해줘`, `배당받았어요`. */
const ENDING =
  /(?:했(?:어요?|다|음|습니다|지)|해(?:줘|요|주세요)?|함|하기|받았(?:어요?|다|습니다)|받음|을|를)$/u;

const AVERAGE = /^(?:평단가?|평균단가|avg\.?|average)$/iu;

/** Verbs of several words, each as it is typed or any word of that action. */
const PHRASES: readonly (readonly [words: readonly string[], action: string])[] = [
  [['cash', 'in', 'lieu'], 'cash-in-lieu'],
  [['return', 'of', 'capital'], 'capital-return'],
  [['분할', '상장'], 'spin-off'],
  [['spin', 'off'], 'spin-off'],
  [['stock', 'dividend'], 'bonus'],
  [['예탁금', 'interest'], 'interest'],
  [['bonus', 'issue'], 'bonus'],
  [['rights', 'issue'], 'rights'],
  [['merge', 'split'], 'merge'],
  [['tax', 'refund'], 'refund'],
  [['withheld', 'tax'], 'tax'],
  [['withheld', 'refund'], 'refund'],
];

type Verbs = ReadonlyMap<string, string>;
type Found = AskedVerb<string> | undefined;

/** Finds the verb of a line, which Korean may put behind its object: `삼성전자 10주 매수 어제`. */
export const verbIn = (args: readonly string[], first: Verbs, behind: Verbs): Found => {
  const words = withoutNames(args);
  const found = findVerb(words, first, behind);
  return found && { ...found, words: [...found.words, ...args.filter((word) => !words.includes(word))] };
};

const findVerb = (words: readonly string[], first: Verbs, behind: Verbs): Found => {
  const verbOf = (word: string, of: Verbs): string | undefined => {
    const typed = word.normalize('NFKC').toLowerCase();
    return of.get(typed) ?? of.get(typed.replace(ENDING, ''));
  };
  const [start = '', ...others] = words;
  const verb = verbOf(start, first);
  // `보유` alone asks for the holdings.
  if (verb === 'opening' && !/\d/u.test(others.join(''))) return undefined;
  // `add 카카오 50 평단 42000`, `add AAPL 10 avg 180`: `add` alone says nothing of how it came.
  const average = others.findIndex((word) => AVERAGE.test(word));
  if (/^(?:add|추가)$/iu.test(start) && average !== -1)
    return { action: 'opening', words: others.toSpliced(average, 1) };
  const phrase = PHRASES.find(([parts]) =>
    parts.every((part, at) => {
      const word = words[at]?.toLowerCase() ?? '';
      return word === part || verbOf(word, first) === part;
    }),
  );
  if (phrase) return { action: phrase[1], words: words.slice(phrase[0].length) };
  if (verb !== undefined) {
    // `매도 삼성전자 전량 매도`.
    const isSaidTwice = verbOf(others.at(-1) ?? '', behind) === verb;
    return { action: verb, words: isSaidTwice ? others.slice(0, -1) : others };
  }
  const at = words.findLastIndex((word) => verbOf(word, behind) !== undefined);
  const action = verbOf(words[at] ?? '', behind);
  return action === undefined ? undefined : { action, words: words.toSpliced(at, 1) };
};

const DETAILS = /^(?:details|자세히)$/iu;

/** `배당 확인`, `분할 확인`, and `액면분할` alone ask which ones there were; they record nothing. */
const isCheck = (action: string, [first, ...others]: readonly string[]): boolean =>
  first === undefined
    ? action === 'divide'
    : others.length === 0 &&
      ['dividend', 'divide', 'split'].includes(action) &&
      /^(?:확인|체크|check)$/iu.test(first);

/** `tax 2025` and `tax` alone ask for the report of a year; `tax 2 USD` and `tax AAPL 3 USD` are entries. */
const isReport = (words: readonly string[], { symbols }: TypedWords): boolean => {
  const others = words.filter((word) => !isOfReport(word));
  // `tax 2000 KRW`: with a currency it is no year.
  const isMoney = amountsIn(words.join(' ')).some(({ value }) => value.unit === 'money');
  return (
    !isMoney &&
    amountsIn(others.join(' ')).length === 0 &&
    others.every((word) => symbols.resolve(word).status !== 'found')
  );
};

/** The action that the words beside its verb mean. */
export const meant = (asked: AskedVerb<string>, typed: TypedWords): AskedVerb<string> => {
  const words = withoutNames(asked.words);
  if (isCheck(asked.action, words)) return { action: 'actions', words: asked.words.slice(words.length) };
  if (asked.action === 'summary' && words.some((word) => DETAILS.test(word)))
    return { ...asked, action: 'details' };
  const isTax = asked.action === 'tax' && textOf(typed, 'amount') === undefined;
  return isTax && isReport(words, typed) ? { ...asked, action: 'taxReport' } : asked;
};
