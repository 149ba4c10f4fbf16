import type { Fact } from '#src/kernel/tool.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import { dateOf } from '#src/markets/performance/epoch-day.ts';
import type { Figure } from '#src/markets/performance/figure.ts';
import { BENCHMARKS } from './analyse-data.ts';
import type { PortfolioAnalysis } from './analyse-figures.ts';
import type { Origin } from './analyse-origin.ts';
import type { Part } from './exposure.ts';

type Metric = readonly [metric: string, value: string, unit: string];

const PERCENT_DIGITS = 2;
const RATIO_DIGITS = 2;

const percent = (metric: string, fraction: number): Metric => [
  metric,
  fixed(fraction * 100, PERCENT_DIGITS),
  '%',
];
const ratio = (metric: string, value: number): Metric => [metric, fixed(value, RATIO_DIGITS), 'ratio'];
const date = (metric: string, day: number): Metric => [metric, dateOf(day).toString(), 'date'];

const when = <T>(figure: Figure<T>, metrics: (value: T) => readonly Metric[]): readonly Metric[] =>
  figure.status === 'ok' ? metrics(figure.value) : [];

/** `sectorSharePercent:Technology`. */
const shares = (metric: string, parts: readonly Part[]): readonly Metric[] =>
  parts.map(({ key, share }): Metric => [
    `${metric}:${key.replace('class:', '')}`,
    share.times(100).toFixed(PERCENT_DIGITS),
    '%',
  ]);

const benchmarkMetrics = ({ benchmark, range }: PortfolioAnalysis): readonly Metric[] => {
  if (!benchmark) return [];
  const name = benchmark.instrument.symbol === BENCHMARKS.kospi ? 'Kospi' : 'Sp500';
  return [
    ...when(benchmark.beta, (value) => [ratio(`beta${name}${range}`, value)]),
    ...when(benchmark.correlation, (value) => [ratio(`correlation${name}${range}`, value)]),
    ...when(benchmark.change, (value) => [percent(`change${name}${range}`, value)]),
  ];
};

const performanceMetrics = (analysis: PortfolioAnalysis): readonly Metric[] => {
  const { range, exposure, baseCurrency } = analysis;
  return [
    ...when(analysis.twr, ({ total, annual }) => [
      percent(`twr${range}`, total),
      ...(annual === undefined ? [] : [percent(`twrAnnual${range}`, annual)]),
    ]),
    ...when(analysis.xirr, (value) => [percent(`xirr${range}`, value)]),
    ...when(analysis.volatility, (value) => [percent(`volatility${range}`, value)]),
    ...when(analysis.sharpe, (value) => [ratio(`sharpe${range}`, value)]),
    ...when(analysis.sortino, (value) => [ratio(`sortino${range}`, value)]),
    ...when(analysis.drawdown, ({ depth, peakDay, troughDay, recoveryDay }) =>
      depth === 0
        ? [percent(`maxDrawdown${range}`, 0)]
        : [
            percent(`maxDrawdown${range}`, -depth),
            date(`maxDrawdownPeak${range}`, peakDay),
            date(`maxDrawdownTrough${range}`, troughDay),
            ...(recoveryDay === undefined ? [] : [date(`maxDrawdownRecovery${range}`, recoveryDay)]),
          ],
    ),
    ...when(analysis.valueAtRisk, (value) => [
      percent('valueAtRisk95', value),
      ['valueAtRisk95Amount', exposure.total.times(value).toFixed(PERCENT_DIGITS), baseCurrency],
    ]),
  ];
};

/** The same as typed facts, about `portfolio:<name>`. */
export const analysisFacts = (
  analysis: PortfolioAnalysis,
  { asOf, source, isSample }: Origin,
): readonly Fact[] => {
  const { name, baseCurrency, exposure, series, concentration, currencies, sectors, pairs } = analysis;
  const [first, last] = [series.points[0], series.points.at(-1)];
  const common = { asOf: asOf.toString(), source, isSample };
  const metrics: readonly Metric[] = [
    ['value', exposure.total.toFixed(), baseCurrency],
    ['contributed', series.contributed.toFixed(), baseCurrency],
    ...(first && last ? [date('analysedFrom', first.day), date('analysedTo', last.day)] : []),
    ['dailyReturns', String(analysis.returnCount), 'count'],
    ['riskFreePercent', String(analysis.riskFreePercent), '%'],
    ...performanceMetrics(analysis),
    ...benchmarkMetrics(analysis),
    ...(concentration
      ? [
          percent('largestShare', concentration.largest),
          percent('topFiveShare', concentration.topFive),
          ratio('herfindahl', concentration.herfindahl),
          ratio('effectiveHoldings', concentration.effectiveNumber),
          ['holdings', String(concentration.count), 'count'] satisfies Metric,
        ]
      : []),
    ...shares('currencyShare', currencies),
    ...shares('sectorShare', sectors),
  ];
  return [
    ...metrics.map(([metric, value, unit]) => ({
      entity: `portfolio:${name}`,
      metric,
      value,
      unit,
      ...common,
    })),
    ...pairs.map(({ one, other, value }) => ({
      entity: `${one.symbol}/${other.symbol}`,
      metric: `correlation${analysis.range}`,
      value: fixed(value, RATIO_DIGITS),
      unit: 'ratio',
      ...common,
    })),
  ];
};
