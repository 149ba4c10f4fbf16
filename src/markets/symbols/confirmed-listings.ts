import type { FoundListing, Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { ListingStore } from '#src/markets/store/listings.ts';
import type { MarketResult } from '../sources/source.ts';

interface ListingsDeps {
  readonly store: ListingStore;
  readonly lookUp: (symbol: string, signal: AbortSignal) => Promise<MarketResult<Instrument>>;
}

/** `QLDX`, `BF-B`, `VOD.L`, `7203.T`, `0700.HK`, `DOGE-USD`, `NQ=F`, `^N225`. A leading `$` marks a code. */
const TICKER_SHAPED = /^\$?\^?[A-Z0-9]{1,10}(?:[.-][A-Z0-9]{1,4}|=[A-Z])?$/;
const HAS_LETTER = /[A-Z]/;
/**
 * One letter after a dot is a share class, which Yahoo writes with a dash, except for `.L` (London) and `.T`
 * (Tokyo).
 */
const SHARE_CLASS = /^([A-Z]{1,5})\.([A-KM-SU-Z])$/;
/** Longer words are names, not US tickers. */
const MAX_BARE_LETTERS = 5;

/** The symbol as a market source lists it. Undefined if the query does not look like one. */
const parseSymbol = (query: string): string | undefined => {
  const text = query.normalize('NFKC').trim().toUpperCase();
  const code = text.replace(/^\$/, '').replace(SHARE_CLASS, '$1-$2');
  if (!TICKER_SHAPED.test(text) || !HAS_LETTER.test(code)) return undefined;
  return /^[A-Z0-9]+$/.test(code) && code.length > MAX_BARE_LETTERS ? undefined : code;
};

/**
 * Looks up symbols missing from the index at the market source. A listing is offered with its name; once a person
 * confirms it, by a button or by its code with `$`, it resolves for everybody, permanently.
 */
export const withConfirmedListings = (
  symbols: SymbolSearch,
  { store, lookUp }: ListingsDeps,
): SymbolSearch => {
  const confirmed = new Map<string, Instrument>();

  const confirm = (instrument: Instrument): FoundListing => {
    confirmed.set(instrument.symbol, instrument);
    return { status: 'confirmed', instrument };
  };

  return {
    ...symbols,
    resolve: (query) => {
      const match = symbols.resolve(query);
      const symbol = match.status === 'unknown' ? parseSymbol(query) : undefined;
      const instrument = symbol === undefined ? undefined : confirmed.get(symbol);
      return instrument ? { status: 'found', instrument } : match;
    },
    findListing: async (query, signal) => {
      const symbol = parseSymbol(query);
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
      // A code with `$` is the confirmation that would be asked for.
      if (!query.trim().startsWith('$')) return { status: 'offered', instrument: listed.value };
      await store.confirm(listed.value.symbol);
      return confirm(listed.value);
    },
  };
};
