import type { TransactionKind } from '#src/kernel/ledger.ts';
import { type Currency, Decimal, smallestUnit } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { Instrument } from '#src/kernel/finance.ts';
import type { RowProblem } from '../problems.ts';
import type { Draft } from '../records/read-record.ts';
import type { FoundInstrument, NamedInFile } from './instruments.ts';
import { koreanTransactionTax } from '../../ledger/korean-tax.ts';

export interface MoneyContext {
  readonly find: (named: NamedInFile) => FoundInstrument;
  readonly baseCurrency: Currency;
  /** The money that lines of the file name or are traded in. */
  readonly moneys: ReadonlySet<Currency>;
}

const ISIN = /(?<![A-Z0-9])(?<country>[A-Z]{2})[A-Z0-9]{9}\d(?![A-Z0-9])/u;
const MONEY_OF: Readonly<Record<string, Currency>> = {
  US: 'USD',
  KR: 'KRW',
  JP: 'JPY',
  HK: 'HKD',
  GB: 'GBP',
};
const FOREIGN_WORDS = /외화|해외/u;

/** What the words of the line say about its money, before anything is looked up. */
export const statedCurrency = ({
  currency,
  amount,
  net,
  code,
  name,
  table,
  kind,
  priceCurrency,
}: Draft): Currency | undefined => {
  if (currency !== undefined) return currencyNamed(currency)?.code ?? currency;
  const signed = amount?.currency ?? net?.currency ?? priceCurrency;
  if (signed !== undefined) return signed;
  if (table.header.isAmerican) return 'USD';
  const country = ISIN.exec(`${code} ${name}`.toUpperCase())?.groups?.['country'] ?? '';
  return kind === 'fx-in' || kind === 'fx-out' ? undefined : MONEY_OF[country];
};

/** The only one besides won, if there is one. */
export const foreignOf = ({ moneys }: MoneyContext): Currency | undefined => {
  const [first, ...others] = [...moneys].filter((money) => money !== 'KRW');
  return others.length === 0 ? first : undefined;
};

/** Of a line about money alone; undefined where nothing tells it. */
export const cashCurrency = (draft: Draft, context: MoneyContext): Currency | undefined => {
  const { moneys, baseCurrency } = context;
  const reported = statedCurrency(draft);
  if (reported !== undefined) return reported;
  if (draft.table.header.isOwn) return baseCurrency;
  const { words } = draft;
  if (FOREIGN_WORDS.test(words) && !words.includes('원화')) return foreignOf(context);
  if (draft.table.header.isKorean) return 'KRW';
  // A deposit beside shares in dollars, into a portfolio in won: both are possible.
  const isPlain = moneys.size === 0 || (moneys.size === 1 && moneys.has(baseCurrency));
  return isPlain ? baseCurrency : undefined;
};

/** Signs of dollars are alike in many countries. */
const DOLLARS: ReadonlySet<Currency> = new Set(['CAD', 'AUD', 'HKD', 'SGD', 'NZD', 'TWD', 'MXN']);
const isSameMoney = (sign: string, currency: Currency): boolean =>
  sign.toUpperCase() === currency || (sign === 'USD' && DOLLARS.has(currency));

/** Coins that came from or went to a wallet, which are no money. */
export const isCoinMove = ({ code, name }: Draft, kind: TransactionKind, { find }: MoneyContext): boolean => {
  if ((kind !== 'deposit' && kind !== 'withdrawal') || code === '') return false;
  if (currencyNamed(code)?.isCoin === false) return false;
  const found = find({ code, name, currency: undefined });
  return found.status === 'found' && found.instrument.assetClass === 'crypto';
};

/** Of a line whose numbers are in several kinds of money, or in one that nothing tells. */
export const moneyProblem = (draft: Draft, currency: Currency): RowProblem | undefined => {
  const { feeCurrency, fee, tax, charges, table } = draft;
  const sign = [draft.priceCurrency, draft.amount?.currency, draft.net?.currency].find(
    (each) => each !== undefined && !isSameMoney(each, currency),
  );
  if (sign !== undefined)
    return { kind: 'entry', problem: { kind: 'two-currencies', currencies: [sign, currency] } };
  const hasCharges = [fee, tax, charges].some((charge) => !charge.isZero());
  const ofCharges = draft.settled?.currency ?? currency;
  if (feeCurrency !== undefined && hasCharges && !isSameMoney(feeCurrency, ofCharges))
    return { kind: 'fee-currency', typed: feeCurrency };
  // Beside an exchange rate the numbers may be in won, whatever is traded.
  const isUnstated = draft.currency === undefined && (draft.amount ?? draft.net)?.currency === undefined;
  const mayBeWon = isUnstated && table.header.isKorean && !table.header.columns.has('foreignAmount');
  return mayBeWon && currency !== 'KRW' && draft.rate?.greaterThan(1) ? { kind: 'no-currency' } : undefined;
};

