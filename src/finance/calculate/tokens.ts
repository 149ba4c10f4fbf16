import type { Currency, Decimal } from '#src/core/money.ts';
import { currencyAtStart } from '#src/language/currencies.ts';
import { fail } from './problem.ts';
import { readNumber } from './read-number.ts';

export type Operator = '+' | '-' | '*' | '/' | '^' | 'of';

/** `from` is where it begins in the text, for telling what could not be read. */
export type Token = { readonly from: number } & (
  | { readonly kind: 'number'; readonly value: Decimal; readonly grouped: string | null }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'unit'; readonly code: Currency }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: '%' | '(' | ')' | ',' }
);

const OPERATORS: Readonly<Record<string, Operator>> = {
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
const PERCENT_WORDS: ReadonlySet<string> = new Set(['percent', '퍼센트', '프로']);
/** They count things that have no price of their own, and change nothing. */
const COUNT_WORDS: ReadonlySet<string> = new Set(['share', 'shares', '주', '개', '코인']);

const wordAt = (text: string, at: number): string => {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? '';
};

type Read = { readonly token: Token | null; readonly end: number };

/** Names of money may be glued to what follows (`달러의`), Latin ones may not: `eurusd` is no euro. */
const unitAt = (text: string, at: number, word: string): Read | null => {
  const found = currencyAtStart(text.slice(at, at + 40));
  if (!found) return null;
  const isLatinPart = /^[a-z]/i.test(word) && found.length < word.length;
  if (isLatinPart) return null;
  return { token: { kind: 'unit', code: found.currency.code, from: at }, end: at + found.length };
};

const readAt = (text: string, at: number): Read => {
  const number = readNumber(text, at);
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
  if (PERCENT_WORDS.has(symbol)) return { token: { kind: '%', from: at }, end: at + word.length };
  if (COUNT_WORDS.has(symbol)) return { token: null, end: at + word.length };
  const unit = unitAt(text, at, word);
  if (unit) return unit;
  if (word === '') return fail({ kind: 'unreadable', near: text.slice(at, at + 12) });
  return { token: { kind: 'word', word: symbol, from: at }, end: at + word.length };
};

/** An expression cut into what it is made of. Fails for a sign that means nothing here. */
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
