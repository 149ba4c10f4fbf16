import type { FoundListing, Instrument, SymbolSearch } from '#src/core/finance.ts';
import type { ListingStore } from '#src/storage/listings.ts';
import type { MarketResult } from '../market/source.ts';

interface ListingsDeps {
  readonly store: ListingStore;
  readonly lookUp: (symbol: string, signal: AbortSignal) => Promise<MarketResult<Instrument>>;
}

/** `QLDX`, `BF-B`, `VOD.L`, `7203.T`, `0700.HK`, `DOGE-USD`, `NQ=F`, `^N225`; `$` before it says that it is a code. */
const TICKER_SHAPED = /^\$?\^?[A-Z0-9]{1,10}(?:[.-][A-Z0-9]{1,4}|=[A-Z])?$/;
const HAS_LETTER = /[A-Z]/;
/** One letter behind a dot is a class of shares, which Yahoo writes with a dash; `.L` is London and `.T` is Tokyo. */
const SHARE_CLASS = /^([A-Z]{1,5})\.([A-KM-SU-Z])$/;
/** Longer words without a sign are names, not tickers of an American exchange. */
const MAX_BARE_LETTERS = 5;

/** The symbol that a source would list, or undefined where it is not written like one. */
const symbolWritten = (query: string): string | undefined => {
  const text = query.normalize('NFKC').trim().toUpperCase();
  const code = text.replace(/^\$/, '').replace(SHARE_CLASS, '$1-$2');
  if (!TICKER_SHAPED.test(text) || !HAS_LETTER.test(code)) return undefined;
  return /^[A-Z0-9]+$/.test(code) && code.length > MAX_BARE_LETTERS ? undefined : code;
};

/**
 * Names and codes that are not in the index are asked of the market source. What it lists is offered with its name,
 * and counts from the moment somebody has confirmed it, for everybody and for good.
 */
export const withListings = (symbols: SymbolSearch, { store, lookUp }: ListingsDeps): SymbolSearch => {
  const confirmed = new Map<string, Instrument>();

  const confirm = (instrument: Instrument): FoundListing => {
    confirmed.set(instrument.symbol, instrument);
    return { status: 'confirmed', instrument };
  };

  return {
    ...symbols,
    resolve: (query) => {
      const match = symbols.resolve(query);
      const symbol = match.status === 'unknown' ? symbolWritten(query) : undefined;
      const instrument = symbol === undefined ? undefined : confirmed.get(symbol);
      return instrument ? { status: 'found', instrument } : match;
    },
    findListing: async (query, signal) => {
      const symbol = symbolWritten(query);
      if (symbol === undefined) return undefined;
      const known = await store.find(symbol);
      if (known?.isConfirmed) return confirm(known.instrument);
      if (known && query.trim().startsWith('$')) {
        await store.confirm(symbol);
        return confirm(known.instrument);
      }
      const listed = await lookUp(symbol, signal);
      if (listed.status !== 'ok') return undefined;
      await store.offer(listed.value);
      return { status: 'offered', instrument: listed.value };
    },
  };
};
