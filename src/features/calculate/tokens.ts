import type { Currency, Decimal } from '#src/kernel/money.ts';
import { numberAt } from '#src/reading/numbers.ts';
import { unitAt } from '#src/reading/units.ts';
import { fail } from './problem.ts';

export type OperatorToken = '+' | '-' | '*' | '/' | '^' | 'of';

/** `from` is the position in the text, for error messages. */
export type Token = { readonly from: number } & (
  | { readonly kind: 'number'; readonly value: Decimal; readonly grouped: string | null }
  | { readonly kind: 'operator'; readonly operator: OperatorToken }
  | { readonly kind: 'unit'; readonly code: Currency }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: '%' | '(' | ')' | ',' }
);

const OPERATORS: Readonly<Record<string, OperatorToken>> = {
  '+': '+',
  '-': '-',
  '−': '-',
  '–': '-',
  '*': '*',
  '×': '*',
  '·': '*',
  '/': '/',
  '÷': '/',
  '^': '^',
  '**': '^',
  x: '*',
  plus: '+',
  더하기: '+',
  minus: '-',
  빼기: '-',
  times: '*',
  곱하기: '*',
  나누기: '/',
  of: 'of',
  의: 'of',
};

const MARKS: Readonly<Record<string, '%' | '(' | ')' | ','>> = {
  '%': '%',
  '(': '(',
  ')': ')',
  ',': ',',
  ';': ',',
};

const WORD = /[\p{L}][\p{L}\d]*/uy;

const wordAt = (text: string, at: number): string => {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? '';
};

type Read = { readonly token: Token | null; readonly end: number };

/** A unit of pieces is skipped: `10주 * 71000`. */
const tokenOfUnit = (text: string, at: number): Read | null => {
  const found = unitAt(text, at);
  if (!found) return null;
  const { unit, currency, end } = found;
  if (unit === 'pieces') return { token: null, end };
  if (unit === 'percent') return { token: { kind: '%', from: at }, end };
  return currency ? { token: { kind: 'unit', code: currency.code, from: at }, end } : null;
};

const readAt = (text: string, at: number): Read => {
  const number = numberAt(text, at);
  if (number) {
    const grouped = number.isGrouped ? text.slice(at, number.end) : null;
    return { token: { kind: 'number', value: number.value, grouped, from: at }, end: number.end };
  }
  const [sign = ''] = text.slice(at);
  const word = wordAt(text, at);
  const mark = MARKS[sign];
  if (mark) return { token: { kind: mark, from: at }, end: at + 1 };
  const symbol = text.startsWith('**', at) ? '**' : word === '' ? sign : word.toLowerCase();
  const operator = OPERATORS[symbol] ?? (word.startsWith('의') ? 'of' : undefined);
  if (operator) {
    const length = word.startsWith('의') ? 1 : symbol.length;
    return { token: { kind: 'operator', operator, from: at }, end: at + length };
  }
  // A word before a bracket, as in `pct(`, is a function.
  const unit = text.charAt(at + word.length) === '(' ? null : tokenOfUnit(text, at);
  if (unit) return unit;
  if (word === '') return fail({ kind: 'unreadable', near: text.slice(at, at + 12) });
  return { token: { kind: 'word', word: symbol, from: at }, end: at + word.length };
};

/** Splits an expression into tokens. Fails for an unknown sign. */
export const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const { token, end } = readAt(text, at);
    if (token) tokens.push(token);
    at = end;
  }
  return tokens;
};
