import type { Instrument } from '#src/kernel/market/finance.ts';
import type {
  AccountFee,
  CashInLieu,
  CashMove,
  CurrencyExchange,
  Dividend,
  Interest,
  NewTransaction,
  RightsIssue,
  Split,
  TaxPayment,
  Trade,
} from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import type { LedgerProblem, LedgerRules, LedgerState } from '#src/features/portfolio/ledger/ledger-state.ts';

const instrument = (symbol: string, exchange: string, currency: Currency): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: symbol, en: symbol },
  exchange,
  assetClass: 'equity',
  currency,
  priceDecimals: 2,
});

export const SAMSUNG = instrument('005930.KS', 'KOSPI', 'KRW');
export const APPLE = instrument('AAPL', 'NASDAQ', 'USD');
export const TOYOTA = instrument('7203.T', 'TSE', 'JPY');

/** Enough digits that a check is never the one that rounds. */
export const Wide = Decimal.clone({ precision: 400 });

let written = 0;
const common = (date: string, currency: Currency, rate: string | undefined) => ({
  clientId: `entry-${String((written += 1)).padStart(6, '0')}`,
  date: Temporal.PlainDate.from(date),
  currency,
  ...(rate !== undefined && { rate: new Decimal(rate) }),
});

interface TradeTerms {
  readonly fee?: string;
  readonly tax?: string;
  readonly rate?: string | undefined;
}

const trade =
  (kind: Trade['kind']) =>
  (date: string, of: Instrument, quantity: string, price: string, terms: TradeTerms = {}): Trade => ({
    kind,
    instrument: of,
    quantity: new Decimal(quantity),
    price: new Decimal(price),
    fee: new Decimal(terms.fee ?? 0),
    tax: new Decimal(terms.tax ?? 0),
    ...common(date, of.currency, terms.rate),
  });

export const buy = trade('buy');
export const sell = trade('sell');

export const dividend = (
  date: string,
  of: Instrument,
  amount: string,
  tax: string,
  rate?: string,
): Dividend => ({
  kind: 'dividend',
  instrument: of,
  amount: new Decimal(amount),
  tax: new Decimal(tax),
  ...common(date, of.currency, rate),
});

export const split = (date: string, of: Instrument, ratio: Decimal | string): Split => ({
  kind: 'split',
  instrument: of,
  ratio: new Decimal(ratio),
  ...common(date, of.currency, undefined),
});

const money =
  <Kind extends (CashMove | AccountFee)['kind']>(kind: Kind) =>
  (date: string, amount: string, currency: Currency, rate?: string) => ({
    kind,
    amount: new Decimal(amount),
    ...common(date, currency, rate),
  });

export const deposit = money('deposit');
export const withdrawal = money('withdrawal');
export const fee = money('fee');

export const interest = (
  date: string,
  amount: string,
  tax: string,
  currency: Currency,
  rate?: string,
): Interest => ({
  kind: 'interest',
  amount: new Decimal(amount),
  tax: new Decimal(tax),
  ...common(date, currency, rate),
});

/** A tax of an instrument, or of the account in that currency. */
export const taxOf = (
  date: string,
  of: Instrument | Currency,
  amount: string,
  rate?: string,
  isRefund = false,
): TaxPayment => ({
  kind: 'tax',
  amount: new Decimal(amount),
  ...(isRefund && { isRefund }),
  ...(typeof of === 'string'
    ? common(date, of, rate)
    : { instrument: of, ...common(date, of.currency, rate) }),
});

export const inLieu = (
  date: string,
  of: Instrument,
  amount: string,
  quantity?: string,
  rate?: string,
): CashInLieu => ({
  kind: 'cash-in-lieu',
  instrument: of,
  amount: new Decimal(amount),
  ...(quantity !== undefined && { quantity: new Decimal(quantity) }),
  ...common(date, of.currency, rate),
});

export const rights = (
  date: string,
  of: Instrument,
  quantity: string,
  price: string,
  terms: TradeTerms = {},
): RightsIssue => ({
  kind: 'rights',
  instrument: of,
  quantity: new Decimal(quantity),
  price: new Decimal(price),
  fee: new Decimal(terms.fee ?? 0),
  tax: new Decimal(terms.tax ?? 0),
  ...common(date, of.currency, terms.rate),
});

export const exchange = (
  date: string,
  [amount, currency, rate]: readonly [string, Currency, string?],
  [toAmount, toCurrency, toRate]: readonly [string, Currency, string?],
): CurrencyExchange => ({
  kind: 'fx',
  amount: new Decimal(amount),
  toAmount: new Decimal(toAmount),
  toCurrency,
  ...(toRate !== undefined && { toRate: new Decimal(toRate) }),
  ...common(date, currency, rate),
});

const RULES: LedgerRules = { baseCurrency: 'KRW', method: 'average', allowsShort: false };

export const stateOf = (
  entries: readonly NewTransaction[],
  rules: Partial<LedgerRules> = {},
): LedgerState => {
  const derived = atOnce(deriveLedger(entries, { ...RULES, ...rules }));
  if (derived.status === 'refused') throw new Error(`refused as ${derived.problem.kind}`);
  return derived.state;
};

export const problemOf = (
  entries: readonly NewTransaction[],
  rules: Partial<LedgerRules> = {},
): LedgerProblem => {
  const derived = atOnce(deriveLedger(entries, { ...RULES, ...rules }));
  if (derived.status === 'ok') throw new Error('not refused');
  return derived.problem;
};

/** As it is stored, sent and compared: plain text and lists. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
