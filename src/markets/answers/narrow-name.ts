import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';

/** A company form after the name. */
const COMPANY_FORM = /,?(?: &| and)? (?:Inc|Co|Corp|Corporation|Company|Ltd|Limited|Incorporated)\b.*/u;
/** The unit of a rate quoted per hundred. It must stay, or the number would be misread. */
const UNITS = / \(\d{1,4}\p{L}{1,6}\)$/u;
/** Hangul is twice as wide as a Latin letter. */
const MAX_WIDTH = 16;

export const withoutCompanyForm = (name: string): string => name.replace(COMPANY_FORM, '');

/** `Apple (AAPL)`: name and code in a sentence. */
export const shortLabel = ({ name, ticker }: Instrument, locale: Locale): string =>
  `${withoutCompanyForm(name[locale])} (${ticker})`;

/** Name and code for a table column that fits on a phone. */
export const narrowName = ({ name, ticker }: Instrument, locale: Locale): string => {
  let width = 0;
  const units = UNITS.exec(name[locale])?.[0] ?? '';
  const bare = name[locale].slice(0, name[locale].length - units.length);
  const fitting = Array.from(withoutCompanyForm(bare).replaceAll('|', '/')).filter((character) => {
    width += character > '\u00ff' ? 2 : 1;
    return width <= MAX_WIDTH;
  });
  const shown = width <= MAX_WIDTH ? fitting.join('') : `${fitting.join('').trimEnd()}…`;
  return `${shown}${units} (${ticker})`;
};
