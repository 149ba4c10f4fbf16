import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { PortfolioRecord } from '#src/kernel/market/ledger.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { figureFacts } from '../record/entry-facts.ts';
import { entityOf } from '../portfolios/portfolio-told.ts';
import type { FileEntry } from './build/read-entries.ts';
import type { Reconciliation } from './build/reconcile.ts';
import { oddHoldings, SHOWN_CHECKS, SHOWN_ENTRIES } from './preview-text.ts';

interface Previewed {
  /** Numbers of rows by what becomes of them. */
  readonly counts: Readonly<Record<string, number>>;
  readonly kept: readonly FileEntry[];
  readonly checks: Reconciliation;
}

/** The rows of a preview as facts: their numbers, those that are shown, and the balances they are compared with. */
export const previewFacts = (
  { counts, kept, checks }: Previewed,
  portfolio: Pick<PortfolioRecord, 'name' | 'baseCurrency'>,
  base: Pick<Fact, 'asOf' | 'source' | 'isSample'>,
): readonly Fact[] => {
  const fact = (entity: string, metric: MetricId, value: Decimal, unit: string, parameter: string): Fact => ({
    ...base,
    entity,
    metric,
    parameter,
    value: value.toFixed(),
    unit,
  });
  const whole = entityOf(portfolio);
  return [
    ...withNames(
      [portfolio.name],
      Object.entries(counts).map(([parameter, count]) => ({
        ...base,
        entity: whole,
        metric: 'rowCount' as const,
        parameter,
        value: String(count),
        unit: 'rows',
      })),
    ),
    ...checks.cash
      .slice(0, SHOWN_CHECKS)
      .flatMap(({ currency, end, opening, first }) => [
        fact(whole, 'cashBalance', end, currency, `${currency} at the end`),
        ...(opening.greaterThan(0)
          ? [fact(whole, 'cashBalance', opening, currency, `${currency} before the file`)]
          : []),
        ...(first
          ? [
              fact(whole, 'cashBalance', first.reported, currency, `${currency} in the file`),
              fact(whole, 'cashBalance', first.computed, currency, `${currency} computed`),
            ]
          : []),
      ]),
    ...oddHoldings(checks.holdings).flatMap(({ instrument, opening, first }) =>
      withNames(namesOf(instrument), [
        ...(opening.greaterThan(0)
          ? [fact(instrument.symbol, 'quantity', opening, 'units', 'before the file')]
          : []),
        ...(first
          ? [
              fact(instrument.symbol, 'quantity', first.reported, 'units', 'in the file'),
              fact(instrument.symbol, 'quantity', first.computed, 'units', 'computed'),
            ]
          : []),
      ]),
    ),
    ...kept.slice(0, SHOWN_ENTRIES).flatMap(({ entry }) => figureFacts(entry, portfolio, base)),
  ];
};
