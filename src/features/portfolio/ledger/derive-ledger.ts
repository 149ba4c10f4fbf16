import type { Instrument } from '#src/kernel/finance.ts';
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
} from '#src/kernel/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/cooperative-tasks.ts';
import { AccountCash, CurrencySums } from './cash.ts';
import {
  AMOUNT_DECIMALS,
  atRate,
  ENTRY_DECIMALS,
  type FixedAmount,
  gainOf,
  minus,
  negated,
  NOTHING,
  ONE_TO_ONE,
  plus,
  rememberingFixedPoint,
  toDatedAmount,
  toDecimal,
  toGain,
} from './fixed-point.ts';
import type {
  DeriveLedger,
  Disposal,
  ExternalFlow,
  LedgerProblem,
  LedgerRules,
  LedgerState,
  Position,
} from './ledger-state.ts';
import { type Closing, LotBook } from './lots.ts';
import { compareText, type OrderedEntry, orderEntries } from './order-entries.ts';

/** The state of one instrument. */
interface Holding {
  instrument: Instrument;
  readonly lots: LotBook;
  dividends: FixedAmount;
  readonly firstDate: Temporal.PlainDate;
  lastDate: Temporal.PlainDate;
  /** Sales of more than is held at their place in the day wait for a purchase of the same day. */
  readonly waiting: (Trade | CashInLieu)[];
}

interface Flow {
  readonly date: Temporal.PlainDate;
  readonly currency: Currency;
  readonly amount: FixedAmount;
}

const toExternalFlow = ({ date, currency, amount }: Flow): ExternalFlow => {
  const { local, base } = toDatedAmount(amount);
  return { date, currency, amount: local, base };
};

interface Closed {
  readonly entry: Disposal['entry'];
  readonly closing: Closing;
}

const toDisposal = ({ entry, closing: { quantity, cost, value, lots } }: Closed): Disposal => ({
  entry,
  quantity: toDecimal(quantity, ENTRY_DECIMALS),
  cost: toDatedAmount(cost),
  value: toDatedAmount(value),
  gain: toGain(gainOf(value, cost)),
  lots: lots.map((lot) => ({
    quantity: toDecimal(lot.quantity, ENTRY_DECIMALS),
    cost: toDatedAmount(lot.cost),
    ...lot.opened,
  })),
});

/** Replays a ledger entry by entry, in counting order. */
class Replay {
  readonly #rules: LedgerRules;
  readonly #cashSince: OrderedEntry | undefined;
  #isCashCounted = false;
  /** Converts quantities and prices. */
  readonly #piecesOf = rememberingFixedPoint(ENTRY_DECIMALS);
  /** Converts amounts and rates. */
  readonly #amountOf = rememberingFixedPoint(AMOUNT_DECIMALS);
  readonly #holdings = new Map<string, Holding>();
  readonly #cash: AccountCash;
  readonly #flows: Flow[] = [];
  readonly #closed: Closed[] = [];
  /** Holdings with sales that wait, or waited on this day. */
  readonly #waiting = new Set<Holding>();
  readonly #fees = new CurrencySums();
  readonly #taxes = new CurrencySums();
  readonly #accountFees = new CurrencySums();
  readonly #accountTaxes = new CurrencySums();
  readonly #interest = new CurrencySums();

  constructor(rules: LedgerRules, cashSince: OrderedEntry | undefined) {
    this.#rules = rules;
    this.#cashSince = cashSince;
    this.#cash = new AccountCash(rules.baseCurrency);
  }

  apply({ entry, day }: OrderedEntry): LedgerProblem | undefined {
    this.#isCashCounted ||= day === this.#cashSince?.day;
    switch (entry.kind) {
      case 'buy':
      case 'rights':
        this.#purchase(entry);
        break;
      case 'sell':
      case 'cash-in-lieu':
        this.#sale(entry);
        break;
      case 'split':
        return this.#split(entry);
      case 'dividend':
        this.#dividend(entry);
        break;
      case 'interest':
        this.#receiveInterest(entry);
        break;
      case 'tax':
        this.#tax(entry);
        break;
      case 'fx':
        this.#exchange(entry);
        break;
      case 'fee':
        this.#fee(entry);
        break;
      case 'deposit':
      case 'withdrawal':
        this.#moveMoney(entry);
        break;
    }
    return undefined;
  }

  endDay(): LedgerProblem | undefined {
    for (const holding of this.#waiting) {
      const problem = this.#oversold(holding);
      if (problem) return problem;
    }
    this.#waiting.clear();
    return this.#cash.endDay();
  }

