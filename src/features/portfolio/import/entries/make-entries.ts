import type { NewTransaction, TransactionKind } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/account-services.ts';
import { wordOfHundred } from '#src/language/currencies.ts';
import { readEntry } from '../../recording/read-entry.ts';
import { filedMoment } from '../../recording/entry-time.ts';
import { needsInstrument } from '../../recording/instrument.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import { type Draft, ratioInText } from '../records/read-record.ts';
import {
  cashCurrency,
  foreignOf,
  isCoinMove,
  type MoneyContext,
  type MoneyNote,
  moneyProblem,
  settleTrade,
  statedCurrency,
} from './line-money.ts';
import { isMoneyForShares } from './pair-legs.ts';

export interface MadeEntries {
  readonly status: 'entries';
  /** Most lines make one; a dividend with a fee makes two. */
  readonly entries: readonly NewTransaction[];
  readonly notes: readonly MoneyNote[];
}

export type Made =
  | MadeEntries
  | { readonly status: 'problem'; readonly problem: RowProblem }
  | { readonly status: 'void' };

export interface MakeContext extends MoneyContext {
  readonly today: Temporal.PlainDate;
  /** The file or the portfolio tells of deposits: exchanges are paid from them, and recorded. */
  readonly countsCash: boolean;
}

const TYPED_DECIMALS = 6;
const LONG_RATIO = /^\d{1,6}\.\d{7,30}$/u;
const plain = (value: Decimal | undefined): string | undefined => value?.toFixed();

const signOf = (draft: Draft): 'plus' | 'minus' =>
  (draft.amount ?? draft.net)?.value.isNegative() ? 'minus' : 'plus';

/** What the ledger has for it, by the sign of its money where the word leaves it open. */
const ledgerKind = (draft: Draft): TransactionKind => {
  const { kind, table } = draft;
  const isMinus = signOf(draft) === 'minus';
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
      // Paid back, in a column where costs have a minus.
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
  const { header } = draft.table;
  const isOurs = header.isOwn
    ? draft.rate !== undefined && baseOf(draft) === base
    : header.isKorean && base === 'KRW' && wordOfHundred(currency) === undefined;
  return isOurs && currency !== base && draft.rate && !draft.rate.isZero() ? draft.rate : undefined;
};

const baseOf = ({ record, table }: Draft): string =>
  (record.cells[table.header.columns.get('baseCurrency')?.[0] ?? -1] ?? '').toUpperCase();

/** Before tax: brokers tell the sum before it, after it, or both. */
const grossOf = ({ amount, net, table }: Draft, tax: Decimal): Decimal | undefined => {
  const reported = amount && !amount.value.isZero() ? amount.value.abs() : undefined;
  const paid = net && !net.value.isZero() ? net.value.abs() : undefined;
  if (reported === undefined) return paid?.plus(tax);
  const isAfterTax = paid?.equals(reported) === true && !tax.isZero() && !table.header.isOwn;
  return isAfterTax ? reported.plus(tax) : reported;
};

/** An exchange on one line: won for foreign money or the other way round. */
const exchangeOf = (draft: Draft, context: MakeContext): Partial<RecordRequest> => {
  const { toAmount, toCurrency, amount, code, quantity, rate } = draft;
  const given = amount?.value.abs();
  if (toCurrency !== undefined || draft.table.header.isOwn) {
    if (amount?.value.isNegative()) throw new RowError({ kind: 'sign', of: 'fx' });
    return { amount: plain(given), currency: statedCurrency(draft), toAmount: plain(toAmount), toCurrency };
  }
  // `USD.KRW`, 1,000 for -1,450,500: dollars for won.
  const [, bought, paid] = /^([A-Z]{3})\.([A-Z]{3})$/u.exec(code) ?? [];
  if (bought !== undefined && paid !== undefined && quantity && given) {
    const [first, second] = [
      { amount: plain(given), currency: paid },
      { amount: plain(quantity.abs()), currency: bought },
    ];
    const [from, to] = quantity.isNegative() ? [second, first] : [first, second];
    return { ...from, toAmount: to.amount, toCurrency: to.currency };
  }
  const reported = statedCurrency(draft);
  const foreign = reported !== undefined && reported !== 'KRW' ? reported : foreignOf(context);
  if (foreign === undefined) throw new RowError({ kind: 'no-currency' });
  const counted = toAmount ?? quantity?.abs();
  const won = given ?? (counted && rate ? counted.times(rate) : undefined);
  const isSale = draft.words.includes('매도');
  const [from, to] = [
    { amount: plain(won), currency: 'KRW' },
    { amount: plain(counted), currency: foreign },
  ];
  return isSale
    ? { ...to, toAmount: from.amount, toCurrency: from.currency }
    : { ...from, toAmount: to.amount, toCurrency: to.currency };
};

const ratioOf = ({ ratio, words }: Draft): string | undefined => (ratio === '' ? ratioInText(words) : ratio);

const done = (entries: readonly NewTransaction[], notes: readonly MoneyNote[] = []): Made => ({
  status: 'entries',
  entries,
  notes,
});

/**
 * A trade for which the broker exchanged other money: the exchange, the trade and the fee of both. Without any deposit
 * money is not counted, and there is nothing that could be exchanged.
 */
