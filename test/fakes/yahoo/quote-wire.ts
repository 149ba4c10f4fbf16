import { type FakeListing, lastSession } from './listings.ts';

export type WireFields = Readonly<Record<string, unknown>>;

export const epochSeconds = (at: Temporal.Instant): number => Math.floor(at.epochMilliseconds / 1000);

const round = (value: number): number => Number(value.toPrecision(10));

const nextReport = (now: Temporal.Instant): Temporal.Instant => now.add({ hours: 24 * 20 });

/** A quote as Yahoo writes it, with far more in it than anybody needs. */
export const quoteWire = (listing: FakeListing, now: Temporal.Instant): WireFields => {
  const { symbol, name, quoteType, currency, market, price, previousClose, volume } = listing;
  const { tradedAt, isOver } = lastSession(market, now);
  const change = price - previousClose;
  const isEquity = quoteType === 'EQUITY';
  const reports = nextReport(now);
  return {
    language: 'en-US',
    region: 'US',
    quoteType,
    typeDisp: quoteType.charAt(0) + quoteType.slice(1).toLowerCase(),
    quoteSourceName: market.delayMinutes > 0 ? 'Delayed Quote' : 'Nasdaq Real Time Price',
    triggerable: true,
    currency,
    marketState: isOver ? 'CLOSED' : 'REGULAR',
    exchange: market.exchange,
    fullExchangeName: market.fullExchangeName,
    exchangeTimezoneName: market.timeZone,
    exchangeDataDelayedBy: market.delayMinutes,
    sourceInterval: 15,
    shortName: name,
    longName: name,
    priceHint: 2,
    tradeable: false,
    regularMarketPrice: price,
    regularMarketTime: epochSeconds(tradedAt),
    regularMarketPreviousClose: previousClose,
    regularMarketChange: change,
    regularMarketChangePercent: (change / previousClose) * 100,
    regularMarketOpen: previousClose,
    regularMarketDayLow: round(Math.min(price, previousClose) * 0.99),
    regularMarketDayHigh: round(Math.max(price, previousClose) * 1.01),
    regularMarketVolume: volume,
    fiftyTwoWeekLow: round(price * 0.62),
    fiftyTwoWeekHigh: round(price * 1.18),
    ...(isEquity && {
      earningsTimestamp: epochSeconds(now.subtract({ hours: 24 * 70 })),
      earningsTimestampStart: epochSeconds(reports),
      earningsTimestampEnd: epochSeconds(reports.add({ hours: 96 })),
      isEarningsDateEstimate: true,
      epsForward: round(price / 25),
    }),
    symbol,
  };
};

/** Yahoo sends these whatever is asked for. */
const ALWAYS: ReadonlySet<string> = new Set(['language', 'region', 'quoteType', 'symbol', 'triggerable']);

export const onlyFields = (quote: WireFields, fields: string | null): WireFields => {
  if (fields === null) return quote;
  const wanted = new Set(fields.split(','));
  return Object.fromEntries(Object.entries(quote).filter(([name]) => wanted.has(name) || ALWAYS.has(name)));
};

/** What `quoteSummary` has about a company. */
export const summaryWire = (listing: FakeListing, now: Temporal.Instant): WireFields => ({
  price: { currency: listing.currency, marketCap: listing.price * 1e9, maxAge: 1 },
  summaryDetail: {
    currency: listing.currency,
    trailingPE: 31.52,
    forwardPE: 28.4,
    dividendYield: 0.0044,
    dividendRate: 1.04,
    exDividendDate: 1_762_732_800,
    beta: 1.09,
    maxAge: 1,
  },
  defaultKeyStatistics: { priceToBook: 54.1, trailingEps: 7.46, forwardEps: 8.31, sharesOutstanding: 1e9 },
  financialData: {
    financialCurrency: listing.currency,
    totalRevenue: 416_161_005_568,
    revenueGrowth: 0.079,
    grossMargins: 0.46905,
    operatingMargins: 0.31647,
    profitMargins: 0.26915,
    returnOnEquity: 1.71422,
    debtToEquity: 152.411,
    freeCashflow: 78_862_254_080,
  },
  calendarEvents: {
    earnings: { earningsDate: [epochSeconds(nextReport(now))], earningsAverage: 2.67, earningsHigh: 2.8 },
  },
  assetProfile: { sector: 'Technology', industry: 'Consumer Electronics', country: 'United States' },
});
