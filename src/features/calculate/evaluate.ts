import { Decimal, RateDecimal, type Currency } from '#src/kernel/money.ts';
import { CalculationFailure, type CalculationProblem, fail, MAX_EXPRESSION_CHARACTERS } from './problem.ts';
import {
  negative,
  plainValue,
  power,
  product,
  type Quantity,
  quantity,
  quotient,
  requireSameUnit,
  sum,
  unitQuantity,
  unitText,
} from './quantity.ts';
import { numberAt } from '#src/reading/numbers.ts';
import { unitAt } from '#src/reading/units.ts';

interface CalculationFunction {
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  readonly apply: (first: Quantity, others: readonly Quantity[]) => Quantity;
}

const MAX_ARGUMENTS = 50;
const MAX_DECIMALS = 30;
/** e^230 has a hundred digits, which is the limit of results. */
const MAX_EXPONENT = 231;

const positive = (of: Quantity, name: string): Decimal => {
  const value = plainValue(of);
  return value.greaterThan(0) ? value : fail({ kind: 'noResult', name });
};

/** The largest for sign 1, the smallest for −1. */
const extreme = (first: Quantity, others: readonly Quantity[], sign: 1 | -1): Quantity => {
  for (const other of others) requireSameUnit(first, other);
  return others.reduce((best, each) => (each.value.comparedTo(best.value) === sign ? each : best), first);
};

const one = (name: string, apply: CalculationFunction['apply']): readonly [string, CalculationFunction] => [
  name,
  { usage: `${name}(a)`, least: 1, most: 1, apply },
];

const decimalsOf = (digits: Quantity | undefined): number => {
  if (!digits) return 0;
  const value = plainValue(digits);
  return value.isInteger() && !value.isNegative() && value.lessThanOrEqualTo(MAX_DECIMALS)
    ? value.toNumber()
    : fail({ kind: 'noResult', name: 'round' });
};

/** Rounds half away from zero, as people round money; a percentage is rounded as it is shown. */
const rounded = (of: Quantity, digits: Quantity | undefined): Quantity => {
  const decimals = decimalsOf(digits) + (of.isPercent ? 2 : 0);
  return quantity(of.value.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP), of.unit, of.isPercent);
};

/** The change from `a` to `b`, in percent of `a`. */
const percentChange = (a: Quantity, b: Quantity): Quantity => {
  requireSameUnit(a, b);
  if (a.value.isZero()) fail({ kind: 'dividedByZero' });
  return quantity(b.value.minus(a.value).dividedBy(a.value.abs()), undefined, true);
};

const FUNCTIONS: ReadonlyMap<string, CalculationFunction> = new Map<string, CalculationFunction>([
  one('sqrt', (of) => {
    const value = plainValue(of);
    return value.isNegative() ? fail({ kind: 'noResult', name: 'sqrt' }) : quantity(value.sqrt());
  }),
  one('abs', ({ value, unit, isPercent }) => quantity(value.abs(), unit, isPercent)),
  one('ln', (of) => quantity(positive(of, 'ln').ln())),
  one('log10', (of) => quantity(positive(of, 'log10').log(10))),
  one('exp', (of) => {
    const value = plainValue(of);
    return value.abs().greaterThan(MAX_EXPONENT) ? fail({ kind: 'outOfRange' }) : quantity(value.exp());
  }),
  ['min', { usage: 'min(a, b, …)', least: 2, most: MAX_ARGUMENTS, apply: (a, rest) => extreme(a, rest, -1) }],
  ['max', { usage: 'max(a, b, …)', least: 2, most: MAX_ARGUMENTS, apply: (a, rest) => extreme(a, rest, 1) }],
  ['round', { usage: 'round(a, decimals)', least: 1, most: 2, apply: (a, [digits]) => rounded(a, digits) }],
  ['pct', { usage: 'pct(from, to)', least: 2, most: 2, apply: (a, [b = a]) => percentChange(a, b) }],
]);

export type Calculation =
  /** `operands` are the numbers of the expression, as written. */
  | { readonly status: 'ok'; readonly result: Quantity; readonly operands: readonly Decimal[] }
  | { readonly status: 'failed'; readonly problem: CalculationProblem };

const MAX_DEPTH = 60;

const NEAR_CHARACTERS = 12;

/** A recursive-descent evaluator. Precedence rises from sums over products, signs and powers to percent. */
class Evaluator {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  /** Above zero inside a function, where a comma may separate arguments. */
  #calls = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  readonly result = (): Quantity => {
    if (this.#tokens.length === 0) fail({ kind: 'empty' });
    const result = this.#sum();
    if (this.#peek()) this.#failHere();
    return result;
  };

  /** The numbers of the expression. */
  readonly operands = (): readonly Decimal[] =>
    this.#tokens.flatMap((token) => (token.kind === 'number' ? [token.value] : []));

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #failHere(): never {
    const token = this.#peek();
    if (token?.kind === 'word') return fail({ kind: 'unknownWord', word: token.word });
    const near = token ? this.#text.slice(token.from, token.from + NEAR_CHARACTERS) : '';
    return fail({ kind: 'unreadable', near });
  }

