import type { SymbolSearch } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';

/** Digits of a number as people write it, with or without separators. */
export const NUMBER = String.raw`\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,12})?|\d{1,15}(?:\.\d{1,12})?`;

const SCALE = '[십백천]?[만억조]|[십백천]';
const SIGNS = String.raw`us\$|[$₩€£]`;
const MONEY: readonly (readonly [code: string, pattern: string])[] = [
  ['USD', String.raw`달러|불|dollars?|bucks?|usd|us\$|\$`],
  ['KRW', 'krw|won|원|₩'],
  ['JPY', 'jpy|yen|엔'],
  ['EUR', 'eur|euros?|유로|€'],
  ['GBP', 'gbp|파운드|£'],
];
const MONEY_NAME = MONEY.map(([, pattern]) => pattern).join('|');

/** `200`, `$1,250.5`, `8만 5천원`, `60k`: never the end of a longer number or of a word. */
export const AMOUNT =
  String.raw`(?<![\p{L}\p{N}.,:/-])(?:(?:${SIGNS})\s?)?(?:${NUMBER})(?:\s?(?:${SCALE})(?:\s?\d{1,4}(?:${SCALE})){0,2}(?:\s?\d{1,4}(?=\s?원))?|k(?![\p{L}\p{N}]))?` +
  String.raw`(?:\s?(?:${MONEY_NAME}))?(?![\p{N}:/]|[.,]\d)`;

const POWERS: Readonly<Record<string, number>> = { 십: 1, 백: 2, 천: 3, 만: 4, 억: 8, 조: 12, k: 3 };
const PIECE = new RegExp(`(${NUMBER})\\s?(${SCALE}|k(?![\\p{L}\\p{N}]))?`, 'giu');
const NAMES = MONEY.map(([code, pattern]) => [code, new RegExp(pattern, 'iu')] as const);

/** In which money it is said, if in any. */
export const moneyOf = (written: string): string | undefined =>
  NAMES.find(([, pattern]) => pattern.test(written))?.[0];

/** Who counts a coin in 만 and 억 means won, also where it is not said: coins are traded in dollars too. */
export const moneyIn = (
  written: string,
  name: string,
  symbols: Pick<SymbolSearch, 'resolve'>,
): string | undefined => {
  const money = moneyOf(written);
  if (money !== undefined || !/[만억조]/u.test(written)) return money;
  const match = symbols.resolve(name);
  return match.status === 'found' && match.instrument.assetClass === 'crypto' ? 'KRW' : undefined;
};

/** What an amount comes to: 8만 5천원 is 85000. */
export const valueOf = (written: string): Decimal => {
  let sum = new Decimal(0);
  for (const [, number = '0', scale = ''] of written.matchAll(PIECE)) {
    const power = Array.from(scale.toLowerCase()).reduce((all, letter) => all + (POWERS[letter] ?? 0), 0);
    sum = sum.plus(new Decimal(number.replaceAll(',', '')).times(new Decimal(10).pow(power)));
  }
  return sum;
};
