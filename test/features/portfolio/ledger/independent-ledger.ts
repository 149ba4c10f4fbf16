/**
 * The rules of docs/portfolio-maths.md once more, in fractions of whole numbers. It shares no code with the ledger that
 * it is compared with, and takes and gives plain text.
 */
export interface PlainEntry {
  readonly kind: string;
  readonly date: string;
  readonly time?: string;
  readonly number: number;
  readonly symbol?: string;
  readonly currency: string;
  readonly rate?: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly fee?: string;
  readonly tax?: string;
  readonly amount?: string;
  readonly ratio?: string;
  readonly isRefund?: boolean;
  readonly toAmount?: string;
  readonly toCurrency?: string;
  readonly toRate?: string;
}

export interface PlainRules {
  readonly baseCurrency: string;
  readonly method: string;
  readonly allowsShort: boolean;
}

interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const ZERO: Fraction = { n: 0n, d: 1n };
const read = (text: string | undefined): Fraction => {
  const [whole = '0', decimals = ''] = (text ?? '0').split('.');
  return { n: BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) };
};
const add = (a: Fraction, b: Fraction): Fraction => {
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d };
  if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d };
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
};
const neg = (a: Fraction): Fraction => ({ n: -a.n, d: a.d });
const sub = (a: Fraction, b: Fraction): Fraction => add(a, neg(b));
const mul = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const abs = (a: Fraction): Fraction => (a.n < 0n ? neg(a) : a);
const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
const CUT = 10n ** 18n;
/** `a × part / whole`, cut off after the 18th decimal. */
const part = (a: Fraction, of: Fraction, whole: Fraction): Fraction => ({
  n: (a.n * of.n * whole.d * CUT) / (a.d * of.d * whole.n),
  d: CUT,
});
const rounded = (a: Fraction): Fraction => {
  const size = abs(a);
  const n = (size.n * CUT * 2n + size.d) / (size.d * 2n);
  return { n: a.n < 0n ? -n : n, d: CUT };
};
const write = (a: Fraction): string => {
  const digits = String(a.d).length - 1;
  if (a.d !== 10n ** BigInt(digits)) throw new Error('not a decimal fraction');
  const text = String(a.n < 0n ? -a.n : a.n).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const decimals = text.slice(text.length - digits).replace(/0+$/u, '');
  return `${a.n < 0n ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
};

const text = (value: Fraction | undefined): string => (value ? write(value) : '?');

/** In its own currency and in the portfolio's; the second is missing where a rate is. */
interface Both {
  readonly own: Fraction;
  readonly base: Fraction | undefined;
}
type Maybe = Fraction | undefined;
const NOTHING: Both = { own: ZERO, base: ZERO };
const both = (a: Maybe, b: Maybe, join: (a: Fraction, b: Fraction) => Fraction): Maybe =>
  a && b ? join(a, b) : undefined;
const plus = (a: Both, b: Both): Both => ({ own: add(a.own, b.own), base: both(a.base, b.base, add) });
const minus = (a: Both, b: Both): Both => ({ own: sub(a.own, b.own), base: both(a.base, b.base, sub) });
const partOf = (a: Both, of: Fraction, whole: Fraction): Both => ({
  own: part(a.own, of, whole),
  base: a.base && part(a.base, of, whole),
});
const turned = (a: Both): Both => minus(NOTHING, a);

interface Lot {
  pieces: Fraction;
  cost: Both;
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

const currentHoldings = ({ lots }: Account): Fraction =>
  lots.reduce((sum, { pieces }) => add(sum, pieces), ZERO);

/** The order within a day: splits without a time, entries with a time, the rest. */
const placeOf = ({ kind, time }: PlainEntry): string =>
  time === undefined ? (kind === 'split' ? '' : '~') : time;

const MONEY = new Set(['deposit', 'withdrawal', 'fx']);

const inOrder = (entries: readonly PlainEntry[]): readonly PlainEntry[] => {
  const key = (entry: PlainEntry): string =>
    [entry.date, placeOf(entry), String(entry.number).padStart(9, '0')].join(' ');
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** All figures as text, or why there is no such ledger. */
export const independentLedger = (entries: readonly PlainEntry[], rules: PlainRules): unknown => {
  const accounts = new Map<string, Account>();
  const pools = new Map<string, Pool>();
  const sums = new Map<string, Both>();
  const flows: string[] = [];
  const ordered = inOrder(entries);
  const cashSince = ordered.find(({ kind }) => MONEY.has(kind))?.date;
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
  const open = (account: Account, pieces: Fraction, cost: Both): void => {
    const [lot] = account.lots;
    if (rules.method === 'average' && lot) {
      lot.pieces = add(lot.pieces, pieces);
      lot.cost = plus(lot.cost, cost);
    } else account.lots.push({ pieces, cost });
  };
  /** `pieces` come, or go below zero, for what is paid, or got below zero. */
  const trade = (account: Account, pieces: Fraction, paid: Both): void => {
    const held = currentHoldings(account);
    if (held.n === 0n || held.n < 0n === pieces.n < 0n) {
      open(account, pieces, paid);
      return;
    }
    const rest = add(held, pieces);
    const isThrough = rest.n !== 0n && rest.n < 0n !== held.n < 0n;
    const closing = isThrough ? partOf(paid, abs(held), abs(pieces)) : paid;
    let left = isThrough ? abs(held) : abs(pieces);
    let cost = NOTHING;
    while (left.n !== 0n) {
      const [lot] = account.lots;
      if (!lot) throw new Error('more was taken than is there');
      if (isLess(left, abs(lot.pieces))) {
        const taken = partOf(lot.cost, left, abs(lot.pieces));
        cost = plus(cost, taken);
        lot.cost = minus(lot.cost, taken);
        lot.pieces = lot.pieces.n < 0n ? add(lot.pieces, left) : sub(lot.pieces, left);
        left = ZERO;
      } else {
        cost = plus(cost, lot.cost);
        left = sub(left, abs(lot.pieces));
        account.lots.shift();
      }
    }
    close(account, cost, turned(closing));
    if (isThrough) open(account, rest, minus(paid, closing));
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
    trade(account, isOut ? neg(pieces) : pieces, paid);
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
      else trade(account, neg(pieces), turned(amount));
      receive(entry, amount);
    }
  };

  const taken = new Set<string>();
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

  const pair = ({ own, base }: Both): string => `${write(own)} ${text(base)}`;
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
