import { randomInt } from 'node:crypto';

/** Nothing that could be read as something else: no I, L, O, 0, 1. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export const newShortCode = (length: number): string =>
  Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** As a person may have typed it: in any case, wide letters too, with dashes, spaces or marks around it. */
export const cleanShortCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
