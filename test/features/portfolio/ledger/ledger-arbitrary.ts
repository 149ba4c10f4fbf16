import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { NewTransaction, RightsIssue, Trade } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import type { LedgerRules } from '#src/features/portfolio/ledger/ledger-state.ts';
import {
  APPLE,
  buy,
  deposit,
  dividend,
  exchange,
  fee,
  inLieu,
  interest,
  rights,
  SAMSUNG,
  sell,
  split,
  taxOf,
  TOYOTA,
  Wide,
  withdrawal,
} from './ledger-entries.ts';

const CURRENCIES = ['KRW', 'USD', 'JPY'];
export const RUNS = { numRuns: 60 };

const decimal = (max: number, decimals: number): fc.Arbitrary<string> =>
  fc
    .integer({ min: 1, max: max * 10 ** decimals })
    .map((whole) => new Decimal(whole).div(10 ** decimals).toFixed());
const anyDate = fc.integer({ min: 1, max: 5 }).map((day) => `2026-01-0${day}`);
const anyInstrument = fc.constantFrom(SAMSUNG, APPLE, TOYOTA);
const anyCurrency = fc.constantFrom(...CURRENCIES);
export const anyAmount = fc.oneof(decimal(300, 2), decimal(1, 6));
export const anyRate = decimal(20, 3);
const anyRatio = fc.constantFrom('2', '10', '0.5', '1.5', '0.333333333333333333');
export const anyTrade = fc.tuple(
  anyDate,
  anyInstrument,
  fc.oneof(decimal(20, 0), decimal(3, 4)),
  anyAmount,
  fc.record({ fee: decimal(2, 2), tax: fc.constantFrom('0', '0.07'), rate: anyRate }),
);
const anyTradeEntry = fc
  .tuple(fc.boolean(), anyTrade)
  .map(([isBuy, terms]): NewTransaction => (isBuy ? buy(...terms) : sell(...terms)));
const anyMoney = fc.tuple(anyDate, anyAmount, anyCurrency, anyRate);
const anyEvent = fc.oneof(
  fc
    .tuple(anyDate, anyInstrument, anyAmount, fc.constantFrom('0', '0.001'), anyRate)
    .map((of) => dividend(...of)),
  fc.tuple(anyDate, anyInstrument, anyRatio).map((of) => split(...of)),
  anyMoney.map((of) => fee(...of)),
  anyMoney.map(([date, amount, currency, rate]) => interest(date, amount, '0', currency, rate)),
  fc
    .tuple(anyDate, fc.oneof(anyInstrument, anyCurrency), anyAmount, anyRate, fc.boolean())
    .map((of) => taxOf(...of)),
  fc
    .tuple(anyDate, anyInstrument, anyAmount, fc.option(decimal(1, 2), { nil: undefined }), anyRate)
    .map((of) => inLieu(...of)),
  anyTrade.map(([date, of, quantity, price, terms]) =>
    rights(date, of, quantity, terms.tax === '0' ? '0' : price, terms),
  ),
);
const anyTransfer = fc.oneof(
  anyMoney.map((of) => deposit(...of)),
  anyMoney.map((of) => withdrawal(...of)),
  fc
    .tuple(anyDate, fc.tuple(anyAmount, anyCurrency, anyRate), fc.tuple(anyAmount, anyCurrency, anyRate))
    .filter(([, [, given], [, got]]) => given !== got)
    .map((of) => exchange(...of)),
);
/** In any order; many of them would be refused. */
export const anyEntries = fc.boolean().chain((hasMoney) =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: anyTradeEntry },
      anyEvent,
      ...(hasMoney ? [anyTransfer, anyTransfer] : []),
    ),
    {
      minLength: 1,
      maxLength: 24,
      size: 'max',
    },
  ),
);
export const anyRules: fc.Arbitrary<LedgerRules> = fc.record({
  baseCurrency: fc.constantFrom('KRW', 'USD'),
  method: fc.constantFrom('average', 'fifo'),
  allowsShort: fc.boolean(),
});

/** One after the other as they arrive; what would be refused is not recorded. */
export const recorded = (
  entries: readonly NewTransaction[],
  rules: LedgerRules,
): readonly NewTransaction[] => {
  let kept: readonly NewTransaction[] = [];
  for (const entry of entries) {
    const more = [...kept, entry];
    if (atOnce(deriveLedger(more, rules)).status === 'ok') kept = more;
  }
  return kept;
};
export const anyLedger = fc
  .tuple(anyEntries, anyRules)
  .map(([entries, rules]) => ({ entries: recorded(entries, rules), rules }));

export const sum = (values: Iterable<Decimal | undefined>): Decimal => {
  let total = new Wide(0);
  for (const value of values) total = total.plus(value ?? Number.NaN);
  return total;
};
const isTrade = (entry: NewTransaction): entry is Trade => entry.kind === 'buy' || entry.kind === 'sell';
export const rateOf = (entry: NewTransaction, { baseCurrency }: LedgerRules): Decimal =>
  new Wide(entry.currency === baseCurrency ? 1 : (entry.rate ?? Number.NaN));
/** Pieces that come or go at a price. */
export const isPaid = (entry: NewTransaction): entry is Trade | RightsIssue =>
  isTrade(entry) || entry.kind === 'rights';
/** Above zero for what is paid. */
export const paidFor = ({ kind, quantity, price, fee: charge, tax }: Trade | RightsIssue): Decimal =>
  new Wide(quantity)
    .times(price)
    .times(kind === 'sell' ? -1 : 1)
    .plus(charge)
    .plus(tax);
export const same = (actual: Decimal | undefined, expected: Decimal | undefined): void => {
  expect(actual?.isFinite()).toBe(true);
  expect(actual?.toFixed()).toBe(expected?.toFixed());
};
export const dayOf = ({ date }: NewTransaction): string => date.toString();
export const ofSymbol = (entries: readonly NewTransaction[], symbol: string): readonly NewTransaction[] =>
  entries.filter((entry) => 'instrument' in entry && entry.instrument.symbol === symbol);
/** Into the account in that currency, or out of it below zero. */
export const moved = (entry: NewTransaction, currency: Currency): Decimal => {
  if (entry.kind === 'fx' && entry.toCurrency === currency) return entry.toAmount;
  if (entry.currency !== currency || entry.kind === 'split') return new Wide(0);
  if (isPaid(entry)) return paidFor(entry).negated();
  if (entry.kind === 'dividend' || entry.kind === 'interest') return new Wide(entry.amount).minus(entry.tax);
  if (entry.kind === 'tax' && entry.isRefund) return entry.amount;
  return entry.kind === 'deposit' || entry.kind === 'cash-in-lieu'
    ? entry.amount
    : new Wide('amount' in entry ? (entry.amount ?? 0) : 0).negated();
};
