import type { QueryDeps } from '#src/features/feature.ts';
import { METRICS } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { type Audience, emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { FundamentalFigure, FundamentalMetric, Fundamentals } from '#src/markets/sources/source.ts';
import { codeFor } from '#src/kernel/market/finance.ts';
import { detailsControl } from '#src/markets/answers/controls.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { instrumentLabel, shortOrigin } from '#src/markets/answers/quote-text.ts';
import { missedAnswer, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';
import { inMarkdown, untrustedLine } from '#src/markets/answers/untrusted-text.ts';

export interface FundamentalsQueries {
  readonly fundamentals: MarketQuery<{
    readonly query: string;
    /** Absent: all of them. */
    readonly only?: readonly FundamentalMetric[];
  }>;
}

/** The groups of figures, in the order of the answer. */
const GROUPS = {
  valuation: ['marketCap', 'peTrailing', 'peForward', 'priceToBook', 'beta'],
  perShare: ['epsTrailing', 'epsForward', 'dividendYield', 'dividendRate', 'exDividendDate'],
  business: [
    'revenue',
    'revenueGrowth',
    'grossMargin',
    'operatingMargin',
    'profitMargin',
    'returnOnEquity',
    'debtToEquity',
    'freeCashFlow',
  ],
  company: ['sector', 'industry', 'sharesOutstanding'],
} as const satisfies Readonly<Record<string, readonly FundamentalMetric[]>>;

const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
const MAX_WORDS = 60;
/** Larger numbers are shortened in the text; the facts have all digits. */
const LARGE = 1_000_000;

const formatFigure = ({ metric, value, unit }: FundamentalFigure, locale: Locale): string => {
  const t = marketTexts(locale).fundamentals;
  if (unit === 'text') {
    const line = untrustedLine(value, MAX_WORDS);
    // The sector is untrusted: it may be named like a property of every object.
    const isKnown = metric === 'sector' && Object.hasOwn(t.sectors, line);
    return inMarkdown((isKnown && t.sectors[line]) || line);
  }
  const number = new Decimal(value);
  if (unit === '%')
    return formatFinancialNumber(number.dividedBy(100), {
      locale,
      isPercent: true,
      maximumFractionDigits: 2,
      showSign: metric === 'revenueGrowth',
    });
  const isShort = number.abs().greaterThanOrEqualTo(LARGE);
  if (unit === 'x') {
    const multiple = formatFinancialNumber(number, { locale });
    // Nobody writes a beta as a multiple (1.2x).
    return metric === 'beta' ? multiple : t.multiple({ number: multiple });
  }
  if (unit === 'shares') return t.shares({ number: formatFinancialNumber(number, { locale, isShort }) });
  return formatFinancialNumber(number, { locale, currency: unit, isShort });
};

const describe = ({ figures }: Fundamentals, locale: Locale): readonly string[] => {
  const t = marketTexts(locale).fundamentals;
  const byMetric = new Map(figures.map((figure) => [figure.metric, figure]));
  return GROUP_NAMES.flatMap((group) => {
    const lines = GROUPS[group].flatMap((metric) => {
      const figure = byMetric.get(metric);
      return figure ? [`- ${t.metrics[metric]}: ${formatFigure(figure, locale)}`] : [];
    });
    return lines.length === 0 ? [] : [[`**${t.groups[group]}**`, ...lines].join('\n')];
  });
};

/** Samples are made of the last close. Live figures are of when they were read, perhaps before the close of that day. */
const originOf = (value: Fundamentals, audience: Audience): string =>
  shortOrigin({ ...value, ...(value.isSample && { sessionState: 'closed' as const }) }, audience);

const factsOf = ({ instrument, figures, asOf, source, isSample }: Fundamentals): readonly Fact[] =>
  withNames(
    namesOf(instrument),
    figures.map(({ metric, value, unit }) => ({
      entity: instrument.symbol,
      metric,
      value: unit === 'text' ? untrustedLine(value, MAX_WORDS) : value,
      unit: METRICS[metric].kind === 'date' ? 'date' : unit,
      asOf: asOf.toString(),
      source,
      isSample,
    })),
  );

/** The figures that were asked for, in one line, and their source. */
const someText = (value: Fundamentals, only: readonly FundamentalMetric[], audience: Audience): string => {
  const { locale } = audience;
  const t = marketTexts(locale).fundamentals;
  const name = shortLabel(value.instrument, locale);
  const labels = only.map((metric) => t.metrics[metric]).join(', ');
  const figures = only.flatMap((metric) => value.figures.find((figure) => figure.metric === metric) ?? []);
  if (figures.length === 0) return t.noFigure({ name, labels });
  const said = figures.map((figure) => `${t.metrics[figure.metric]} ${formatFigure(figure, locale)}`);
  return `**${name}** ${said.join(' · ')}\n${originOf(value, audience)}`;
};

/** The figures of one company that the source has. Throws only on abort. */
export const fundamentalsAnswer =
  ({ market, symbols }: QueryDeps<'getFundamentals'>): FundamentalsQueries['fundamentals'] =>
  async ({ query, only }, audience, signal) => {
    const { locale } = audience;
    const t = marketTexts(locale).fundamentals;
    const resolved = await resolveNames([query], symbols, locale, (symbol) => `/price ${symbol}`, signal);
    const [instrument] = resolved.instruments;
    if (!instrument) return missedAnswer(resolved);
    const name = instrumentLabel(instrument, locale);
    if (instrument.assetClass !== 'equity') return emptyAnswer(t.notCompany[instrument.assetClass]({ name }));

    const result = await market.getFundamentals(instrument, signal);
    const reason = result.status === 'unavailable' ? result.reason : 'no-data';
    if (reason === 'not-in-sample') return emptyAnswer(t.sample({ name }));
    if (result.status === 'unavailable' || result.value.figures.length === 0)
      return emptyAnswer(unavailableText(instrument, reason, locale));
    const { value } = result;
    if (only) {
      const figures = value.figures.filter(({ metric }) => only.includes(metric));
      return {
        content: someText({ ...value, figures }, only, audience),
        facts: factsOf({ ...value, figures }),
        found: 1,
        choices: detailsControl(`/price ${codeFor(instrument, symbols)}`, locale, 'allFigures'),
      };
    }
    return {
      content: [
        t.title({ name: shortLabel(instrument, locale) }),
        ...describe(value, locale),
        originOf(value, audience),
      ].join('\n\n'),
      facts: factsOf(value),
      found: 1,
    };
  };
