import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { rangeLabel } from '#src/reading/history-range.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { namesOf as factNamesOf, namesOfBoth } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import { originText } from '#src/markets/answers/quote-text.ts';
import { inMarkdown, untrustedLine } from '#src/markets/answers/untrusted-text.ts';
import { dateOf, isoDateOf } from '#src/markets/performance/epoch-day.ts';
import type { PerformanceFigure } from '#src/markets/performance/figure.ts';
import type { Drawdown } from '#src/markets/performance/risk.ts';
import { shownParts } from '#src/platform/text/round-to-total.ts';
import type { Uses } from '#src/platform/services.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { PortfolioCharts } from '#src/markets/charts/portfolio-picture.ts';
import { performanceTexts } from '../texts/performance.ts';
import type { Origin, FigurePart, PortfolioAnalysis } from './figures.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { BENCHMARKS } from './market-data.ts';

const MAX_PARTS = 8;
const MAX_NAMES = 10;
const MAX_SECTOR_CHARACTERS = 40;

const percentText = (fraction: Decimal | number, locale: Locale, isSigned = false, digits = 2): string =>
  formatFinancialNumber(fraction, {
    locale,
    isPercent: true,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    showSign: isSigned,
  });

const ratioText = (value: number, locale: Locale): string =>
  formatFinancialNumber(value, { locale, minimumFractionDigits: 2, maximumFractionDigits: 2 });

const DIGITS = 2;

/** A share of one as a percentage. */
const percentOf = (
  told: FactRecorder,
  metric: MetricId,
  fraction: number,
  { isSigned = false, digits = DIGITS }: { readonly isSigned?: boolean; readonly digits?: number } = {},
): string => {
  told.keep(metric, fixed(fraction * 100, DIGITS), '%');
  return percentText(fraction, told.locale, isSigned, digits);
};

const ratioOf = (told: FactRecorder, metric: MetricId, value: number): string => {
  told.keep(metric, fixed(value, DIGITS), 'ratio');
  return ratioText(value, told.locale);
};

const dayOf = (told: FactRecorder, metric: MetricId, epochDay: number): string => {
  const day = isoDateOf(epochDay);
  told.keep(metric, day, 'date');
  return day;
};

/** The figure behind its name, or the reason why there is none. Left out where more days are needed: one note says so of all. */
const shown = <T>(
  name: string,
  figure: PerformanceFigure<T>,
  { locale }: FactRecorder,
  write: (value: T) => string,
): readonly string[] => {
  if (figure.status === 'too-few') return [];
  const text =
    figure.status === 'ok' ? write(figure.value) : performanceTexts(locale).noFigure[figure.reason];
  return [`${name}: ${text}`];
};

/** The days that the next of the missing figures needs. */
const comesLater = (
  { twr, xirr, benchmark, volatility, sharpe, sortino, drawdown, valueAtRisk }: PortfolioAnalysis,
  locale: Locale,
): readonly string[] => {
  const figures: readonly PerformanceFigure<unknown>[] = [
    twr,
    xirr,
    volatility,
    sharpe,
    sortino,
    drawdown,
    valueAtRisk,
    ...(benchmark ? [benchmark.change, benchmark.beta] : []),
  ];
  const [next] = figures
    .flatMap((figure) => (figure.status === 'too-few' ? [figure] : []))
    .toSorted((a, b) => a.needs - b.needs);
  return next ? [performanceTexts(locale).comesLater(next)] : [];
};

const drawdownText = ({ depth, peakDay, troughDay, recoveryDay }: Drawdown, told: FactRecorder): string => {
  const t = performanceTexts(told.locale);
  const fallen = percentOf(told, 'maxDrawdown', depth === 0 ? 0 : -depth);
  if (depth === 0) return t.noDrawdown;
  const dates = t.drawdownDates({
    peak: dayOf(told, 'drawdownPeakDay', peakDay),
    trough: dayOf(told, 'drawdownTroughDay', troughDay),
  });
  const end =
    recoveryDay === undefined
      ? t.notRecovered
      : t.recovered({ date: dayOf(told, 'drawdownRecoveryDay', recoveryDay) });
  return `${fallen} (${dates}, ${end})`;
};

