import { foldWidth } from './reading.ts';

/** Two numbers as written: `50:1`, `3 for 2`, `10대 1`. The second defaults to 1. */
export interface Ratio {
  readonly first: string;
  readonly second: string;
}

const NUMBER = '\\d{1,9}(?:\\.\\d{1,9})?';
const IN_TEXT = new RegExp(
  `(?<![\\p{L}\\d.,:/])(?<first>${NUMBER})\\s?(?::|대|-for-|\\sfor\\s|\\sto\\s)\\s?(?<second>${NUMBER})(?![\\d.,:/])`,
  'iu',
);
/** `1/4`, which may be a date. */
const SLASHED = /(?<![\d/.])\d{1,4}\/\d{1,4}(?![\d/.])/u;
const WHOLE = new RegExp(
  `^(?<first>${NUMBER})\\s{0,3}(?:(?::|/|대|for|to|-for-)\\s{0,3}(?<second>${NUMBER})\\s{0,3})?배?$`,
  'iu',
);

interface Span {
  readonly start: number;
  readonly end: number;
}

const spanOf = (found: RegExpExecArray | null): Span | undefined =>
  found ? { start: found.index, end: found.index + found[0].length } : undefined;

/** The position of a ratio. Expects folded text. */
export const ratioIn = (text: string): Span | undefined => spanOf(IN_TEXT.exec(text));

/** The position of text like `1/4` that is a ratio only if nothing else is. */
export const slashedRatioIn = (text: string): Span | undefined => spanOf(SLASHED.exec(text));

/** The whole text as a ratio, including a single number and `4배`. */
export const readRatio = (typed: string): Ratio | undefined => {
  const { first, second = '1' } = WHOLE.exec(foldWidth(typed).trim())?.groups ?? {};
  return first === undefined ? undefined : { first, second };
};

/** Direction of a split, from its word or (`as-written`) from the order of its numbers. */
export type SplitDirection = 'more' | 'fewer' | 'as-written';

/** The ratio as the ledger expects it: new shares to old shares. */
export const ratioText = (typed: string, direction: SplitDirection): string => {
  const { first, second } = readRatio(typed) ?? { first: typed, second: '1' };
  if (direction === 'as-written') return `${first}:${second}`;
  const isMore = Number(first) >= Number(second);
  return isMore === (direction === 'more') ? `${first}:${second}` : `${second}:${first}`;
};
