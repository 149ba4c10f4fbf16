import { type Currency, Decimal } from '#src/kernel/money.ts';
import { characterTest } from './characters.ts';
import type { KnownCurrency } from './currencies.ts';
import { type NumberReading, numbersIn } from './numbers.ts';
import { foldWidth, matchAt, type Reading } from './reading.ts';
import { moneyBefore, type Unit } from './units.ts';

/** A number with its unit. */
export interface Amount {
  readonly value: Decimal;
  /** True if a plus or minus was written. */
  readonly isSigned: boolean;
  readonly unit: Unit | 'none';
  /** Currency code, if written. */
  readonly currency?: Currency | undefined;
  /** True if the currency is a coin: `0.1 BTC`. */
  readonly isCoin?: boolean | undefined;
  /** The total (`71만원어치`) or the price of one unit (`주당 71,000원`), if written. */
  readonly basis?: 'total' | 'each' | undefined;
}

export interface AmountReading extends Reading<Amount> {
  /** `₩100 USD` names two currencies; `currency` is the first. */
  readonly isConflicting: boolean;
  readonly isGrouped: boolean;
  readonly hasKoreanScale: boolean;
  /** The power of ten of the last written digit. */
  readonly lastPower: number;
}

const LABEL_BEFORE =
  /(?=[매평1한주개단체총합다전모@aefit])(?<![\p{L}\d])(?:(?<each>(?:(?:매입|매수)\s?)?(?:평단가?|평균\s?(?:(?:매입|매수)\s?)?(?:단가|가)?)|(?:(?:1|한)\s?)?[주개]당|한\s?[주개]에|단가|체결가|avg\.?(?: (?:price|cost))?|average(?: (?:price|cost))?(?: of)?|each|@)|총액?|총\s?금액|합계|합쳐서?|다\s?해서|전부\s?(?:해서|합쳐서?)|모두\s?(?:해서|합쳐서?)|(?:for )?a total of|(?:in )?total(?: of)?|altogether)(?:[은는이가]|:)?\s*$/iu;
const LABEL_AFTER =
  /\s?(?:(?<each>씩|each|apiece|(?:per|a|\/)\s?(?:share|piece|coin|unit|주|개))|어치|치(?!\p{L})|(?:in )?total|worth|altogether)(?!\p{Script=Latin})/iuy;
/** Characters that can end a word before the amount or start one after it. */
const isLabelEnd = characterTest(/[단가당에격균g.ethfl@액총금계서합쳐해부두r은는이:]/iu);
const isLabelStart = characterTest(/[씩eap/어치itwa]/iu);
const SPACE = 32;
/** Longer than any label before an amount. */
const MAX_LABEL = 20;

interface Label {
  readonly basis: 'total' | 'each';
  /** Where the label starts before the amount or ends after it. */
  readonly edge: number;
}

const labelBefore = (text: string, at: number, floor: number): Label | null => {
  const last = text.charCodeAt(text.charCodeAt(at - 1) === SPACE ? at - 2 : at - 1);
  if (!isLabelEnd(last)) return null;
  const from = Math.max(floor, at - MAX_LABEL);
  const match = LABEL_BEFORE.exec(text.slice(from, at));
  return (
    match && { basis: match.groups?.['each'] === undefined ? 'total' : 'each', edge: from + match.index }
  );
};

const labelAfter = (text: string, at: number): Label | null => {
  if (!isLabelStart(text.charCodeAt(text.charCodeAt(at) === SPACE ? at + 1 : at))) return null;
  const match = matchAt(LABEL_AFTER, text, at);
  const basis = match?.groups?.['each'] === undefined ? 'total' : 'each';
  return match && { basis, edge: at + match[0].length };
};

