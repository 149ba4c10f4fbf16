import { randomInt } from 'node:crypto';

/** Nothing that could be read as something else, and no vowels: no word comes out of it by chance. */
const LETTERS = 'bcdfghjkmnpqrstvwxyz';
const ALL = `${LETTERS}23456789`;
const LENGTH = 6;

const pick = (from: string): string => from.charAt(randomInt(from.length));

/** What people type and press. It begins with a letter: no number, and no code of an exchange, looks like it. */
export const newShortId = (): string =>
  pick(LETTERS) + Array.from({ length: LENGTH - 1 }, () => pick(ALL)).join('');

/** As a person may have typed it. */
export const readShortId = (typed: string): string => typed.trim().toLowerCase();
