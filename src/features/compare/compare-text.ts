import type { Instrument } from '#src/kernel/finance.ts';
import { rangeLabel } from '#src/language/history-range.ts';
import { analysisMessages } from '#src/markets/series/messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Comparison, Correlation } from './compare-figures.ts';
import { baseNames, formatChange } from '#src/markets/series/history-change.ts';
import { factBase } from '#src/markets/series/history-summary.ts';
import { fixed } from '#src/markets/series/indicator-subject.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { formatPrice, instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { commonLabel, coverageKey } from '#src/markets/series/range-covered.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { historyOrigin, isRunning } from '#src/markets/series/running-bar.ts';

const NONE = '–';
/** Holidays of two exchanges are no different time. */
const SAME_START_MS = 10 * 86_400_000;

/** Points and percent have no exchange rate. */
const isMoney = ({ assetClass }: Instrument): boolean => assetClass !== 'index' && assetClass !== 'rate';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(header), `|---|${'---:|'.repeat(header.length - 1)}`, ...rows.map(row)].join('\n');

const coefficient = ({ value }: Correlation, { locale }: Audience): string =>
  value === null
    ? NONE
    : formatFinancialNumber(value, { locale, minimumFractionDigits: 2, maximumFractionDigits: 2 });

const correlationText = ({ all, correlations }: Comparison, audience: Audience): string => {
  const t = analysisMessages(audience.locale);
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

/** The table, how they move together, what to keep in mind, and from where and as of when each is. */
export const comparisonText = (comparison: Comparison, audience: Audience, now: Timestamp): string => {
  const { all, basis } = comparison;
  const { locale } = audience;
  const t = analysisMessages(locale);
  const columns = t.compareColumns;
  const label = commonLabel(
    all.map(({ history }) => history),
    locale,
    now,
  );
  const days = all.flatMap((each) => each.days ?? []);
  const basisLabel = days.length > 0 ? commonLabel(days, locale, now) : rangeLabel(basis, locale);
  const percent = (fraction: number | null, digits = 1): string =>
    fraction === null
      ? NONE
      : formatFinancialNumber(new Decimal(fraction), {
          locale,
          isPercent: true,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
  const rows = all.map(({ instrument: of, summary, volatility, drawdown, yearPosition }) => {
    const { instrument, price } = shownTo(of, locale);
    return [
      narrowName(instrument, locale),
      formatPrice(price(summary.last.price), instrument, locale),
      summary.change === undefined ? NONE : formatChange(summary.change, instrument, locale),
      percent(volatility),
      percent(drawdown),
      percent(yearPosition, 0),
    ];
  });
  const header = [
    columns.name,
    columns.price,
    columns.change,
    columns.volatility,
    columns.drawdown,
    columns.year,
  ];
  const currencies = [
    ...new Set(
      all
        .map(({ instrument }) => instrument)
        .filter(isMoney)
        .map(({ currency }) => currency),
    ),
  ];
  const starts = all.flatMap(({ history }) => history.bars.slice(0, 1).map(({ at }) => at.epochMilliseconds));
  const base = baseNames(
    all.map(({ history }) => history),
    locale,
  );
  const notes = [
    ...(base === undefined ? [] : [t.comparedFrom({ base })]),
    t.compareBasis({ range: label, basis: basisLabel }),
    ...(all.some(({ instrument }) => instrument.assetClass === 'rate') ? [t.ratesInPoints] : []),
    ...(currencies.length > 1 ? [t.currenciesDiffer({ currencies: currencies.join(', ') })] : []),
    ...(Math.max(...starts) - Math.min(...starts) > SAME_START_MS ? [t.spansDiffer] : []),
  ];
  const origins = all.map(
    ({ history, instrument, summary: { first, last } }) =>
      `- ${instrumentLabel(shownTo(instrument, locale).instrument, locale)}: ${first.date} – ${last.date} · ${historyOrigin(history, isRunning(history, now), audience, now)}`,
  );
  return [
    `**${t.comparison({ range: label })}**`,
    table(header, rows),
    correlationText(comparison, audience),
    notes.join('\n'),
    origins.join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

export const comparisonFacts = (
  { all, basis, correlations }: Comparison,
  now: Timestamp,
): readonly Fact[] => {
  const own = all.flatMap(({ history, days, volatility, drawdown, yearPosition }): readonly Fact[] => {
    const known: readonly (readonly [metric: string, fraction: number | null])[] = [
      [`volatility${days ? coverageKey([days], now) : basis}`, volatility],
      [`maxDrawdown${coverageKey([history], now)}`, drawdown],
      ['yearPositionPercent', yearPosition],
    ];
    return known.flatMap(([metric, fraction]) =>
      fraction === null ? [] : [{ ...factBase(history), metric, value: fixed(fraction * 100, 2), unit: '%' }],
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
        metric: `correlation${coverageKey(days, now)}`,
        value: fixed(value, 2),
        unit: 'ratio',
        // As old as the older of the two.
        asOf: base.asOf < otherBase.asOf ? base.asOf : otherBase.asOf,
        source: [...new Set([base.source, otherBase.source])].join(', '),
        isSample: base.isSample || otherBase.isSample,
      },
    ];
  });
  return [...own, ...together];
};
