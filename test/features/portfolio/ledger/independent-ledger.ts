import {
  type Fraction,
  ZERO,
  read,
  add,
  neg,
  sub,
  mul,
  abs,
  isLess,
  part,
  rounded,
  write,
  text,
  type Both,
  type Maybe,
  NOTHING,
  both,
  plus,
  minus,
  partOf,
  turned,
  type Lot,
  currentHoldings,
  takeOldest,
  costOf,
  divided,
  type PlainEntry,
  inOrder,
  isMoney,
} from './independent-lots.ts';

/**
 * The rules of docs/portfolio-maths.md once more, in fractions of whole numbers. It shares no code with the ledger that
 * it is compared with, and takes and gives plain text.
 */

export interface PlainRules {
  readonly baseCurrency: string;
  readonly method: string;
  readonly allowsShort: boolean;
}

interface Account {
  lots: Lot[];
  realised: Both;
  fromPrice: Maybe;
  dividends: Both;
  waiting: PlainEntry[];
}
interface Pool {
  amount: Fraction;
  cost: Maybe;
  realised: Maybe;
}

/** Why an entry cannot take pieces from a holding. */
const lacks = (account: Account | undefined, pieces: Fraction): string | undefined => {
  if (!account || currentHoldings(account).n <= 0n) return 'nothing-held';
  const isMore = isLess(currentHoldings(account), pieces);
  return isMore || account.waiting.length > 0 ? 'oversold' : undefined;
};

const pair = ({ own, base }: Both): string => `${write(own)} ${text(base)}`;

