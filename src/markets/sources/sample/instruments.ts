import { readFileSync } from 'node:fs';

/** Invented price, volatility and volume for a real instrument. */
export interface SampleInstrument {
  readonly symbol: string;
  /** A decimal as text, with the market's decimals. */
  readonly lastPrice: string;
  /** A fraction: 0.3 is 30 % a year. Negative for an inverse of `movesWith`. */
  readonly annualVolatility: number;
  /** 0 for currencies and indices, which have no volume. */
  readonly dailyVolume: number;
  /** For companies, in billions of the trading currency. */
  readonly marketCapBillion?: number;
  readonly sector?: string;
  /** The symbol it moves with, for preferred shares and index funds. */
  readonly movesWith?: string;
}

const FILE = new URL('../../data/sample-market.csv', import.meta.url);
const COLUMNS =
  'symbol,last_price,annual_volatility,daily_volume,market_cap_billion,sector,moves_with' as const;

const readRow = (line: string, place: number): SampleInstrument => {
  const [symbol = '', lastPrice = '', volatility = '', volume = '', cap = '', sector = '', movesWith = ''] =
    line.split(',');
  const [annualVolatility, dailyVolume] = [Number(volatility), Number(volume)];
  if (symbol === '' || !(Number(lastPrice) > 0) || !annualVolatility || !Number.isSafeInteger(dailyVolume))
    throw new Error(`sample-market.csv, line ${place}: not a sample instrument`);
  return {
    symbol,
    lastPrice,
    annualVolatility,
    dailyVolume,
    ...(cap !== '' && { marketCapBillion: Number(cap) }),
    ...(sector !== '' && { sector }),
    ...(movesWith !== '' && { movesWith }),
  };
};

let known: ReadonlyMap<string, SampleInstrument> | undefined;

/** By symbol, read on first use. Names and exchanges come from the symbol index. */
export const sampleInstruments = (): ReadonlyMap<string, SampleInstrument> => {
  if (known) return known;
  const [header, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  if (header !== COLUMNS) throw new Error(`sample-market.csv: the columns must be ${COLUMNS}`);
  known = new Map(lines.map((line, index) => readRow(line, index + 2)).map((each) => [each.symbol, each]));
  return known;
};
