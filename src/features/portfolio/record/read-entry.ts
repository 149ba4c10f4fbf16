import type { AssetClass, Instrument } from '#src/kernel/market/finance.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import {
  type TypedNumber,
  currencyIn,
  dateIn,
  type EntryField,
  type EntryProblem,
  isBlank,
  MAX_AMOUNT,
  noteIn,
  numberIn,
  oneCurrency,
  ownCurrency,
  ratioIn,
  readEntryNumber,
  Refused,
  timeIn,
  type UnusedField,
} from '../entries/entry-problems.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { koreanTransactionTax } from '../ledger/korean-transaction-tax.ts';

interface EntryContext {
  /** The instrument that `request.name` stands for; absent if the request names none. */
  readonly instrument?: Instrument | undefined;
  /** The instrument that `request.toName` stands for. */
  readonly toInstrument?: Instrument | undefined;
  /** The portfolio already has entries of the instrument, so trades that close it are allowed whatever it is. */
  readonly isRecorded?: boolean;
  readonly baseCurrency: Currency;
  /** Today in the requester's time zone. */
  readonly today: Temporal.PlainDate;
  readonly clientId: string;
}

export type ReadEntry =
  | { readonly status: 'ok'; readonly entry: NewTransaction }
  | { readonly status: 'problem'; readonly problem: EntryProblem };

const HOLDABLE: ReadonlySet<AssetClass> = new Set(['equity', 'etf', 'crypto']);

/** Indices, rates, currency pairs and futures are not worth quantity times price. */
export const isHoldable = ({ assetClass }: Instrument): boolean => HOLDABLE.has(assetClass);

const isFuture = ({ assetClass, symbol }: Instrument): boolean =>
  assetClass === 'commodity' || symbol.endsWith('=F');

const needed = <T>(value: T | undefined, field: EntryField, request: RecordRequest): T => {
  if (value === undefined) throw new Refused({ kind: 'missing', field, of: request.kind });
  return value;
};

/** The fields that each kind of entry uses besides its day, time, rate and note. */
const PLACES: Readonly<Record<NewTransaction['kind'], readonly UnusedField[]>> = {
  buy: ['name', 'currency', 'quantity', 'price', 'total', 'fee', 'tax'],
  sell: ['name', 'currency', 'quantity', 'price', 'total', 'fee', 'tax'],
  rights: ['name', 'currency', 'quantity', 'price', 'total', 'fee', 'tax'],
  dividend: ['name', 'currency', 'amount', 'tax'],
  interest: ['currency', 'amount', 'tax'],
  tax: ['name', 'currency', 'amount'],
  'cash-in-lieu': ['name', 'currency', 'amount', 'quantity'],
  split: ['name', 'currency', 'ratio'],
  'spin-off': ['name', 'currency', 'quantity', 'price', 'toName', 'toQuantity', 'percent'],
  merger: ['name', 'currency', 'quantity', 'price', 'amount', 'toName', 'toQuantity'],
  'capital-return': ['name', 'currency', 'amount', 'quantity'],
  'transfer-out': ['name', 'currency', 'amount', 'quantity'],
  'transfer-in': ['name', 'currency', 'amount', 'quantity'],
  fee: ['currency', 'amount'],
  deposit: ['currency', 'amount'],
  withdrawal: ['currency', 'amount'],
  fx: ['currency', 'amount', 'toAmount', 'toCurrency'],
};
const ALL_PLACES: readonly UnusedField[] = [
  'name',
  'quantity',
  'price',
  'total',
  'amount',
  'fee',
  'tax',
  'ratio',
  'toAmount',
  'toCurrency',
  'toName',
  'toQuantity',
  'percent',
];

