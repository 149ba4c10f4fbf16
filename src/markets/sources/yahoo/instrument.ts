import type { AssetClass, Instrument } from '#src/kernel/market/finance.ts';
import { priceReader } from './prices.ts';
import { type ChartWire, cleanLine } from './wire.ts';

const ASSET_CLASSES: Readonly<Record<string, AssetClass>> = {
  EQUITY: 'equity',
  ETF: 'etf',
  MUTUALFUND: 'etf',
  CRYPTOCURRENCY: 'crypto',
  CURRENCY: 'fx',
  INDEX: 'index',
  FUTURE: 'commodity',
};

/** Yahoo's exchange codes and the names the calendar uses. */
const EXCHANGES: Readonly<Record<string, string>> = {
  NMS: 'NASDAQ',
  NGM: 'NASDAQ',
  NCM: 'NASDAQ',
  NAS: 'NASDAQ',
  NIM: 'NASDAQ',
  NYQ: 'NYSE',
  PCX: 'NYSE Arca',
  ASE: 'NYSE American',
  BTS: 'Cboe',
  WCB: 'Cboe',
  CXI: 'Cboe',
  SNP: 'S&P',
  DJI: 'Dow Jones',
  KSC: 'KOSPI',
  KOE: 'KOSDAQ',
  JPX: 'TSE',
  HKG: 'HKEX',
  LSE: 'LSE',
  CMX: 'COMEX',
  NYM: 'NYMEX',
  NYB: 'ICE',
  CBT: 'CBOT',
  CCC: 'Crypto',
  CCY: 'FX',
};

/** Longer than any real symbol. */
const SYMBOL = /^[A-Z0-9^][A-Z0-9.=^&-]{0,23}$/u;
const MAX_NAME = 80;
const MAX_EXCHANGE = 40;
const MAX_DECIMALS = 8;
const DEFAULT_DECIMALS = 2;
const WHOLE_CURRENCIES: ReadonlySet<string> = new Set(['KRW', 'JPY', 'VND', 'IDR']);

/** The ticker as the index writes it: `005930`, `USD/KRW`, `BTC`, `BTC/KRW`. */
const tickerOf = (symbol: string, assetClass: AssetClass): string => {
  const [base = symbol, currency] = symbol.split('-');
  if (assetClass === 'crypto')
    return currency === undefined || currency === 'USD' ? base : `${base}/${currency}`;
  if (assetClass === 'fx') return symbol.replace(/^([A-Z]{3})([A-Z]{3})=X$/u, '$1/$2');
  return symbol.replace(/\.K[SQ]$/u, '');
};

const decimalsOf = (assetClass: AssetClass, currency: string, hint: number | undefined): number => {
  if (assetClass === 'fx' || assetClass === 'crypto')
    return Math.min(Math.max(Math.trunc(hint ?? DEFAULT_DECIMALS), DEFAULT_DECIMALS), MAX_DECIMALS);
  const isShare = assetClass === 'equity' || assetClass === 'etf';
  return isShare && WHOLE_CURRENCIES.has(currency) ? 0 : DEFAULT_DECIMALS;
};

/** Normalizes a symbol; null if it is invalid. `KRW=X` is short for `USDKRW=X`. */
export const yahooSymbol = (text: string): string | null => {
  const symbol = text
    .trim()
    .toUpperCase()
    .replace(/^(?=[A-Z]{3}=X$)/u, 'USD');
  return SYMBOL.test(symbol) ? symbol : null;
};

/** Null for unsupported instrument types and for instruments without a price. */
export const mapInstrument = (symbol: string, { meta }: ChartWire): Instrument | null => {
  const assetClass = ASSET_CLASSES[meta.instrumentType ?? ''];
  if (!assetClass || meta.regularMarketPrice === undefined) return null;
  const name = cleanLine(meta.longName ?? meta.shortName ?? '', MAX_NAME) || symbol;
  const known = EXCHANGES[meta.exchangeName ?? ''];
  const place =
    known ?? (cleanLine(meta.fullExchangeName ?? meta.exchangeName ?? '', MAX_EXCHANGE) || 'Yahoo');
  const instrument: Instrument = {
    symbol,
    ticker: tickerOf(symbol, assetClass),
    name: { ko: name, en: name },
    exchange: assetClass === 'index' && (known === 'KOSPI' || known === 'KOSDAQ') ? 'KRX' : place,
    assetClass,
    currency: assetClass === 'index' ? 'points' : '',
    priceDecimals: DEFAULT_DECIMALS,
  };
  const quoted = priceReader(instrument, meta.currency)?.instrument;
  if (!quoted) return null;
  return { ...quoted, priceDecimals: decimalsOf(assetClass, quoted.currency, meta.priceHint) };
};
