import { type Card, type CardField, commonTone, type Tone } from '#src/kernel/chat/card.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Instrument, HistoryRange } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { toNumberBars, yearRange } from '#src/markets/indicators/indicators.ts';
import type { History } from '#src/markets/sources/source.ts';
import type { PerformanceFigure } from '#src/markets/performance/figure.ts';
import {
  correlation,
  maxDrawdown,
  MIN_RETURNS_FOR_RISK,
  returnsOf,
  volatility,
} from '#src/markets/performance/risk.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { factBase, type HistorySummary, summariseHistory } from '#src/markets/series/history-summary.ts';
import { rangeLabel } from '#src/reading/history-range.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { baseNames, formatChange } from '#src/markets/series/history-change.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import { namesOfBoth } from '#src/markets/answers/fact-names.ts';
import { narrowName, withoutCompanyForm } from '#src/markets/answers/narrow-name.ts';
import { ARROWS, instrumentLabel, plainPrice, toneOf } from '#src/markets/answers/quote-text.ts';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { commonLabel, coverageKey } from '#src/markets/series/range-covered.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { historyOrigin, isRunning, shortHistoryOrigin } from '#src/markets/series/running-bar.ts';

/** A compared instrument: its history over the range, and over a year of days where that is available. */
export interface Compared {
  readonly history: History;
  readonly year: History | undefined;
}

interface ComparedFigures extends Compared {
  readonly instrument: Instrument;
  readonly summary: HistorySummary;
  /** The days for volatility and correlation; undefined if there are too few. */
  readonly days: History | undefined;
  /** A fraction, as is the drawdown. Both are null for rates, and where there is not enough data. */
  readonly volatility: number | null;
  readonly drawdown: number | null;
  /** 0 at the low of 52 weeks, 1 at the high. */
  readonly yearPosition: number | null;
}

const closesOf = ({ bars }: History): readonly number[] => bars.map(({ close }) => close.toNumber());

/** Coins are traded every day of the year. */
const tradingDays = ({ assetClass }: Instrument): number => (assetClass === 'crypto' ? 365 : 252);

const isEnough = ({ interval, bars }: History): boolean =>
  interval === '1d' && bars.length > MIN_RETURNS_FOR_RISK;

const daysOf = ({ history, year }: Compared, basis: HistoryRange): History | undefined => {
  const own = history.range === basis ? history : undefined;
  return [own, year].find((days) => days !== undefined && isEnough(days));
};

const valueOf = (figure: PerformanceFigure): number | null => (figure.status === 'ok' ? figure.value : null);

/** Defined as for portfolios. */
const volatilityOf = (days: History): number | null =>
  valueOf(volatility(returnsOf(closesOf(days)), tradingDays(days.instrument)));

/** The largest fall from a peak to a later low, as a fraction of at most zero. */
const drawdownOf = (history: History): number | null => {
  const found = maxDrawdown(closesOf(history).map((value, day) => ({ day, value })));
  return found.status === 'ok' ? 0 - found.value.depth : null;
};

const figuresOf = (compared: Compared, basis: HistoryRange): ComparedFigures => {
  const { history, year } = compared;
  const { instrument } = history;
  const days = daysOf(compared, basis);
  // A yield may be zero or negative, so fractions of it mean nothing.
  const isRate = instrument.assetClass === 'rate';
  return {
    ...compared,
    instrument,
    summary: summariseHistory(history),
    days,
    volatility: days && !isRate ? volatilityOf(days) : null,
    drawdown: isRate ? null : drawdownOf(history),
    yearPosition: (year && yearRange(toNumberBars(year.bars))?.position) ?? null,
  };
};

interface Correlation {
  /** Null if they have too few days in common, or one does not move. */
  readonly value: number | null;
  readonly commonDays: number;
}

type ClosesByDay = ReadonlyMap<string, number>;

/** By the exchange's dates, the oldest first; empty where there are too few days. */
const closesByDay = (days: History | undefined): ClosesByDay =>
  new Map(days?.bars.map(({ at, close }) => [dayOf(at, days.timeZone), close.toNumber()]));

