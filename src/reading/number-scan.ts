import type { Decimal } from '#src/kernel/money.ts';
import { characterTest, isAsciiLetter, isDigit, isLatin, isLetterOrDigit, isSyllable } from './characters.ts';
import { NUMBER_WORDS } from './number-words.ts';
import { endAt, type Reading, textAt } from './reading.ts';
import { moneyBefore, type UnitReading } from './units.ts';

/** Korean characters that can start a number. */
const isKoreanStart = characterTest(
  /[일이삼사오육륙칠팔구십백천만억조열스서마쉰예여아하둘셋넷다한두세석네넉]/u,
);
/** Codes of characters. */
const SPACE = 32;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const UNDERSCORE = 95;

const isOfWord = (code: number): boolean => code === POINT || isLetterOrDigit(code);

const digitsEnd = (text: string, at: number): number => {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
};

/** Bounded, because a list of numbers is scanned again for each of them. */
const RUN = /[\d.,]{0,200}\d/y;
const LONG_RUN = 200;
const WHOLE_RUN = /[\d.,]*\d/y;
/** One number with or without thousands separators, or several decimals separated by commas: `1.5,2.5`. */
const WELL_FORMED =
  /^(?:\d{1,3}(?:,\d{3}){1,12}|\d{1,40})?(?:\.\d{1,30})?$|^\d{1,40}\.\d{1,30}(?:,\d{1,40}\.\d{1,30})+$/;
const LONG_LIST = /^(?:\d{1,40}\.\d{1,30},){2}/;

/** The end of digits and separators that are not a number: `1,5`, `1.234,50`, `1.2.3`, or longer than any amount. */
export const malformedEnd = (text: string, at: number): number | undefined => {
  const run = textAt(RUN, text, at);
  if (run === undefined || WELL_FORMED.test(run)) return undefined;
  if (run.length > LONG_RUN && LONG_LIST.test(run)) return undefined;
  return endAt(WHOLE_RUN, text, at) ?? at;
};

