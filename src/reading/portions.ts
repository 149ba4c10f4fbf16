import { Decimal } from '#src/kernel/money.ts';
import { currencyNamed } from './currencies.ts';
import { foldWidth } from './reading.ts';

/** A portion of a holding as a fraction, because a rounded quotient would not give exactly one third. */
export interface Portion {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

const ALL = /^(?:all|everything|(?:전량|모두|전부|몽땅)[을를]?|다)$/iu;
const HALF = /^(?:half|(?:절반|반)[만을를]?)$/iu;

/** Single-character fractions. */
export const FRACTION_SIGNS: Readonly<Record<string, string>> = {
  '¼': '1/4',
  '½': '1/2',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅕': '1/5',
  '⅛': '1/8',
};
const SIGN = `[${Object.keys(FRACTION_SIGNS).join('')}]`;
const SLASHED = String.raw`\d{1,2}/\d{1,2}`;
const DIGITS_KO = '일이삼사오육칠팔구십';
const KOREAN = String.raw`(?:\d{1,2}|[${DIGITS_KO}])분의 ?(?:\d{1,2}|[${DIGITS_KO}])`;
const NUMERATORS: readonly string[] = ['', 'one', 'two', 'three', 'four'];
const DENOMINATORS: readonly string[] = ['', '', '', 'third', 'quarter', 'fifth'];
const ENGLISH = '(?:an?|one|two|three|four)[ -](?:third|quarter|fifth)s?';
const PERCENT = String.raw`\d{1,3}(?:\.\d{1,4})? ?(?:%|퍼센트|프로|percent|pct)`;

/** `½ share` is part of one share, not of the holding. */
const NOT_OF_PIECES = String.raw`(?! ?(?:of )?(?:an? |one )?(?:(?:share|coin|unit|piece)s?(?!\p{L})|코인|[주개좌](?![가-힣])))`;
/** `1/2` alone may be a date, `a quarter` three months. */
const OF_HOLDING = String.raw`(?= ?(?:(?:of|my|the)(?!\p{L})|[의만을를](?!\p{L})))`;
/** `fee 0.1%` is not a portion. */
const NOT_OF_COST = String.raw`(?<!(?:fees?|commission|tax|taxes|rate|수수료|세금|거래세|환율)[은는이가:=]? ?)`;
const IN_SALE = new RegExp(
  String.raw`(?<![\p{L}\d./])(?:(?<!\d )(?<sign>${SIGN})|${SLASHED}${OF_HOLDING}|${KOREAN}|${ENGLISH}${OF_HOLDING}|${NOT_OF_COST}${PERCENT})(?!\d)${NOT_OF_PIECES}[의만을를]?(?![가-힣])`,
  'iu',
);
const WHOLE_SLASHED = new RegExp(`^${SLASHED}$`, 'u');
const WHOLE_KOREAN = new RegExp(`^${KOREAN}$`, 'u');
const WHOLE_ENGLISH = new RegExp(`^${ENGLISH}$`, 'iu');
const WHOLE_PERCENT = new RegExp(`^${PERCENT}$`, 'iu');
const SUFFIX = /[의만을를]$/u;

const digitOf = (typed: string): number => {
  const at = DIGITS_KO.indexOf(typed);
  return at === -1 ? Number(typed) : at + 1;
};

/** Numerator and denominator as written. */
const numbersOf = (
  text: string,
): readonly [numerator: string | number, denominator: string | number] | undefined => {
  const slashed = FRACTION_SIGNS[text] ?? text;
  if (WHOLE_SLASHED.test(slashed)) {
    const [numerator = '', denominator = ''] = slashed.split('/');
    return [numerator, denominator];
  }
  if (WHOLE_KOREAN.test(text)) {
    const [denominator = '', numerator = ''] = text.split(/분의 ?/u);
    return [digitOf(numerator), digitOf(denominator)];
  }
  if (WHOLE_ENGLISH.test(text)) {
    const [numerator = '', denominator = ''] = text.toLowerCase().split(/[ -]/u);
    return [Math.max(1, NUMERATORS.indexOf(numerator)), DENOMINATORS.indexOf(denominator.replace(/s$/u, ''))];
  }
  const isPercent = WHOLE_PERCENT.test(text);
  return isPercent ? [/^[\d.]+/u.exec(text)?.[0] ?? '', 100] : undefined;
};

/** Parses a portion such as `전량`, `half`, `½`, `3분의 1` or `50%`. */
export const portionOf = (typed: string | undefined): Portion | undefined => {
  const text = foldWidth(typed ?? '').trim();
  if (ALL.test(text)) return { numerator: new Decimal(1), denominator: new Decimal(1) };
  if (HALF.test(text)) return { numerator: new Decimal(1), denominator: new Decimal(2) };
  const numbers = numbersOf(text);
  if (!numbers) return undefined;
  const [numerator, denominator] = [new Decimal(numbers[0]), new Decimal(numbers[1])];
  return numerator.greaterThan(0) && numerator.lessThanOrEqualTo(denominator)
    ? { numerator, denominator }
    : undefined;
};

export const isAll = ({ numerator, denominator }: Portion): boolean => numerator.equals(denominator);

export const isSamePortion = (one: Portion, other: Portion): boolean =>
  one.numerator.times(other.denominator).equals(other.numerator.times(one.denominator));

/** The inverse of `portionOf`. */
export const portionText = ({ numerator, denominator }: Portion): string => {
  if (numerator.equals(denominator)) return 'all';
  if (numerator.times(2).equals(denominator)) return 'half';
  return denominator.equals(100)
    ? `${numerator.toFixed()}%`
    : `${numerator.toFixed()}/${denominator.toFixed()}`;
};

/** The portion in the text of a sale: `½ of AAPL`, `테슬라 3분의 1`, `50%`. Words such as `half` are found elsewhere. */
export const portionIn = (
  typed: string,
): { readonly text: string; readonly start: number; readonly end: number } | undefined => {
  const match = IN_SALE.exec(foldWidth(typed));
  if (!match) return undefined;
  const { 0: whole, index: start } = match;
  const end = start + whole.length;
  const text = whole.replace(SUFFIX, '');
  // `½ BTC` is half a coin, like `0.5 BTC`.
  const next = /^ ?(\p{L}+)/u.exec(typed.slice(end, end + 20))?.[1] ?? '';
  const isOfCoin = match.groups?.['sign'] !== undefined && currencyNamed(next)?.isCoin;
  return isOfCoin || !portionOf(text) ? undefined : { text, start, end };
};
