import type { Instrument } from '#src/kernel/market/finance.ts';
import {
  type CostMethod,
  instrumentOf,
  isShareTransfer,
  type NewTransaction,
  type ShareExchange,
  type ShareTransfer,
} from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { koreanSettlementDate, type Settlement } from '#src/markets/calendar/settlement.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { RateOn } from '../rates/day-rates.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { withLinkedLots } from '../ledger/linked-lots.ts';
import type { Disposal } from '../ledger/ledger-state.ts';
import { type CapitalGainsTax, capitalGainsTax, type TaxClass, taxClassOf } from './korean-tax-rules.ts';

export const WON = 'KRW';

/** The ledger of one portfolio without reversed entries. */
export interface TaxedLedger {
  readonly portfolio: string;
  readonly method: CostMethod;
  readonly allowsShort: boolean;
  readonly entries: readonly NewTransaction[];
}

/** The price of one unit in won on that day; undefined if unknown. */
export type WonRate = (currency: Currency, date: Temporal.PlainDate) => RateOn | undefined;

/** A sale of shares listed abroad. Won are whole, so that sums match what is shown. */
export interface ForeignSale {
  readonly portfolio: string;
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  /** The days of the first and last purchase. */
  readonly acquired: { readonly first: Temporal.PlainDate; readonly last: Temporal.PlainDate };
  readonly sold: Temporal.PlainDate;
  readonly settled: Temporal.PlainDate;
  /** The rate of the settlement day. */
  readonly rate: RateOn;
  /** In the currency of the trade: proceeds before fees, cost with fees, and charges of the sale. */
  readonly local: { readonly proceeds: Decimal; readonly cost: Decimal; readonly charges: Decimal };
  readonly won: {
    readonly proceeds: Decimal;
    readonly cost: Decimal;
    readonly charges: Decimal;
    readonly gain: Decimal;
  };
  /** The sale is not settled yet, or the calendar does not know all holidays until then. */
  readonly isProvisional: boolean;
}

/** Other sales: their number, and their gain if everything is in won. */
export interface OtherSales {
  readonly count: number;
  readonly gain: Decimal;
  /** Sales in another currency, which `gain` does not include. */
  readonly uncounted: number;
}

/** Dividends or interest in one currency. */
export interface Income {
  readonly kind: 'dividend' | 'interest';
  readonly currency: Currency;
  readonly gross: Decimal;
  readonly withheld: Decimal;
  readonly won: { readonly gross: Decimal; readonly withheld: Decimal };
}

/** An item that the sums leave out because its rate is unknown. */
export interface Unrated {
  readonly portfolio: string;
  readonly name: Instrument | Currency;
  readonly date: Temporal.PlainDate;
  /** True for a sale of foreign shares, false for income. */
  readonly isSale: boolean;
}

export interface KoreanReport {
  readonly year: number;
  readonly sales: readonly ForeignSale[];
  readonly gain: Decimal;
  readonly tax: CapitalGainsTax;
  /** Closed short sales, which these rules do not cover. */
  readonly shortSales: number;
  readonly others: Readonly<Record<Exclude<TaxClass, 'foreign'>, OtherSales>>;
  /** Recorded with sales in Korea. */
  readonly transactionTax: Decimal;
  readonly income: readonly Income[];
  readonly financialIncome: Decimal;
  readonly unrated: readonly Unrated[];
  /** Portfolios with an invalid ledger. */
  readonly broken: readonly string[];
  readonly hasSampleRates: boolean;
}

const ZERO = new Decimal(0);

/** Rounds to the smallest unit of a currency. */
export const roundedTo = (currency: Currency): ((value: Decimal) => Decimal) => {
  const decimals = currencyNamed(currency)?.decimals ?? 2;
  return (value) => new Decimal(value.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toFixed());
};

const won = roundedTo(WON);
const sum = (values: readonly Decimal[]): Decimal => values.reduce((total, each) => total.plus(each), ZERO);

/** A trade settles some days later; other entries are recorded on the day of payment. */
const settlementOf = (entry: NewTransaction): Settlement =>
  entry.kind === 'buy' || entry.kind === 'sell'
    ? koreanSettlementDate(entry.instrument, entry.date)
    : { date: entry.date, isCertain: true };

const isForeign = (entry: NewTransaction): boolean => {
  const instrument = instrumentOf(entry);
  return instrument !== undefined && taxClassOf(instrument) === 'foreign';
};

/** A dividend or interest before tax, and the tax withheld, including separate tax entries. */
interface Received {
  readonly kind: Income['kind'];
  readonly gross: Decimal;
  readonly withheld: Decimal;
}

