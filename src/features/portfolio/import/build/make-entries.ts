import {
  isOfMoney,
  isOfShares,
  type NewTransaction,
  type TransactionKind,
} from '#src/kernel/market/ledger.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { wordOfHundred } from '#src/reading/currencies.ts';
import { readEntry } from '#src/features/portfolio/record/read-entry.ts';
import { filedMoment } from '#src/features/portfolio/entries/entry-time.ts';
import { orProblem, RowError, type RowProblem } from '../problems.ts';
import { nonZero, ZERO } from '../columns/cells.ts';
import { type RecordDraft, ratioInText } from '../rows/read-record.ts';
import {
  cashCurrency,
  onlyForeignCurrency,
  isCoinMove,
  isMoneyUnsaid,
  areAmountsApart,
  type MoneyContext,
  type MoneyNote,
  namedIn,
  moneyProblem,
  settleTrade,
  statedCurrency,
} from './line-money.ts';
import { isMoneyForShares } from './pair-legs.ts';
import { cashEffects } from './reconcile.ts';
import { MERGER_WORDS, receivedOf, reorganisationProblem, transferOf } from './moved-shares.ts';

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

const hasMinus = ({ amount, net }: RecordDraft): boolean => (amount ?? net)?.value.isNegative() === true;

/** The kind of the entry. The sign of the amount decides between opposite kinds. */
const ledgerKind = (draft: RecordDraft): TransactionKind => {
  const { kind, table } = draft;
  const isMinus = hasMinus(draft);
  switch (kind) {
    case 'transfer':
      return isMinus ? 'withdrawal' : 'deposit';
    case 'interest':
      return isMinus ? 'fee' : 'interest';
    case 'tax-refund':
      return 'tax';
    case 'opening':
      return 'buy';
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
    case 'spin-off':
    case 'merger':
      if (draft.received) return MERGER_WORDS.test(draft.words) ? 'merger' : 'spin-off';
      throw new RowError(reorganisationProblem(draft));
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
    case 'capital-return':
    case 'withdrawal':
    case 'transfer-in':
    case 'transfer-out':
      return kind;
  }
  return kind satisfies never;
};

const rateOf = (draft: RecordDraft, currency: Currency, base: Currency): Decimal | undefined => {
  // Korean brokers quote some currencies by the hundred.
  const isPerUnit = draft.table.header.isOwn || wordOfHundred(currency) === undefined;
  const isUsed = draft.isRateInBase && isPerUnit && currency !== base && !draft.rate?.isZero();
  return isUsed ? draft.rate : undefined;
};

/** The amount before tax. Brokers state it before tax, after tax, or both. */
const grossOf = ({ amount, net, table }: RecordDraft, tax = ZERO): Decimal | undefined => {
  const [reported, paid] = [nonZero(amount), nonZero(net)];
  if (reported === undefined) return paid?.plus(tax);
  const isAfterTax = paid?.equals(reported) === true && !tax.isZero() && !table.header.isOwn;
  return isAfterTax ? reported.plus(tax) : reported;
};

