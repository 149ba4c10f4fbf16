import { groundingTexts } from '../texts.ts';

export const MARK = '⚠️';

const MARKED = /(?<![\d.,])\d[\d.,]{0,40}[^\s\d⚠~]{0,12}(?: [^\s\d⚠~]{1,12}){0,2}⚠️/gu;
const LISTED = new RegExp(
  `(?:${(['ko', 'en'] as const)
    .map((locale) => groundingTexts(locale).unconfirmed({ list: '\n' }))
    .map((written) => RegExp.escape(written.split('\n')[0] ?? ''))
    .join('|')})[^⚠\n]*`,
  'gu',
);

/** An answer without the numbers that were marked in it: they must not support themselves. */
export const withoutWithdrawn = (quoted: string): string =>
  quoted.includes(MARK) ? quoted.replaceAll(LISTED, ' ').replaceAll(MARKED, ' ') : quoted;