export const receivedBy = (entry: NewTransaction): Received | undefined => {
  if (entry.kind === 'dividend' || entry.kind === 'interest')
    return { kind: entry.kind, gross: entry.amount, withheld: entry.tax };
  if (entry.kind !== 'tax') return undefined;
  return {
    kind: entry.instrument ? 'dividend' : 'interest',
    gross: ZERO,
    withheld: entry.isRefund ? entry.amount.negated() : entry.amount,
  };
};

const paidOn = ({ instrument }: ShareTransfer, bought: Temporal.PlainDate): Temporal.PlainDate =>
  koreanSettlementDate(instrument, bought).date;

/** Of shares that came with a transfer; at average cost the days are those of the other portfolio. */
const daysOfCost = (entry: ShareTransfer): readonly Temporal.PlainDate[] =>
  entry.kind === 'transfer-out'
    ? []
    : entry.lots.flatMap(({ first, last }) => (first.equals(last) ? [paidOn(entry, first)] : []));

/** The currencies and days whose rates a report needs, including those of purchases. */
export const neededRates = (
  ledgers: readonly TaxedLedger[],
  year: number,
): readonly { readonly currency: Currency; readonly date: Temporal.PlainDate }[] => {
  const needed = new Map<string, { readonly currency: Currency; readonly date: Temporal.PlainDate }>();
  for (const entry of ledgers.flatMap(({ entries }) => entries)) {
    if (isShareTransfer(entry)) {
      for (const date of isForeign(entry) ? daysOfCost(entry) : [])
        needed.set(`${entry.currency} ${date.toString()}`, { currency: entry.currency, date });
      continue;
    }
    const isDated = isForeign(entry) ? entry.kind !== 'split' : receivedBy(entry) && entry.date.year === year;
    if (!isDated || entry.currency === WON) continue;
    const date = settlementOf(entry).date;
    needed.set(`${entry.currency} ${date.toString()}`, { currency: entry.currency, date });
  }
  return [...needed.values()];
};

/** The entry with the rate that counts for the tax, or without one if it is irrelevant or unknown. */
const inWon = (entry: NewTransaction, rateOf: WonRate): NewTransaction => {
  if (isShareTransfer(entry)) {
    const lots = entry.lots.map((lot) => {
      const rate = lot.first.equals(lot.last)
        ? rateOf(entry.currency, paidOn(entry, lot.first))?.rate
        : undefined;
      return { ...lot, costBase: rate && new Decimal(new Exact(lot.cost).times(rate).toFixed()) };
    });
    return { ...entry, lots };
  }
  const { rate: _ofTheTrade, ...rest } = entry;
  const found = isForeign(entry) ? rateOf(entry.currency, settlementOf(entry).date) : undefined;
  return { ...rest, ...(found && { rate: found.rate }) };
};

/** Undefined if a rate is unknown. */
const foreignSale = (
  { entry, quantity, cost, value, lots }: Disposal,
  portfolio: string,
  rateOf: WonRate,
  today: Temporal.PlainDate,
): ForeignSale | undefined => {
  const { instrument, date: sold } = entry;
  const { date: settled, isCertain } = settlementOf(entry);
  const rate = entry.currency === WON ? undefined : rateOf(entry.currency, settled);
  if (!rate || !cost.base || !value.base) return undefined;
  // Only trades have charges.
  const isTrade = entry.kind === 'buy' || entry.kind === 'sell';
  const proceeds = isTrade ? quantity.times(entry.price) : value.local;
  const charges = proceeds.minus(value.local);
  const wonProceeds = won(proceeds.times(rate.rate));
  const wonCost = won(cost.base);
  const wonCharges = won(charges.times(rate.rate));
  return {
    portfolio,
    instrument,
    quantity,
    acquired: { first: lots[0]?.first ?? sold, last: lots.at(-1)?.last ?? sold },
    sold,
    settled,
    rate,
    local: { proceeds, cost: cost.local, charges },
    won: {
      proceeds: wonProceeds,
      cost: wonCost,
      charges: wonCharges,
      gain: wonProceeds.minus(wonCost).minus(wonCharges),
    },
    // Today's rate changes until its close.
    isProvisional: !isCertain || Temporal.PlainDate.compare(settled, today) >= 0,
  };
};

/** A spin-off abroad is a dividend in kind at the market value of its day (국세청 서면-2022-법규소득-2118). */
const isPaidInKind = (entry: NewTransaction): entry is ShareExchange & { readonly price: Decimal } =>
  entry.kind === 'spin-off' && entry.price !== undefined && isForeign(entry);

/** Shares received as a dividend cost what they were worth, and the others keep their cost. */
const asTaxed = (entry: NewTransaction): NewTransaction => {
  if (!isPaidInKind(entry)) return entry;
  const { clientId, date, currency, rate, toInstrument: instrument, toQuantity: quantity, price } = entry;
  const common = { clientId, date, currency, ...(rate && { rate }) };
  return { ...common, kind: 'rights', instrument, quantity, price, fee: ZERO, tax: ZERO };
};