/** Input is never dropped silently: a field that the entry cannot use is refused. A fee of zero may be dropped. */
const refuseUnused = (request: RecordRequest, own: Currency): void => {
  const { kind } = request;
  for (const field of ALL_PLACES) {
    const typed = request[field]?.trim() ?? '';
    if (typed === '' || PLACES[kind].includes(field)) continue;
    const isCharge = field === 'fee' || field === 'tax';
    const number = isCharge ? numberIn(typed, field, true) : undefined;
    if (number?.value.isZero()) continue;
    // A bare fee that is larger than the exchanged amount is in the other currency.
    const isOther =
      kind === 'fx' && number?.value.greaterThan(readEntryNumber(request.amount ?? '')?.value ?? 0);
    const received = isOther
      ? (currencyNamed(request.toCurrency ?? '')?.code ?? readEntryNumber(request.toAmount ?? '')?.currency)
      : undefined;
    const currency = number?.currency ?? received ?? own;
    const command = number && `/portfolio ${field} ${number.value.toFixed()} ${currency}`;
    throw new Refused({ kind: 'unused', field, typed, of: kind, ...(command !== undefined && { command }) });
  }
};

const NONE: TypedNumber = { value: new Decimal(0), currency: undefined };

/** The most decimals that a price can have. */
const PRICE_DECIMALS = 8;

/** The price of one share, as written or derived from the total. Only a rights issue may be free. */
const priceIn = (request: RecordRequest, quantity: Decimal): TypedNumber => {
  const isZeroFine = request.kind === 'rights' && isBlank(request.total);
  const price = numberIn(request.price, 'price', isZeroFine);
  const total = numberIn(request.total, 'total');
  if (!total) return needed(price, 'price', request);
  const each = new Exact(total.value).dividedBy(quantity);
  if (price && !price.value.times(quantity).equals(total.value))
    throw new Refused({ kind: 'price-and-total', price: request.price ?? '', total: request.total ?? '' });
  if (price) return { ...price, currency: price.currency ?? total.currency };
  const value = each.toDecimalPlaces(PRICE_DECIMALS);
  if (!value.times(quantity).equals(total.value))
    throw new Refused({ kind: 'uneven-total', near: each.toSignificantDigits(PRICE_DECIMALS).toFixed() });
  return { value: new Decimal(value.toFixed()), currency: total.currency };
};

/** Coins have up to eight decimals, and brokers count shares to six. */
const QUANTITY_DECIMALS = 8;

/** Korean brokers sell whole shares; coins and foreign shares are sold in fractions. */
const isInParts = ({ assetClass, currency }: Instrument): boolean =>
  assetClass === 'crypto' || currency !== 'KRW';

/** The quantity as written, or what the money buys at the price (`$500 of AAPL at 290`). */
const withQuantity = (request: RecordRequest, instrument: Instrument): RecordRequest => {
  if (!isBlank(request.quantity)) return request;
  const [price, total] = [numberIn(request.price, 'price'), numberIn(request.total, 'total')];
  if (!price || !total) return request;
  // With `$290` and `50만원` the quantity depends on an exchange rate.
  const own = currencyIn(request.currency) ?? instrument.currency;
  if ((price.currency ?? own) !== (total.currency ?? own)) return request;
  const currency = request.currency ?? price.currency ?? total.currency;
  const exact = new Exact(total.value).dividedBy(price.value);
  const quantity = exact.toDecimalPlaces(QUANTITY_DECIMALS, Decimal.ROUND_DOWN);
  if (quantity.isZero() || (!isInParts(instrument) && !exact.isInteger()))
    throw new Refused({
      kind: 'uneven-quantity',
      near: exact.toSignificantDigits(QUANTITY_DECIMALS).toFixed(),
    });
  return { ...request, currency, quantity: quantity.toFixed(), total: undefined };
};