/** A sign followed by a space counts only at the start or after a comparison: in `삼성전자 - 10주` it is a dash. */
const isBeforeSign = characterTest(/[\s(<>=≥≤~@:,]/u);
const isBeforeFreeSign = characterTest(/[(<>=≥≤@:]/u);
const isSign = characterTest(/[+-]/u);

/** The position of the amount's plus or minus sign. */
const signBefore = (text: string, at: number): number | undefined => {
  const isFree = text.charCodeAt(at - 1) === SPACE;
  const place = isFree ? at - 2 : at - 1;
  if (!isSign(text.charCodeAt(place))) return undefined;
  const before = text.charCodeAt(place - 1);
  return place === 0 || (isFree ? isBeforeFreeSign(before) : isBeforeSign(before)) ? place : undefined;
};

interface Money {
  readonly currency: KnownCurrency | undefined;
  readonly isConflicting: boolean;
}

/** `$100 CAD` is Canadian; for any other two currencies the first counts. */
const moneyOf = (before: KnownCurrency | undefined, after: KnownCurrency | undefined): Money => {
  if (!before || !after || before.code === after.code)
    return { currency: before ?? after, isConflicting: false };
  const isDollar = before.code === 'USD' && /dollar/iu.test(after.name.en);
  return isDollar ? { currency: after, isConflicting: false } : { currency: before, isConflicting: true };
};

const NO_ALTERNATIVES: readonly never[] = [];

/** `floor` is the end of the previous reading. */
const amountFrom = (text: string, number: NumberReading, floor: number): AmountReading => {
  const { unit: behind, isApproximate, isGrouped, hasKoreanScale, lastPower } = number;
  const named = moneyBefore(text, number.start);
  // In `1200000 KRW 800 USD`, KRW belongs to the first amount.
  const lead = named && named.start >= floor ? named : null;
  // In `$-5` the sign stands between currency and number.
  const innerSign = lead === null && isSign(text.charCodeAt(number.start - 1));
  const innerLead = innerSign ? moneyBefore(text, number.start - 1) : null;
  const place = innerLead ? number.start - 1 : signBefore(text, lead?.start ?? number.start);
  const isSigned = place !== undefined;
  const isNegative = isSigned && text.charAt(place) === '-';
  const from = innerLead?.start ?? place ?? lead?.start ?? number.start;
  const to = behind?.end ?? number.end;
  const { currency, isConflicting } = moneyOf((lead ?? innerLead)?.currency, behind?.currency);
  const unit = behind && behind.unit !== 'money' ? behind.unit : currency ? 'money' : 'none';
  const isPriced = unit === 'money' || unit === 'none';
  const before = isPriced ? labelBefore(text, from, floor) : null;
  const after = isPriced ? labelAfter(text, to) : null;
  const isEach = before?.basis === 'each' || after?.basis === 'each';
  const basis = isEach ? 'each' : (before ?? after)?.basis;
  const money = unit === 'money' ? currency : undefined;
  const of = (value: Decimal): Amount => ({
    value: isNegative ? value.negated() : value,
    isSigned,
    unit,
    currency: money?.code,
    isCoin: money?.isCoin ? true : undefined,
    basis,
  });
  return {
    value: of(number.value),
    start: before?.edge ?? from,
    end: after?.edge ?? to,
    isApproximate,
    alternatives: number.alternatives.length === 0 ? NO_ALTERNATIVES : number.alternatives.map(of),
    isConflicting,
    isGrouped,
    hasKoreanScale,
    lastPower,
  };
};

const BETWEEN_ENDS = /^ ?[~-] ?$/u;

/** Both ends of `10~20%` and `$5-10` share the unit, and of `5~10만원` the scale. */
const asRange = (
  low: AmountReading,
  high: AmountReading,
  lowNumber: NumberReading,
  highNumber: NumberReading,
): readonly [AmountReading, AmountReading] => {
  const [one, other] = [low.value, high.value];
  const { scale } = highNumber;
  const isScaled =
    lowNumber.scale === 0 && scale > 0 && other.value.dividedBy(`1e${scale}`).greaterThan(one.value);
  const { value, isSigned, ...kind } = other;
  if (one.unit === 'none')
    return [
      {
        ...low,
        lastPower: low.lastPower + (isScaled ? scale : 0),
        value: {
          ...kind,
          isSigned: one.isSigned,
          basis: kind.basis ?? one.basis,
          value: isScaled ? one.value.times(`1e${scale}`) : one.value,
        },
      },
      high,
    ];
  return other.unit === 'none' ? [low, { ...high, value: { ...one, value, isSigned } }] : [low, high];
};

/**
 * Every amount in a text, left to right, with currency, unit, sign and basis. Does not recognize dates: remove them
 * first (`datesIn`, `withoutReadings`).
 */
export const amountsIn = (typed: string): readonly AmountReading[] => {
  const text = foldWidth(typed);
  const found: AmountReading[] = [];
  let earlier: NumberReading | undefined;
  for (const number of numbersIn(text)) {
    const last = found.at(-1);
    const amount = amountFrom(text, number, last?.end ?? 0);
    const isRange =
      last && amount.start - last.end <= 3 && BETWEEN_ENDS.test(text.slice(last.end, amount.start));
    if (isRange && earlier) found.splice(-1, 1, ...asRange(last, amount, earlier, number));
    else found.push(amount);
    earlier = number;
  }
  return found;
};

/** A fast path for file cells, most of which are plain digits. */
const PLAIN = /^(?<sign>[+-])?(?<digits>(?:0|[1-9]\d{0,2}(?:(?:,\d{3}){1,4}|\d{0,12}))(?:\.\d{1,20})?)$/;

const plainAmount = (text: string): AmountReading | null => {
  const { sign, digits } = PLAIN.exec(text)?.groups ?? {};
  if (digits === undefined) return null;
  const isGrouped = digits.includes(',');
  const value = new Decimal(isGrouped ? digits.replaceAll(',', '') : digits);
  return {
    value: { value: sign === '-' ? value.negated() : value, isSigned: sign !== undefined, unit: 'none' },
    start: 0,
    end: text.length,
    isApproximate: false,
    alternatives: [],
    isConflicting: false,
    isGrouped,
    hasKoreanScale: false,
    lastPower: digits.includes('.') ? digits.indexOf('.') + 1 - digits.length : 0,
  };
};

const BRACKETS = /^\((?<inside>.*)\)$/su;
const TRAILING_MINUS = /^(?<number>[^-]*\d\D{0,6})-$/su;
/** Longer than any real amount. */
const MAX_WHOLE = 200;

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
 * The whole text as an amount: `71,000원`, `$180.5`, `USD 180.5`, `1.5억`, `10주`, `-5`, and the accounting forms
 * `(12.50)` and `500-`. Null if it is malformed or names two currencies.
 */
export const readAmount = (typed: string): AmountReading | null => {
  const text = foldWidth(typed).trim();
  const plain = plainAmount(text);
  if (plain) return plain;
  const inside = BRACKETS.exec(text)?.groups?.['inside'];
  const late = TRAILING_MINUS.exec(text)?.groups?.['number'];
  const unsigned = inside ?? late;
  if (unsigned === undefined) return wholeAmount(text);
  const amount = wholeAmount(unsigned.trim());
  return amount && !amount.value.isSigned ? negated(amount) : null;
};
