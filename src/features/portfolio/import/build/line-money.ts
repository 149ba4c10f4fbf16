import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal, smallestUnit } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { RowProblem } from '../problems.ts';
import { nonZero, ZERO } from '../columns/cells.ts';
import type { RecordDraft } from '../rows/read-record.ts';
import type { FoundInstrument, NamedInFile } from './instruments.ts';
import { koreanTransactionTax } from '#src/features/portfolio/ledger/korean-transaction-tax.ts';

export interface MoneyContext {
  readonly find: (named: NamedInFile) => FoundInstrument;
  readonly baseCurrency: Currency;
  /** All currencies that lines of the file name or are traded in. */
  readonly currencies: ReadonlySet<Currency>;
}

const FOREIGN_WORDS = /외화|해외/u;

/** The currency that the line itself states, without looking up its instrument. */
export const statedCurrency = ({
  currency,
  amount,
  net,
  table,
  priceCurrency,
}: RecordDraft): Currency | undefined => {
  if (currency !== undefined) return currencyNamed(currency)?.code ?? currency;
  const signed = amount?.currency ?? net?.currency ?? priceCurrency;
  if (signed !== undefined) return signed;
  return table.header.isAmerican ? 'USD' : undefined;
};

export const namedIn = ({ code, isin, name }: RecordDraft, currency: Currency | undefined): NamedInFile => ({
  code,
  isin,
  name,
  currency,
});

/** The only foreign currency of the file. Undefined if there are several or none. */
export const onlyForeignCurrency = ({ currencies }: MoneyContext): Currency | undefined => {
  const [first, ...others] = [...currencies].filter((currency) => currency !== 'KRW');
  return others.length === 0 ? first : undefined;
};

/** The currency of a line without an instrument. Undefined if it stays unclear. */
export const cashCurrency = (draft: RecordDraft, context: MoneyContext): Currency | undefined => {
  const { currencies, baseCurrency } = context;
  const reported = statedCurrency(draft);
  if (reported !== undefined) return reported;
  if (draft.table.header.isOwn) return baseCurrency;
  const { words } = draft;
  if (FOREIGN_WORDS.test(words) && !words.includes('원화')) return onlyForeignCurrency(context);
  if (draft.table.header.isKorean) return 'KRW';
  if (draft.table.header.isJapanese) return 'JPY';
  if (draft.table.header.leavesMoneyUnsaid) return undefined;
  // A deposit beside shares in dollars, into a portfolio in won, may be in either currency.
  return currencies.isSubsetOf(new Set([baseCurrency])) ? baseCurrency : undefined;
};

/** Many countries share the dollar sign. */
const DOLLARS: ReadonlySet<Currency> = new Set(['CAD', 'AUD', 'HKD', 'SGD', 'NZD', 'TWD', 'MXN']);
const isSameMoney = (sign: string, currency: Currency): boolean =>
  sign.toUpperCase() === currency || (sign === 'USD' && DOLLARS.has(currency));

/** Whether a deposit or withdrawal moves coins from or to a wallet instead of cash. */
export const isCoinMove = (draft: RecordDraft, kind: TransactionKind, { find }: MoneyContext): boolean => {
  const { code, amount, net, table } = draft;
  if ((kind !== 'deposit' && kind !== 'withdrawal') || table.header.isOwn) return false;
  const paidIn = statedCurrency(draft) ?? (amount ?? net)?.currency;
  if (paidIn !== undefined && currencyNamed(paidIn)?.isCoin === true) return true;
  if (code === '' || currencyNamed(code)?.isCoin === false) return false;
  const found = find(namedIn(draft, undefined));
  return found.status === 'found' && found.instrument.assetClass === 'crypto';
};

/**
 * Whether the currency of a trade is only that in which the instrument is quoted, although the file is of a broker who
 * may count in another: it names no currency, and its headings are those of a country of the euro, or it knows shares
 * by their ISIN alone.
 */
export const isMoneyUnsaid = (
  { table: { header }, code, isin }: RecordDraft,
  currency: Currency,
): boolean => {
  if (header.isOwn || header.isKorean) return false;
  if (header.isJapanese) return currency !== 'JPY';
  return header.leavesMoneyUnsaid || (code === '' && isin !== '');
};

