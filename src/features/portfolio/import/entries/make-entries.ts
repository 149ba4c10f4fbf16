import type { NewTransaction, TransactionKind } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/account-services.ts';
import { wordOfHundred } from '#src/language/currencies.ts';
import { readEntry } from '../../recording/read-entry.ts';
import { filedMoment } from '../../recording/entry-time.ts';
import { needsInstrument } from '../../recording/instrument.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import { nonZero, ZERO } from '../records/cells.ts';
import { type Draft, ratioInText } from '../records/read-record.ts';
import {
  cashCurrency,
  onlyForeignCurrency,
  isCoinMove,
  type MoneyContext,
  type MoneyNote,
  moneyProblem,
  settleTrade,
  statedCurrency,
} from './line-money.ts';
import { isMoneyForShares } from './pair-legs.ts';

export type Made =
  | {
      readonly status: 'entries';
      /** Most lines make one entry; a dividend with a fee makes two. */
      readonly entries: readonly NewTransaction[];
      readonly notes: readonly MoneyNote[];
    }
  | { readonly status: 'problem'; readonly problem: RowProblem }
  | { readonly status: 'void' };

export interface MakeContext extends MoneyContext {
  readonly today: Temporal.PlainDate;
  /** The file or the portfolio has deposits, so exchanges that a broker makes for trades are recorded. */
  readonly countsCash: boolean;
}

const TYPED_DECIMALS = 6;
const LONG_RATIO = /^\d{1,6}\.\d{7,30}$/u;

/** Numbers as a person would type them. */
const plain = (value: Decimal | undefined): string | undefined => value?.toFixed();

interface Money {
  readonly amount: Decimal | undefined;
  readonly currency: Currency;
}

const exchangeRequest = (given: Money, received: Money): Partial<RecordRequest> => ({
  amount: plain(given.amount),
  currency: given.currency,
  toAmount: plain(received.amount),
  toCurrency: received.currency,
});

const hasMinus = ({ amount, net }: Draft): boolean => (amount ?? net)?.value.isNegative() === true;

/** The kind of the entry. The sign of the amount decides between opposite kinds. */
const ledgerKind = (draft: Draft): TransactionKind => {
  const { kind, table } = draft;
  const isMinus = hasMinus(draft);
  switch (kind) {
    case 'transfer':
      return isMinus ? 'withdrawal' : 'deposit';
    case 'interest':
      return isMinus ? 'fee' : 'interest';
    case 'tax-refund':
      return 'tax';
    case 'fee-refund':
      throw new RowError({ kind: 'sign', of: 'fee' });
    case 'subscription-out':
      return 'withdrawal';
    case 'subscription-back':
      return 'deposit';
    case 'bonus':
      return 'rights';
    case 'shares-in':
    case 'shares-out':
    case 'option':
    case 'bond':
    case 'cancelled':
      throw new RowError({ kind });
    case 'fx-in':
    case 'fx-out':
      throw new RowError({ kind: 'fx-leg' });
    case 'split-in':
    case 'split-out':
      throw new RowError({ kind: 'split-leg' });
    case 'cash-leg':
    case 'sweep':
    case 'reorganisation':
      throw new RowError({ kind: 'reorganisation' });
    case 'fee':
      // Statements write costs with a minus, so this fee was refunded.
      if (!isMinus && table.section !== undefined) throw new RowError({ kind: 'sign', of: 'fee' });
      return kind;
    case 'fx':
      return kind;
    case 'dividend':
    case 'deposit':
      if (isMinus) throw new RowError({ kind: 'sign', of: kind });
      return kind;
    case 'rights':
      return isMoneyForShares(draft) && draft.amount && !draft.amount.value.isZero() ? 'withdrawal' : kind;
    case 'buy':
    case 'sell':
    case 'split':
    case 'tax':
    case 'cash-in-lieu':
    case 'withdrawal':
      return kind;
  }
  return kind satisfies never;
};

const rateOf = (draft: Draft, currency: Currency, base: Currency): Decimal | undefined => {
  // Korean brokers quote some currencies by the hundred.
  const isPerUnit = draft.table.header.isOwn || wordOfHundred(currency) === undefined;
  const isUsed = draft.isRateInBase && isPerUnit && currency !== base && !draft.rate?.isZero();
  return isUsed ? draft.rate : undefined;
};

/** The amount before tax. Brokers state it before tax, after tax, or both. */
const grossOf = ({ amount, net, table }: Draft, tax = ZERO): Decimal | undefined => {
  const [reported, paid] = [nonZero(amount), nonZero(net)];
  if (reported === undefined) return paid?.plus(tax);
  const isAfterTax = paid?.equals(reported) === true && !tax.isZero() && !table.header.isOwn;
  return isAfterTax ? reported.plus(tax) : reported;
};