  *state(): Steps<LedgerState> {
    const flows = this.#flows;
    const closed = this.#closed;
    let shownFlows: readonly ExternalFlow[] | undefined;
    let shownDisposals: readonly Disposal[] | undefined;
    const positions: Position[] = [];
    for (const { instrument, lots, dividends, firstDate, lastDate } of this.#holdings.values()) {
      positions.push({
        instrument,
        quantity: toDecimal(lots.quantity, ENTRY_DECIMALS),
        cost: toDatedAmount(lots.cost()),
        realised: toGain(lots.realised),
        dividends: toDatedAmount(dividends),
        firstDate,
        lastDate,
      });
      yield;
    }
    return {
      baseCurrency: this.#rules.baseCurrency,
      method: this.#rules.method,
      positions: positions.toSorted((a, b) => compareText(a.instrument.symbol, b.instrument.symbol)),
      cashSince: this.#cashSince?.entry.date,
      cash: this.#cash.balances(),
      // Flows are built on first access: there may be one for each trade, and only returns need them.
      get flows() {
        return (shownFlows ??= flows.map(toExternalFlow));
      },
      get disposals() {
        return (shownDisposals ??= closed.map(toDisposal));
      },
      fees: this.#fees.list(),
      taxes: this.#taxes.list(),
      accountFees: this.#accountFees.list(),
      accountTaxes: this.#accountTaxes.list(),
      interest: this.#interest.list(),
    };
  }

