import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Currency } from '#src/kernel/money.ts';

/** `BTC` of both `BTC` and `BTC/KRW`. */
const coinOf = ({ ticker }: Instrument): string => ticker.split('/')[0] ?? ticker;

/** True for the same coin in any currency. */
export const isSameCoin = (a: Instrument, b: Instrument): boolean =>
  a.assetClass === 'crypto' && b.assetClass === 'crypto' && coinOf(a) === coinOf(b);

/** The same coin priced in this currency, or the given instrument if there is none. */
export const coinIn = (
  instrument: Instrument,
  currency: Currency | undefined,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument => {
  const isOther = currency !== undefined && currency !== instrument.currency;
  if (instrument.assetClass !== 'crypto' || !isOther) return instrument;
  const coin = coinOf(instrument);
  const pairs = [`${coin}-${currency}`, coin].flatMap((code) => {
    const match = symbols.resolve(code);
    return match.status === 'found' ? [match.instrument] : [];
  });
  return pairs.find((pair) => pair.currency === currency && isSameCoin(pair, instrument)) ?? instrument;
};

/** True if the name says the currency: `BTC-USD`, `BTC/KRW`, `비트코인 (원화)`. A bare name finds the pair in dollars. */
export const isPairNamed = (name: string, { symbol, ticker }: Instrument): boolean => {
  const typed = name.normalize('NFKC').trim().replace(/^\$/u, '').toUpperCase();
  return typed === symbol || ticker.includes('/') || /(?:USD|달러)$/u.test(typed);
};
