import {
  type AccountFee,
  type CapitalReturn,
  type CashInLieu,
  type CashMove,
  type CashTransfer,
  type CurrencyExchange,
  type Dividend,
  type Interest,
  isOpening,
  type NewTransaction,
  type RightsIssue,
  type ShareExchange,
  type ShareTransfer,
  type Split,
  type TaxPayment,
  type Trade,
  type CostMethod,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { AccountCash, CurrencySums } from './cash.ts';
import {
  AMOUNT_DECIMALS,
  atRate,
  ENTRY_DECIMALS,
  type FixedAmount,
  minus,
  negated,
  ONE_TO_ONE,
  plus,
  rememberingFixedPoint,
  toDatedAmount,
  toDecimal,
  ZERO,
  NOTHING,
  toGain,
} from './fixed-point.ts';
import type {
  Disposal,
  ExternalFlow,
  LedgerProblem,
  LedgerRules,
  LedgerState,
  Moved,
  Position,
} from './ledger-state.ts';
import {
  type Closed,
  costOf,
  exchangeLots,
  type Flow,
  toDisposal,
  toExternalFlow,
  lotsOf,
  toMovedLot,
} from './exchange-lots.ts';
import { compareText, type OrderedEntry } from './order-entries.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { LotBook } from './lots.ts';

/** Replays a ledger entry by entry, in counting order. */
export class Replay {
  readonly #rules: LedgerRules;
  readonly #cashSince: OrderedEntry | undefined;
  #isCashCounted = false;
  /** Converts quantities and prices. */
  readonly #piecesOf = rememberingFixedPoint(ENTRY_DECIMALS);
  /** Converts amounts and rates. */
  readonly #amountOf = rememberingFixedPoint(AMOUNT_DECIMALS);
  readonly #holdings = new Map<string, LedgerHolding>();
  readonly #cash: AccountCash;
  readonly #flows: Flow[] = [];
  readonly #closed: Closed[] = [];
  readonly #moved: Moved[] = [];
  /** Holdings with sales that wait, or waited on this day. */
  readonly #waiting = new Set<LedgerHolding>();
  readonly #fees = new CurrencySums();
  readonly #taxes = new CurrencySums();
  readonly #accountFees = new CurrencySums();
  readonly #accountTaxes = new CurrencySums();
  readonly #dividendTaxes = new CurrencySums();
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
      case 'spin-off':
      case 'merger':
        return this.#exchangeShares(entry);
      case 'capital-return':
        return this.#repay(entry);
      case 'transfer-out':
        return 'instrument' in entry ? this.#moveOut(entry) : this.#moveCash(entry);
      case 'transfer-in':
        return 'instrument' in entry ? this.#moveIn(entry) : this.#moveCash(entry);
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
    for (const holding of this.#holdings.values()) {
      positions.push(positionOf(holding));
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
      moved: this.#moved,
      fees: this.#fees.list(),
      taxes: this.#taxes.list(),
      accountFees: this.#accountFees.list(),
      accountTaxes: this.#accountTaxes.list(),
      dividendTaxes: this.#dividendTaxes.list(),
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

  /** The problem of the first sale that still waits, or of an entry that takes more shares than are held. */
  #oversold(
    { waiting, lots }: LedgerHolding,
    at: NewTransaction | undefined = waiting[0],
  ): LedgerProblem | undefined {
    const wanted = at && 'quantity' in at && at.quantity ? this.#piecesOf(at.quantity) : 0n;
    if (!at || wanted <= lots.quantity) return undefined;
    const [held, asked] = [lots.quantity, wanted].map((pieces) => toDecimal(pieces, ENTRY_DECIMALS));
    return { kind: 'oversold', at, held: held ?? ZERO, wanted: asked ?? ZERO };
  }

  #trade(entry: Trade | RightsIssue, { lots }: LedgerHolding): void {
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

  #heldIn(entry: ShareExchange | CapitalReturn | ShareTransfer): LedgerHolding | LedgerProblem {
    const known = this.#holdings.get(entry.instrument.symbol);
    if (!known || known.lots.quantity <= 0n) return { kind: 'nothing-held', at: entry };
    return this.#oversold(known, entry) ?? this.#oversold(known) ?? this.#holding(entry);
  }

  /** Shares that go for money are sold; of the others the cost and the days of purchase move along. */
  #exchangeShares(entry: ShareExchange): LedgerProblem | undefined {
    const from = this.#heldIn(entry);
    if ('kind' in from) return from;
    const to = this.#holding({ instrument: entry.toInstrument, date: entry.date });
    if (to.lots.quantity < 0n) return { kind: 'sold-short', at: entry };
    const isGone = this.#piecesOf(entry.quantity) === from.lots.quantity;
    if (isGone && entry.percent?.lessThan(100)) return { kind: 'spun-away', at: entry };
    const paid = entry.amount && negated(atRate(this.#amountOf(entry.amount), this.#rateOf(entry)));
    const closing = exchangeLots(entry, { from: from.lots, to: to.lots }, paid, this.#piecesOf);
    if (closing) this.#closed.push({ entry, closing });
    if (paid) this.#pay(entry, paid);
    return undefined;
  }

  #repay(entry: CapitalReturn): LedgerProblem | undefined {
    const holding = this.#heldIn(entry);
    if ('kind' in holding) return holding;
    const { lots } = holding;
    const paid = atRate(this.#amountOf(entry.amount), this.#rateOf(entry));
    const closing = entry.quantity
      ? lots.redeem(this.#piecesOf(entry.quantity), negated(paid))
      : lots.repay(paid, lots.quantity);
    if (closing) this.#closed.push({ entry, closing });
    this.#pay(entry, negated(paid));
    return undefined;
  }

  #moveOut(entry: ShareTransfer): LedgerProblem | undefined {
    const holding = this.#heldIn(entry);
    if ('kind' in holding) return holding;
    const lots = holding.lots.moveOut(this.#piecesOf(entry.quantity));
    const cost = costOf(lots);
    const told = entry.lots.reduce((sum, lot) => sum + this.#amountOf(lot.cost), 0n);
    if (this.#rules.keepsMoved && entry.lots.length > 0 && told !== cost.local)
      return { kind: 'moved-cost', at: entry };
    this.#moved.push({ entry, lots: lots.map(toMovedLot), cost: toDatedAmount(cost) });
    this.#flow(entry, negated(cost));
    return undefined;
  }

  #moveIn(entry: ShareTransfer): LedgerProblem | undefined {
    const holding = this.#holding(entry);
    if (holding.lots.quantity < 0n) return { kind: 'sold-short', at: entry };
    const isInBase = entry.currency === this.#rules.baseCurrency;
    const lots = lotsOf(entry, isInBase, this.#piecesOf, this.#amountOf);
    holding.lots.moveIn(lots);
    this.#flow(entry, costOf(lots));
    for (const waiting of holding.waiting.splice(0)) this.#sale(waiting);
    return undefined;
  }

  #moveCash(entry: CashTransfer): undefined {
    const amount = atRate(this.#amountOf(entry.amount), this.#rateOf(entry));
    if (entry.kind === 'transfer-in') {
      this.#cash.move(entry.currency, amount);
      this.#flow(entry, amount);
      return;
    }
    const taken = this.#cash.takeAtCost(entry.currency, amount, entry);
    this.#moved.push({ entry, lots: [], cost: toDatedAmount(taken) });
    this.#flow(entry, negated(taken));
  }

  #dividend(entry: Dividend): void {
    const holding = this.#holding(entry);
    const rate = this.#rateOf(entry);
    const tax = this.#charge(this.#taxes, entry.currency, entry.tax, rate);
    if (tax !== 0n) this.#dividendTaxes.add(entry.currency, atRate(tax, rate));
    const received = atRate(this.#amountOf(entry.amount) - tax, rate);
    holding.dividends = plus(holding.dividends, received);
    this.#pay(entry, negated(received));
  }

  /** Sells the fraction; without a quantity, all of the cash is a gain. Never opens a short position. */
  #cashInLieu(entry: CashInLieu, { lots }: LedgerHolding): void {
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
      this.#dividendTaxes.add(entry.currency, paid);
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

  /** Pays from the account (negative: into it). What was held before, and all if cash is not counted, is paid from outside. */
  #pay(entry: NewTransaction, amount: FixedAmount): void {
    if (this.#isCashCounted && !isOpening(entry)) this.#cash.move(entry.currency, negated(amount));
    else this.#flow(entry, amount);
  }

  #flow({ date, currency }: NewTransaction, amount: FixedAmount): void {
    this.#flows.push({ date, currency, amount });
  }

  #rateOf({ currency, rate }: NewTransaction): bigint | undefined {
    return currency === this.#rules.baseCurrency ? ONE_TO_ONE : rate && this.#amountOf(rate);
  }

  #holding({ instrument, date }: Pick<Trade, 'instrument' | 'date'>): LedgerHolding {
    const holding = this.#holdings.getOrInsertComputed(instrument.symbol, () =>
      newHolding(instrument, date, this.#rules.method),
    );
    holding.instrument = instrument;
    holding.lastDate = date;
    return holding;
  }
}

/** The state of one instrument. */
interface LedgerHolding {
  instrument: Instrument;
  readonly lots: LotBook;
  dividends: FixedAmount;
  readonly firstDate: Temporal.PlainDate;
  lastDate: Temporal.PlainDate;
  /** Sales of more than is held at their place in the day wait for a purchase of the same day. */
  readonly waiting: (Trade | CashInLieu)[];
}

const newHolding = (instrument: Instrument, date: Temporal.PlainDate, method: CostMethod): LedgerHolding => ({
  instrument,
  lots: new LotBook(method),
  dividends: NOTHING,
  firstDate: date,
  lastDate: date,
  waiting: [],
});

const positionOf = ({ instrument, lots, dividends, firstDate, lastDate }: LedgerHolding): Position => ({
  instrument,
  quantity: toDecimal(lots.quantity, ENTRY_DECIMALS),
  cost: toDatedAmount(lots.cost()),
  realised: toGain(lots.realised),
  dividends: toDatedAmount(dividends),
  firstDate,
  lastDate,
});
