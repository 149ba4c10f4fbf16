import type { PortfolioRecord } from '#src/kernel/ledger.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { Exact } from './ledger/exact.ts';
import { type Known, type PortfolioValue, rateOrigins, type ValuedHolding } from './portfolio-value.ts';
import { quotesOf } from './summary-notes.ts';
import { MAX_ROWS } from './summary-text.ts';

/** What somebody wrote down themselves is from their own ledger. */
export const LEDGER_SOURCE = 'ledger';
/** Enough for every digit that is shown. */
export const FACT_DECIMALS = 8;
const PERCENT_DECIMALS = 2;
const QUOTE_METRICS: ReadonlySet<string> = new Set(['price', 'previousClose', 'changePercent']);

type Base = Pick<Fact, 'entity' | 'asOf' | 'source' | 'isSample'>;

export const entityOf = ({ name }: Pick<PortfolioRecord, 'name'>): string => `portfolio:${name}`;

const fact = (base: Base, metric: string, value: Decimal | undefined, unit: string): readonly Fact[] =>
  value ? [{ ...base, metric, value: value.toDecimalPlaces(FACT_DECIMALS).toFixed(), unit }] : [];

const percent = (
  base: Base,
  metric: string,
  gain: Decimal | undefined,
  of: Decimal | undefined,
): readonly Fact[] =>
  gain && of && !of.isZero()
    ? [{ ...base, metric, value: gain.dividedBy(of.abs()).times(100).toFixed(PERCENT_DECIMALS), unit: '%' }]
    : [];

const holdingFacts = (holding: ValuedHolding, ledger: Base, baseCurrency: string): readonly Fact[] => {
  const { position, quote, worth } = holding;
  const { instrument, quantity, cost } = position;
  const own = { ...ledger, entity: instrument.symbol };
  const local = instrument.currency;
  const held = [
    ...fact(own, 'quantity', quantity, 'units'),
    ...fact(own, 'averageCost', new Exact(cost.local).dividedBy(quantity), local),
    ...fact(own, 'cost', cost.local, local),
  ];
  if (!quote || !worth) return held;
  const priced = {
    entity: instrument.symbol,
    asOf: quote.asOf.toString(),
    source: quote.source,
    isSample: ledger.isSample || quote.isSample,
  };
  const { value, unrealised } = worth;
  const inBase = local === baseCurrency ? undefined : unrealised.base;
  return [
    ...held,
    ...quoteFacts(quote).filter(({ metric }) => QUOTE_METRICS.has(metric)),
    ...fact(priced, 'marketValue', value.local, local),
    ...(local === baseCurrency ? [] : fact(priced, 'marketValueBase', value.base, baseCurrency)),
    ...fact(priced, 'unrealisedGain', unrealised.local, local),
    ...percent(priced, 'unrealisedGainPercent', unrealised.local, cost.local),
    ...fact(priced, 'unrealisedGainBase', inBase?.total, baseCurrency),
    ...percent(priced, 'unrealisedGainBasePercent', inBase?.total, cost.base),
    ...fact(priced, 'unrealisedFromPrice', inBase?.fromPrice, baseCurrency),
    ...fact(priced, 'unrealisedFromFx', inBase?.fromFx, baseCurrency),
    ...fact(priced, 'dayChange', holding.dayChange?.local, local),
  ];
};

/** `marketValue`, or `knownMarketValue` of a part: no model takes what is known so far for everything. */
const nameOf = (metric: string, known: Known): string =>
  known === 'all' ? metric : `known${metric.charAt(0).toUpperCase()}${metric.slice(1)}`;

/** The sums; of one whose parts are all unknown there is no fact. */
const totalFacts = (
  { state, totals, holdings }: PortfolioValue,
  priced: Base,
  ledger: Base,
): readonly Fact[] => {
  const unit = state.baseCurrency;
  const { known, unrealised, realised } = totals;
  const sums = (of: Known, some: Readonly<Record<string, Decimal>>, base: Base): readonly Fact[] =>
    of === 'none'
      ? []
      : Object.entries(some).flatMap(([metric, value]) => fact(base, nameOf(metric, of), value, unit));
  const { value } = known;
  const hasChange = holdings.length === 0 || holdings.some(({ dayChange }) => dayChange?.base);
  return [
    ...sums(value, { totalValue: totals.value }, priced),
    ...(value === 'all' ? fact(priced, 'holdingsValue', totals.holdings, unit) : []),
    ...(value === 'all' && state.cashSince ? fact(priced, 'cashValue', totals.cash, unit) : []),
    ...(hasChange ? sums(value, { holdingsDayChange: totals.dayChange }, priced) : []),
    ...percent(priced, nameOf('holdingsDayChangePercent', value), totals.dayChange, totals.dayBase),
    ...sums(known.unrealised, { unrealisedGain: unrealised.total }, priced),
    ...percent(priced, nameOf('unrealisedGainPercent', known.unrealised), unrealised.total, totals.cost),
    ...sums(
      known.unrealised,
      { unrealisedFromPrice: unrealised.fromPrice, unrealisedFromFx: unrealised.fromFx },
      priced,
    ),
    ...sums(
      known.realised,
      {
        realisedGain: realised.total,
        realisedFromPrice: realised.fromPrice,
        realisedFromFx: realised.fromFx,
      },
      ledger,
    ),
    ...sums(known.dividends, { dividends: totals.dividends }, ledger),
    ...(totals.interest.isZero() ? [] : sums(known.interest, { interest: totals.interest }, ledger)),
    ...sums(known.cashFx, { cashFxGain: totals.cashFx }, priced),
  ];
};

/**
 * What the summary states, as facts. Sums of prices are as old as the oldest of them. `isLedgerSample`: some of its
 * entries have invented numbers.
 */
export const summaryFacts = (
  portfolio: Pick<PortfolioRecord, 'name'>,
  value: PortfolioValue,
  now: Timestamp,
  isLedgerSample: boolean,
): readonly Fact[] => {
  const { state, totals, holdings, cash, rates } = value;
  const unit = state.baseCurrency;
  const entity = entityOf(portfolio);
  const ledger: Base = { entity, asOf: now.toString(), source: LEDGER_SOURCE, isSample: isLedgerSample };
  const quotes = [...quotesOf(value), ...rateOrigins(rates)];
  const [oldest] = quotes.map(({ asOf }) => asOf).toSorted((a, b) => Temporal.Instant.compare(a, b));
  const priced: Base = {
    entity,
    asOf: (oldest ?? now).toString(),
    source: [...new Set([LEDGER_SOURCE, ...quotes.map(({ source }) => source)])].join(' + '),
    isSample: isLedgerSample || quotes.some(({ isSample }) => isSample),
  };
  return [
    ...totalFacts(value, priced, ledger),
    ...fact(ledger, 'fees', totals.fees, unit),
    ...fact(ledger, 'taxes', totals.taxes, unit),
    ...cash.flatMap(({ balance }) =>
      fact(ledger, `cash:${balance.currency}`, balance.amount, balance.currency),
    ),
    ...rates.flatMap((each) => {
      const [origin] = rateOrigins([each]);
      const base = { ...priced, entity: `${each.currency}/${unit}` };
      return origin
        ? fact({ ...base, asOf: origin.asOf.toString(), source: origin.source }, 'rate', each.rate, unit)
        : [];
    }),
    ...holdings.slice(0, MAX_ROWS).flatMap((holding) => holdingFacts(holding, ledger, unit)),
  ];
};