/** The correlation of daily returns on days when both were traded. */
const correlationOf = (one: ClosesByDay, other: ClosesByDay): Correlation => {
  const common = [...one.keys()].filter((day) => other.has(day));
  if (common.length <= MIN_RETURNS_FOR_RISK) return { value: null, commonDays: common.length };
  const returnsIn = (closes: ClosesByDay): readonly number[] =>
    returnsOf(common.map((day) => closes.get(day) ?? Number.NaN));
  const value = valueOf(correlation({ one: returnsIn(one), other: returnsIn(other) }));
  return { value, commonDays: common.length };
};

/** The figures of all compared instruments. */
interface Comparison {
  /** The range for volatility and correlation: the one asked for, or a year where that has too few days. */
  readonly basis: HistoryRange;
  readonly all: readonly ComparedFigures[];
  /** `[0][2]` is that of the first and the third. */
  readonly correlations: readonly (readonly Correlation[])[];
}

export const compareFigures = (compared: readonly Compared[], range: HistoryRange): Comparison => {
  const basis = compared.every(({ history }) => isEnough(history)) ? range : '1y';
  const days = compared.map((one) => closesByDay(daysOf(one, basis)));
  return {
    basis,
    all: compared.map((one) => figuresOf(one, basis)),
    correlations: days.map((one) => days.map((other) => correlationOf(one, other))),
  };
};

const NONE = '–';
/** Starts that differ by holidays alone count as the same. */
const SAME_START_MS = 10 * 86_400_000;

/** Points and percentages have no exchange rate. */
const isMoney = ({ assetClass }: Instrument): boolean => assetClass !== 'index' && assetClass !== 'rate';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(header), `|---|${'---:|'.repeat(header.length - 1)}`, ...rows.map(row)].join('\n');

const coefficient = ({ value }: Correlation, { locale }: Audience): string =>
  value === null
    ? NONE
    : formatFinancialNumber(value, { locale, minimumFractionDigits: 2, maximumFractionDigits: 2 });

const correlationText = ({ all, correlations }: Comparison, audience: Audience): string => {
  const t = analysisTexts(audience.locale);
  const ofTwo = correlations[0]?.[1];
  if (!ofTwo) return '';
  if (all.length === 2) {
    return ofTwo.value === null
      ? t.noCorrelation
      : t.correlation({ value: coefficient(ofTwo, audience), days: ofTwo.commonDays });
  }
  const tickers = all.map(({ instrument }) => instrument.ticker);
  const rows = correlations.map((line, index) => [
    tickers[index] ?? '',
    ...line.map((found, column) => (column === index ? '1' : coefficient(found, audience))),
  ]);
  return `${t.correlations}\n\n${table(['', ...tickers], rows)}`;
};

/** The figures of one instrument in words; the dash stands for too little data. */
interface ComparedWords {
  readonly instrument: Instrument;
  readonly name: string;
  readonly price: string;
  readonly change: string;
  readonly volatility: string;
  readonly drawdown: string;
  readonly year: string;
  readonly tone: Tone;
  /** Its days, source and time. */
  readonly origin: string;
}

const percentText = (fraction: number | null, locale: Locale, digits = 1): string =>
  fraction === null
    ? NONE
    : formatFinancialNumber(new Decimal(fraction), {
        locale,
        isPercent: true,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });

const wordsOf = (
  { history, instrument: of, summary, volatility, drawdown, yearPosition }: ComparedFigures,
  audience: Audience,
  now: Timestamp,
): ComparedWords => {
  const { locale } = audience;
  const { instrument, price } = shownTo(of, locale);
  const { change, first, last } = summary;
  return {
    instrument: of,
    name: narrowName(instrument, locale),
    price: plainPrice(price(last.price), instrument, locale),
    change: change === undefined ? NONE : formatChange(change, instrument, locale),
    volatility: percentText(volatility, locale),
    drawdown: percentText(drawdown, locale),
    year: percentText(yearPosition, locale, 0),
    tone: change === undefined ? 'flat' : toneOf(change.difference),
    origin: `${instrumentLabel(instrument, locale)}: ${first.date} – ${last.date} · ${historyOrigin(history, isRunning(history, now), audience, now)}`,
  };
};

