import { foldWidth } from './reading.ts';

/** What is written before an equals sign is short. */
const LONGEST = 160;
const EQUALS_BEFORE = /[=≈]\s?(?:약\s?|about\s|roughly\s|~\s?)?[A-Z]{0,3}[₩$€£¥+-]?$/u;
const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/uy;
const MORE: ReadonlySet<string> = new Set(['+', '-', '*', '/']);
const OPERATORS: Readonly<Record<string, string>> = {
  '×': '*',
  x: '*',
  '*': '*',
  '÷': '/',
  '/': '/',
  '+': '+',
  '-': '-',
};
const MAX_TOKENS = 40;

/** The numbers, operators and brackets of a text; words and units are skipped. */
const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = [];
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS;) {
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    const char = text.charAt(at);
    const operator = OPERATORS[char];
    if (number !== undefined) tokens.push(number.replaceAll(',', ''));
    else if (char === '(' || char === ')') tokens.push(char);
    else if (operator !== undefined && (char !== 'x' || text.charAt(at - 1) === ' ')) tokens.push(operator);
    at += number?.length ?? 1;
  }
  return tokens;
};

/** The value of a whole row of tokens by the usual rules. Undefined if they are no formula. */
const valueOf = (tokens: readonly string[]): number | undefined => {
  let at = 0;
  const atom = (): number => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '-') return -atom();
    if (token !== '(') return MORE.has(token) || token === ')' || token === '' ? Number.NaN : Number(token);
    const inner = sum();
    if (tokens[at] !== ')') return Number.NaN;
    at += 1;
    return inner;
  };
  const product = (): number => {
    let value = atom();
    while (tokens[at] === '*' || tokens[at] === '/') {
      at += 1;
      value = tokens[at - 1] === '*' ? value * atom() : value / atom();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') {
      at += 1;
      value = tokens[at - 1] === '+' ? value + product() : value - product();
    }
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
};

/** `3,163 (1,021 + 1,088 + 1,054)`. */
const BEHIND = /^[^\d\n(.]{0,12}\(([^()\n]{3,80})\)/u;
export const resultsBehind = (text: string, end: number): readonly number[] => {
  const tokens = tokensOf(foldWidth(BEHIND.exec(text.slice(end, end + LONGEST))?.[1] ?? ''));
  const value = tokens.length > 2 && tokens.some((token) => MORE.has(token)) ? valueOf(tokens) : undefined;
  return value === undefined ? [] : [value];
};

/** What the formula gives that stands before the equals sign of a number: `2,592 + 820 + 640 = 4,052`. */
export const writtenResults = (text: string, start: number): readonly number[] => {
  const before = foldWidth(text.slice(Math.max(0, start - LONGEST), start));
  const sign = EQUALS_BEFORE.exec(before);
  if (!sign) return [];
  const tokens = tokensOf(
    before
      .slice(0, sign.index)
      .split(/[=≈\n;]|[.!?]\s/u)
      .at(-1) ?? '',
  );
  // Words may stand before the formula, and their numbers are none of it.
  for (let from = 0; from < tokens.length - 2; from += 1) {
    const rest = tokens.slice(from);
    const value = rest.some((token) => MORE.has(token)) ? valueOf(rest) : undefined;
    if (value !== undefined) return [value, value * 100];
  }
  return [];
};
