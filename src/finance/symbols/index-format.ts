import type { AssetClass, Instrument } from '#src/core/finance.ts';

/**
 * The file that `npm run data:symbols` writes and the bot reads: a line of JSON, then a line an instrument (the better
 * known first), an empty line, and a line with the keys of each, in the same order.
 */
export const INDEX_FILE = 'symbols-index.txt';
export const FORMAT_VERSION = 1;

/** What many instruments have in common. */
export type InstrumentKind = readonly [
  exchange: string,
  assetClass: AssetClass,
  currency: string,
  priceDecimals: number,
];

export interface IndexHeader {
  readonly version: number;
  readonly instruments: number;
  readonly keys: number;
  /** From here on: preferred shares, warrants, units, notes. They are not meant when a company is named. */
  readonly firstSecondary: number;
  readonly kinds: readonly InstrumentKind[];
}

/** Between the fields of an instrument; between keys; between codes, names and aliases; between words of a name. */
const FIELD = '\t';
export const KEY = '|';
export const NEXT_KIND = '~';
export const WORD = '_';

/** What is equal to the field before it is left empty. */
export const instrumentLine = (instrument: Instrument, kind: number): string => {
  const { symbol, ticker, name } = instrument;
  return [symbol, ticker === symbol ? '' : ticker, name.ko, name.en === name.ko ? '' : name.en, kind].join(
    FIELD,
  );
};

export const instrumentOf = (line: string, kinds: readonly InstrumentKind[]): Instrument => {
  const [symbol = '', ticker = '', ko = '', en = '', kindNumber = ''] = line.split(FIELD);
  const kind = kinds[Number(kindNumber)];
  if (!kind || symbol === '') throw new Error(`Broken line in ${INDEX_FILE}: ${line}`);
  const [exchange, assetClass, currency, priceDecimals] = kind;
  return {
    symbol,
    ticker: ticker === '' ? symbol : ticker,
    name: { ko, en: en === '' ? ko : en },
    exchange,
    assetClass,
    currency,
    priceDecimals,
  };
};
