import { COMPANY_METRICS } from './metrics/company-metrics.ts';
import { INDICATOR_METRICS } from './metrics/indicator-metrics.ts';
import { MARKET_METRICS } from './metrics/market-metrics.ts';
import { type Metric, metric } from './metrics/metric.ts';
import { PORTFOLIO_METRICS } from './metrics/portfolio-metrics.ts';
import { TAX_METRICS } from './metrics/tax-metrics.ts';

/** The closed list of metrics that facts can have. `day`, `period` and `parameter` of a fact say which of them. */
export const METRICS = {
  ...MARKET_METRICS,
  ...COMPANY_METRICS,
  ...INDICATOR_METRICS,
  ...PORTFOLIO_METRICS,
  ...TAX_METRICS,
  calculation: metric('number', '계산 결과, 계산', 'result, calculated'),
  /** A number of a plugin: `label` says what it is. */
  other: metric('number', '', ''),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricId = keyof typeof METRICS;

export const isMetricId = (name: string): name is MetricId => Object.hasOwn(METRICS, name);

/** Undefined for a name that is none. */
export const metricNamed = (name: string): Metric | undefined =>
  isMetricId(name) ? METRICS[name] : undefined;