/** All figures as text, or why there is no such ledger. */
export const independentLedger = (entries: readonly PlainEntry[], rules: PlainRules): unknown => {
  const accounts = new Map<string, Account>();
  const pools = new Map<string, Pool>();
  const sums = new Map<string, Both>();
  const flows: string[] = [];
  const ordered = inOrder(entries);
  const cashSince = ordered.find(isMoney)?.date;
  const rateOf = (currency: string, rate: string | undefined): Maybe =>
    currency === rules.baseCurrency ? read('1') : rate === undefined ? undefined : read(rate);
  const worth = ({ currency, rate }: PlainEntry, own: Fraction): Both => ({
    own,
    base: both(own, rateOf(currency, rate), mul),
  });
  const count = (what: string, currency: string, amount: Both): void => {
    sums.set(`${what} ${currency}`, plus(sums.get(`${what} ${currency}`) ?? NOTHING, amount));
  };
  const accountOf = (symbol: string): Account => {
    const made = { lots: [], realised: NOTHING, fromPrice: ZERO, dividends: NOTHING, waiting: [] };
    const account = accounts.get(symbol) ?? made;
    accounts.set(symbol, account);
    return account;
  };

  const poolMoves = (currency: string, { own, base }: Both): void => {
    const pool = pools.get(currency) ?? { amount: ZERO, cost: ZERO, realised: ZERO };
    pools.set(currency, pool);
    const before = pool.amount;
    const after = add(before, own);
    pool.amount = after;
    if (currency === rules.baseCurrency) return;
    const settle = (cost: Maybe, value: Maybe): void => {
      pool.realised = both(pool.realised, both(cost, value, add), sub);
    };
    if (before.n === 0n || before.n < 0n === own.n < 0n) pool.cost = both(pool.cost, base, add);
    else if (after.n === 0n) {
      settle(pool.cost, base);
      pool.cost = ZERO;
    } else if (after.n < 0n === before.n < 0n) {
      const going = pool.cost && part(pool.cost, abs(own), abs(before));
      settle(going, base);
      pool.cost = both(pool.cost, going, sub);
    } else {
      const closing = base && part(base, abs(before), abs(own));
      settle(pool.cost, closing);
      pool.cost = both(base, closing, sub);
    }
  };
  const flow = ({ date, currency }: PlainEntry, { own, base }: Both): void => {
    flows.push(`${date} ${currency} ${write(own)} ${base ? write(base) : '?'}`);
  };
  /** Receives cash, or pays it if negative: in the account, or from outside while no cash is counted. */
  const receive = (entry: PlainEntry, amount: Both): void => {
    if (cashSince !== undefined && entry.date >= cashSince) poolMoves(entry.currency, amount);
    else flow(entry, turned(amount));
  };

  const close = (account: Account, cost: Both, value: Both): void => {
    const gain = minus(value, cost);
    account.realised = plus(account.realised, gain);
    const byPrice =
      gain.base && cost.base && (cost.own.n === 0n ? gain.base : part(cost.base, gain.own, cost.own));
    account.fromPrice = both(account.fromPrice, byPrice, add);
  };
  /** At average cost there is one lot; else the lots stand in the order of their purchase. */
  const insert = (account: Account, added: Lot): void => {
    const [lot] = account.lots;
    if (rules.method === 'average' && lot) {
      lot.pieces = add(lot.pieces, added.pieces);
      lot.cost = plus(lot.cost, added.cost);
      if (added.first < lot.first) lot.first = added.first;
      if (added.last > lot.last) lot.last = added.last;
      return;
    }
    const later = account.lots.findIndex(({ first }) => first > added.first);
    account.lots.splice(later === -1 ? account.lots.length : later, 0, { ...added });
  };
  const open = (account: Account, pieces: Fraction, cost: Both, day: string): void => {
    insert(account, { pieces, cost, first: day, last: day });
  };
  /** Takes pieces and a part of the cost of every lot. Returns the lots as they were, with the cost that went. */
  const release = (account: Account, pieces: Fraction, of: Fraction, whole: Fraction): readonly Lot[] => {
    const before = account.lots;
    const kept = divided(sub(currentHoldings(account), pieces), before);
    const gone = before.map((lot) => ({ ...lot, cost: partOf(lot.cost, of, whole) }));
    account.lots = [];
    for (const [index, lot] of before.entries()) {
      const cost = minus(lot.cost, gone[index]?.cost ?? NOTHING);
      const left = kept[index] ?? ZERO;
      if (left.n > 0n) insert(account, { ...lot, pieces: left, cost });
    }
    return gone;
  };
  /** `pieces` come, or go below zero, for what is paid, or got below zero. */
  const trade = (account: Account, pieces: Fraction, paid: Both, day: string): void => {
    const held = currentHoldings(account);
    if (held.n === 0n || held.n < 0n === pieces.n < 0n) {
      open(account, pieces, paid, day);
      return;
    }
    const rest = add(held, pieces);
    const isThrough = rest.n !== 0n && rest.n < 0n !== held.n < 0n;
    const closing = isThrough ? partOf(paid, abs(held), abs(pieces)) : paid;
    const going = takeOldest(account, isThrough ? abs(held) : abs(pieces));
    close(account, costOf(going), turned(closing));
    if (isThrough) open(account, rest, minus(paid, closing), day);
  };
  const redeem = (account: Account, pieces: Fraction, value: Both): void => {
    close(account, costOf(release(account, pieces, pieces, currentHoldings(account))), value);
  };

  /** Charges count in their sums, and in what is paid. */
  const exchangeOfPieces = (entry: PlainEntry, account: Account): void => {
    const isOut = entry.kind === 'sell';
    const pieces = read(entry.quantity);
    const [fee, tax] = [read(entry.fee), read(entry.tax)];
    if (fee.n !== 0n) count('fees', entry.currency, worth(entry, fee));
    if (tax.n !== 0n) count('taxes', entry.currency, worth(entry, tax));
    const gross = mul(pieces, read(entry.price));
    const paid = worth(entry, add(isOut ? neg(gross) : gross, add(fee, tax)));
    trade(account, isOut ? neg(pieces) : pieces, paid, entry.date);
    receive(entry, turned(paid));
  };
  const sell = (entry: PlainEntry, account: Account): void => {
    const pieces = read(entry.quantity);
    const maySell = entry.kind === 'sell' && rules.allowsShort;
    if (!maySell && pieces.n !== 0n && isLess(currentHoldings(account), pieces)) account.waiting.push(entry);
    else if (entry.kind === 'sell') exchangeOfPieces(entry, account);
    else {
      const amount = worth(entry, read(entry.amount));
      if (pieces.n === 0n) close(account, NOTHING, amount);
      else trade(account, neg(pieces), turned(amount), entry.date);
      receive(entry, amount);
    }
  };

  /** A spin-off or a merger: what goes for cash is sold evenly from all lots, the rest moves with its cost. */
  const exchangeShares = (entry: PlainEntry, from: Account, to: Account): string | undefined => {
    let given = read(entry.quantity);
    const received = read(entry.toQuantity);
    const isAll = !isLess(given, currentHoldings(from));
    if (currentHoldings(to).n < 0n) return 'sold-short';
    if (entry.percent !== undefined && isAll && entry.percent !== '100') return 'spun-away';
    if (entry.amount !== undefined) {
      const cash = worth(entry, read(entry.amount));
      const sold = part(given, cash.own, add(cash.own, mul(received, read(entry.price))));
      redeem(from, sold, cash);
      given = sub(given, sold);
      receive(entry, cash);
    }
    const isSplit = entry.percent !== undefined;
    const gone = release(
      from,
      given,
      isSplit ? read(entry.percent) : given,
      isSplit ? read('100') : currentHoldings(from),
    );
    for (const [index, pieces] of divided(received, gone).entries()) {
      const lot = gone[index];
      if (lot) insert(to, { ...lot, pieces });
    }
    return undefined;
  };
  const repay = (entry: PlainEntry, account: Account): void => {
    const amount = worth(entry, read(entry.amount));
    const held = currentHoldings(account);
    const cost = costOf(account.lots);
    if (entry.quantity !== undefined) redeem(account, read(entry.quantity), amount);
    else if (isLess(amount.own, cost.own))
      for (const lot of account.lots) lot.cost = minus(lot.cost, partOf(amount, lot.pieces, held));
    else {
      for (const lot of account.lots) lot.cost = NOTHING;
      close(account, cost, amount);
    }
    receive(entry, amount);
  };

  const taken = new Set<string>();
  const moveMoney = (entry: PlainEntry, amount: Both): void => {
    const pool = pools.get(entry.currency);
    const isIn = entry.kind === 'transfer-in';
    const there = pool?.amount ?? ZERO;
    const cost = entry.currency === rules.baseCurrency ? there : pool?.cost;
    const isThere = there.n > 0n && !isLess(there, amount.own);
    const base = !isIn && isThere && cost ? part(cost, amount.own, there) : amount.base;
    const moved = { own: amount.own, base };
    if (!isIn) taken.add(entry.currency);
    poolMoves(entry.currency, isIn ? moved : turned(moved));
    flow(entry, isIn ? moved : turned(moved));
  };
  const endOfDay = (): string | undefined => {
    if ([...accounts.values()].some(({ waiting }) => waiting.length > 0)) return 'oversold';
    const isOverdrawn = [...taken].some((currency) => (pools.get(currency)?.amount.n ?? 0n) < 0n);
    taken.clear();
    return isOverdrawn ? 'overdrawn' : undefined;
  };
  const apply = (entry: PlainEntry): string | undefined => {
    const account = entry.symbol === undefined ? undefined : accountOf(entry.symbol);
    const amount = worth(entry, read(entry.amount));
    switch (entry.kind) {
      case 'buy':
      case 'rights':
        if (!account) break;
        exchangeOfPieces(entry, account);
        for (const waiting of account.waiting.splice(0)) sell(waiting, account);
        break;
      case 'sell':
      case 'cash-in-lieu':
        if (account) sell(entry, account);
        break;
      case 'split':
        if (!account || currentHoldings(account).n === 0n) return 'nothing-held';
        if (account.waiting.length > 0) return 'oversold';
        for (const lot of account.lots) lot.pieces = rounded(mul(lot.pieces, read(entry.ratio)));
        break;
      case 'dividend':
      case 'interest': {
        const tax = worth(entry, read(entry.tax));
        if (tax.own.n !== 0n) count('taxes', entry.currency, tax);
        const net = minus(amount, tax);
        if (account) account.dividends = plus(account.dividends, net);
        else count('interest', entry.currency, net);
        receive(entry, net);
        break;
      }
      case 'tax': {
        const paid = entry.isRefund ? turned(amount) : amount;
        count('taxes', entry.currency, paid);
        if (account) account.dividends = minus(account.dividends, paid);
        else count('accountTaxes', entry.currency, paid);
        receive(entry, turned(paid));
        break;
      }
      case 'fee':
        count('fees', entry.currency, amount);
        count('accountFees', entry.currency, amount);
        receive(entry, turned(amount));
        break;
      case 'deposit':
        poolMoves(entry.currency, amount);
        flow(entry, amount);
        break;
      case 'withdrawal':
        taken.add(entry.currency);
        poolMoves(entry.currency, turned(amount));
        flow(entry, turned(amount));
        break;
      case 'fx': {
        const to = entry.toCurrency ?? '';
        const own = read(entry.toAmount);
        const got = both(own, rateOf(to, entry.toRate), mul);
        const base = to === rules.baseCurrency ? got : (amount.base ?? got);
        taken.add(entry.currency);
        poolMoves(entry.currency, turned({ own: amount.own, base }));
        poolMoves(to, { own, base });
        break;
      }
      case 'spin-off':
      case 'merger': {
        const problem = lacks(account, read(entry.quantity));
        if (!account || problem !== undefined) return problem;
        return exchangeShares(entry, account, accountOf(entry.toSymbol ?? ''));
      }
      case 'capital-return': {
        const problem = lacks(account, read(entry.quantity));
        if (!account || problem !== undefined) return problem;
        repay(entry, account);
        break;
      }
      case 'transfer-out': {
        if (!account) {
          moveMoney(entry, amount);
          break;
        }
        const problem = lacks(account, read(entry.quantity));
        if (problem !== undefined) return problem;
        flow(entry, turned(costOf(takeOldest(account, read(entry.quantity)))));
        break;
      }
      case 'transfer-in': {
        if (!account) {
          moveMoney(entry, amount);
          break;
        }
        if (currentHoldings(account).n < 0n) return 'sold-short';
        const lots = (entry.lots ?? []).map(({ quantity, cost, costBase, first, last }) => {
          const own = read(cost);
          const isBase = entry.currency === rules.baseCurrency;
          const base = isBase ? own : costBase === undefined ? undefined : read(costBase);
          return { pieces: read(quantity), cost: { own, base }, first, last };
        });
        for (const lot of lots) insert(account, lot);
        flow(entry, costOf(lots));
        for (const waiting of account.waiting.splice(0)) sell(waiting, account);
        break;
      }
      default:
        throw new Error(`no rule for ${entry.kind}`);
    }
    return undefined;
  };

  let today = ordered[0]?.date;
  for (const entry of ordered) {
    const problem = (entry.date === today ? undefined : endOfDay()) ?? apply(entry);
    if (problem !== undefined) return { refused: problem };
    today = entry.date;
  }
  const last = endOfDay();
  if (last !== undefined) return { refused: last };

  return {
    positions: [...accounts]
      .map(([symbol, account]) => {
        const cost = account.lots.reduce((sum, lot) => plus(sum, lot.cost), NOTHING);
        const { realised, fromPrice, dividends } = account;
        const byPrice = realised.base && fromPrice ? write(fromPrice) : '?';
        return `${symbol} ${write(currentHoldings(account))} cost ${pair(cost)} realised ${pair(realised)} by price ${byPrice} dividends ${pair(dividends)}`;
      })
      .toSorted(),
    cash: [...pools]
      .map(([currency, { amount, cost, realised }]) => {
        const isBase = currency === rules.baseCurrency;
        return `${currency} ${write(amount)} ${isBase ? write(amount) : text(cost)} ${text(realised)}`;
      })
      .toSorted(),
    sums: [...sums].map(([what, amount]) => `${what} ${pair(amount)}`).toSorted(),
    flows,
  };
};