  #takes(kind: Token['kind']): boolean {
    const isNext = this.#peek()?.kind === kind;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #operator(...wanted: readonly OperatorToken[]): OperatorToken | null {
    const token = this.#peek();
    if (token?.kind !== 'operator' || !wanted.includes(token.operator)) return null;
    this.#at += 1;
    return token.operator;
  }

  #sum(): Quantity {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) fail({ kind: 'tooDeep' });
    let left = this.#product();
    for (let sign = this.#operator('+', '-'); sign; sign = this.#operator('+', '-'))
      left = sum(left, this.#product(), sign === '+' ? 1 : -1);
    this.#depth -= 1;
    return left;
  }

  #product(): Quantity {
    let left = this.#signed();
    for (let next = this.#operator('*', '/', 'of'); next; next = this.#operator('*', '/', 'of'))
      left = (next === '/' ? quotient : product)(left, this.#signed());
    return left;
  }

  /** A minus binds less than a power: −2^2 is −4. */
  #signed(): Quantity {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) fail({ kind: 'tooDeep' });
    const sign = this.#operator('-', '+');
    const value = sign ? this.#signed() : this.#power();
    this.#depth -= 1;
    return sign === '-' ? negative(value) : value;
  }

  #power(): Quantity {
    const base = this.#percent();
    return this.#operator('^') ? power(base, this.#signed()) : base;
  }

  #percent(): Quantity {
    const value = this.#measured();
    if (!this.#takes('%')) return value;
    if (value.isPercent) this.#failHere();
    if (value.unit.size > 0) fail({ kind: 'plainNeeded', unit: unitText(value) });
    return quantity(value.value.dividedBy(100), undefined, true);
  }

  /** A number with its currency before or behind it. A currency alone is one unit, as in KRW/USD. */
  #measured(): Quantity {
    const before = this.#unit();
    if (before) {
      const token = this.#peek();
      return this.#perUnit(token?.kind === 'number' ? product(this.#number(token), before) : before);
    }
    const value = this.#primary();
    const behind = this.#unit();
    if (!behind) return value;
    if (value.unit.size > 0 || value.isPercent) {
      this.#at -= 1;
      this.#failHere();
    }
    return this.#perUnit(product(value, behind));
  }

  /** Reads a currency behind a slash into the unit, so that `1463.25 KRW/USD` is one quantity even behind a division. */
  #perUnit(value: Quantity): Quantity {
    const [stroke, unit, next] = this.#tokens.slice(this.#at, this.#at + 3);
    const isPer = stroke?.kind === 'operator' && stroke.operator === '/' && unit?.kind === 'unit';
    if (!isPer || next?.kind === 'number') return value;
    this.#at += 2;
    return this.#perUnit(quotient(value, unitQuantity(unit.code)));
  }

  #unit(): Quantity | null {
    const token = this.#peek();
    if (token?.kind !== 'unit') return null;
    this.#at += 1;
    return unitQuantity(token.code);
  }

  #number(token: Extract<Token, { readonly kind: 'number' }>): Quantity {
    this.#at += 1;
    // `100,110` in `pct(100,110)` could be one number or two, and a wrong guess would go unnoticed.
    if (this.#calls > 0 && token.grouped !== null) fail({ kind: 'ambiguousComma', text: token.grouped });
    return quantity(new RateDecimal(token.value));
  }

  #primary(): Quantity {
    const token = this.#peek();
    if (token?.kind === 'number') return this.#number(token);
    if (token?.kind === 'word' && FUNCTIONS.has(token.word)) return this.#call(token.word);
    if (!this.#takes('(')) return this.#failHere();
    const calls = this.#calls;
    this.#calls = 0;
    const value = this.#sum();
    this.#calls = calls;
    return this.#takes(')') ? value : this.#failHere();
  }

  #call(name: string): Quantity {
    const called = FUNCTIONS.get(name);
    this.#at += 1;
    if (!called || !this.#takes('(')) return this.#failHere();
    this.#calls += 1;
    const first = this.#sum();
    const others: Quantity[] = [];
    while (this.#takes(',')) others.push(this.#sum());
    this.#calls -= 1;
    if (!this.#takes(')')) return this.#failHere();
    const count = others.length + 1;
    if (count < called.least || count > called.most) fail({ kind: 'wrongCount', name, usage: called.usage });
    return called.apply(first, others);
  }
}

/**
 * Evaluates an expression with decimals and units. Never throws, and takes bounded time: length, depth and the size of
 * every number are limited.
 */
export const evaluate = (expression: string): Calculation => {
  // NFKC folds variants of a sign, such as full-width digits.
  const text = expression
    .slice(0, MAX_EXPRESSION_CHARACTERS + 1)
    .normalize('NFKC')
    .trim()
    .replace(/(?<!\s)\s*=\s*\??$/, '');
  if (text.length > MAX_EXPRESSION_CHARACTERS)
    return { status: 'failed', problem: { kind: 'tooLong', limit: MAX_EXPRESSION_CHARACTERS } };
  try {
    const evaluator = new Evaluator(text);
    return { status: 'ok', result: evaluator.result(), operands: evaluator.operands() };
  } catch (error) {
    if (error instanceof CalculationFailure) return { status: 'failed', problem: error.problem };
    throw error;
  }
};

type OperatorToken = '+' | '-' | '*' | '/' | '^' | 'of';

/** `from` is the position in the text, for error messages. */
type Token = { readonly from: number } & (
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
const tokensOf = (text: string): readonly Token[] => {
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