const nameOf = ({ name, ticker }: Instrument, locale: Locale): string => `${name[locale]} (${ticker})`;

/** The first few names, and how many more. */
export const namesOf = (instruments: readonly Instrument[], locale: Locale): string => {
  const names = instruments.slice(0, MAX_NAMES).map((each) => nameOf(each, locale));
  const more = instruments.length - names.length;
  return [...names, ...(more > 0 ? [performanceTexts(locale).more({ count: more })] : [])].join(', ');
};

/** A source's sector name may be any text. */
const sectorName = (key: string, locale: Locale): string => {
  const { classes } = performanceTexts(locale);
  if (key.startsWith('class:')) {
    const name = key.slice('class:'.length);
    return Object.entries(classes).find(([each]) => each === name)?.[1] ?? classes.unknown;
  }
  const { sectors } = marketTexts(locale).fundamentals;
  const line = untrustedLine(key, MAX_SECTOR_CHARACTERS);
  return inMarkdown((Object.hasOwn(sectors, line) && sectors[line]) || line);
};

/** A tenth of a percent, so that the shares add up to a hundred. */
const SHARE_DECIMALS = 3;
const shownShares = (parts: readonly FigurePart[]): readonly FigurePart[] => {
  const sizes = parts.map(({ share }) => share.abs());
  const shown = shownParts(sizes, new Decimal(1), SHARE_DECIMALS);
  return parts.map((part, index) => {
    const size = shown[index] ?? part.share;
    return { ...part, share: part.share.isNegative() ? size.negated() : size };
  });
};

/** The shares of currencies or sectors: the largest are written, and each is a fact. */
const partsText = (
  metric: MetricId,
  parts: readonly FigurePart[],
  nameOfKey: (key: string) => string,
  told: FactRecorder,
): string =>
  shownShares(parts)
    .map(({ key, share }) => {
      told.keep(metric, share.times(100).toFixed(DIGITS), '%', key.replace('class:', ''));
      return `${nameOfKey(key)} ${percentText(share, told.locale, false, 1)}`;
    })
    .slice(0, MAX_PARTS)
    .join(' · ');

const benchmarkTold = ({ benchmark }: PortfolioAnalysis, told: FactRecorder): FactRecorder =>
  told.about({ parameter: benchmark?.instrument.symbol === BENCHMARKS.kospi ? 'KOSPI' : 'S&P 500' });

const returnLines = (analysis: PortfolioAnalysis, told: FactRecorder): readonly string[] => {
  const t = performanceTexts(told.locale);
  const { twr, xirr, benchmark } = analysis;
  const signed = (metric: MetricId, value: number, of = told): string =>
    percentOf(of, metric, value, { isSigned: true });
  return [
    ...shown(t.twr, twr, told, ({ total, annual }) => {
      const whole = signed('timeWeightedReturn', total);
      if (annual === undefined) return whole;
      return `${whole} (${t.annual({ value: signed('timeWeightedReturnAnnual', annual) })})`;
    }),
    ...shown(t.xirr, xirr, told, (value) => signed('moneyWeightedReturn', value)),
    ...(benchmark
      ? shown(benchmark.instrument.name[told.locale], benchmark.change, told, (value) =>
          signed('benchmarkChange', value, benchmarkTold(analysis, told)),
        )
      : []),
  ];
};