/** Reads an exchange on one line. */
const exchangeOf = (draft: Draft, context: MakeContext): Partial<RecordRequest> => {
  const { toAmount, toCurrency, amount, code, quantity, rate } = draft;
  const given = amount?.value.abs();
  if (toCurrency !== undefined || draft.table.header.isOwn) {
    if (amount?.value.isNegative()) throw new RowError({ kind: 'sign', of: 'fx' });
    return { amount: plain(given), currency: statedCurrency(draft), toAmount: plain(toAmount), toCurrency };
  }
  // `USD.KRW` with a quantity of 1,000 and an amount of -1,450,500 is a purchase of dollars for won.
  const [, bought, paid] = /^([A-Z]{3})\.([A-Z]{3})$/u.exec(code) ?? [];
  if (bought !== undefined && paid !== undefined && quantity && given) {
    const [first, second] = [
      { amount: given, currency: paid },
      { amount: quantity.abs(), currency: bought },
    ];
    return quantity.isNegative() ? exchangeRequest(second, first) : exchangeRequest(first, second);
  }
  const reported = statedCurrency(draft);
  const foreign = reported !== undefined && reported !== 'KRW' ? reported : onlyForeignCurrency(context);
  if (foreign === undefined) throw new RowError({ kind: 'no-currency' });
  const counted = toAmount ?? quantity?.abs();
  const won = { amount: given ?? (rate && counted?.times(rate)), currency: 'KRW' };
  const other = { amount: counted, currency: foreign };
  return draft.words.includes('매도') ? exchangeRequest(other, won) : exchangeRequest(won, other);
};

const ratioOf = ({ ratio, words }: Draft): string | undefined => (ratio === '' ? ratioInText(words) : ratio);

const done = (entries: readonly NewTransaction[], notes: readonly MoneyNote[] = []): Made => ({
  status: 'entries',
  entries,
  notes,
});

/**
 * The entries of a trade for which the broker exchanged money: the exchange, the trade and the fee of both. The exchange
 * is left out if the portfolio does not count cash.
 */
const exchangedTrade = (
  { quantity, price, fee }: Draft,
  settled: NonNullable<Draft['settled']>,
  { kind, countsCash }: { readonly kind: 'buy' | 'sell'; readonly countsCash: boolean },
  entryOf: (request: Partial<RecordRequest>) => NewTransaction,
): readonly NewTransaction[] => {
  const trade = entryOf({ quantity: plain(quantity?.abs()), price: plain(price), fee: '0', tax: '0' });
  const { currency } = settled;
  const isBuy = kind === 'buy';
  const local = { amount: quantity && price ? quantity.abs().times(price) : ZERO, currency: trade.currency };
  const other = { amount: isBuy ? settled.amount.minus(fee) : settled.amount.plus(fee), currency };
  const exchange = isBuy ? exchangeRequest(other, local) : exchangeRequest(local, other);
  const exchanges = countsCash ? [entryOf({ ...exchange, kind: 'fx', rate: undefined })] : [];
  return [
    ...(isBuy ? [...exchanges, trade] : [trade, ...exchanges]),
    ...(fee.isZero() ? [] : [entryOf({ kind: 'fee', amount: plain(fee), currency, rate: undefined })]),
  ];
};