/** Phone and account numbers, dates, times, proportions, and thousands with apostrophes. */
const CODE =
  /\d{1,20}(?:-\d{1,20}){2,20}|0\d{1,3}-\d{3,4}|\d{1,4}(?:\/\d{1,4}){2,20}|\d{1,9}(?::\d{1,9}){1,20}|\d{1,3}(?:'\d{3}){1,20}/y;
const isCodeMark = characterTest(/[-/:']/u);
/** Leading zeros mark a code: `005930`, `0000A0`, `005930.KS`. */
const ZEROS = /0\d[\da-z]*/iy;
const EXCHANGE = /\d{1,6}\.(?:KS|KQ|HK|T|SS|SZ|TWO?|L|DE|PA|AS|TO|AX|SI|SW|MI)(?![a-z\d])/iy;
/** More digits than any amount has. */
const MANY_DIGITS = 40;

/** The end of a code that starts at this digit, or `at` if there is none. */
const codeEnd = (text: string, at: number): number => {
  const end = digitsEnd(text, at);
  const next = text.charCodeAt(end);
  const isPlain = next !== POINT && next !== COMMA && end - at <= MANY_DIGITS;
  const malformed = isPlain ? undefined : malformedEnd(text, at);
  if (malformed !== undefined) return malformed;
  const code = isCodeMark(next) ? endAt(CODE, text, at) : undefined;
  if (code !== undefined) return code;
  if (text.charAt(at) === '0') return endAt(ZEROS, text, at) ?? at;
  return next === POINT ? (endAt(EXCHANGE, text, at) ?? at) : at;
};

const isJoint = characterTest(/[#_^]/u);

/** True if a digit continues the text before it: `MA20`, `COVID-19`, `#5`. `USD100` is money. */
const isInside = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1);
  if (isDigit(before)) return true;
  if (before === POINT || before === MINUS) {
    const earlier = text.charCodeAt(at - 2);
    return isAsciiLetter(earlier) || (before === POINT && isDigit(earlier));
  }
  return isJoint(before) || (isLatin(before) && moneyBefore(text, at) === null);
};

const ADDRESS = /(?:https?:\/\/|www\.)\S*/iy;

/** The end of the letters; digits in the word are scanned separately. */
const wordEnd = (text: string, at: number): number => {
  let end = at + 1;
  while (isAsciiLetter(text.charCodeAt(end))) end += 1;
  return end;
};

const mayStartNumberWord = characterTest(
  new RegExp(`[${Array.from(NUMBER_WORDS, (word) => word.charAt(0)).join('')}]`, 'i'),
);
const mayStartAddress = characterTest(/[hw]/i);
/** Longer than any number word. */
const MAX_WORD = 9;

/** `.5`. In `샀다.500원` the point ends a sentence. */
const isDecimalPoint = (text: string, at: number): boolean =>
  text.charCodeAt(at) === POINT && isDigit(text.charCodeAt(at + 1)) && !isSyllable(text.charCodeAt(at - 1));

/** The next position at which a number may start, or the length of the text. Skips URLs, codes and dates. */
export const nextNumberStart = (text: string, from: number): number => {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isDigit(code) || isDecimalPoint(text, at)) {
      const end = isInside(text, at)
        ? (endAt(WHOLE_RUN, text, at) ?? at + 1)
        : isDigit(code)
          ? codeEnd(text, at)
          : (malformedEnd(text, at) ?? at);
      if (end === at) return at;
      at = end;
    } else if (isAsciiLetter(code)) {
      const isFirst = !isOfWord(text.charCodeAt(at - 1));
      const end = wordEnd(text, at);
      const isShort = end - at <= MAX_WORD && mayStartNumberWord(code);
      if (isFirst && isShort && NUMBER_WORDS.has(text.slice(at, end).toLowerCase())) return at;
      const address = isFirst && mayStartAddress(code) ? endAt(ADDRESS, text, at) : undefined;
      at = address ?? end;
    } else if (isKoreanStart(code) && !isOfWord(text.charCodeAt(at - 1))) return at;
    else at += 1;
  }
  return text.length;
};

/** Counters of time, rank or people, vague counts (`100여 주`) and minor currency units (`50 cents`). */
const COUNTER =
  /\s?(?:년|개월|시간|분기|명|센트|여(?=\s?[십백천만억조주개원달]))|일(?!\s?(?:때|경우))|월|분(?!\p{L})|분[간전후]|초(?!과)|차(?![이익])|건(?!\p{L})|회(?![복])|번|호(?!가)|층|세대|나노|인치|살|학년|주(?:[년일간차말요봉]|\s?(?:신고가|신저가|최고|최저|고점|저점|연속|전(?![량부])|동안|후|뒤|째))|개[년사국장점]/uy;
const SMALL_COUNTER = /(?:시|위|등)(?!로|에)/uy;
const LARGEST_SMALL = 24;
const SPAN =
  /\s?-?(?:days?|weeks?|wks?|months?|years?|yrs?|hours?|hrs?|minutes?|mins?|seconds?|secs?|quarters?|cents?|pence|am|pm)(?![\p{L}\d])/iuy;
const ISH = /ish(?![\p{L}\d])/iuy;

interface CountedNumber extends Pick<Reading<Decimal>, 'value' | 'start' | 'end'> {
  readonly unit: UnitReading | null;
}

const hasOtherCounter = (text: string, { value, end }: CountedNumber): boolean => {
  const code = text.charCodeAt(end);
  if (isAsciiLetter(code) || code === UNDERSCORE) return endAt(ISH, text, end) === undefined;
  if (code === MINUS) return isAsciiLetter(text.charCodeAt(end + 1));
  if (code !== SPACE && !isSyllable(code)) return false;
  return (
    endAt(COUNTER, text, end) !== undefined ||
    (isSyllable(code) &&
      endAt(SMALL_COUNTER, text, end) !== undefined &&
      value.lessThanOrEqualTo(LARGEST_SMALL)) ||
    (code === SPACE && endAt(SPAN, text, end) !== undefined)
  );
};

/** `1주당` says that the next amount is a price per share. */
const isPerUnit = (text: string, { value, unit }: CountedNumber): boolean =>
  unit?.unit === 'pieces' && text.charAt(unit.end) === '당' && value.equals(1);

/** True if the number is not an amount because of its counter or suffix: `5G`, `10년물`, `3 days`. */
export const isNotAnAmount = (text: string, number: CountedNumber): boolean =>
  number.unit === null
    ? hasOtherCounter(text, number) && moneyBefore(text, number.start) === null
    : isPerUnit(text, number);