const receivedInKorea = (entry: NewTransaction): Received | undefined =>
  isPaidInKind(entry)
    ? { kind: 'dividend', gross: entry.toQuantity.times(entry.price), withheld: ZERO }
    : receivedBy(entry);

const incomeIn = (
  ledgers: readonly TaxedLedger[],
  year: number,
  rateOf: WonRate,
  unrated: Unrated[],
): readonly Income[] => {
  const found = new Map<string, Income>();
  for (const { portfolio, entries } of ledgers)
    for (const entry of entries) {
      const received = receivedInKorea(entry);
      if (!received || entry.date.year !== year) continue;
      const { kind, gross, withheld } = received;
      const { currency, date } = entry;
      const rate = currency === WON ? new Decimal(1) : rateOf(currency, date)?.rate;
      if (!rate) {
        unrated.push({ portfolio, name: instrumentOf(entry) ?? currency, date, isSale: false });
        continue;
      }
      const key = `${kind} ${currency}`;
      const before = found.get(key);
      found.set(key, {
        kind,
        currency,
        gross: gross.plus(before?.gross ?? ZERO),
        withheld: withheld.plus(before?.withheld ?? ZERO),
        won: {
          gross: won(gross.times(rate)).plus(before?.won.gross ?? ZERO),
          withheld: won(withheld.times(rate)).plus(before?.won.withheld ?? ZERO),
        },
      });
    }
  return [...found.values()].toSorted((a, b) => b.won.gross.comparedTo(a.won.gross));
};

const none = () => ({ count: 0, gain: ZERO, uncounted: 0 });

/** The Korean tax report of a year over all ledgers. `method` overrides that of each portfolio. */
export const koreanReport = function* (
  ledgers: readonly TaxedLedger[],
  year: number,
  rateOf: WonRate,
  today: Temporal.PlainDate,
  method?: CostMethod,
  /** Ledgers that are not reported, from which shares came. */
  sources: readonly TaxedLedger[] = [],
): Steps<KoreanReport> {
  const sales: ForeignSale[] = [];
  const unrated: Unrated[] = [];
  const others = { domestic: none(), 'domestic-fund': none(), coin: none(), other: none() };
  const broken: string[] = [];
  let [shortSales, transactionTax] = [0, ZERO];
  const dated = yield* withLinkedLots(
    [...ledgers, ...sources].map(({ entries, allowsShort, ...own }) => ({
      entries: entries.map((entry) => asTaxed(inWon(entry, rateOf))),
      rules: { baseCurrency: WON, method: method ?? own.method, allowsShort },
    })),
  );
  for (const [index, { portfolio, entries, ...rules }] of ledgers.entries()) {
    const derived = yield* deriveLedger(dated[index] ?? [], {
      baseCurrency: WON,
      method: method ?? rules.method,
      allowsShort: rules.allowsShort,
    });
    if (derived.status === 'refused') {
      broken.push(portfolio);
      continue;
    }
    for (const disposal of derived.state.disposals) {
      yield;
      const { entry, gain } = disposal;
      const { instrument, date, currency } = entry;
      if (settlementOf(entry).date.year !== year) continue;
      const taxClass = taxClassOf(instrument);
      // A purchase that closes a position closes a short sale.
      if (entry.kind === 'buy' || entry.kind === 'rights') shortSales += 1;
      else if (taxClass === 'foreign') {
        const sale = foreignSale(disposal, portfolio, rateOf, today);
        if (sale) sales.push(sale);
        else unrated.push({ portfolio, name: instrument, date, isSale: true });
      } else {
        const other = others[taxClass];
        other.count += 1;
        if (currency === WON) other.gain = other.gain.plus(won(gain.local));
        else other.uncounted += 1;
      }
    }
    for (const entry of entries)
      if (entry.kind === 'sell' && entry.currency === WON && settlementOf(entry).date.year === year)
        transactionTax = transactionTax.plus(won(entry.tax));
  }
  const income = incomeIn(ledgers, year, rateOf, unrated);
  const gain = sum(sales.map((sale) => sale.won.gain));
  const rates = neededRates(ledgers, year).map(({ currency, date }) => rateOf(currency, date));
  return {
    year,
    sales: sales.toSorted((a, b) => Temporal.PlainDate.compare(a.settled, b.settled)),
    gain,
    tax: capitalGainsTax(gain),
    shortSales,
    others,
    transactionTax,
    income,
    financialIncome: sum(income.map((each) => each.won.gross)),
    unrated,
    broken,
    hasSampleRates: rates.some((rate) => rate?.isSample === true),
  };
};
