import type { CommandFlags } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { TaxRequest } from '#src/kernel/account-services.ts';
import { amountsIn } from '#src/language/amounts.ts';

const YEAR = /^\d{2,4}(?:년(?:도|분)?)?$/u;
const FULL_YEAR = /^(?:19|20)\d\d(?:년(?:도|분)?)?$/u;
const BASES: ReadonlyMap<string, 'kr' | 'us'> = new Map([
  ['kr', 'kr'],
  ['korea', 'kr'],
  ['한국', 'kr'],
  ['국내', 'kr'],
  ['us', 'us'],
  ['usa', 'us'],
  ['미국', 'us'],
]);

/** The words that may be an entry or a question. */
export const isTaxWord = (word: string): boolean => /^(?:tax|세금)$/iu.test(word);

/** `tax 2025` and `tax` alone ask for the report of a year; `tax 2 USD` and `tax AAPL 3 USD` are entries. */
export const isTaxReport = (words: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): boolean => {
  const others = words.filter((word) => !FULL_YEAR.test(word) && !BASES.has(word.toLowerCase()));
  // `tax 2000 KRW`: with a currency it is no year.
  const isMoney = amountsIn(words.join(' ')).some(({ value }) => value.unit === 'money');
  return (
    !isMoney &&
    amountsIn(others.join(' ')).length === 0 &&
    others.every((word) => symbols.resolve(word).status !== 'found')
  );
};

/** A number without a currency: a year beside a name (`tax AAPL 2026`), or any number without one (`tax 50`). */
export const isUnclearTax = (words: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): boolean => {
  const isNamed = words.some((word) => !/^\d/u.test(word) && symbols.resolve(word).status !== 'unknown');
  const amounts = amountsIn(words.join(' ')).map(({ value }) => value);
  return (
    amounts.every(({ currency }) => currency === undefined) &&
    (isNamed
      ? words.some((word) => FULL_YEAR.test(word)) && amounts.length < 2
      : words.every((word) => /^\d/u.test(word)))
  );
};

/** `2025`, `2025년 연금`, `us`. */
export const parseTaxArgs = (
  words: readonly string[],
  flags: CommandFlags,
  portfolio: string | undefined,
): TaxRequest | { readonly leftOver: string } => {
  const year = words.find((word) => YEAR.test(word));
  const said = words.find((word) => BASES.has(word.toLowerCase()));
  const basis = flags.has('us') ? 'us' : flags.has('kr') ? 'kr' : BASES.get(said?.toLowerCase() ?? '');
  const [named, ...more] = words.filter((word) => word !== year && word !== said);
  if (more.length > 0 || (named !== undefined && portfolio !== undefined))
    return { leftOver: [named, ...more].join(' ') };
  return { year, basis, portfolio: portfolio ?? named };
};
