import { foldWidth } from './reading.ts';

/** `50:1`, `3 for 2`, `10대 1`: two numbers as they are written, the second 1 where there is none. */
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

/** Where a ratio stands in a text that was folded already. */
export const ratioIn = (text: string): Span | undefined => spanOf(IN_TEXT.exec(text));

/** Where something stands that is a ratio only if nothing else is one. */
export const slashedRatioIn = (text: string): Span | undefined => spanOf(SLASHED.exec(text));

/** The whole text as a ratio: also a single number, and `4배`. */
export const readRatio = (typed: string): Ratio | undefined => {
  const { first, second = '1' } = WHOLE.exec(foldWidth(typed).trim())?.groups ?? {};
  return first === undefined ? undefined : { first, second };
};

/** Which way a split goes: the word says it, or (`as-written`) the order of its two numbers. */
export type SplitDirection = 'more' | 'fewer' | 'as-written';

/** The ratio as the ledger reads it: shares after to shares before. */
export const ratioText = (typed: string, direction: SplitDirection): string => {
  const { first, second } = readRatio(typed) ?? { first: typed, second: '1' };
  if (direction === 'as-written') return `${first}:${second}`;
  const isMore = Number(first) >= Number(second);
  return isMore === (direction === 'more') ? `${first}:${second}` : `${second}:${first}`;
};