/** The problem of a line whose numbers are in several currencies or in an unclear one. */
export const moneyProblem = (draft: RecordDraft, currency: Currency): RowProblem | undefined => {
  const { feeCurrency, fee, tax, charges, table } = draft;
  const sign = [draft.priceCurrency, draft.amount?.currency, draft.net?.currency].find(
    (each) => each !== undefined && !isSameMoney(each, currency),
  );
  if (sign !== undefined)
    return { kind: 'entry', problem: { kind: 'two-currencies', currencies: [sign, currency] } };
  const hasCharges = [fee, tax, charges].some((charge) => !charge.isZero());
  const { settled } = draft;
  const isKnown = [currency, ...(settled ? [settled.currency] : [])].some(
    (money) => feeCurrency !== undefined && isSameMoney(feeCurrency, money),
  );
  if (feeCurrency !== undefined && hasCharges && !isKnown)
    return { kind: 'fee-currency', typed: feeCurrency };
  // With an exchange rate on the line, the numbers may be in won, whatever is traded.
  const isUnstated = draft.currency === undefined && (draft.amount ?? draft.net)?.currency === undefined;
  const mayBeWon = isUnstated && table.header.isKorean && !table.header.columns.has('foreignAmount');
  return mayBeWon && currency !== 'KRW' && draft.rate?.greaterThan(1) ? { kind: 'no-currency' } : undefined;
};

/** How charges were derived, or what does not add up. */
export type MoneyNote =
  /** The fee is the difference between the amount and quantity × price. */
  | { readonly kind: 'fee-from-amount' }
  /** Fees and taxes share a column: the tax is computed by law, the rest is the fee. */
  | { readonly kind: 'charges-split' }
  /** Fees and taxes share a column and do not fit the computed tax, so all of it is the fee. */
  | { readonly kind: 'charges-as-fee' }
  /** Quantity × price and charges differ from the stated amount. */
  | {
      readonly kind: 'amount-differs';
      readonly reported: Decimal;
      readonly computed: Decimal;
      readonly currency: Currency;
    };

interface SettledTrade {
  readonly price: Decimal;
  readonly fee: Decimal;
  readonly tax: Decimal;
  readonly notes: readonly MoneyNote[];
}

const TWO = new Decimal(2);
/** A charge is a small part of the amount; anything larger is an error in the file. */
const MAX_CHARGE = new Decimal('0.02');
const PRICE_DECIMALS = 15;

/** Divides charges of one column into fee and tax, because the tax of a Korean sale is known. */
const chargesOf = (
  { kind, charges, fee, tax, date }: RecordDraft,
  instrument: Instrument,
  gross: Decimal,
): Pick<SettledTrade, 'fee' | 'tax' | 'notes'> => {
  if (charges.isZero()) return { fee, tax, notes: [] };
  const known = kind === 'sell' ? koreanTransactionTax(instrument, gross, date) : ZERO;
  if (known.isZero()) return { fee: fee.plus(charges), tax, notes: [] };
  const rest = charges.minus(known);
  return rest.isNegative() || rest.greaterThan(gross.times(MAX_CHARGE))
    ? { fee: fee.plus(charges), tax, notes: [{ kind: 'charges-as-fee' }] }
    : { fee: fee.plus(rest), tax: tax.plus(known), notes: [{ kind: 'charges-split' }] };
};

/** With a commission of zero, charges of exchanges and authorities are only in the amount. */
const MAX_SMALL_CHARGE = new Decimal('0.001');
const SMALL_CHARGE_UNITS = 5;

/** The largest difference that may be an unstated fee. */
const maxUnstatedFee = (
  { table: { header } }: RecordDraft,
  fee: Decimal,
  whole: Decimal,
  unit: Decimal,
): Decimal => {
  if (!header.tellsFees) return whole.times(MAX_CHARGE);
  if (!header.isAmerican || !fee.isZero()) return ZERO;
  return Decimal.max(whole.times(MAX_SMALL_CHARGE), unit.times(SMALL_CHARGE_UNITS));
};

/**
 * Whether the amount is so far from quantity × price that they are in different currencies. Brokers in America and Korea
 * count both in one.
 */
