import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';

/** What stands behind a name and says nothing. */
const COMPANY_FORM = /,? (?:Inc|Co|Corp|Corporation|Company|Ltd|Limited|Incorporated)\b.*/u;
/** For how many units a rate is told: without it the number beside it would mean something else. */
const UNITS = / \(\d{1,4}\p{L}{1,6}\)$/u;
/** Hangul is twice as wide as a Latin letter. */
const MAX_WIDTH = 16;

/** A name and its code for the column of a table that has to fit on a phone. */
export const narrowName = ({ name, ticker }: Instrument, locale: Locale): string => {
  let width = 0;
  const units = UNITS.exec(name[locale])?.[0] ?? '';
  const bare = name[locale].slice(0, name[locale].length - units.length);
  const fitting = Array.from(bare.replace(COMPANY_FORM, '').replaceAll('|', '/')).filter((character) => {
    width += character > '\u00ff' ? 2 : 1;
    return width <= MAX_WIDTH;
  });
  const shown = width <= MAX_WIDTH ? fitting.join('') : `${fitting.join('').trimEnd()}…`;
  return `${shown}${units} (${ticker})`;
};
