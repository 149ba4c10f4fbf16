import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { CostMethod } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { LEDGER_SOURCE } from '../summary/summary-facts.ts';
import { type KoreanReport, WON } from './korean-report.ts';
import {
  FINANCIAL_INCOME_LINE_WON,
  filingDays,
  INCOME_TAX_PERCENT,
  LOCAL_TAX_PERCENT,
} from './korean-tax-rules.ts';
import type { TermReport } from './term-report.ts';

type MakeFact = (metric: MetricId, value: Decimal, parameter?: string, unit?: string) => Fact;

const factMaker =
  (base: Pick<Fact, 'entity' | 'unit' | 'period' | 'asOf' | 'isSample'>): MakeFact =>
  (metric, value, parameter, unit = base.unit) => ({
    ...base,
    metric,
    ...(parameter !== undefined && { parameter }),
    value: value.toFixed(),
    unit,
    source: LEDGER_SOURCE,
  });

interface Gained {
  readonly instrument: Instrument;
  readonly gain: Decimal;
}

const sumOf = (gained: readonly Gained[]): Decimal =>
  gained.reduce((sum, { gain }) => sum.plus(gain), new Decimal(0));

const gainsByName = (gained: readonly Gained[], fact: MakeFact): readonly Fact[] =>
  [...Map.groupBy(gained, ({ instrument }) => instrument.symbol).values()].flatMap((group) =>
    group.slice(0, 1).map(({ instrument }) => ({
      ...fact('taxableGain', sumOf(group)),
      entity: instrument.symbol,
      names: namesOf(instrument),
    })),
  );

const DIVIDEND_TAX_PERCENT = new Decimal('15.4');

/** The report for a resident of Korea. The period of each fact is the year. */
export const koreanFacts = (
  report: KoreanReport,
  other: { readonly method: CostMethod; readonly gain: Decimal } | undefined,
  asOf: string,
): readonly Fact[] => {
  const { year, tax, sales, others } = report;
  const base = {
    entity: `tax ${year}`,
    unit: WON,
    period: String(year),
    asOf,
    isSample: report.hasSampleRates,
  };
  const fact = factMaker(base);
  const gained = sales.map(({ instrument, won }) => ({ instrument, gain: won.gain }));
  const count = (sold: number, parameter?: string): Fact =>
    fact('saleCount', new Decimal(sold), parameter, 'count');
  const [from, to] = filingDays(year).map(String);
  const filing = { ...base, source: LEDGER_SOURCE, unit: 'date' };
  const income = report.income.flatMap(({ kind, currency, gross, withheld, won }) => {
    const metric = kind === 'dividend' ? 'dividends' : 'interest';
    const inWon = [
      fact(metric, won.gross, currency),
      fact('withheldTax', won.withheld, `${metric} ${currency}`),
    ];
    return currency === WON
      ? inWon
      : [
          ...inWon,
          fact(metric, gross, currency, currency),
          fact('withheldTax', withheld, `${metric} ${currency}`, currency),
        ];
  });
  return [
    fact('taxableGain', report.gain),
    fact('taxDeduction', tax.deduction),
    fact('taxBase', tax.base),
    fact('incomeTax', tax.incomeTax),
    fact('localTax', tax.localTax),
    fact('estimatedTax', tax.total),
    fact('transactionTax', report.transactionTax),
    fact('financialIncome', report.financialIncome),
    fact('financialIncome', FINANCIAL_INCOME_LINE_WON, 'line'),
    ...(sales.length > 0
      ? [
          fact('taxableGain', sumOf(gained.filter(({ gain }) => !gain.isNegative())), 'gains'),
          fact('taxableGain', sumOf(gained.filter(({ gain }) => gain.isNegative())), 'losses'),
          count(sales.length),
          fact('taxRate', new Decimal(INCOME_TAX_PERCENT + LOCAL_TAX_PERCENT), undefined, '%'),
          fact('taxRate', new Decimal(INCOME_TAX_PERCENT), 'income', '%'),
          fact('taxRate', new Decimal(LOCAL_TAX_PERCENT), 'local', '%'),
          { ...filing, metric: 'taxFilingFrom' as const, value: from ?? '' },
          { ...filing, metric: 'taxFilingTo' as const, value: to ?? '' },
        ]
      : []),
    ...(other ? [fact('taxableGain', other.gain, other.method)] : []),
    ...Object.entries(others).flatMap(([kind, sold]) =>
      sold.count === 0 ? [] : [fact('realisedGain', sold.gain, kind), count(sold.count, kind)],
    ),
    ...(others['domestic-fund'].count > 0 ? [fact('taxRate', DIVIDEND_TAX_PERCENT, 'dividend', '%')] : []),
    ...income,
    ...gainsByName(gained, fact),
  ];
};

const TERM_NAMES = { short: 'short-term', long: 'long-term', 'short-sale': 'short sale' } as const;

/** The report of one portfolio by holding period. */
export const termFacts = (
  report: TermReport,
  name: string,
  asOf: string,
  isSample: boolean,
): readonly Fact[] => {
  const { year, currency, gains, dividends, interest, sales } = report;
  const base = { entity: `portfolio:${name}`, unit: currency, period: String(year), asOf, isSample };
  const fact = factMaker(base);
  const terms = (['short', 'long', 'short-sale'] as const).flatMap((term) => {
    const { length: count } = sales.filter((sale) => sale.term === term);
    return [
      fact('taxableGain', gains[term], TERM_NAMES[term]),
      ...(count > 0 ? [fact('saleCount', new Decimal(count), TERM_NAMES[term], 'count')] : []),
    ];
  });
  return [
    {
      ...fact(
        'taxableGain',
        Object.values(gains).reduce((sum, gain) => sum.plus(gain), new Decimal(0)),
      ),
      names: [name],
    },
    ...terms,
    fact('dividends', dividends.gross),
    fact('withheldTax', dividends.withheld, 'dividends'),
    fact('interest', interest.gross),
    fact('withheldTax', interest.withheld, 'interest'),
    ...gainsByName(
      sales.map(({ instrument, base: { gain } }) => ({ instrument, gain })),
      fact,
    ),
  ];
};
