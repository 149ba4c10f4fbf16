import { Decimal } from '#src/core/money.ts';
import { currencyAtStart, currencyNamed } from '#src/language/currencies.ts';
import { readNumber } from '../calculate/read-number.ts';

/** A number with what it is of, as it stands in a text. */
export interface Amount {
  readonly value: Decimal;
  readonly isSigned: boolean;
  readonly unit: 'none' | 'percent' | 'times' | 'points';
  /** Code of the money it is in, where that was written. */
  readonly currency?: string;
}

/** One way to read a text as a name, an amount and words around it. */
export interface AmountPlace {
  readonly before: string;
  readonly amount: Amount;
  readonly after: string;
}

/** Not inside of a word or of another number: `ma20`, `1,000`. */
const NUMBER_START = /(?<![\p{Script=Latin}\d.,^])(?:\d|\.\d)/gu;
const LEAD = /^(?<head>.*?)(?<sign>[+−–-]?) ?(?<money>US\$|us\$|[$₩€£¥])? ?(?<late>[+−–-]?)$/su;
const UNITS: readonly (readonly [Amount['unit'], RegExp])[] = [
  ['percent', /^\s*(?:%|퍼(?:센트)?|프로|percent|pct)/iu],
  ['times', /^\s*(?:배|x(?!\p{L})|×|times)/iu],
  ['points', /^\s*(?:포인트|points?|pts?)(?!\p{Script=Latin})/iu],
];

const leadOf = (text: string) => {
  const { head = '', sign = '', money, late = '' } = LEAD.exec(text)?.groups ?? {};
  // `BTC-` and `S&P-` are no minus; behind a blank or an operator it is one.
  const isSign = sign !== '' && /(?:^|[\s<>=≥≤~])$/u.test(head);
  return {
    head: isSign || sign === '' ? head : head + sign,
    sign: isSign ? sign : late,
    currency: money === undefined ? undefined : currencyNamed(money)?.code,
  };
};

/** The money that is named right behind the number, and what is left then. */
const moneyAfter = (text: string) => {
  const [blank = ''] = /^\s*/u.exec(text) ?? [];
  const found = currencyAtStart(text.slice(blank.length));
  if (!found || found.currency.isCoin) return undefined;
  const rest = text.slice(blank.length + found.length);
  return /^\p{Script=Latin}/u.test(rest) ? undefined : { currency: found.currency.code, rest };
};

/**
 * Every place at which a number stands, from the left, each with what may belong to it. The text is short and has
 * single blanks.
 */
export function* amountsIn(text: string): Generator<AmountPlace> {
  for (const { index } of text.matchAll(NUMBER_START)) {
    const number = readNumber(text, index);
    if (!number) continue;
    const { head, sign, currency } = leadOf(text.slice(0, index));
    const rest = text.slice(number.end);
    const value = new Decimal(number.value.toFixed()).times(/[−–-]/u.test(sign) ? -1 : 1);
    const base = { value, isSigned: sign !== '' };
    const unit = UNITS.find(([, pattern]) => pattern.test(rest));
    if (unit) {
      const after = rest.replace(unit[1], '');
      yield { before: head, amount: { ...base, unit: unit[0] }, after };
      continue;
    }
    const money = currency === undefined ? moneyAfter(rest) : undefined;
    if (money)
      yield { before: head, amount: { ...base, unit: 'none', currency: money.currency }, after: money.rest };
    yield { before: head, amount: { ...base, unit: 'none', ...(currency && { currency }) }, after: rest };
  }
}