const exchanged = (
  { quantity, price, fee }: Draft,
  settled: NonNullable<Draft['settled']>,
  { kind, countsCash }: { readonly kind: 'buy' | 'sell'; readonly countsCash: boolean },
  entryOf: (request: Partial<RecordRequest>) => NewTransaction,
): readonly NewTransaction[] => {
  const trade = entryOf({ quantity: plain(quantity?.abs()), price: plain(price), fee: '0', tax: '0' });
  const local = quantity && price ? quantity.abs().times(price) : new Decimal(0);
  const other = kind === 'buy' ? settled.amount.minus(fee) : settled.amount.plus(fee);
  const [from, to] =
    kind === 'buy'
      ? [
          { amount: other, currency: settled.currency },
          { amount: local, currency: trade.currency },
        ]
      : [
          { amount: local, currency: trade.currency },
          { amount: other, currency: settled.currency },
        ];
  const exchange = (): NewTransaction =>
    entryOf({
      kind: 'fx',
      amount: plain(from.amount),
      currency: from.currency,
      toAmount: plain(to.amount),
      toCurrency: to.currency,
      rate: undefined,
    });
  const exchanges = countsCash ? [exchange()] : [];
  const charged = { kind: 'fee', amount: plain(fee), currency: settled.currency, rate: undefined } as const;
  return [
    ...(kind === 'buy' ? [...exchanges, trade] : [trade, ...exchanges]),
    ...(fee.isZero() ? [] : [entryOf(charged)]),
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
  // A tax may be in other money than what it is of, and then belongs to none.
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

  const common: Pick<RecordRequest, 'kind' | 'date' | 'time' | 'currency' | 'rate' | 'note'> = {
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
  const feeEntry = (fee: Decimal): readonly NewTransaction[] =>
    fee.isZero() ? [] : [entryOf({ kind: 'fee', amount: plain(fee) })];
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
        return done(exchanged(draft, draft.settled, { kind, countsCash: context.countsCash }, entryOf));
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
        // Where a file tells of no taxes at all, that of Korean sales is computed, as for what a person types.
        tax: isUnstated ? undefined : plain(settled?.tax ?? draft.tax),
      });
      return done([entry], settled?.notes);
    }
    case 'rights': {
      const { quantity, amount } = draft;
      const hasMoney = [amount, draft.net].some((money) => money && !money.value.isZero());
      // Told only to say that there was nothing but a fraction, which is paid in cash on another line.
      if ((!quantity || quantity.isZero()) && !hasMoney) return { status: 'void' };
      const worth =
        amount && quantity?.isZero() === false && !amount.value.isZero()
          ? amount.value.abs().dividedBy(quantity)
          : undefined;
      const price = draft.kind === 'bonus' ? new Decimal(0) : (draft.price ?? worth);
      const { fee, tax, charges } = draft;
      const paid = { fee: plain(fee.plus(charges)), tax: plain(tax) };
      return done([entryOf({ quantity: plain(quantity?.abs()), price: plain(price), ...paid })]);
    }
    case 'dividend':
    case 'interest': {
      // One column for both is a tax here: nobody takes a fee for a dividend that he does not name.
      const tax = draft.tax.plus(draft.charges);
      const entry = entryOf({ amount: plain(grossOf(draft, tax)), tax: plain(tax) });
      return done([entry, ...feeEntry(draft.fee)]);
    }
    case 'tax': {
      const amount = grossOf(draft, new Decimal(0)) ?? draft.tax;
      const isRefund = draft.isRefund || (draft.table.header.isAmerican && signOf(draft) === 'plus');
      return done([entryOf({ amount: plain(amount), isRefund })]);
    }
    case 'cash-in-lieu': {
      const quantity = draft.quantity && !draft.quantity.isZero() ? draft.quantity.abs() : undefined;
      return done([entryOf({ amount: plain(grossOf(draft, new Decimal(0))), quantity: plain(quantity) })]);
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
      // Interactive Brokers takes it in dollars, whatever is exchanged.
      const inDollars = draft.table.section === undefined ? {} : { currency: 'USD' };
      const fees = draft.fee.isZero()
        ? []
        : [entryOf({ ...inDollars, kind: 'fee', amount: plain(draft.fee), rate: undefined })];
      return done([isRateGiven && draft.toRate ? { ...entry, toRate: draft.toRate } : entry, ...fees]);
    }
    case 'fee': {
      const amount = grossOf(draft, new Decimal(0)) ?? draft.fee.plus(draft.charges);
      // `-0.0` below a heading that there was nothing for.
      if (amount.isZero() && draft.amount) return { status: 'void' };
      return done([entryOf({ amount: plain(amount) })]);
    }
    case 'deposit':
    case 'withdrawal': {
      const entry = entryOf({ amount: plain(grossOf(draft, new Decimal(0))) });
      const taxes = draft.tax.isZero() ? [] : [entryOf({ kind: 'tax', amount: plain(draft.tax) })];
      return done([entry, ...feeEntry(draft.fee.plus(draft.charges)), ...taxes]);
    }
  }
  return kind satisfies never;
};

/** The entries of one transaction of a file, or the reason why there are none. */
export const makeEntries = (draft: Draft, context: MakeContext): Made =>
  orProblem(() => make(draft, context));
