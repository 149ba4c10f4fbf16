import type { Currency, Decimal } from '#src/core/money.ts';
import type { KnownCurrency } from './currencies.ts';
import { type NumberReading, numbersIn } from './numbers.ts';
import { foldWidth, type Reading } from './reading.ts';
import { moneyBefore, type Unit, unitAt } from './units.ts';

/** A number with what it counts. */
export interface Amount {
  readonly value: Decimal;
  /** A plus or a minus was written. */
  readonly isSigned: boolean;
  readonly unit: Unit | 'none';
  /** Code of the money, where it was written. */
  readonly currency?: Currency;
  /** The money is a coin: `0.1 BTC`. */
  readonly isCoin?: boolean;
  /** What it is the price of, where that was written: `71만원어치` of all, `주당 71,000원` of one. */
  readonly basis?: 'total' | 'each';
}

export interface AmountReading extends Reading<Amount> {
  /** `₩100 USD`: two kinds of money in one amount. `currency` is the one before it. */
  readonly isConflicting: boolean;
  readonly isGrouped: boolean;
  readonly hasKoreanScale: boolean;
}

const SIGN_BEFORE = /(?:^|[\s(<>=≥≤~@:])(?<sign>[+-])\s?$/u;
const EACH_BEFORE =
  /(?:^|[\s,(])(?:(?:매입|매수)?\s?평단가?|평균\s?(?:매입|매수)?\s?(?:단가|가)?|주당|개당|한\s?주에|단가|체결가|avg\.?(?: (?:price|cost))?|average(?: (?:price|cost))?(?: of)?|each|@)(?:[은는이가]|:)?\s*$/iu;
const TOTAL_BEFORE =
  /(?:^|[\s,(])(?:총액?|총\s?금액|합계|합쳐서|다\s?해서|전부\s?(?:해서|합쳐)?|모두\s?(?:해서|합쳐)|(?:for )?a total of|(?:in )?total(?: of)?|altogether)(?:[은는이가]|:)?\s*$/iu;
const EACH_AFTER =
  /\s?(?:씩|each|apiece|(?:per|a|\/)\s?(?:share|piece|coin|unit|주|개))(?![\p{Script=Latin}])/iuy;
const TOTAL_AFTER = /\s?(?:어치|(?:in )?total|altogether)(?![\p{Script=Latin}])/iuy;
/** The last characters of these words. */
const LABEL_END = /[단가당에격균g.cethfl@액총금계서합해부두rs은는이:]/iu;
/** Longer than any of the words before. */
const MAX_LABEL = 20;

const lengthAt = (pattern: RegExp, text: string, at: number): number => {
  const sticky = pattern;
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0].length ?? 0;
};

/** Where a label begins that ends at this place; the blank before it is not its own. */
const labelBefore = (pattern: RegExp, text: string, at: number): number | undefined => {
  if (!LABEL_END.test(text.charAt(at - 1)) && !LABEL_END.test(text.charAt(at - 2))) return undefined;
  const lead = text.slice(Math.max(0, at - MAX_LABEL), at);
  const match = pattern.exec(lead);
  if (!match) return undefined;
  const skipped = /^[\s,(]/u.test(match[0]) ? 1 : 0;
  return at - match[0].length + skipped;
};

interface Money {
  readonly currency: KnownCurrency | undefined;
  readonly isConflicting: boolean;
}

/** `$100 CAD` is Canadian; of any other two the one before counts. */
const moneyOf = (before: KnownCurrency | undefined, after: KnownCurrency | undefined): Money => {
  if (!before || !after || before.code === after.code)
    return { currency: before ?? after, isConflicting: false };
  const isDollar = before.code === 'USD' && /dollar/iu.test(after.name.en);
  return isDollar ? { currency: after, isConflicting: false } : { currency: before, isConflicting: true };
};

const amountFrom = (text: string, number: NumberReading): AmountReading => {
  const behind = unitAt(text, number.end);
  const lead = moneyBefore(text, number.start);
  let start = lead?.start ?? number.start;
  let end = behind?.end ?? number.end;
  const sign = SIGN_BEFORE.exec(text.slice(Math.max(0, start - 3), start))?.groups?.['sign'];
  if (sign !== undefined) start = text.lastIndexOf(sign, start - 1);
  // `$-5`: between the sign of the money and the number.
  const inner = lead === null && /[$₩€£¥][+-]$/u.test(text.slice(number.start - 2, number.start));
  const innerLead = inner ? moneyBefore(text, number.start - 1) : null;
  if (innerLead) ({ start } = innerLead);
  const isNegative = sign === '-' || (innerLead !== null && text.charAt(number.start - 1) === '-');
  const { currency, isConflicting } = moneyOf((lead ?? innerLead)?.currency, behind?.currency);
  const unit = behind && behind.unit !== 'money' ? behind.unit : currency ? 'money' : 'none';
  const isPriced = unit === 'money' || unit === 'none';
  const eachFrom = isPriced ? labelBefore(EACH_BEFORE, text, start) : undefined;
  const totalFrom = isPriced ? labelBefore(TOTAL_BEFORE, text, start) : undefined;
  const eachLength = isPriced ? lengthAt(EACH_AFTER, text, end) : 0;
  const totalLength = isPriced ? lengthAt(TOTAL_AFTER, text, end) : 0;
  start = eachFrom ?? totalFrom ?? start;
  end += Math.max(eachLength, totalLength);
  const isEach = eachFrom !== undefined || eachLength > 0;
  const isTotal = totalFrom !== undefined || totalLength > 0;
  const basis = isEach ? 'each' : isTotal ? 'total' : undefined;
  const of = (value: Decimal): Amount => ({
    value: isNegative ? value.negated() : value,
    isSigned: sign !== undefined || innerLead !== null,
    unit,
    ...(currency && unit === 'money' && { currency: currency.code }),
    ...(currency?.isCoin && unit === 'money' && { isCoin: true }),
    ...(basis && { basis }),
  });
  return {
    value: of(number.value),
    start,
    end,
    isApproximate: number.isApproximate,
    alternatives: number.alternatives.map(of),
    isConflicting,
    isGrouped: number.isGrouped,
    hasKoreanScale: number.hasKoreanScale,
  };
};

/**
 * Every amount of a text, from the left, with its money, its unit, its sign and the words that say what it is the
 * price of. Dates are not known here: take them out of the text first (`datesIn`, `withoutReadings`).
 */
export const amountsIn = (typed: string): readonly AmountReading[] => {
  const text = foldWidth(typed);
  return numbersIn(text).map((number) => amountFrom(text, number));
};

const BRACKETS = /^\((?<inside>.*)\)$/su;
const TRAILING_MINUS = /^(?<number>[^-]*\d\D{0,6})-$/su;
/** No amount that is meant is longer. */
const MAX_WHOLE = 80;

const wholeAmount = (text: string): AmountReading | null => {
  if (text === '' || text.length > MAX_WHOLE) return null;
  const [first, ...others] = amountsIn(text);
  const isWhole = first?.start === 0 && first.end === text.length && others.length === 0;
  return isWhole && !first.isConflicting ? first : null;
};

const negated = (reading: AmountReading): AmountReading => ({
  ...reading,
  value: { ...reading.value, value: reading.value.value.negated(), isSigned: true },
});

/**
 * The amount that the whole text is: `71,000원`, `$180.5`, `USD 180.5`, `1.5억`, `10주`, `-5`, and as books write what
 * goes out `(12.50)` and `500-`. Null for what is none, for two kinds of money in one, and for what is malformed.
 */
export const readAmount = (typed: string): AmountReading | null => {
  const text = foldWidth(typed).trim();
  const inside = BRACKETS.exec(text)?.groups?.['inside'];
  const late = TRAILING_MINUS.exec(text)?.groups?.['number'];
  const unsigned = inside ?? late;
  if (unsigned === undefined) return wholeAmount(text);
  const amount = wholeAmount(unsigned.trim());
  return amount && !amount.value.isSigned ? negated(amount) : null;
};
