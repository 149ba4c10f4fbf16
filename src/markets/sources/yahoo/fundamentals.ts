import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { FundamentalFigure, FundamentalMetric, Fundamentals } from '../source.ts';
import { decimalOf, KNOWN_CURRENCIES } from './prices.ts';
import { cleanLine, type SummaryPart, type SummaryWire } from './wire.ts';

/** The unit of a Yahoo figure. A fraction such as 0.125 becomes 12.5 %. */
type Kind =
  | 'price-money'
  | 'report-money'
  | 'fraction'
  | 'percent'
  | 'multiple'
  | 'shares'
  | 'date'
  | 'words';

const FIGURES: readonly (readonly [FundamentalMetric, SummaryPart, field: string, Kind])[] = [
  ['marketCap', 'price', 'marketCap', 'price-money'],
  ['peTrailing', 'summaryDetail', 'trailingPE', 'multiple'],
  ['peForward', 'summaryDetail', 'forwardPE', 'multiple'],
  ['priceToBook', 'defaultKeyStatistics', 'priceToBook', 'multiple'],
  ['epsTrailing', 'defaultKeyStatistics', 'trailingEps', 'price-money'],
  ['epsForward', 'defaultKeyStatistics', 'forwardEps', 'price-money'],
  ['dividendYield', 'summaryDetail', 'dividendYield', 'fraction'],
  ['dividendRate', 'summaryDetail', 'dividendRate', 'price-money'],
  ['exDividendDate', 'summaryDetail', 'exDividendDate', 'date'],
  ['revenue', 'financialData', 'totalRevenue', 'report-money'],
  ['revenueGrowth', 'financialData', 'revenueGrowth', 'fraction'],
  ['grossMargin', 'financialData', 'grossMargins', 'fraction'],
  ['operatingMargin', 'financialData', 'operatingMargins', 'fraction'],
  ['profitMargin', 'financialData', 'profitMargins', 'fraction'],
  ['returnOnEquity', 'financialData', 'returnOnEquity', 'fraction'],
  ['debtToEquity', 'financialData', 'debtToEquity', 'percent'],
  ['freeCashFlow', 'financialData', 'freeCashflow', 'report-money'],
  ['beta', 'summaryDetail', 'beta', 'multiple'],
  ['sharesOutstanding', 'defaultKeyStatistics', 'sharesOutstanding', 'shares'],
  ['sector', 'assetProfile', 'sector', 'words'],
  ['industry', 'assetProfile', 'industry', 'words'],
];

/** A sector or an industry. */
const MAX_WORDS_CHARS = 100;
/** Yahoo writes 0 for unknown values; these are never really 0. */
const NEVER_ZERO: ReadonlySet<FundamentalMetric> = new Set(['marketCap', 'sharesOutstanding', 'revenue']);

/** Major currencies only: for pence it is unclear which figures are in pence. */
const currencyIn = (value: unknown): string | undefined =>
  typeof value === 'string' && KNOWN_CURRENCIES.has(value) ? value : undefined;

const UNITS: Readonly<Record<Exclude<Kind, 'price-money' | 'report-money'>, string>> = {
  fraction: '%',
  percent: '%',
  multiple: 'x',
  shares: 'shares',
  date: 'text',
  words: 'text',
};

/** A company may report in another currency than its shares trade in. */
const unitOf = (kind: Kind, { price, financialData }: SummaryWire): string | undefined => {
  if (kind === 'price-money') return currencyIn(price['currency']);
  return kind === 'report-money' ? currencyIn(financialData['financialCurrency']) : UNITS[kind];
};

const valueOf = (raw: unknown, kind: Kind): string | undefined => {
  if (kind === 'words')
    return typeof raw === 'string' ? cleanLine(raw, MAX_WORDS_CHARS) || undefined : undefined;
  // Ratios are sometimes the string "Infinity".
  if (typeof raw !== 'number' || !Number.isFinite(raw)) return undefined;
  if (kind === 'date') {
    const at = Temporal.Instant.fromEpochMilliseconds(Math.round(raw) * 1000);
    return raw > 0 ? at.toZonedDateTimeISO('UTC').toPlainDate().toString() : undefined;
  }
  const value = decimalOf(raw);
  return (kind === 'fraction' ? value.times(100) : value).toFixed();
};

/** Null if Yahoo has no figures. */
export const mapFundamentals = (
  instrument: Instrument,
  wire: SummaryWire,
  now: Timestamp,
  source: string,
): Fundamentals | null => {
  const figures = FIGURES.flatMap(([metric, part, field, kind]): FundamentalFigure[] => {
    const unit = unitOf(kind, wire);
    const value = valueOf(wire[part][field], kind);
    if (unit === undefined || value === undefined || (value === '0' && NEVER_ZERO.has(metric))) return [];
    return [{ metric, value, unit }];
  });
  return figures.length > 0 ? { instrument, figures, asOf: now, source, isSample: false } : null;
};