  #purchase(entry: Trade | RightsIssue): void {
    const holding = this.#holding(entry);
    this.#trade(entry, holding);
    for (const waiting of holding.waiting.splice(0)) this.#sale(waiting);
  }

  /** A sale of more than is held waits, because the order within a day may differ from the real one. */
  #sale(entry: Trade | CashInLieu): void {
    const holding = this.#holding(entry);
    const isShort = entry.kind === 'sell' && this.#rules.allowsShort;
    const quantity = entry.quantity ? this.#piecesOf(entry.quantity) : 0n;
    if (!isShort && quantity > 0n && quantity > holding.lots.quantity) {
      holding.waiting.push(entry);
      this.#waiting.add(holding);
    } else if (entry.kind === 'cash-in-lieu') this.#cashInLieu(entry, holding);
    else this.#trade(entry, holding);
  }

  /** The problem of the first sale that still waits. */
  #oversold({ waiting: [at], lots }: Holding): LedgerProblem | undefined {
    if (!at?.quantity) return undefined;
    const [held, wanted] = [lots.quantity, this.#piecesOf(at.quantity)];
    return {
      kind: 'oversold',
      at,
      held: toDecimal(held, ENTRY_DECIMALS),
      wanted: toDecimal(wanted, ENTRY_DECIMALS),
    };
  }

  #trade(entry: Trade | RightsIssue, { lots }: Holding): void {
    const isSale = entry.kind === 'sell';
    const quantity = this.#piecesOf(entry.quantity);
    const rate = this.#rateOf(entry);
    const gross = quantity * this.#piecesOf(entry.price);
    const charges =
      this.#charge(this.#fees, entry.currency, entry.fee, rate) +
      this.#charge(this.#taxes, entry.currency, entry.tax, rate);
    const paid = atRate((isSale ? -gross : gross) + charges, rate);
    const closing = lots.trade(isSale ? -quantity : quantity, paid, entry.date);
    if (closing) this.#closed.push({ entry, closing });
    this.#pay(entry, paid);
  }

  #charge(sums: CurrencySums, currency: Currency, charge: Decimal, rate: bigint | undefined): bigint {
    if (charge.isZero()) return 0n;
    const amount = this.#amountOf(charge);
    sums.add(currency, atRate(amount, rate));
    return amount;
  }

  #split(entry: Split): LedgerProblem | undefined {
    const known = this.#holdings.get(entry.instrument.symbol);
    if (!known || known.lots.quantity === 0n) return { kind: 'nothing-held', at: entry };
    // A waiting sale happened before the split, in shares of before.
    const problem = this.#oversold(known);
    if (!problem) this.#holding(entry).lots.split(entry.ratio);
    return problem;
  }

  #dividend(entry: Dividend): void {
    const holding = this.#holding(entry);
    const rate = this.#rateOf(entry);
    const tax = this.#charge(this.#taxes, entry.currency, entry.tax, rate);
    const received = atRate(this.#amountOf(entry.amount) - tax, rate);
    holding.dividends = plus(holding.dividends, received);
    this.#pay(entry, negated(received));
  }

  /** Sells the fraction; without a quantity, all of the cash is a gain. Never opens a short position. */
  #cashInLieu(entry: CashInLieu, { lots }: Holding): void {
    const quantity = entry.quantity ? this.#piecesOf(entry.quantity) : 0n;
    const paid = negated(atRate(this.#amountOf(entry.amount), this.#rateOf(entry)));
    const closing = quantity > 0n ? lots.trade(-quantity, paid, entry.date) : lots.gain(negated(paid));
    if (closing) this.#closed.push({ entry, closing });
    this.#pay(entry, paid);
  }

  #receiveInterest(entry: Interest): void {
    const rate = this.#rateOf(entry);
    const tax = this.#charge(this.#taxes, entry.currency, entry.tax, rate);
    const received = atRate(this.#amountOf(entry.amount) - tax, rate);
    this.#interest.add(entry.currency, received);
    this.#pay(entry, negated(received));
  }

  /** A tax of an instrument counts with its dividends; any other is a cost of the account. */
  #tax(entry: TaxPayment): void {
    const amount = atRate(this.#amountOf(entry.amount), this.#rateOf(entry));
    const paid = entry.isRefund ? negated(amount) : amount;
    this.#taxes.add(entry.currency, paid);
    const { instrument } = entry;
    if (instrument) {
      const holding = this.#holding({ ...entry, instrument });
      holding.dividends = minus(holding.dividends, paid);
    } else this.#accountTaxes.add(entry.currency, paid);
    this.#pay(entry, paid);
  }

  #fee(entry: AccountFee): void {
    const amount = atRate(this.#amountOf(entry.amount), this.#rateOf(entry));
    this.#fees.add(entry.currency, amount);
    this.#accountFees.add(entry.currency, amount);
    this.#pay(entry, amount);
  }

  #moveMoney(entry: CashMove): void {
    const amount = atRate(this.#amountOf(entry.amount), this.#rateOf(entry));
    if (entry.kind === 'deposit') {
      this.#cash.move(entry.currency, amount);
      this.#flow(entry, amount);
    } else {
      this.#cash.take(entry.currency, negated(amount), entry);
      this.#flow(entry, negated(amount));
    }
  }

  /** Both sides have the same value: that of what is given, unless the portfolio's own currency is received. */
  #exchange(entry: CurrencyExchange): void {
    const given = atRate(this.#amountOf(entry.amount), this.#rateOf(entry));
    const isIntoBase = entry.toCurrency === this.#rules.baseCurrency;
    const got = atRate(
      this.#amountOf(entry.toAmount),
      isIntoBase ? ONE_TO_ONE : entry.toRate && this.#amountOf(entry.toRate),
    );
    const base = isIntoBase ? got.base : (given.base ?? got.base);
    this.#cash.take(entry.currency, negated({ local: given.local, base }), entry);
    this.#cash.move(entry.toCurrency, { local: got.local, base });
  }

  /** Pays from the account (negative: into it), or from outside if cash is not counted. */
  #pay(entry: NewTransaction, amount: FixedAmount): void {
    if (this.#isCashCounted) this.#cash.move(entry.currency, negated(amount));
    else this.#flow(entry, amount);
  }

  #flow({ date, currency }: NewTransaction, amount: FixedAmount): void {
    this.#flows.push({ date, currency, amount });
  }

  #rateOf({ currency, rate }: NewTransaction): bigint | undefined {
    return currency === this.#rules.baseCurrency ? ONE_TO_ONE : rate && this.#amountOf(rate);
  }

  #holding({ instrument, date }: Pick<Trade, 'instrument' | 'date'>): Holding {
    const holding = this.#holdings.getOrInsertComputed(instrument.symbol, () => ({
      instrument,
      lots: new LotBook(this.#rules.method),
      dividends: NOTHING,
      firstDate: date,
      lastDate: date,
      waiting: [],
    }));
    holding.instrument = instrument;
    holding.lastDate = date;
    return holding;
  }
}

const MONEY_KINDS: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'fx']);

/** An entry that only moves cash; cash is counted from the first of these on. */
export const isMoneyMove = ({ kind }: NewTransaction): boolean => MONEY_KINDS.has(kind);

const APPLIED_A_STEP = 16;

const replayed = function* (
  entries: readonly OrderedEntry[],
  replay: Replay,
): Steps<LedgerProblem | undefined> {
  let today = entries[0]?.day;
  for (const [index, ordered] of entries.entries()) {
    const problem = (ordered.day === today ? undefined : replay.endDay()) ?? replay.apply(ordered);
    if (problem) return problem;
    today = ordered.day;
    if (index % APPLIED_A_STEP === 0) yield;
  }
  return replay.endDay();
};

/** The caller guarantees that an entry's currency is that of its instrument. */
export const deriveLedger: DeriveLedger = function* (transactions, rules) {
  const entries = yield* orderEntries(transactions);
  const replay = new Replay(
    rules,
    entries.find(({ entry }) => isMoneyMove(entry)),
  );
  const problem = yield* replayed(entries, replay);
  return problem ? { status: 'refused', problem } : { status: 'ok', state: yield* replay.state() };
};