const make = (draft: Draft, context: MakeContext): Made => {
  const { baseCurrency, today } = context;
  const kind = ledgerKind(draft);
  const reported = statedCurrency(draft);
  const isNamed = draft.code !== '' || draft.name !== '';
  const found =
    needsInstrument(kind) || (kind === 'tax' && isNamed)
      ? context.find({ code: draft.code, name: draft.name, currency: reported })
      : undefined;
  // A tax in another currency than the instrument's is recorded without the instrument.
  if (found?.status === 'problem' && kind !== 'tax') return found;
  const known = found?.status === 'found' ? found.instrument : undefined;
  const instrument =
    kind === 'tax' && reported !== undefined && known?.currency !== reported ? undefined : known;
  const moneyOf = (): Currency | undefined =>
    kind === 'fx' ? (reported ?? 'KRW') : cashCurrency(draft, context);
  const currency = instrument ? (reported ?? instrument.currency) : moneyOf();
  if (currency === undefined) throw new RowError({ kind: 'no-currency' });
  if (isCoinMove(draft, kind, context))
    throw new RowError({ kind: kind === 'deposit' ? 'shares-in' : 'shares-out' });
  const problem = kind === 'fx' ? undefined : moneyProblem(draft, currency);
  if (problem) throw new RowError(problem);
  if (instrument && draft.coin !== undefined && !instrument.symbol.startsWith(`${draft.coin}-`))
    throw new RowError({ kind: 'no-number', typed: `${plain(draft.quantity) ?? ''} ${draft.coin}` });
  if (draft.fee.isNegative() || draft.price?.isNegative()) throw new RowError({ kind: 'sign', of: kind });

  const common = {
    kind,
    currency,
    ...filedMoment(draft, kind, instrument),
    rate: plain(rateOf(draft, currency, baseCurrency)),
    note: draft.note === '' ? undefined : draft.note,
  };
  const entryOf = (request: Partial<RecordRequest>): NewTransaction => {
    const read = readEntry({ ...common, ...request }, { instrument, baseCurrency, today, clientId: '' });
    if (read.status === 'problem') throw new RowError({ kind: 'entry', problem: read.problem });
    return read.entry;
  };
  const charge = (chargeKind: 'fee' | 'tax', amount: Decimal, other?: Partial<RecordRequest>) =>
    amount.isZero() ? [] : [entryOf({ ...other, kind: chargeKind, amount: plain(amount) })];
  if (draft.settled && kind !== 'buy' && kind !== 'sell')
    throw new RowError({
      kind: 'entry',
      problem: { kind: 'two-currencies', currencies: [draft.settled.currency, currency] },
    });
  switch (kind) {
    case 'buy':
    case 'sell': {
      const quantity = draft.quantity;
      if (draft.settled)
        return done(exchangedTrade(draft, draft.settled, { kind, countsCash: context.countsCash }, entryOf));
      if (kind === 'buy' && quantity?.isNegative()) throw new RowError({ kind: 'sign', of: kind });
      const settled =
        quantity && instrument && !quantity.isZero()
          ? settleTrade({ ...draft, kind }, quantity.abs(), instrument)
          : undefined;
      const isUnstated =
        !draft.table.header.tellsTaxes && kind === 'sell' && (settled?.tax ?? draft.tax).isZero();
      const entry = entryOf({
        quantity: plain(quantity?.abs()),
        price: plain(settled?.price ?? draft.price),
        fee: plain(settled?.fee ?? draft.fee),
        // If the file states no taxes, that of Korean sales is computed, as for typed entries.
        tax: isUnstated ? undefined : plain(settled?.tax ?? draft.tax),
      });
      return done([entry], settled?.notes);
    }
    case 'rights': {
      const { quantity, amount } = draft;
      const hasShares = quantity !== undefined && !quantity.isZero();
      // The issue gave only a fraction, which another line pays in cash.
      if (!hasShares && !nonZero(amount) && !nonZero(draft.net)) return { status: 'void' };
      const worth = hasShares ? nonZero(amount)?.dividedBy(quantity) : undefined;
      const price = draft.kind === 'bonus' ? ZERO : (draft.price ?? worth);
      const { fee, tax, charges } = draft;
      const paid = { fee: plain(fee.plus(charges)), tax: plain(tax) };
      return done([entryOf({ quantity: plain(quantity?.abs()), price: plain(price), ...paid })]);
    }
    case 'dividend':
    case 'interest': {
      // Fees on dividends and interest have a column of their own, so combined charges are tax.
      const tax = draft.tax.plus(draft.charges);
      const entry = entryOf({ amount: plain(grossOf(draft, tax)), tax: plain(tax) });
      return done([entry, ...charge('fee', draft.fee)]);
    }
    case 'tax': {
      const amount = grossOf(draft) ?? draft.tax;
      const isRefund = draft.kind === 'tax-refund' || (draft.table.header.isAmerican && !hasMinus(draft));
      return done([entryOf({ amount: plain(amount), isRefund })]);
    }
    case 'cash-in-lieu': {
      const quantity = draft.quantity && !draft.quantity.isZero() ? draft.quantity.abs() : undefined;
      return done([entryOf({ amount: plain(grossOf(draft)), quantity: plain(quantity) })]);
    }
    case 'split': {
      const ratio = ratioOf(draft);
      if (ratio === undefined) throw new RowError({ kind: 'no-ratio' });
      const long = LONG_RATIO.test(ratio) ? new Decimal(ratio) : undefined;
      const entry = entryOf({ ratio: plain(long?.toDecimalPlaces(TYPED_DECIMALS)) ?? ratio });
      return done([long && entry.kind === 'split' ? { ...entry, ratio: long } : entry]);
    }
    case 'fx': {
      const exchange = exchangeOf(draft, context);
      const rate = plain(rateOf(draft, exchange.currency ?? currency, baseCurrency));
      const entry = entryOf({ ...exchange, rate });
      const isRateGiven = entry.kind === 'fx' && entry.toRate === undefined && draft.toRate?.greaterThan(0);
      // Interactive Brokers charges in dollars, whatever is exchanged.
      const inDollars = draft.table.section === undefined ? {} : { currency: 'USD' };
      const fees = charge('fee', draft.fee, { ...inDollars, rate: undefined });
      return done([isRateGiven && draft.toRate ? { ...entry, toRate: draft.toRate } : entry, ...fees]);
    }
    case 'fee': {
      const amount = grossOf(draft) ?? draft.fee.plus(draft.charges);
      // Some statements list a fee of `-0.0`.
      if (amount.isZero() && draft.amount) return { status: 'void' };
      return done([entryOf({ amount: plain(amount) })]);
    }
    case 'deposit':
    case 'withdrawal': {
      const entry = entryOf({ amount: plain(grossOf(draft)) });
      return done([entry, ...charge('fee', draft.fee.plus(draft.charges)), ...charge('tax', draft.tax)]);
    }
  }
  return kind satisfies never;
};

/** The entries of one transaction of a file, or the reason why there are none. */
export const makeEntries = (draft: Draft, context: MakeContext): Made =>
  orProblem(() => make(draft, context));
