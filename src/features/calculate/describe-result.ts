import type { Locale } from '#src/kernel/locale.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { type Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { CalculationProblem } from './problem.ts';
import { type Quantity, unitText } from './quantity.ts';

/** Fewer digits than the calculation carries, so that its rounding errors do not show. */
const VALUE_DIGITS = 20;
const SHOWN_DIGITS = 10;
const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 100;

/** For a percentage, the number before the sign. */
export const resultValue = ({ value, isPercent }: Quantity): Decimal =>
  (isPercent ? value.times(100) : value).toSignificantDigits(VALUE_DIGITS);

/** A currency, `KRW/USD`, `%`, or `number`. */
export const resultUnit = (result: Quantity): string =>
  result.isPercent ? '%' : unitText(result) || 'number';

/** The result for people; `≈` means that digits were left off. */
export const formatResult = (
  result: Quantity,
  locale: Locale,
): { readonly sign: '=' | '≈'; readonly value: string } => {
  const exact = resultValue(result);
  const decimals = Math.min(MOST_DECIMALS, Math.max(LEAST_DECIMALS, SHOWN_DIGITS - 1 - exact.e));
  const value = exact.toDecimalPlaces(exact.isZero() ? 0 : decimals);
  const options = { locale, maximumFractionDigits: value.decimalPlaces() };
  const unit = resultUnit(result);
  const isMoney = /^[A-Z]{3,5}$/.test(unit);
  const number = formatFinancialNumber(value, isMoney ? { ...options, currency: unit } : options);
  const isCut = !value.equals(result.isPercent ? result.value.times(100) : result.value);
  return {
    sign: isCut ? '≈' : '=',
    value: isMoney || unit === 'number' ? number : unit === '%' ? `${number}%` : `${number} ${unit}`,
  };
};

export const describeProblem = (problem: CalculationProblem, locale: Locale): string => {
  const t = hoursTexts(locale).calculate.problems;
  switch (problem.kind) {
    case 'tooLong':
      return t.tooLong(problem);
    case 'unreadable':
      return t.unreadable({ near: problem.near.replaceAll('`', "'") });
    case 'ambiguousComma':
      return t.ambiguousComma(problem);
    case 'unknownWord':
      return t.unknownWord(problem);
    case 'wrongCount':
      return t.wrongCount(problem);
    case 'differentUnits':
      return t.differentUnits(problem);
    case 'plainNeeded':
      return t.plainNeeded(problem);
    case 'noResult':
      return t.noResult(problem);
    case 'empty':
    case 'tooDeep':
    case 'percentFirst':
    case 'dividedByZero':
    case 'outOfRange':
    default:
      return t[problem.kind]();
  }
};
