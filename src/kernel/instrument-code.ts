import type { Instrument, SymbolSearch } from './finance.ts';

/**
 * What to type to mean this very one: its symbol, or `$` and its symbol where that alone could be another one, too
 * (`GS`). So whatever is chosen from a list is an answer, and never the same question again.
 */
export const codeFor = ({ symbol }: Instrument, symbols: Pick<SymbolSearch, 'resolve'>): string => {
  const match = symbols.resolve(symbol);
  return match.status === 'found' && match.instrument.symbol === symbol ? symbol : `$${symbol}`;
};
