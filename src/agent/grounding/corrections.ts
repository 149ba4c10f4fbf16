import type { Locale } from '#src/kernel/locale.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Range } from './layout.ts';
import { groundingMessages } from './messages.ts';
import { oppositeAt, type Reversal } from './opposite-word.ts';
import type { CheckedNumber } from './verdict.ts';

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?/;
const CURRENCY = /^[A-Z]{3,5}$/;
const MAX_DECIMALS = 8;
const CENT_DECIMALS = 2;

/** Whether a sign is written: `auto` is before changes, `never` beside a word that says the direction. */
type Sign = 'auto' | 'always' | 'never';

/** The units that a Korean sentence writes behind its numbers. */
const UNIT_WORDS: Readonly<Record<string, RegExp>> = {
  KRW: /원$/u,
  USD: /달러$/u,
  shares: /주$/u,
  units: /[주개]$/u,
};
/** `912조 원`, `$3.1 trillion`: nobody reads such a number in full. */
const SCALED = /[조억]|\b(?:trillion|billion|tn|bn)\b|\d\s?[TB]$/iu;
const LEAST_SHORT = 1e9;
/** Won have decimals only in rates. */
const MOST_WITH_DECIMALS = 10_000;

/** The value of a fact as people write it, in the form of the text that it replaces. */
const factText = (
  { value, unit, metric }: Fact,
  locale: Locale,
  sign: Sign = 'auto',
  replaced = '',
): string => {
  // A plugin may write anything behind a date.
  if (!PLAIN_NUMBER.test(value)) return DATE.exec(value)?.[0].replace('T', ' ') ?? String(Number(value));
  const number = sign === 'never' ? new Decimal(value).abs() : new Decimal(value);
  if (unit === '%') {
    const showSign = sign === 'always' || (sign === 'auto' && /change|gain|growth|return/iu.test(metric));
    return `${showSign && number.greaterThan(0) ? '+' : ''}${number.toFixed()}%`;
  }
  const isMoney = CURRENCY.test(unit);
  const isWhole = unit === 'KRW' && number.abs().greaterThanOrEqualTo(MOST_WITH_DECIMALS);
  const places = isWhole ? 0 : number.decimalPlaces();
  // `$190.10`, not `$190.1`.
  const decimals = Math.min(isMoney && places === 1 ? CENT_DECIMALS : places, MAX_DECIMALS);
  const options = {
    locale,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    showSign: sign === 'always',
    isShort: SCALED.test(replaced) && number.abs().greaterThanOrEqualTo(LEAST_SHORT),
  };
  const word = UNIT_WORDS[unit]?.exec(replaced)?.[0];
  if (word !== undefined) {
    const text = formatFinancialNumber(number, { ...options, locale: 'ko' });
    return `${text}${/[가-힣]$/u.test(text) ? ' ' : ''}${word}`;
  }
  if (isMoney) return formatFinancialNumber(number, { ...options, currency: unit });
  const suffix = unit === '%p' ? '%p' : unit === 'x' ? (locale === 'ko' ? '배' : 'x') : '';
  return `${formatFinancialNumber(number, options)}${suffix}`;
};

/** Marks in the middle of these would break the markup. */
const MARKUP = /[*_~`[\]|\n]/u;

/** What is written in place of a part of the answer. */
export interface Edit extends Range {
  readonly text: string;
}

/** What is shown of a wrong number: the changes in the answer, and what was corrected. */
interface Correction {
  readonly edits: readonly Edit[];
  readonly said: string;
  readonly right: string;
}

const struck = (wrong: string, right: string): string => `~~${wrong}~~ ${right}`;

const SIGNED = /^\D{0,4}(?<sign>[+\-−–])/u;
const ARROW = /[▲▼↑↓](?=\s?$)/u;
const OTHER_ARROW: Readonly<Record<string, string>> = { '▲': '▼', '▼': '▲', '↑': '↓', '↓': '↑' };
/** A word further away from its number is named alone. */
const MAX_BETWEEN = 24;

/** The number with its word of direction, as the answer has them. */
const withWord = (answer: string, number: Range, word: Range): string => {
  const [first, last] = word.start < number.start ? [word, number] : [number, word];
  const between = answer.slice(first.end, last.start);
  return between.length > MAX_BETWEEN || /[\n|()\d]/u.test(between)
    ? `${answer.slice(number.start, number.end)} ${answer.slice(word.start, word.end)}`
    : answer.slice(first.start, last.end);
};

/** The number is right, and the answer says the other direction of it. */
const correctDirection = (
  answer: string,
  { start, end, text }: CheckedNumber,
  fact: Fact,
  word: Reversal | undefined,
  locale: Locale,
): Correction => {
  if (word) {
    const wrong = answer.slice(word.start, word.end);
    return {
      edits: [{ ...word, text: struck(wrong, word.replacement) }],
      said: withWord(answer, { start, end }, word),
      right: word.replacement,
    };
  }
  const right = factText(fact, locale, 'always', text);
  const arrow = ARROW.exec(answer.slice(Math.max(0, start - 2), start));
  const other = OTHER_ARROW[arrow?.[0] ?? ''];
  if (arrow && other !== undefined) {
    const at = Math.max(0, start - 2) + arrow.index;
    return {
      edits: [{ start: at, end: at + arrow[0].length, text: struck(arrow[0], other) }],
      said: answer.slice(at, end),
      right,
    };
  }
  const note = groundingMessages(locale).actually({ value: right });
  const noted = answer.charAt(start - 1) === '(' ? `, ${note}` : `${locale === 'ko' ? '' : ' '}(${note})`;
  return { edits: [{ start, end, text: `${text}${noted}` }], said: text, right };
};

/** What is shown in place of a number that a fact contradicts. */
export const correct = (answer: string, number: CheckedNumber, fact: Fact, locale: Locale): Correction => {
  const { start, end, text, isReversed, wrongWord } = number;
  const found = wrongWord && oppositeAt(answer, wrongWord);
  const sign = SIGNED.exec(text)?.groups?.['sign'];
  const isSigned = sign !== undefined;
  // `-1.92% 상승`: the sign is right, and the word is not.
  const isSignRight = isSigned && (sign === '+') === Number(fact.value) > 0;
  if (isReversed && (!isSigned || (found && isSignRight)))
    return correctDirection(answer, number, fact, found, locale);
  const right = factText(fact, locale, found && !isSigned ? 'never' : 'auto', text);
  const beside = answer.charAt(start - 1) + answer.charAt(end);
  const edit = {
    start,
    end,
    text: MARKUP.test(text) || beside.includes('~') ? `${text} (→ ${right})` : struck(text, right),
  };
  if (!found) return { edits: [edit], said: text, right };
  const wrong = answer.slice(found.start, found.end);
  return {
    edits: [edit, { ...found, text: struck(wrong, found.replacement) }],
    said: withWord(answer, number, found),
    right: found.start < start ? `${found.replacement} ${right}` : `${right} ${found.replacement}`,
  };
};