const labelOf = ({ all }: Comparison, { locale }: Audience, now: Timestamp): string =>
  commonLabel(
    all.map(({ history }) => history),
    locale,
    now,
  );

const currenciesOf = ({ all }: Comparison): readonly string[] => [
  ...new Set(
    all
      .map(({ instrument }) => instrument)
      .filter(isMoney)
      .map(({ currency }) => currency),
  ),
];

const startsDiffer = ({ all }: Comparison): boolean => {
  const starts = all.flatMap(({ history }) => history.bars.slice(0, 1).map(({ at }) => at.epochMilliseconds));
  return Math.max(...starts) - Math.min(...starts) > SAME_START_MS;
};

/** What the numbers are, and how they can be compared. */
const notesOf = (comparison: Comparison, audience: Audience, now: Timestamp): readonly string[] => {
  const { all, basis } = comparison;
  const { locale } = audience;
  const t = analysisTexts(locale);
  const days = all.flatMap((each) => each.days ?? []);
  const basisLabel = days.length > 0 ? commonLabel(days, locale, now) : rangeLabel(basis, locale);
  const currencies = currenciesOf(comparison);
  const base = baseNames(
    all.map(({ history }) => history),
    locale,
  );
  return [
    ...(base === undefined ? [] : [t.comparedFrom({ base })]),
    t.compareBasis({ range: labelOf(comparison, audience, now), basis: basisLabel }),
    ...(all.some(({ instrument }) => instrument.assetClass === 'rate') ? [t.ratesInPoints] : []),
    ...(currencies.length > 1 ? [t.currenciesDiffer({ currencies: currencies.join(', ') })] : []),
    ...(startsDiffer(comparison) ? [t.spansDiffer] : []),
  ];
};

/** The one that gained most, where all changes are percentages and differ. */
const aheadOf = ({ all }: Comparison, { locale }: Audience): readonly string[] => {
  const gains = all.flatMap(({ instrument, summary: { change } }) =>
    change?.fraction ? [{ instrument, fraction: change.fraction }] : [],
  );
  const [first, second] = gains.toSorted((a, b) => b.fraction.comparedTo(a.fraction));
  if (!first || !second || gains.length < all.length || first.fraction.equals(second.fraction)) return [];
  const name = withoutCompanyForm(shownTo(first.instrument, locale).instrument.name[locale]);
  return [analysisTexts(locale).ahead({ name })];
};

const COLUMNS = ['name', 'price', 'change', 'volatility', 'drawdown', 'year'] as const;

const figuresTable = (words: readonly ComparedWords[], { locale }: Audience): string => {
  const { compareColumns } = analysisTexts(locale);
  return table(
    COLUMNS.map((key) => compareColumns[key]),
    words.map((each) => COLUMNS.map((key) => each[key])),
  );
};

/** What must be known to read the figures, and their sources, each once. */
const shortNotes = (comparison: Comparison, audience: Audience, now: Timestamp): readonly string[] => {
  const t = analysisTexts(audience.locale);
  const { all } = comparison;
  const currencies = currenciesOf(comparison);
  return [
    ...(currencies.length > 1 ? [t.ownCurrencies({ currencies: currencies.join(', ') })] : []),
    ...(startsDiffer(comparison) ? [t.otherStarts] : []),
    ...new Set(all.map(({ history }) => shortHistoryOrigin(history, isRunning(history, now), audience, now))),
  ];
};

/** Who is ahead, the table, and what must be known to read it. */
export const comparisonBrief = (comparison: Comparison, audience: Audience, now: Timestamp): string => {
  const t = analysisTexts(audience.locale);
  const ofTwo = comparison.all.length === 2 ? comparison.correlations[0]?.[1] : undefined;
  const correlated =
    ofTwo && ofTwo.value !== null ? [t.shortCorrelation({ value: coefficient(ofTwo, audience) })] : [];
  const title = t.comparison({ range: labelOf(comparison, audience, now) });
  return [
    [`**${title}**`, ...aheadOf(comparison, audience)].join(' · '),
    figuresTable(
      comparison.all.map((each) => wordsOf(each, audience, now)),
      audience,
    ),
    [...correlated, ...shortNotes(comparison, audience, now)].join(' · '),
  ].join('\n\n');
};

