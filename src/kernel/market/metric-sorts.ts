import { METRICS, type MetricId } from './fact-metrics.ts';

const setOf = (ids: string): ReadonlySet<string> => new Set(ids.split(' '));

/** What an instrument costs, at some time. */
const PRICES = setOf(
  'price close open previousClose lastYearClose dayLow dayHigh yearLow yearHigh periodLow periodHigh exchangeRate averageCost',
);
/** What stands beside a price or is of one share. */
const OF_ONE = setOf(
  'priceDayBefore preMarketPrice afterHoursPrice priceElsewhere tradePrice alertPrice alertBasePrice epsTrailing epsForward epsEstimate dividendRate dividendPerShare sma ema atr bollingerUpper bollingerMiddle bollingerLower pointOfControlLow pointOfControlHigh valueAreaLow valueAreaHigh macd macdSignal macdHistogram',
);
const LIKE: Readonly<Record<string, string>> = {
  tradeQuantity: 'quantity',
  sharesOutstanding: 'quantity',
  splitRatio: 'quantity',
  averageVolume: 'volume',
  peForward: 'peTrailing',
  sortino: 'sharpe',
};
/** Percentages of a whole, which are no share of a price. */
const OF_WHOLE = setOf(
  'weight targetWeight weightGap currencyShare sectorShare largestShare topFiveShare grossMargin operatingMargin profitMargin revenueGrowth taxRate',
);
/** Percentages that nobody takes of an amount. */
const OF_NOTHING = setOf(
  'volatility yearPosition atrPercent bollingerPercentB valueAreaShare debtToEquity returnOnEquity riskFreeRate rsi',
);
/** By these a price is divided or multiplied. */
const MULTIPLES = setOf('calculation other converted peTrailing peForward priceToBook volumeMultiple');

/** What sort of thing a metric is: only things of one sort are compared or added up. Undefined where it may be any. */
export const sortOf = (metric: MetricId | undefined): string | undefined => {
  if (metric === undefined || metric === 'calculation' || metric === 'other' || metric === 'converted')
    return undefined;
  if (metric === 'change' || metric === 'dayChange') return metric;
  if (PRICES.has(metric) || OF_ONE.has(metric)) return 'one';
  const { kind } = METRICS[metric];
  return kind === 'money' ? 'whole' : kind === 'percent' ? 'percent' : (LIKE[metric] ?? metric);
};

/** What an instrument costs, at some time. */
export const isPrice = (metric: MetricId | undefined): boolean => metric !== undefined && PRICES.has(metric);

/** Whether amounts are multiplied or divided by this ratio. */
export const isMultiple = (metric: MetricId | undefined): boolean =>
  metric === undefined || MULTIPLES.has(metric);

/** Whether a percentage is taken of an amount. */
export const isTakenOf = (percentage: MetricId | undefined, amount: MetricId | undefined): boolean =>
  percentage === undefined ||
  !(OF_NOTHING.has(percentage) || (OF_WHOLE.has(percentage) && sortOf(amount) === 'one'));

/** What a number about one subject is mostly compared with. */
const COMPARED = setOf(
  'price close previousClose averageCost quantity marketValue cost change yearHigh yearLow periodHigh periodLow cashValue totalValue',
);
export const isCompared = (metric: MetricId | undefined): boolean =>
  metric !== undefined && COMPARED.has(metric);

const SERIES = setOf('close open periodHigh periodLow volume');
/** Whether one subject has many of it, of one day each. */
export const isOfSeries = (metric: MetricId): boolean => SERIES.has(metric);

/** They say nothing of one thing alone, or of one value at a time. */
const OF_MANY = setOf(
  'other calculation converted change sma ema weight quantity cost totalValue contributed marketValue holdingsValue cashValue',
);
/** Whether its name says plainly what a number is. */
export const isOfOneThing = (metric: MetricId): boolean => !OF_MANY.has(metric);
