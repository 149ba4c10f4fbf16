import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', 'data', 'isins.csv');

/** Two letters of a country, nine of the country's own number, a check digit. */
const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/u;

export const isIsin = (text: string): boolean => ISIN.test(text);

/**
 * The number without the country and the check digit: American and Canadian shares share one system, and lists disagree
 * about the country.
 */
const numberOf = (isin: string): string => isin.slice(2, -1);

interface Isins {
  readonly symbols: ReadonlyMap<string, readonly string[]>;
  readonly listed: ReadonlySet<string>;
}

let loaded: Isins | undefined;

/** Read with the first file that is imported, because nothing else needs it. */
const isins = (): Isins => {
  if (loaded) return loaded;
  const pairs = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const byNumber = Map.groupBy(pairs, ([, isin = '']) => numberOf(isin));
  loaded = {
    symbols: new Map([...byNumber].map(([number, all]) => [number, all.map(([symbol = '']) => symbol)])),
    listed: new Set(pairs.map(([symbol = '']) => symbol)),
  };
  return loaded;
};

/** The symbols under which a share is listed. Empty for an unknown ISIN. */
export const symbolsOfIsin = (isin: string): readonly string[] => isins().symbols.get(numberOf(isin)) ?? [];

/** Whether the ISIN of the symbol is known, so that another ISIN is that of something else. */
export const hasKnownIsin = (symbol: string): boolean => isins().listed.has(symbol);
