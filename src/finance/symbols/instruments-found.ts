import type { SymbolIndex } from './symbol-index.ts';

/** Whose keys these are, each once, in order. */
export const ownersOf = (index: SymbolIndex, keys: readonly number[]): readonly number[] =>
  [...new Set(keys.map((key) => index.owners[key] ?? 0))].toSorted((a, b) => a - b);

/** A coin in won is meant by its own names; else the one in dollars is. */
const withoutWonCoins = (index: SymbolIndex, instruments: readonly number[]): readonly number[] => {
  const listed = instruments.map((number) => ({ number, ...index.instrumentAt(number) }));
  const inDollars = new Set(
    listed.flatMap(({ assetClass, ticker }) => (assetClass === 'crypto' ? [`${ticker}/KRW`] : [])),
  );
  return listed.filter(({ ticker }) => !inDollars.has(ticker)).map(({ number }) => number);
};

/** Without preferred shares, warrants, notes and coins in won, unless there is nothing else. */
export const mainOnes = (index: SymbolIndex, instruments: readonly number[]): readonly number[] => {
  const main = instruments.filter((instrument) => instrument < index.firstSecondary);
  return withoutWonCoins(index, main.length > 0 ? main : instruments);
};
