import { randomInt } from 'node:crypto';

const draw = (from: string, length: number): string =>
  Array.from({ length }, () => from.charAt(randomInt(from.length))).join('');

/** Leaves out I, L, O, 0 and 1, which are easily taken for each other. */
const CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export const newShortCode = (length: number): string => draw(CODE_LETTERS, length);

/** A code as a person may have typed it: in any case, in wide letters, with dashes, spaces or marks around it. */
export const cleanShortCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** Leaves out vowels, so that no word comes out by chance, and letters that are easily taken for each other. */
const ID_LETTERS = 'bcdfghjkmnpqrstvwxyz';
const ID_LENGTH = 6;

/** An id that people type and press. It begins with a letter, so it never looks like a number or an exchange's code. */
export const newShortId = (): string => draw(ID_LETTERS, 1) + draw(`${ID_LETTERS}23456789`, ID_LENGTH - 1);

/** An id as a person may have typed it. */
export const readShortId = (typed: string): string => typed.trim().toLowerCase();