export const areAmountsApart = (
  { table: { header } }: RecordDraft,
  { notes }: Pick<SettledTrade, 'notes'>,
): boolean => {
  if (header.isAmerican || header.isKorean || header.isOwn) return false;
  return notes.some(
    (note) =>
      note.kind === 'amount-differs' &&
      note.reported.minus(note.computed).abs().greaterThan(note.computed.times(MAX_CHARGE)),
  );
};

/** A price as exact as a ledger stores it; the file may show an average price with fewer digits. */
const priceFrom = (total: Decimal, quantity: Decimal): Decimal =>
  total.dividedBy(quantity).toDecimalPlaces(PRICE_DECIMALS);

/**
 * The largest error of quantity × price if the file rounded the price. A price has at least the decimals of its
 * currency, because `$20.00` and `20` are the same number.
 */
const roundingOf = (price: Decimal, quantity: Decimal, unit: Decimal): Decimal =>
  quantity
    .dividedBy(new Decimal(10).pow(Math.max(price.decimalPlaces(), unit.decimalPlaces())))
    .dividedBy(TWO);

/**
 * The price, fee and tax of a trade, so that quantity × price ± charges is the amount paid. Undefined without any price.
 * Differences are noted, never dropped.
 */
export const settleTrade = (
  draft: RecordDraft & { readonly kind: 'buy' | 'sell' },
  quantity: Decimal,
  instrument: Instrument,
): SettledTrade | undefined => {
  const { header } = draft.table;
  const { currency } = instrument;
  const amount = draft.amount?.value.abs();
  const isSale = draft.kind === 'sell';
  // The only amount column of US brokers is after charges, and so is one with a minus where no column states fees.
  const isPaid =
    header.isAmerican ||
    (!header.tellsFees && !header.isKorean && (isSale || draft.amount?.value.isNegative() === true));
  const gross = isPaid ? undefined : amount;
  const paid = nonZero(draft.net) ?? (isPaid ? amount : undefined);
  if (draft.price === undefined && (amount === undefined || amount.isZero())) return undefined;
  const whole = draft.price?.times(quantity) ?? amount ?? ZERO;
  const { fee, tax, notes } = chargesOf(draft, instrument, gross ?? whole);
  const charges = isSale ? fee.plus(tax).negated() : fee.plus(tax);
  if (draft.price === undefined) {
    const total = isPaid ? whole.minus(charges) : whole;
    return { price: priceFrom(total, quantity), fee, tax, notes };
  }
  const trade = { price: draft.price, fee, tax, notes };
  const differing = (reported: Decimal, computed: Decimal): SettledTrade => ({
    ...trade,
    notes: [...notes, { kind: 'amount-differs', reported, computed, currency }],
  });
  const unit = smallestUnit(currency);
  const rounding = Decimal.max(roundingOf(draft.price, quantity, unit), unit);
  const computed = whole.plus(charges);
  // The amount column of other brokers may be before or after charges.
  const off = (total: Decimal): Decimal => (amount ?? ZERO).minus(total).abs();
  const isAfterCharges = off(computed).lessThanOrEqualTo(rounding) && off(computed).lessThan(off(whole));
  const reported = paid ?? (isAfterCharges ? amount : undefined);
  if (reported === undefined) {
    if (!gross || gross.isZero() || gross.equals(whole)) return trade;
    return gross.minus(whole).abs().lessThanOrEqualTo(rounding)
      ? { ...trade, price: priceFrom(gross, quantity) }
      : differing(gross, whole);
  }
  const extra = isSale ? computed.minus(reported) : reported.minus(computed);
  if (extra.isZero()) return trade;
  const adjusted = { ...trade, price: priceFrom(reported.minus(charges), quantity) };
  if (extra.abs().lessThan(unit)) return adjusted;
  const isFee = extra.isPositive() && extra.lessThanOrEqualTo(maxUnstatedFee(draft, fee, whole, unit));
  if (isFee) return { ...trade, fee: fee.plus(extra), notes: [...notes, { kind: 'fee-from-amount' }] };
  return extra.abs().lessThanOrEqualTo(rounding) ? adjusted : differing(reported, computed);
};
