/** How a market is open, roughly: holidays are not known here. */
export interface FakeMarket {
  readonly exchange: string;
  readonly fullExchangeName: string;
  readonly timeZone: string;
  /** Absent: around the clock. */
  readonly hours?: readonly [open: string, close: string];
  readonly hasWeekends: boolean;
  readonly delayMinutes: number;
}

export interface FakeListing {
  readonly symbol: string;
  readonly name: string;
  readonly quoteType: string;
  readonly currency: string;
  readonly market: FakeMarket;
  readonly price: number;
  readonly previousClose: number;
  readonly volume: number;
  /** Before this day there is nothing. */
  readonly firstDay?: string;
}

const seoul = (exchange: string, fullExchangeName: string): FakeMarket => ({
  exchange,
  fullExchangeName,
  timeZone: 'Asia/Seoul',
  hours: ['09:00', '15:30'],
  hasWeekends: false,
  delayMinutes: 20,
});
const newYork = (exchange: string, fullExchangeName: string): FakeMarket => ({
  exchange,
  fullExchangeName,
  timeZone: 'America/New_York',
  hours: ['09:30', '16:00'],
  hasWeekends: false,
  delayMinutes: 0,
});

export const MARKETS = {
  KSC: seoul('KSC', 'KSE'),
  KOE: seoul('KOE', 'KOSDAQ'),
  NMS: newYork('NMS', 'NasdaqGS'),
  NYQ: newYork('NYQ', 'NYSE'),
  PCX: newYork('PCX', 'NYSEArca'),
  WCB: newYork('WCB', 'Cboe Indices'),
  CCC: {
    exchange: 'CCC',
    fullExchangeName: 'CCC',
    timeZone: 'UTC',
    hasWeekends: true,
    delayMinutes: 0,
  },
  CCY: {
    exchange: 'CCY',
    fullExchangeName: 'CCY',
    timeZone: 'Europe/London',
    hasWeekends: false,
    delayMinutes: 0,
  },
} as const satisfies Record<string, FakeMarket>;

type Row = readonly [
  symbol: string,
  name: string,
  market: keyof typeof MARKETS,
  quoteType: string,
  currency: string,
  price: number,
  previousClose: number,
  volume: number,
];

