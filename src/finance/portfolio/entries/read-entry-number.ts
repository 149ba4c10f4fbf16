import { type Currency, Decimal } from '#src/core/money.ts';
import { currencyAtStart, currencyNamed } from '#src/language/currencies.ts';
import { readNumber } from '../../calculate/read-number.ts';

/** A number as somebody wrote it, with the money that stood beside it. */
interface EntryNumber {
  readonly value: Decimal;
  readonly currency?: Currency;
}

/** No number that is meant is longer. */
const MAX_TYPED = 80;
const SIGN = /^[-+−–]/u;
/** What is counted: `10주`, `3 shares`. */
const COUNTED = /^(?:주|개|좌|계약|코인|shares?|pcs?|units?|coins?)$/iu;
/** `(1,234.50)` is how books write what goes out. */
const BRACKETS = /^\((.*)\)$/u;
const BEFORE_PRICE = /^@\s*/u;

/** Undefined where there is a word that is neither money nor a way of counting. */
const unitOf = (text: string): { readonly currency?: Currency } | undefined => {
  if (text === '' || COUNTED.test(text)) return {};
  const currency = currencyNamed(text);
  return currency && { currency: currency.code };
};

/**
 * `71,000원`, `$180.5`, `USD 180.5`, `1.5억`, `10주`, `１０`, `-5`, `(12.50)`; null for what is no number. Below zero
 * is a number, too: whether it makes sense is for others to say. Two kinds of money in one number are none.
 */
export const readEntryNumber = (typed: string): EntryNumber | null => {
  const whole = typed.normalize('NFKC').trim().replace(BEFORE_PRICE, '');
  if (whole.length > MAX_TYPED) return null;
  const inBrackets = BRACKETS.exec(whole)?.[1];
  let text = (inBrackets ?? whole).trim();
  let isNegative = inBrackets !== undefined;
  const takeSign = (): void => {
    const sign = SIGN.exec(text)?.[0];
    if (sign === undefined) return;
    if (sign !== '+') isNegative = true;
    text = text.slice(sign.length).trimStart();
  };
  takeSign();
  const before = /^[\d.]/u.test(text) ? undefined : currencyAtStart(text);
  if (before) {
    text = text.slice(before.length).trimStart();
    takeSign();
  }
  const number = readNumber(text, 0);
  if (!number) return null;
  const unit = unitOf(text.slice(number.end).trim());
  if (!unit) return null;
  const currency = before?.currency.code ?? unit.currency;
  if (before && unit.currency !== undefined && unit.currency !== before.currency.code) return null;
  const value = new Decimal(number.value.toFixed());
  return {
    value: isNegative ? value.negated() : value,
    ...(currency !== undefined && { currency }),
  };
};