/** What entries of all kinds are read by. */
const readFields = (request: RecordRequest, context: EntryContext) => {
  const { baseCurrency, today, clientId } = context;
  const money = currencyIn(request.currency);
  const date = dateIn(request.date, today);
  const time = timeIn(request.time);
  const note = noteIn(request.note);
  const rate = numberIn(request.rate, 'rate');
  const named = money ?? numberIn(request.amount, 'amount')?.currency ?? context.instrument?.currency;
  refuseUnused(request, named ?? baseCurrency);
  const need = (field: 'amount' | 'toAmount'): TypedNumber =>
    needed(numberIn(request[field], field), field, request);
  const charge = (field: 'fee' | 'tax'): TypedNumber => numberIn(request[field], field, true) ?? NONE;
  const instrumentOf = (): Instrument => {
    const instrument = needed(context.instrument, 'name', request);
    if (isFuture(instrument) && !context.isRecorded) throw new Refused({ kind: 'future', instrument });
    if (!isHoldable(instrument) && !context.isRecorded)
      throw new Refused({ kind: 'not-holdable', instrument });
    return instrument;
  };
  const common = (currency: Currency) => {
    if (currency === baseCurrency && rate && !rate.value.equals(1))
      throw new Refused({ kind: 'own-rate', currency });
    const known = currency === baseCurrency ? new Decimal(1) : rate?.value;
    return {
      clientId,
      date,
      ...(time && { time }),
      currency,
      ...(known && { rate: known }),
      ...(note !== undefined && { note }),
    };
  };

  const currencyFor = (instrument: Instrument | undefined, ...amounts: readonly TypedNumber[]): Currency => {
    const all = [money, ...amounts.map(({ currency }) => currency)];
    return instrument ? ownCurrency(instrument, all) : (oneCurrency(all) ?? baseCurrency);
  };
  const beforeTax = () => {
    const [amount, tax] = [need('amount'), charge('tax')];
    if (tax.value.greaterThan(amount.value)) throw new Refused({ kind: 'tax-above-amount' });
    return { amount, tax };
  };

  return { money, date, need, charge, instrumentOf, common, currencyFor, beforeTax };
};

type Fields = ReturnType<typeof readFields>;

const readTrade = (
  kind: 'buy' | 'sell' | 'rights',
  request: RecordRequest,
  { date, charge, instrumentOf, common }: Fields,
): NewTransaction => {
  const instrument = instrumentOf();
  const counted = kind === 'rights' ? request : withQuantity(request, instrument);
  const quantity = needed(numberIn(counted.quantity, 'quantity'), 'quantity', request).value;
  const price = priceIn(counted, quantity);
  const [fee, tax] = [charge('fee'), charge('tax')];
  // The currency of a derived quantity is that of the price or the total.
  const currencies = [currencyIn(counted.currency), price.currency, fee.currency, tax.currency];
  const currency = ownCurrency(instrument, currencies);
  const gross = new Exact(quantity).times(price.value);
  if (gross.greaterThan(MAX_AMOUNT)) {
    const typed = `${request.quantity} × ${request.price ?? price.value.toFixed()}`;
    throw new Refused({ kind: 'too-large', field: 'total', typed });
  }
  if (kind === 'sell' && tax.value.greaterThan(gross)) throw new Refused({ kind: 'tax-above-amount' });
  const isTaxComputed = kind === 'sell' && tax === NONE;
  return {
    kind,
    instrument,
    quantity,
    price: price.value,
    fee: fee.value,
    tax: isTaxComputed ? koreanTransactionTax(instrument, gross, date) : tax.value,
    ...(kind === 'buy' && request.isOpening && { isOpening: true }),
    ...common(currency),
  };
};

const readExchange = (
  kind: 'spin-off' | 'merger',
  request: RecordRequest,
  received: EntryContext['toInstrument'],
  { money, instrumentOf, common }: Fields,
): NewTransaction => {
  const instrument = instrumentOf();
  const toInstrument = needed(received, 'toName', request);
  if (!isHoldable(toInstrument)) throw new Refused({ kind: 'not-holdable', instrument: toInstrument });
  const toQuantity = needed(numberIn(request.toQuantity, 'toQuantity'), 'toQuantity', request).value;
  // Most spin-offs take no shares away, and a merger without a quantity all of them.
  const quantity = numberIn(request.quantity, 'quantity', kind === 'spin-off')?.value ?? new Decimal(0);
  const typed = request.percent?.replace(/[%％]$/u, '');
  const percent =
    kind === 'spin-off' ? needed(numberIn(typed, 'percent', true), 'percent', request) : undefined;
  const amount = numberIn(request.amount, 'amount');
  const price = numberIn(request.price, 'price');
  if (amount) needed(price, 'price', request);
  const currencies = [amount, price].map((each) => each?.currency);
  const currency = ownCurrency(instrument, [money, ...currencies]);
  ownCurrency(instrument, [toInstrument.currency]);
  return {
    kind,
    instrument,
    quantity,
    toInstrument,
    toQuantity,
    ...(percent && { percent: percent.value }),
    ...(amount && { amount: amount.value }),
    ...(price && { price: price.value }),
    ...common(currency),
  };
};