/** What a line says about money beside its numbers, and what was made of it. */
export type MoneyNote =
  /** The fee is what the amount lacks of quantity × price. */
  | { readonly kind: 'fee-from-amount' }
  /** One column for fees and taxes: the tax is the one that the law takes, and the rest is the fee. */
  | { readonly kind: 'charges-split' }
  /** All of it was taken as a fee, for the tax of that sale is another. */
  | { readonly kind: 'charges-as-fee' }
  /** Quantity × price and charges come to something else than the file says. */
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

const ZERO = new Decimal(0);
const TWO = new Decimal(2);
/** A charge is a small part of what is traded; anything larger is an error in the file. */
const MAX_CHARGE = new Decimal('0.02');
const PRICE_DECIMALS = 15;

/** Fees and taxes of one column: the tax of a Korean sale is known. */
const chargesOf = (
  { kind, charges, fee, tax, date }: Draft,
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

/** Beside a commission of zero the charges of exchanges and authorities are only in the amount. */
const MAX_SMALL_CHARGE = new Decimal('0.001');
const SMALL_CHARGE_UNITS = 5;

/** How much of what is missing from the amount may be a fee that the file does not tell. */
const mostUnstated = ({ table: { header } }: Draft, fee: Decimal, whole: Decimal, unit: Decimal): Decimal => {
  if (!header.tellsFees) return whole.times(MAX_CHARGE);
  if (!header.isAmerican || !fee.isZero()) return ZERO;
  return Decimal.max(whole.times(MAX_SMALL_CHARGE), unit.times(SMALL_CHARGE_UNITS));
};

/** As exact as a ledger keeps it: an average price has more digits than its file shows. */
const priceFrom = (total: Decimal, quantity: Decimal): Decimal =>
  total.dividedBy(quantity).toDecimalPlaces(PRICE_DECIMALS);

/**
 * How far quantity × price may be off because the price was rounded for the file. `$20.00` and `20` are the same number:
 * a price has at least the decimals of its money.
 */
const roundingOf = (price: Decimal, quantity: Decimal, unit: Decimal): Decimal =>
  quantity
    .dividedBy(new Decimal(10).pow(Math.max(price.decimalPlaces(), unit.decimalPlaces())))
    .dividedBy(TWO);

/**
 * The price, fee and tax of a trade, so that quantity × price ± charges is what was paid. Undefined without a quantity
 * or any price. What does not add up is noted, never dropped.
 */
export const settleTrade = (
  draft: Draft & { readonly kind: 'buy' | 'sell' },
  quantity: Decimal,
  instrument: Instrument,
): SettledTrade | undefined => {
  const { header } = draft.table;
  const { currency } = instrument;
  const amount = draft.amount?.value.abs();
  const isSale = draft.kind === 'sell';
  const net = draft.net && !draft.net.value.isZero() ? draft.net.value.abs() : undefined;
  // Brokers of the United States write what was paid into the only column there is.
  const gross = header.isAmerican ? undefined : amount;
  const paid = net ?? (header.isAmerican ? amount : undefined);
  if (draft.price === undefined && (amount === undefined || amount.isZero())) return undefined;
  const whole = draft.price?.times(quantity) ?? amount ?? ZERO;
  const { fee, tax, notes } = chargesOf(draft, instrument, gross ?? whole);
  const charges = isSale ? fee.plus(tax).negated() : fee.plus(tax);
  if (draft.price === undefined) {
    const total = header.isAmerican ? whole.minus(charges) : whole;
    return { price: priceFrom(total, quantity), fee, tax, notes };
  }
  const { price } = draft;
  const unit = smallestUnit(currency);
  const rounding = Decimal.max(roundingOf(price, quantity, unit), unit);
  const computed = whole.plus(charges);
  // An amount of money without a broker's own heading may be before or after the charges.
  const off = (total: Decimal): Decimal => (amount ?? ZERO).minus(total).abs();
  const isAfterCharges = off(computed).lessThanOrEqualTo(rounding) && off(computed).lessThan(off(whole));
  const reported = paid ?? (isAfterCharges ? amount : undefined);
  if (reported === undefined) {
    if (!gross || gross.isZero() || gross.equals(whole)) return { price, fee, tax, notes };
    if (gross.minus(whole).abs().lessThanOrEqualTo(rounding))
      return { price: priceFrom(gross, quantity), fee, tax, notes };
    return {
      price,
      fee,
      tax,
      notes: [...notes, { kind: 'amount-differs', reported: gross, computed: whole, currency }],
    };
  }
  const extra = isSale ? computed.minus(reported) : reported.minus(computed);
  if (extra.isZero()) return { price, fee, tax, notes };
  const adjusted = (): SettledTrade => ({
    price: priceFrom(reported.minus(charges), quantity),
    fee,
    tax,
    notes,
  });
  if (extra.abs().lessThan(unit)) return adjusted();
  const isFee = extra.isPositive() && extra.lessThanOrEqualTo(mostUnstated(draft, fee, whole, unit));
  if (isFee) return { price, fee: fee.plus(extra), tax, notes: [...notes, { kind: 'fee-from-amount' }] };
  if (extra.abs().lessThanOrEqualTo(rounding)) return adjusted();
  return { price, fee, tax, notes: [...notes, { kind: 'amount-differs', reported, computed, currency }] };
};