/** The table, the correlation, notes, and the source and time of each. */
export const comparisonText = (comparison: Comparison, audience: Audience, now: Timestamp): string => {
  const t = analysisTexts(audience.locale);
  const words = comparison.all.map((each) => wordsOf(each, audience, now));
  return [
    `**${t.comparison({ range: labelOf(comparison, audience, now) })}**`,
    figuresTable(words, audience),
    correlationText(comparison, audience),
    notesOf(comparison, audience, now).join('\n'),
    words.map(({ origin }) => `- ${origin}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

/** One line for each pair, because a matrix is too wide for a phone. */
const correlationField = ({ all, correlations }: Comparison, audience: Audience): CardField | undefined => {
  const t = analysisTexts(audience.locale);
  const tickers = all.map(({ instrument }) => instrument.ticker);
  const pairs = tickers.flatMap((one, index) =>
    tickers.slice(index + 1).map((other, offset) => {
      const found = correlations[index]?.[index + 1 + offset] ?? { value: null, commonDays: 0 };
      return `${one} – ${other}: ${coefficient(found, audience)}`;
    }),
  );
  return pairs.length === 0
    ? undefined
    : { name: t.correlations.replace(/:$/u, ''), value: pairs.join('\n'), isWide: true };
};

/** The same as a card: one field per instrument. */
export const comparisonCard = (comparison: Comparison, audience: Audience, now: Timestamp): Card => {
  const t = analysisTexts(audience.locale);
  const columns = t.compareColumns;
  const words = comparison.all.map((each) => wordsOf(each, audience, now));
  const correlated = correlationField(comparison, audience);
  return {
    title: t.comparison({ range: labelOf(comparison, audience, now) }),
    headline: aheadOf(comparison, audience).join(''),
    fields: [
      ...words.map(({ instrument, name, price, change, volatility, drawdown, year, tone }) => ({
        name,
        value: [
          price,
          `${ARROWS[tone]} ${change}`,
          `${columns.volatility} ${volatility}`,
          `${columns.drawdown} ${drawdown}`,
          `${columns.year} ${year}`,
        ].join('\n'),
        ...pageLink(instrument, audience.locale),
        tone,
      })),
      ...(correlated ? [correlated] : []),
    ],
    footer: shortNotes(comparison, audience, now).join('\n'),
    tone: commonTone(words.map(({ tone }) => tone)),
  };
};

export const comparisonFacts = (
  { all, basis, correlations }: Comparison,
  now: Timestamp,
): readonly Fact[] => {
  const own = all.flatMap(({ history, days, volatility, drawdown, yearPosition }): readonly Fact[] => {
    const known: readonly (readonly [metric: MetricId, period: string, fraction: number | null])[] = [
      ['volatility', days ? coverageKey([days], now) : basis, volatility],
      ['maxDrawdown', coverageKey([history], now), drawdown],
      ['yearPosition', '1y', yearPosition],
    ];
    return known.flatMap(([metric, period, fraction]) =>
      fraction === null
        ? []
        : [{ ...factBase(history), metric, period, value: fixed(fraction * 100, 2), unit: '%' }],
    );
  });
  const pairs = all.flatMap((first, index) =>
    all.slice(index + 1).map((other, offset) => ({
      one: first.history,
      other: other.history,
      days: [first, other].flatMap((each) => each.days ?? []),
      value: correlations[index]?.[index + 1 + offset]?.value ?? null,
    })),
  );
  const together = pairs.flatMap(({ one, other, days, value }): readonly Fact[] => {
    if (value === null) return [];
    const [base, otherBase] = [factBase(one), factBase(other)];
    return [
      {
        entity: `${base.entity}/${otherBase.entity}`,
        names: namesOfBoth(one.instrument, other.instrument),
        metric: 'correlation',
        period: coverageKey(days, now),
        value: fixed(value, 2),
        unit: 'ratio',
        asOf: base.asOf < otherBase.asOf ? base.asOf : otherBase.asOf,
        source: [...new Set([base.source, otherBase.source])].join(', '),
        isSample: base.isSample || otherBase.isSample,
      },
    ];
  });
  return [...own, ...together];
};