const riskLines = (
  analysis: PortfolioAnalysis,
  whole: FactRecorder,
  told: FactRecorder,
): readonly string[] => {
  const t = performanceTexts(told.locale);
  const { benchmark, exposure, baseCurrency, riskFreePercent } = analysis;
  whole.keep('riskFreeRate', riskFreePercent, '%');
  const riskFree = t.riskFree({ value: percentText(riskFreePercent / 100, told.locale) });
  const index = benchmarkTold(analysis, told);
  const correlation =
    benchmark?.correlation.status === 'ok'
      ? ` · ${t.correlation} ${ratioOf(index, 'correlation', benchmark.correlation.value)}`
      : '';
  const of95 = whole.about({ parameter: '95' });
  const lostIn = (fraction: number): string => {
    const amount = exposure.total.times(fraction);
    of95.keep('valueAtRiskAmount', amount.toFixed(DIGITS), baseCurrency);
    return t.valueAtRiskMeaning({
      value: percentOf(of95, 'valueAtRiskPercent', fraction),
      amount: moneyText(amount, baseCurrency, told.locale),
    });
  };
  return [
    ...shown(t.volatility, analysis.volatility, told, (value) => percentOf(told, 'volatility', value)),
    ...shown(t.sharpe, analysis.sharpe, told, (value) => `${ratioOf(told, 'sharpe', value)} (${riskFree})`),
    ...shown(t.sortino, analysis.sortino, told, (value) => ratioOf(told, 'sortino', value)),
    ...shown(t.drawdown, analysis.drawdown, told, (value) => drawdownText(value, told)),
    ...(benchmark
      ? shown(t.beta(), benchmark.beta, told, (value) => `${ratioOf(index, 'beta', value)}${correlation}`)
      : []),
    ...shown(t.valueAtRisk, analysis.valueAtRisk, told, lostIn),
  ];
};

const TOP = 5;

const concentrationLines = (
  { concentration, exposure }: PortfolioAnalysis,
  told: FactRecorder,
): readonly string[] => {
  const { locale } = told;
  const t = performanceTexts(locale);
  const [largest] = exposure.holdings;
  if (!concentration || !largest) return [];
  const { count, effectiveNumber } = concentration;
  const share = (metric: MetricId, value: number, of = told): string =>
    percentOf(of, metric, value, { digits: 1 });
  const topFive = share('topFiveShare', concentration.topFive);
  ratioOf(told, 'herfindahl', concentration.herfindahl);
  ratioOf(told, 'effectiveHoldings', effectiveNumber);
  told.count('holdingCount', count);
  const { instrument } = largest;
  share(
    'weight',
    concentration.largest,
    told.about({ entity: instrument.symbol, names: factNamesOf(instrument) }),
  );
  const effective = formatFinancialNumber(effectiveNumber, { locale, maximumFractionDigits: 1 });
  const parts = [
    t.largest({ name: nameOf(instrument, locale), value: share('largestShare', concentration.largest) }),
    ...(count > TOP ? [t.topFive({ value: topFive })] : []),
    ...(count > 1 ? [t.spread({ effective, count })] : []),
  ];
  return [`${t.concentration}: ${parts.join(' · ')}`];
};

const structureLines = (analysis: PortfolioAnalysis, told: FactRecorder): readonly string[] => {
  const { locale } = told;
  const t = performanceTexts(locale);
  const { currencies, sectors, pairs, range } = analysis;
  const inCurrencies = partsText('currencyShare', currencies, (key) => key, told);
  const inSectors = partsText('sectorShare', sectors, (key) => sectorName(key, locale), told);
  const together = pairs.map(({ one, other, value }) => {
    const pair = told.about({
      entity: `${one.symbol}/${other.symbol}`,
      names: namesOfBoth(one, other),
      period: range,
    });
    return t.pair({
      one: one.name[locale],
      other: other.name[locale],
      value: ratioOf(pair, 'correlation', value),
    });
  });
  return [
    ...concentrationLines(analysis, told),
    ...(currencies.length > 1 ? [`${t.currencies}: ${inCurrencies}`] : []),
    ...(sectors.length > 0 ? [`${t.sectors}: ${inSectors}`] : []),
    ...(pairs.length > 0 ? [`${t.correlated}: ${together.join(' · ')}`] : []),
  ];
};

