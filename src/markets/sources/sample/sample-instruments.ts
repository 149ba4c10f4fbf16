import { readFileSync } from 'node:fs';

/** Made-up numbers for an instrument that exists: every price, volatility and volume of it is invented. */
export interface SampleInstrument {
  readonly symbol: string;
  /** Decimal as text, with the decimals that the market has. */
  readonly lastPrice: string;
  /** As a fraction: 0.3 is 30 % a year. Negative: it falls when what it moves with rises. */
  readonly annualVolatility: number;
  /** 0: nobody counts it, as with currencies and indices. */
  readonly dailyVolume: number;
  /** Of companies: in billions of the currency that the share is traded in. */
  readonly marketCapBillion?: number;
  readonly sector?: string;
  /** The symbol whose ups and downs it shares: a preferred share, a fund of an index. */
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

/** By symbol; read when somebody first asks. Names and exchanges come from the symbol index. */
export const sampleInstruments = (): ReadonlyMap<string, SampleInstrument> => {
  if (known) return known;
  const [header, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  if (header !== COLUMNS) throw new Error(`sample-market.csv: the columns must be ${COLUMNS}`);
  known = new Map(lines.map((line, index) => readRow(line, index + 2)).map((each) => [each.symbol, each]));
  return known;
};