/** Reads an exchange on one line. */
const exchangeOf = (draft: RecordDraft, context: MakeContext): Partial<RecordRequest> => {
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

const ratioOf = ({ ratio, words }: RecordDraft): string | undefined =>
  ratio === '' ? ratioInText(words) : ratio;

const done = (entries: readonly NewTransaction[], notes: readonly MoneyNote[] = []): Made => ({
  status: 'entries',
  entries,
  notes,
});

type EntryOf = (request: Partial<RecordRequest>) => NewTransaction;

/**
 * The entries of a trade for which the broker exchanged money: the exchange, the trade and the fee of both. The fee is in
 * the money of either side. The exchange is left out if the portfolio does not count cash.
 */
const exchangedTrade = (
  { quantity, price, fee, tax, feeCurrency }: RecordDraft,
  settled: NonNullable<RecordDraft['settled']>,
  { kind, countsCash }: { readonly kind: 'buy' | 'sell'; readonly countsCash: boolean },
  entryOf: EntryOf,
): readonly NewTransaction[] => {
  const { currency } = settled;
  const isOwnFee = feeCurrency !== undefined && feeCurrency !== currency;
  if (!isOwnFee && !tax.isZero()) throw new RowError({ kind: 'fee-currency', typed: currency });
  const charges = isOwnFee ? { fee: plain(fee), tax: plain(tax) } : { fee: '0', tax: '0' };
  const trade = entryOf({ quantity: plain(quantity?.abs()), price: plain(price), ...charges });
  const isBuy = kind === 'buy';
  const whole = quantity && price ? quantity.abs().times(price) : ZERO;
  const [own, other] = isOwnFee ? [fee.plus(tax), ZERO] : [ZERO, fee];
  const local = { amount: isBuy ? whole.plus(own) : whole.minus(own), currency: trade.currency };
  const paid = { amount: isBuy ? settled.amount.minus(other) : settled.amount.plus(other), currency };
  const exchange = isBuy ? exchangeRequest(paid, local) : exchangeRequest(local, paid);
  const exchanges = countsCash ? [entryOf({ ...exchange, kind: 'fx', rate: undefined })] : [];
  return [
    ...(isBuy ? [...exchanges, trade] : [trade, ...exchanges]),
    ...(other.isZero() ? [] : [entryOf({ kind: 'fee', amount: plain(fee), currency, rate: undefined })]),
  ];
};

/** A dividend that the file states in its own money before and after tax, and that was paid in the account's. */
const exchangedDividend = (
  { amount, net, tax }: RecordDraft,
  settled: NonNullable<RecordDraft['settled']>,
  currency: Currency,
  countsCash: boolean,
  entryOf: EntryOf,
): readonly NewTransaction[] => {
  const [whole, paid] = [nonZero(amount), nonZero(net)];
  if (!whole || !paid || !whole.minus(tax).equals(paid))
    throw new RowError({
      kind: 'entry',
      problem: { kind: 'two-currencies', currencies: [settled.currency, currency] },
    });
  const exchange = exchangeRequest({ amount: paid, currency }, settled);
  return [
    entryOf({ amount: plain(whole), tax: plain(tax) }),
    ...(countsCash ? [entryOf({ ...exchange, kind: 'fx', rate: undefined })] : []),
  ];
};

const tradeOf = (
  draft: RecordDraft,
  kind: 'buy' | 'sell',
  instrument: Instrument | undefined,
  { countsCash }: MakeContext,
  entryOf: EntryOf,
): Made => {
  const quantity = draft.quantity;
  if (draft.settled) return done(exchangedTrade(draft, draft.settled, { kind, countsCash }, entryOf));
  if (kind === 'buy' && quantity?.isNegative()) throw new RowError({ kind: 'sign', of: kind });
  const settled =
    quantity && instrument && !quantity.isZero()
      ? settleTrade({ ...draft, kind }, quantity.abs(), instrument)
      : undefined;
  if (settled && areAmountsApart(draft, settled)) throw new RowError({ kind: 'amounts-apart' });
  const isUnstated =
    !draft.table.header.tellsTaxes && kind === 'sell' && (settled?.tax ?? draft.tax).isZero();
  const entry = entryOf({
    quantity: plain(quantity?.abs()),
    price: plain(settled?.price ?? draft.price),
    fee: plain(settled?.fee ?? draft.fee),
    // If the file states no taxes, that of Korean sales is computed, as for typed entries.
    tax: isUnstated ? undefined : plain(settled?.tax ?? draft.tax),
    isOpening: draft.kind === 'opening' || undefined,
  });
  return done([entry], settled?.notes);
};

const exchangeEntries = (
  draft: RecordDraft,
  currency: Currency,
  context: MakeContext,
  entryOf: EntryOf,
  charge: (kind: 'fee', amount: Decimal, other: Partial<RecordRequest>) => readonly NewTransaction[],
): Made => {
  const exchange = exchangeOf(draft, context);
  const rate = plain(rateOf(draft, exchange.currency ?? currency, context.baseCurrency));
  const entry = entryOf({ ...exchange, rate });
  const isRateGiven = entry.kind === 'fx' && entry.toRate === undefined && draft.toRate?.greaterThan(0);
  // Interactive Brokers charges in dollars, whatever is exchanged.
  const inDollars = draft.table.section === undefined ? {} : { currency: 'USD' };
  const fees = charge('fee', draft.fee, { ...inDollars, rate: undefined });
  return done([isRateGiven && draft.toRate ? { ...entry, toRate: draft.toRate } : entry, ...fees]);
};

const make = (draft: RecordDraft, context: MakeContext): Made => {
  const { baseCurrency, today } = context;
  const kind = ledgerKind(draft);
  const reported = statedCurrency(draft);
  const isNamed = draft.code !== '' || draft.isin !== '' || draft.name !== '';
  const found =
    isOfShares(kind) || (!isOfMoney(kind) && isNamed) ? context.find(namedIn(draft, reported)) : undefined;
  // A tax in another currency than the instrument's is recorded without the instrument.
  if (found?.status === 'problem' && kind !== 'tax') return found;
  const known = found?.status === 'found' ? found.instrument : undefined;
  const instrument =
    kind === 'tax' && reported !== undefined && known?.currency !== reported ? undefined : known;
  const moneyOf = (): Currency | undefined =>
    kind === 'fx' ? (reported ?? 'KRW') : cashCurrency(draft, context);
  const currency = instrument ? (reported ?? instrument.currency) : moneyOf();
  if (currency === undefined || (instrument && reported === undefined && isMoneyUnsaid(draft, currency)))
    throw new RowError({ kind: 'no-currency' });
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
  const entryOf = (request: Partial<RecordRequest>, toInstrument?: typeof instrument): NewTransaction => {
    const named = { instrument, toInstrument, baseCurrency, today, clientId: '' };
    const read = readEntry({ ...common, ...request }, named);
    if (read.status === 'problem') throw new RowError({ kind: 'entry', problem: read.problem });
    return read.entry;
  };
  const charge = (chargeKind: 'fee' | 'tax', amount: Decimal, other?: Partial<RecordRequest>) =>
    amount.isZero() ? [] : [entryOf({ ...other, kind: chargeKind, amount: plain(amount) })];
  if (draft.settled && kind === 'dividend')
    return done(exchangedDividend(draft, draft.settled, currency, context.countsCash, entryOf));
  if (draft.settled && kind !== 'buy' && kind !== 'sell')
    throw new RowError({
      kind: 'entry',
      problem: { kind: 'two-currencies', currencies: [draft.settled.currency, currency] },
    });
  switch (kind) {
    case 'buy':
    case 'sell':
      return tradeOf(draft, kind, instrument, context, entryOf);
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
      const { isAmerican, isKorean, isOwn, tellsTaxes } = draft.table.header;
      const isClear = isAmerican || isKorean || isOwn || tellsTaxes;
      if (kind === 'dividend' && !isClear && !draft.fee.isZero())
        throw new RowError({ kind: 'dividend-costs' });
      const gross = grossOf(draft, tax)?.plus(nonZero(draft.amount) ? ZERO : draft.fee);
      const entry = entryOf({ amount: plain(gross), tax: plain(tax) });
      return done([entry, ...charge('fee', draft.fee)]);
    }
    case 'tax': {
      const amount = grossOf(draft) ?? draft.tax;
      const isRefund = draft.kind === 'tax-refund' || (draft.table.header.isAmerican && !hasMinus(draft));
      return done([entryOf({ amount: plain(amount), isRefund })]);
    }
    case 'spin-off':
    case 'merger': {
      const received = context.find({ ...namedIn(draft, reported), ...draft.received });
      if (received.status === 'problem') return received;
      return done([entryOf(receivedOf(draft), received.instrument)]);
    }
    case 'transfer-in':
    case 'transfer-out':
      return done([transferOf(draft, kind, isNamed, entryOf)]);
    case 'capital-return':
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
    case 'fx':
      return exchangeEntries(draft, currency, context, entryOf, charge);
    case 'fee': {
      const amount = grossOf(draft) ?? draft.fee.plus(draft.charges);
      // Some statements list a fee of `-0.0`.
      if (amount.isZero() && draft.amount) return { status: 'void' };
      return done([entryOf({ amount: plain(amount) })]);
    }
    case 'deposit':
    case 'withdrawal': {
      const charges = draft.fee.plus(draft.charges).plus(draft.tax);
      const isPaid = !nonZero(draft.amount);
      const moved = grossOf(draft);
      const amount = isPaid ? moved?.plus(kind === 'deposit' ? charges : charges.negated()) : moved;
      const entry = entryOf({ amount: plain(amount) });
      return done([entry, ...charge('fee', draft.fee.plus(draft.charges)), ...charge('tax', draft.tax)]);
    }
  }
  return kind satisfies never;
};

/** The entries of one transaction of a file, or the reason why there are none. */
export const makeEntries = (draft: RecordDraft, context: MakeContext): Made =>
  orProblem(() => {
    const made = make(draft, context);
    if (made.status !== 'entries') return made;
    const named = new Set(made.entries.flatMap(cashEffects).map(({ currency }) => currency));
    for (const entry of made.entries) named.add(entry.currency);
    const other = draft.otherMoney.find(({ currency }) => !named.has(currency));
    if (other) throw new RowError({ kind: 'money-column', typed: `${other.heading}: ${other.currency}` });
    return made;
  });
