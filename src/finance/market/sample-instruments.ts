/** Made-up numbers for an instrument that exists: every price, volatility and volume below is invented. */
export interface SampleInstrument {
  readonly symbol: string;
  /** Decimal as text, with the decimals that the market has. */
  readonly lastPrice: string;
  /** As a fraction: 0.3 is 30 % a year. */
  readonly annualVolatility: number;
  /** 0: nobody counts it, as with currencies and indices. */
  readonly dailyVolume: number;
}

type Row = readonly [symbol: string, lastPrice: string, annualVolatility: number, dailyVolume: number];

const ROWS: readonly Row[] = [
  ['005930.KS', '102300', 0.3, 18_400_000],
  ['000660.KS', '612000', 0.45, 3_900_000],
  ['373220.KS', '462500', 0.4, 310_000],
  ['207940.KS', '1223000', 0.28, 74_000],
  ['005380.KS', '271500', 0.3, 820_000],
  ['000270.KS', '118400', 0.29, 1_100_000],
  ['035420.KS', '268500', 0.33, 690_000],
  ['035720.KS', '64200', 0.36, 1_700_000],
  ['068270.KS', '187600', 0.31, 540_000],
  ['105560.KS', '128700', 0.27, 1_050_000],
  ['066570.KS', '91200', 0.32, 620_000],
  ['086520.KQ', '88400', 0.6, 2_600_000],
  ['247540.KQ', '152600', 0.58, 880_000],

  ['NVDA', '213.45', 0.42, 168_000_000],
  ['AAPL', '304.12', 0.27, 44_000_000],
  ['GOOGL', '347.88', 0.3, 29_000_000],
  ['MSFT', '482.60', 0.24, 19_500_000],
  ['AMZN', '261.30', 0.31, 38_000_000],
  ['AVGO', '371.05', 0.43, 21_000_000],
  ['TSLA', '431.20', 0.52, 82_000_000],
  ['META', '556.75', 0.33, 13_500_000],
  ['JPM', '343.10', 0.23, 8_200_000],
  ['KO', '91.04', 0.16, 14_800_000],
  ['NFLX', '78.32', 0.34, 36_000_000],
  ['SPY', '728.40', 0.16, 71_000_000],
  ['QQQ', '652.18', 0.21, 52_000_000],

  ['BTC-USD', '96540.25', 0.5, 31_000],
  ['ETH-USD', '3218.70', 0.65, 480_000],
  ['XRP-USD', '2.2841', 0.75, 1_900_000_000],
  ['BNB-USD', '918.42', 0.5, 2_100_000],
  ['SOL-USD', '141.36', 0.75, 38_000_000],
  ['DOGE-USD', '0.16273', 0.85, 11_000_000_000],
  ['ADA-USD', '0.5081', 0.8, 1_400_000_000],
  ['TRX-USD', '0.29154', 0.45, 2_300_000_000],
  ['LINK-USD', '14.080', 0.75, 46_000_000],
  ['BTC-KRW', '141262000', 0.5, 2_400],
  ['ETH-KRW', '4709000', 0.65, 41_000],
  ['XRP-KRW', '3342', 0.75, 96_000_000],
  ['SOL-KRW', '206800', 0.75, 1_100_000],
  ['DOGE-KRW', '238.0', 0.85, 620_000_000],
  ['ADA-KRW', '743', 0.8, 58_000_000],
  ['TRX-KRW', '427.0', 0.45, 34_000_000],
  ['LINK-KRW', '20600', 0.75, 720_000],

  ['USDKRW=X', '1463.25', 0.08, 0],
  ['EURKRW=X', '1695.02', 0.08, 0],
  ['JPYKRW=X', '9.4537', 0.09, 0],
  ['CNYKRW=X', '205.61', 0.07, 0],
  ['GBPKRW=X', '1926.44', 0.08, 0],
  ['EURUSD=X', '1.1584', 0.07, 0],
  ['GBPUSD=X', '1.3165', 0.08, 0],
  ['USDJPY=X', '154.78', 0.09, 0],

  ['^KS11', '4011.57', 0.2, 0],
  ['^KQ11', '897.42', 0.22, 0],
  ['^GSPC', '7301.26', 0.15, 0],
  ['^IXIC', '24180.90', 0.2, 0],
  ['^NDX', '26514.37', 0.21, 0],
  ['^DJI', '48920.15', 0.14, 0],
  ['^VIX', '17.86', 0.9, 0],
  ['^TNX', '4.128', 0.22, 0],
];

/** Names and exchanges come from the symbol index. */
export const SAMPLE_INSTRUMENTS: readonly SampleInstrument[] = ROWS.map(
  ([symbol, lastPrice, annualVolatility, dailyVolume]) => ({
    symbol,
    lastPrice,
    annualVolatility,
    dailyVolume,
  }),
);