/** Notes about missing data and the basis of the figures. */
const noteLines = (analysis: PortfolioAnalysis, locale: Locale): readonly string[] => {
  const t = performanceTexts(locale);
  const { series, baseCurrency } = analysis;
  const names = (why: 'no-prices' | 'no-rate'): string =>
    namesOf(
      series.leftOut.filter((each) => each.why === why).map(({ instrument }) => instrument),
      locale,
    );
  const unpriced = names('no-prices');
  const unrated = [names('no-rate'), ...series.leftOutCash].filter((each) => each !== '').join(', ');
  return [
    ...(series.broughtIn.length === 0 ? [] : [t.broughtIn({ names: namesOf(series.broughtIn, locale) })]),
    ...(unpriced === '' ? [] : [t.noPrices({ names: unpriced })]),
    ...(unrated === '' ? [] : [t.noRates({ names: unrated, currency: baseCurrency })]),
    ...(series.points.some(({ value }) => value < 0) ? [t.noCapital] : []),
    ...(series.isContributedPartial ? [t.partial] : []),
    ...(series.isCutShort ? [t.youngPrices({ date: isoDateOf(series.points[0]?.day ?? 0) })] : []),
    ...comesLater(analysis, locale),
  ];
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [[`**${title}**`, ...lines.map((line) => `- ${line}`)].join('\n')];

/** The whole analysis as text: each number with its period, basis, source and time. */
export const analysisText = (
  analysis: PortfolioAnalysis,
  origin: Origin,
  /** Text above and below the figures. */
  extra: { readonly above: readonly string[]; readonly below: readonly string[] },
  told: FactRecorder,
  audience: Audience,
): string => {
  const { locale } = audience;
  const t = performanceTexts(locale);
  const { name, range, series, baseCurrency, exposure } = analysis;
  const [first, last] = [series.points[0]?.day ?? 0, series.points.at(-1)?.day ?? 0];
  const inRange = told.about({ period: range });
  inRange.count('returnCount', analysis.returnCount);
  return [
    [
      `${t.title({ name, range: rangeLabel(range, locale) })} · ${dayOf(told, 'analysedFrom', first)} – ${dayOf(told, 'analysedTo', last)}`,
      t.worth({
        value: told.money('totalValue', exposure.total, baseCurrency),
        contributed: told.money('contributed', new Decimal(series.contributed), baseCurrency),
      }),
      ...extra.above,
    ].join('\n'),
    ...section(t.sections.returns, returnLines(analysis, inRange)),
    ...section(t.sections.risk, riskLines(analysis, told, inRange)),
    ...section(t.sections.structure, structureLines(analysis, told)),
    [...extra.below, ...noteLines(analysis, locale), originText(origin, audience)].join('\n'),
  ].join('\n\n');
};

export interface PictureDeps extends Uses<'logger.warn'> {
  /** Without it, nothing is drawn. */
  readonly charts?: Pick<PortfolioCharts, 'valueOverTime'>;
}

/** Draws the value over time; undefined if there is too little to draw or drawing fails. Throws on abort alone. */
export const drawAnalysis = async (
  { name, baseCurrency, series, exposure, twr }: PortfolioAnalysis,
  origin: Origin,
  theme: ChartTheme | undefined,
  { charts, logger }: PictureDeps,
  audience: Audience,
  signal: AbortSignal,
): Promise<MediaAttachment | 'failed' | undefined> => {
  const points = series.points.filter(({ value }, index) => index > 0 || value !== 0);
  const [first, last] = [points[0], points.at(-1)];
  if (!charts || points.length < 2 || !first || !last) return undefined;
  const { locale } = audience;
  const t = performanceTexts(locale);
  const total = twr.status === 'ok' ? twr.value.total : undefined;
  try {
    return await charts.valueOverTime(
      {
        title: portfolioTexts(locale).cardTitle({ name }),
        // A range of two years over the ten months since the first entry would be untrue.
        subtitle: t.chartSubtitle({ from: isoDateOf(first.day), to: isoDateOf(last.day) }),
        currency: baseCurrency,
        points: points.map(({ day, value, contributed }) => ({ date: dateOf(day), value, contributed })),
        headline: moneyText(exposure.total, baseCurrency, locale),
        ...(total !== undefined && {
          change: {
            text: t.chartChange({ value: percentText(total, locale, true) }),
            tone: total > 0 ? 'up' : total < 0 ? 'down' : 'flat',
          },
        }),
        origin: originText(origin, audience),
        isSample: origin.isSample,
        theme,
      },
      audience,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('Value over time could not be drawn', { error });
    return 'failed';
  }
};
