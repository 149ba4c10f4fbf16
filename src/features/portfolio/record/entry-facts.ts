import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import {
  instrumentOf,
  type NewTransaction,
  type PortfolioRecord,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { splitFigures } from '#src/markets/answers/split-ratio.ts';
import { Exact, FACT_DECIMALS } from '../ledger/fixed-point.ts';
import { exchangeRateOf, rateFacts } from '../rates/rate-text.ts';
import { entityOf } from '../portfolios/portfolio-told.ts';

type Base = Pick<Fact, 'asOf' | 'source' | 'isSample'>;
type Figure = readonly [
  metric: MetricId,
  value: Decimal,
  unit: string,
  more?: Pick<Fact, 'label' | 'operands'>,
];

const traded = (
  { quantity, price, fee, tax }: Record<'quantity' | 'price' | 'fee' | 'tax', Decimal>,
  currency: Currency,
): readonly Figure[] => [
  ['tradeQuantity', quantity, 'units'],
  ['tradePrice', price, currency],
  ['tradeAmount', new Exact(quantity).times(price), currency],
  ...charged(fee, tax, currency),
];

const charged = (fee: Decimal, tax: Decimal, currency: Currency): readonly Figure[] => [
  ...(fee.isZero() ? [] : [['fees', fee, currency] as const]),
  ...(tax.isZero() ? [] : [['taxes', tax, currency] as const]),
];

const figuresOf = (entry: NewTransaction): readonly Figure[] => {
  const { currency } = entry;
  switch (entry.kind) {
    case 'buy':
    case 'sell':
    case 'rights':
      return traded(entry, currency);
    case 'spin-off':
    case 'merger':
      return [
        ['tradeQuantity', entry.toQuantity, 'units'],
        ...(entry.quantity.isZero() ? [] : [['tradeQuantity', entry.quantity, 'units'] as const]),
        ...(entry.percent ? [['weight', entry.percent, '%'] as const] : []),
        ...(entry.amount ? [['tradeAmount', entry.amount, currency] as const] : []),
      ];
    case 'transfer-out':
    case 'transfer-in':
      return 'amount' in entry
        ? [['cashMove', entry.amount, currency]]
        : [['tradeQuantity', entry.quantity, 'units']];
    case 'capital-return':
    case 'cash-in-lieu':
      return [
        ...(entry.quantity ? [['tradeQuantity', entry.quantity, 'units'] as const] : []),
        ['tradeAmount', entry.amount, currency],
      ];
    case 'dividend':
    case 'interest':
      return [
        [entry.kind === 'dividend' ? 'dividends' : 'interest', entry.amount, currency],
        ...(entry.tax.isZero() ? [] : [['withheldTax', entry.tax, currency] as const]),
      ];
    case 'tax':
      return [['taxes', entry.amount, currency]];
    case 'fee':
      return [['fees', entry.amount, currency]];
    case 'deposit':
    case 'withdrawal':
      return [['cashMove', entry.amount, currency]];
    case 'fx':
      return [
        ['cashMove', entry.amount, currency],
        [
          'converted',
          entry.toAmount,
          entry.toCurrency,
          {
            label: `${entry.amount.toFixed()} ${currency} in ${entry.toCurrency}`,
            operands: [entry.amount.toFixed()],
          },
        ],
      ];
    case 'split':
      return splitFigures(entry.ratio);
  }
  return entry satisfies never;
};

/** The numbers of an entry. Amounts have no sign: the parameter is the kind of the entry. */
export const figureFacts = (
  entry: NewTransaction,
  portfolio: Pick<PortfolioRecord, 'name' | 'baseCurrency'>,
  base: Base,
): readonly Fact[] => {
  const instrument = instrumentOf(entry);
  const { kind, rate, currency } = entry;
  const day = entry.date.toString();
  const { baseCurrency } = portfolio;
  const rates = [
    ...(kind === 'fx' ? [{ ...exchangeRateOf(entry), on: entry.date }] : []),
    ...(rate && currency !== baseCurrency
      ? [{ one: currency, price: baseCurrency, rate, on: entry.rateDay ?? entry.date }]
      : []),
  ];
  const own = {
    ...base,
    entity: instrument?.symbol ?? entityOf(portfolio),
    ...(instrument && { names: namesOf(instrument) }),
    day,
    parameter: kind,
  };
  return [
    ...figuresOf(entry).map(([metric, value, unit, more]) => ({
      ...own,
      ...more,
      metric,
      value: value.toDecimalPlaces(FACT_DECIMALS).toFixed(),
      unit,
    })),
    ...rates.flatMap(({ one, price, rate: of, on }) =>
      rateFacts(one, price, of, { ...base, day: on.toString() }),
    ),
  ];
};

/** The numbers of a recorded entry, with the one that undoes it. */
export const entryFacts = (
  entry: Transaction,
  portfolio: Pick<PortfolioRecord, 'name' | 'baseCurrency'>,
  base: Base,
): readonly Fact[] => [
  {
    ...base,
    entity: entityOf(portfolio),
    names: [portfolio.name],
    metric: 'entryNumber',
    day: entry.date.toString(),
    parameter: entry.kind,
    value: String(entry.number),
    unit: 'number',
  },
  ...figureFacts(entry, portfolio, base),
];