/** Invented prices of things that exist. */
const ROWS: readonly Row[] = [
  ['005930.KS', 'Samsung Electronics Co., Ltd.', 'KSC', 'EQUITY', 'KRW', 102_300, 101_100, 18_400_000],
  ['000660.KS', 'SK hynix Inc.', 'KSC', 'EQUITY', 'KRW', 612_000, 598_000, 4_100_000],
  ['035420.KS', 'NAVER Corporation', 'KSC', 'EQUITY', 'KRW', 262_500, 265_000, 900_000],
  ['035720.KS', 'Kakao Corp.', 'KSC', 'EQUITY', 'KRW', 61_200, 60_900, 1_900_000],
  ['247540.KQ', 'Ecopro BM Co., Ltd.', 'KOE', 'EQUITY', 'KRW', 158_700, 161_000, 620_000],
  ['AAPL', 'Apple Inc.', 'NMS', 'EQUITY', 'USD', 272.41, 270.14, 47_300_000],
  ['MSFT', 'Microsoft Corporation', 'NMS', 'EQUITY', 'USD', 510.18, 503.29, 22_100_000],
  ['NVDA', 'NVIDIA Corporation', 'NMS', 'EQUITY', 'USD', 190.17, 186.86, 186_000_000],
  ['TSLA', 'Tesla, Inc.', 'NMS', 'EQUITY', 'USD', 404.35, 401.99, 105_000_000],
  ['GOOGL', 'Alphabet Inc.', 'NMS', 'EQUITY', 'USD', 276.41, 278.57, 31_600_000],
  ['AMZN', 'Amazon.com, Inc.', 'NMS', 'EQUITY', 'USD', 234.69, 237.58, 38_900_000],
  ['META', 'Meta Platforms, Inc.', 'NMS', 'EQUITY', 'USD', 609.46, 609.89, 20_700_000],
  ['SPY', 'SPDR S&P 500 ETF Trust', 'PCX', 'ETF', 'USD', 671.93, 672.04, 95_000_000],
  ['QQQ', 'Invesco QQQ Trust', 'NMS', 'ETF', 'USD', 608.86, 608.4, 78_000_000],
  ['BTC-USD', 'Bitcoin USD', 'CCC', 'CRYPTOCURRENCY', 'USD', 95_549.15, 94_397.79, 71_000_000_000],
  ['ETH-USD', 'Ethereum USD', 'CCC', 'CRYPTOCURRENCY', 'USD', 3_166.27, 3_120.4, 34_000_000_000],
  ['BTC-KRW', 'Bitcoin KRW', 'CCC', 'CRYPTOCURRENCY', 'KRW', 139_200_000, 137_400_000, 104_000_000_000_000],
  ['ETH-KRW', 'Ethereum KRW', 'CCC', 'CRYPTOCURRENCY', 'KRW', 4_612_000, 4_541_000, 49_000_000_000_000],
  ['XRP-KRW', 'XRP KRW', 'CCC', 'CRYPTOCURRENCY', 'KRW', 3_281.44, 3_342.1, 7_200_000_000_000],
  ['USDKRW=X', 'USD/KRW', 'CCY', 'CURRENCY', 'KRW', 1456.72, 1464.3, 0],
  ['EURKRW=X', 'EUR/KRW', 'CCY', 'CURRENCY', 'KRW', 1692.85, 1698.2, 0],
  ['JPYKRW=X', 'JPY/KRW', 'CCY', 'CURRENCY', 'KRW', 9.4251, 9.4622, 0],
  ['EURUSD=X', 'EUR/USD', 'CCY', 'CURRENCY', 'USD', 1.1621, 1.1598, 0],
  ['^KS11', 'KOSPI Composite Index', 'KSC', 'INDEX', 'KRW', 4011.57, 4170.63, 412_000],
  ['^KQ11', 'KOSDAQ Composite Index', 'KOE', 'INDEX', 'KRW', 897.9, 918.37, 903_000],
  ['^GSPC', 'S&P 500', 'NYQ', 'INDEX', 'USD', 6734.11, 6737.49, 4_900_000_000],
  ['^IXIC', 'NASDAQ Composite', 'NMS', 'INDEX', 'USD', 22_900.59, 22_870.36, 8_900_000_000],
  ['^NDX', 'NASDAQ 100', 'NMS', 'INDEX', 'USD', 25_008.24, 24_993.46, 8_900_000_000],
  ['^DJI', 'Dow Jones Industrial Average', 'NYQ', 'INDEX', 'USD', 47_147.48, 47_457.22, 540_000_000],
  ['^VIX', 'CBOE Volatility Index', 'WCB', 'INDEX', 'USD', 19.83, 20.0, 0],
  ['^TNX', 'CBOE Interest Rate 10 Year T No', 'WCB', 'INDEX', 'USD', 4.148, 4.111, 0],
];

export const LISTINGS: readonly FakeListing[] = ROWS.map(
  ([symbol, name, market, quoteType, currency, price, previousClose, volume]) => ({
    symbol,
    name,
    quoteType,
    currency,
    market: MARKETS[market],
    price,
    previousClose,
    volume,
    // Yahoo has currencies by the day since then.
    ...(market === 'CCY' && { firstDay: '2003-12-01' }),
  }),
);

/** A day of that market; null on a day without trade. */
export const sessionOn = (
  { timeZone, hours, hasWeekends }: FakeMarket,
  day: Temporal.PlainDate,
): { readonly start: Temporal.Instant; readonly end: Temporal.Instant } | null => {
  if (!hasWeekends && day.dayOfWeek > 5) return null;
  const at = (time: string, on = day): Temporal.Instant =>
    on.toZonedDateTime({ timeZone, plainTime: time }).toInstant();
  return hours
    ? { start: at(hours[0]), end: at(hours[1]) }
    : { start: at('00:00'), end: at('00:00', day.add({ days: 1 })) };
};

/** The session that runs or was the last one, and the newest trade in it. */
export const lastSession = (market: FakeMarket, now: Temporal.Instant) => {
  let day = now.toZonedDateTimeISO(market.timeZone).toPlainDate();
  for (;;) {
    const session = sessionOn(market, day);
    if (session && Temporal.Instant.compare(session.start, now) <= 0) {
      const isOver = Temporal.Instant.compare(session.end, now) <= 0;
      return { day, ...session, isOver, tradedAt: isOver ? session.end : now };
    }
    day = day.subtract({ days: 1 });
  }
};