const read = (request: RecordRequest, context: EntryContext): NewTransaction => {
  const { kind } = request;
  const { baseCurrency } = context;
  const fields = readFields(request, context);
  const { need, instrumentOf, common, currencyFor, beforeTax } = fields;
  switch (kind) {
    case 'buy':
    case 'sell':
    case 'rights':
      return readTrade(kind, request, fields);
    case 'dividend': {
      const instrument = instrumentOf();
      const { amount, tax } = beforeTax();
      const currency = currencyFor(instrument, amount, tax);
      return { kind, instrument, amount: amount.value, tax: tax.value, ...common(currency) };
    }
    case 'interest': {
      const { amount, tax } = beforeTax();
      const currency = currencyFor(undefined, amount, tax);
      return { kind, amount: amount.value, tax: tax.value, ...common(currency) };
    }
    case 'tax': {
      const amount = need('amount');
      const instrument = context.instrument && instrumentOf();
      return {
        kind,
        amount: amount.value,
        ...(request.isRefund && { isRefund: true }),
        ...(instrument && { instrument }),
        ...common(currencyFor(instrument, amount)),
      };
    }
    case 'spin-off':
    case 'merger':
      return readExchange(kind, request, context.toInstrument, fields);
    case 'transfer-out':
    case 'transfer-in': {
      const side = { kind, otherName: request.toPortfolio ?? '' };
      if (!context.instrument) {
        const amount = need('amount');
        return { ...side, amount: amount.value, ...common(currencyFor(undefined, amount)) };
      }
      const instrument = instrumentOf();
      const quantity = needed(numberIn(request.quantity, 'quantity'), 'quantity', request).value;
      if (!isBlank(request.amount)) needed(undefined, 'quantity', request);
      return { ...side, instrument, quantity, lots: [], ...common(currencyFor(instrument)) };
    }
    case 'capital-return':
    case 'cash-in-lieu': {
      const instrument = instrumentOf();
      const amount = need('amount');
      const quantity = numberIn(request.quantity, 'quantity')?.value;
      const currency = currencyFor(instrument, amount);
      return { kind, instrument, amount: amount.value, ...(quantity && { quantity }), ...common(currency) };
    }
    case 'split': {
      const instrument = instrumentOf();
      const ratio = ratioIn(needed(request.ratio?.trim() || undefined, 'ratio', request));
      return { kind, instrument, ratio, ...common(currencyFor(instrument)) };
    }
    case 'fee':
    case 'deposit':
    case 'withdrawal': {
      const amount = need('amount');
      return { kind, amount: amount.value, ...common(currencyFor(undefined, amount)) };
    }
    case 'fx': {
      const [amount, toAmount] = [need('amount'), need('toAmount')];
      const currency = currencyFor(undefined, amount);
      const toMoney = oneCurrency([currencyIn(request.toCurrency), toAmount.currency]);
      // Without a named target, money is exchanged into the portfolio's currency.
      const target = toMoney ?? (currency === baseCurrency ? undefined : baseCurrency);
      const toCurrency = needed(target, 'toCurrency', request);
      if (toCurrency === currency) throw new Refused({ kind: 'same-currency', currency });
      return {
        kind,
        amount: amount.value,
        toAmount: toAmount.value,
        toCurrency,
        ...(toCurrency === baseCurrency && { toRate: new Decimal(1) }),
        ...common(currency),
      };
    }
  }
  return kind satisfies never;
};

/**
 * Turns a request into an entry, or into the problem with it. Pure: the caller resolves names and finds last prices.
 * Korean transaction tax is computed for sales that state none. The rate of the portfolio's own currency is 1; other
 * rates that are not given stay undefined (`fillRates`).
 */
export const readEntry = (request: RecordRequest, context: EntryContext): ReadEntry => {
  try {
    return { status: 'ok', entry: read(request, context) };
  } catch (error) {
    if (error instanceof Refused && error.problem.kind === 'too-small')
      return { status: 'problem', problem: { ...error.problem, of: request.kind } };
    if (error instanceof Refused) return { status: 'problem', problem: error.problem };
    throw error;
  }
};
