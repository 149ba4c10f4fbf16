import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { rangeLabel } from '#src/reading/history-range.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { originText } from '#src/markets/answers/quote-text.ts';
import { inMarkdown, untrustedLine } from '#src/markets/answers/untrusted-text.ts';
import { dateOf, isoDateOf } from '#src/markets/performance/epoch-day.ts';
import type { PerformanceFigure } from '#src/markets/performance/figure.ts';
import type { Drawdown } from '#src/markets/performance/risk.ts';
import { shownParts } from '#src/platform/text/round-to-total.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { PortfolioCharts } from '#src/markets/charts/portfolio-picture.ts';
import { performanceTexts } from '../texts/performance.ts';
import type { Origin, FigurePart, PortfolioAnalysis } from './figures.ts';
import { portfolioTexts } from '../texts/portfolio.ts';

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

/** The figure behind its name, or the reason why there is none. Left out where more days are needed: one note says so of all. */
const shown = <T>(
  name: string,
  figure: PerformanceFigure<T>,
  locale: Locale,
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

const drawdownText = ({ depth, peakDay, troughDay, recoveryDay }: Drawdown, locale: Locale): string => {
  const t = performanceTexts(locale);
  if (depth === 0) return t.noDrawdown;
  const dates = t.drawdownDates({ peak: isoDateOf(peakDay), trough: isoDateOf(troughDay) });
  const end = recoveryDay === undefined ? t.notRecovered : t.recovered({ date: isoDateOf(recoveryDay) });
  return `${percentText(-depth, locale)} (${dates}, ${end})`;
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
export const shownShares = (parts: readonly FigurePart[]): readonly FigurePart[] => {
  const sizes = parts.map(({ share }) => share.abs());
  const shown = shownParts(sizes, new Decimal(1), SHARE_DECIMALS);
  return parts.map((part, index) => {
    const size = shown[index] ?? part.share;
    return { ...part, share: part.share.isNegative() ? size.negated() : size };
  });
};

const partsText = (
  parts: readonly FigurePart[],
  nameOfKey: (key: string) => string,
  locale: Locale,
): string =>
  shownShares(parts)
    .slice(0, MAX_PARTS)
    .map(({ key, share }) => `${nameOfKey(key)} ${percentText(share, locale, false, 1)}`)
    .join(' · ');

const returnLines = (analysis: PortfolioAnalysis, locale: Locale): readonly string[] => {
  const t = performanceTexts(locale);
  const { twr, xirr, benchmark } = analysis;
  const signed = (value: number): string => percentText(value, locale, true);
  return [
    ...shown(t.twr, twr, locale, ({ total, annual }) =>
      annual === undefined ? signed(total) : `${signed(total)} (${t.annual({ value: signed(annual) })})`,
    ),
    ...shown(t.xirr, xirr, locale, signed),
    ...(benchmark ? shown(benchmark.instrument.name[locale], benchmark.change, locale, signed) : []),
  ];
};

const riskLines = (analysis: PortfolioAnalysis, locale: Locale): readonly string[] => {
  const t = performanceTexts(locale);
  const { benchmark, exposure, baseCurrency, riskFreePercent } = analysis;
  const riskFree = t.riskFree({ value: percentText(riskFreePercent / 100, locale) });
  const ratio = (value: number): string => ratioText(value, locale);
  const lostIn = (fraction: number): string =>
    t.valueAtRiskMeaning({
      value: percentText(fraction, locale),
      amount: moneyText(exposure.total.times(new Decimal(fraction)), baseCurrency, locale),
    });
  return [
    ...shown(t.volatility, analysis.volatility, locale, (value) => percentText(value, locale)),
    ...shown(t.sharpe, analysis.sharpe, locale, (value) => `${ratio(value)} (${riskFree})`),
    ...shown(t.sortino, analysis.sortino, locale, ratio),
    ...shown(t.drawdown, analysis.drawdown, locale, (value) => drawdownText(value, locale)),
    ...(benchmark
      ? shown(t.beta(), benchmark.beta, locale, (value) =>
          benchmark.correlation.status === 'ok'
            ? `${ratio(value)} · ${t.correlation} ${ratio(benchmark.correlation.value)}`
            : ratio(value),
        )
      : []),
    ...shown(t.valueAtRisk, analysis.valueAtRisk, locale, lostIn),
  ];
};

const TOP = 5;

const structureLines = (analysis: PortfolioAnalysis, locale: Locale): readonly string[] => {
  const t = performanceTexts(locale);
  const { concentration, exposure, currencies, sectors, pairs } = analysis;
  const [largest] = exposure.holdings;
  const pairText = ({ one, other, value }: PortfolioAnalysis['pairs'][number]): string =>
    t.pair({ one: one.name[locale], other: other.name[locale], value: ratioText(value, locale) });
  return [
    ...(concentration && largest
      ? [
          `${t.concentration}: ${[
            t.largest({
              name: nameOf(largest.instrument, locale),
              value: percentText(concentration.largest, locale, false, 1),
            }),
            ...(concentration.count > TOP
              ? [t.topFive({ value: percentText(concentration.topFive, locale, false, 1) })]
              : []),
            ...(concentration.count > 1
              ? [
                  t.spread({
                    effective: formatFinancialNumber(concentration.effectiveNumber, {
                      locale,
                      maximumFractionDigits: 1,
                    }),
                    count: concentration.count,
                  }),
                ]
              : []),
          ].join(' · ')}`,
        ]
      : []),
    ...(currencies.length > 1 ? [`${t.currencies}: ${partsText(currencies, (key) => key, locale)}`] : []),
    ...(sectors.length > 0
      ? [`${t.sectors}: ${partsText(sectors, (key) => sectorName(key, locale), locale)}`]
      : []),
    ...(pairs.length > 0 ? [`${t.correlated}: ${pairs.map(pairText).join(' · ')}`] : []),
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
  audience: Audience,
): string => {
  const { locale } = audience;
  const t = performanceTexts(locale);
  const { name, range, series, baseCurrency, exposure } = analysis;
  const [first, last] = [series.points[0], series.points.at(-1)];
  return [
    [
      `${t.title({ name, range: rangeLabel(range, locale) })} · ${isoDateOf(first?.day ?? 0)} – ${isoDateOf(last?.day ?? 0)}`,
      t.worth({
        value: moneyText(exposure.total, baseCurrency, locale),
        contributed: moneyText(series.contributed, baseCurrency, locale),
      }),
      ...extra.above,
    ].join('\n'),
    ...section(t.sections.returns, returnLines(analysis, locale)),
    ...section(t.sections.risk, riskLines(analysis, locale)),
    ...section(t.sections.structure, structureLines(analysis, locale)),
    [...extra.below, ...noteLines(analysis, locale), originText(origin, audience)].join('\n'),
  ].join('\n\n');
};

export interface PictureDeps {
  readonly logger: Pick<FinClawLogger, 'warn'>;
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
