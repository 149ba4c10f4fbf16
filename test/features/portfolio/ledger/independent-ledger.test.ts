import { describe, expect, it } from 'vitest';
import type { MovedLot, NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import type { DatedAmount, DerivedLedger, LedgerRules } from '#src/features/portfolio/ledger/ledger-state.ts';
import { independentLedger } from './independent-ledger.ts';
import type { PlainEntry, PlainLot } from './independent-lots.ts';
import { APPLE, SAMSUNG, TOYOTA } from './ledger-entries.ts';

/** A company that comes out of Apple, or that takes it over. */
const KID = { ...APPLE, symbol: 'KID', ticker: 'KID' };
const INSTRUMENTS = [SAMSUNG, APPLE, TOYOTA, KID];
const RATIOS = ['4', '0.1', '1.5'];
const CURRENCIES = ['KRW', 'USD', 'JPY'];

/** The same numbers on every run. */
const seeded = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};
type Random = ReturnType<typeof seeded>;

const decimal = (random: Random, most: number, decimals: number): string =>
  new Decimal(random(most * 10 ** decimals) + 1).div(10 ** decimals).toFixed();

/** Shares that come from another portfolio, the oldest first. */
const anyLots = (random: Random): readonly PlainLot[] =>
  Array.from({ length: 1 + random(3) }, (_, index) => ({
    quantity: decimal(random, 20, random(2) === 0 ? 4 : 0),
    cost: decimal(random, 900, 2),
    costBase: decimal(random, 9_000, 3),
    first: `2025-0${index + 1}-01`,
    last: `2025-0${index + 1}-${10 + random(10)}`,
  }));

const whole = (numbers: readonly string[]): string =>
  numbers.reduce((sum, each) => sum.plus(each), new Decimal(0)).toFixed();

/** A few days with several entries each; more often than not one that can be. */
const anyLedger = (
  random: Random,
): { readonly entries: readonly PlainEntry[]; readonly rules: LedgerRules } => {
  const rules: LedgerRules = {
    baseCurrency: random(2) === 0 ? 'KRW' : 'USD',
    method: random(2) === 0 ? 'average' : 'fifo',
    allowsShort: random(4) === 0,
  };
  const hasMoney = random(3) > 0;
  const lacksRates = random(6) === 0;
  /** Whether companies divide, merge and pay capital back, and shares and money move between portfolios. */
  const hasMoves = random(2) === 0;
  const held = new Map<string, Decimal>();
  let day = 1;
  const count = 5 + random(21);
  const entries = Array.from({ length: count }, (_, index): PlainEntry => {
    if (random(3) === 0) day += 1;
    const wish = hasMoves && random(3) === 0 ? 20 + random(hasMoney ? 7 : 5) : random(hasMoney ? 20 : 16);
    // A split has something from the day before; a sale is not put before what it sells.
    if (wish === 10) day += 1;
    const isBackdated = random(10) === 0 && (wish < 6 || (wish > 12 && wish < 20));
    const of = INSTRUMENTS[random(hasMoves ? 4 : 3)] ?? SAMSUNG;
    const { symbol } = of;
    const inHand = held.get(symbol) ?? new Decimal(0);
    const common = (currency: string) => ({
      date: `2026-03-${String(isBackdated ? 1 + random(day) : day).padStart(2, '0')}`,
      number: index + 1,
      currency,
      ...(random(4) === 0 && { time: `${10 + random(10)}:${10 + random(50)}` }),
      ...(lacksRates && random(5) === 0 ? {} : { rate: decimal(random, 20, 3) }),
    });
    const charges = { fee: decimal(random, 2, 2), tax: random(2) === 0 ? '0' : '0.07' };
    const price = decimal(random, 300, random(3) === 0 ? 4 : 2);
    const move = (quantity: Decimal): void => {
      held.set(symbol, inHand.plus(quantity));
    };
    const currency = CURRENCIES[random(3)] ?? 'KRW';
    const amount = decimal(random, 300, 2);
    if (index < 3 && hasMoney)
      return { kind: 'deposit', amount: decimal(random, 3000, 2), ...common(CURRENCIES[index] ?? 'KRW') };
    if (wish < 6 || (inHand.lte(0) && wish < 11 && !rules.allowsShort)) {
      const quantity = decimal(random, 20, random(3) === 0 ? 4 : 0);
      move(new Decimal(quantity));
      return { kind: 'buy', symbol, quantity, price, ...charges, ...common(of.currency) };
    }
    if (wish < 10) {
      const share = rules.allowsShort ? 14 : 10;
      const part = inHand
        .abs()
        .times(1 + random(share))
        .div(10)
        .toDecimalPlaces(4);
      const quantity = part.gt(0) ? part : new Decimal(1 + random(5));
      move(quantity.negated());
      return {
        kind: 'sell',
        symbol,
        quantity: quantity.toFixed(),
        price,
        ...charges,
        ...common(of.currency),
      };
    }
    if (wish === 10 && !inHand.isZero()) {
      // A lot of a spin-off has all its decimals, which only whole ratios keep.
      const ratio = (hasMoves ? undefined : RATIOS[random(3)]) ?? '4';
      held.set(symbol, inHand.times(ratio));
      return { kind: 'split', symbol, ratio, ...common(of.currency) };
    }
    if (wish === 11) {
      const quantity = decimal(random, 5, 2);
      move(new Decimal(quantity));
      const terms = { price: random(2) === 0 ? '0' : price, ...charges };
      return { kind: 'rights', symbol, quantity, ...terms, ...common(of.currency) };
    }
    if (wish === 12) {
      const quantity = inHand.gt('0.5') && random(2) === 0 ? '0.5' : undefined;
      if (quantity) move(new Decimal(quantity).negated());
      return { kind: 'cash-in-lieu', symbol, amount, ...(quantity && { quantity }), ...common(of.currency) };
    }
    if (wish === 13) return { kind: 'dividend', symbol, amount, tax: '0.01', ...common(of.currency) };
    if (wish === 14) {
      const isRefund = random(3) === 0;
      const whose = random(2) === 0 ? { symbol, ...common(of.currency) } : common(currency);
      return { kind: 'tax', amount, ...(isRefund && { isRefund }), ...whose };
    }
    if (wish === 15 || wish === 10) return { kind: 'interest', amount, tax: '0.02', ...common(currency) };
    if (wish === 16) return { kind: 'fee', amount, ...common(currency) };
    if (wish === 17) return { kind: 'withdrawal', amount: decimal(random, 5, 2), ...common(currency) };
    if (wish === 18) {
      const toCurrency = CURRENCIES.find((each) => each !== currency) ?? 'USD';
      const to = { toAmount: decimal(random, 50, 2), toCurrency, toRate: decimal(random, 20, 3) };
      return { kind: 'fx', amount: decimal(random, 5, 2), ...to, ...common(currency) };
    }
    const [from, to] = symbol === KID.symbol ? [KID, APPLE] : [APPLE, KID];
    const there = held.get(from.symbol) ?? new Decimal(0);
    if ((wish === 20 || wish === 21) && (there.gt(0) || random(9) === 0)) {
      const isMerger = wish === 21 && random(4) > 0;
      const part = there
        .times(isMerger ? random(8) : random(12))
        .div(10)
        .toDecimalPlaces(4);
      const given = isMerger && random(2) === 0 ? there : part;
      const toQuantity = decimal(random, 20, random(2) === 0 ? 4 : 0);
      held.set(from.symbol, there.minus(given));
      held.set(to.symbol, (held.get(to.symbol) ?? new Decimal(0)).plus(toQuantity));
      const cash = random(2) === 0 && given.gt(0) ? { amount, price } : {};
      const terms = isMerger ? cash : { percent: decimal(random, 99, 3) };
      const exchange = { symbol: from.symbol, quantity: given.toFixed(), toSymbol: to.symbol, toQuantity };
      return { kind: isMerger ? 'merger' : 'spin-off', ...exchange, ...terms, ...common('USD') };
    }
    const some = inHand
      .times(1 + random(10))
      .div(10)
      .toDecimalPlaces(4);
    if (wish === 22 && some.gt(0)) {
      const isRedeemed = random(2) === 0;
      if (isRedeemed) move(some.negated());
      const repaid = { symbol, amount: random(3) === 0 ? decimal(random, 9_000, 2) : amount };
      return {
        kind: 'capital-return',
        ...repaid,
        ...(isRedeemed && { quantity: some.toFixed() }),
        ...common(of.currency),
      };
    }
    if (wish === 23 && some.gt(0)) {
      move(some.negated());
      return { kind: 'transfer-out', symbol, quantity: some.toFixed(), ...common(of.currency) };
    }
    if (wish > 19 && wish < 25) {
      const lots = anyLots(random);
      const quantity = whole(lots.map((lot) => lot.quantity));
      move(new Decimal(quantity));
      return { kind: 'transfer-in', symbol, quantity, lots, ...common(of.currency) };
    }
    if (wish > 24) {
      const kind = wish === 25 ? 'transfer-out' : 'transfer-in';
      return { kind, amount: decimal(random, 50, 2), ...common(currency) };
    }
    return { kind: 'deposit', amount: decimal(random, 3000, 2), ...common(currency) };
  });
  return { entries, rules };
};

const DECIMALS = new Set(
  'rate quantity price fee tax amount ratio toAmount toRate toQuantity percent'.split(' '),
);

const asLot = ({ quantity, cost, costBase, first, last }: PlainLot): MovedLot => ({
  quantity: new Decimal(quantity),
  cost: new Decimal(cost),
  costBase: costBase === undefined ? undefined : new Decimal(costBase),
  first: Temporal.PlainDate.from(first),
  last: Temporal.PlainDate.from(last),
});

const find = (wanted: string) => INSTRUMENTS.find((each) => each.symbol === wanted);

/** As the ledger takes them. */
const asEntry = (plain: PlainEntry): NewTransaction => {
  const { symbol, toSymbol, date, time, lots, ...rest } = plain;
  const numbers = Object.entries(rest).map(([name, value]) => [
    name,
    DECIMALS.has(name) ? new Decimal(String(value)) : value,
  ]);
  return {
    ...Object.fromEntries(numbers),
    clientId: String(plain.number),
    date: Temporal.PlainDate.from(date),
    ...(time !== undefined && { time: Temporal.PlainTime.from(time) }),
    ...(symbol !== undefined && { instrument: find(symbol) }),
    ...(toSymbol !== undefined && { toInstrument: find(toSymbol) }),
    ...(plain.kind.startsWith('transfer') && { otherName: 'other' }),
    ...(plain.kind.startsWith('transfer') && symbol !== undefined && { lots: (lots ?? []).map(asLot) }),
  };
};

const text = (value: Decimal | undefined): string => value?.toFixed() ?? '?';

const pair = ({ local, base }: DatedAmount): string => `${text(local)} ${text(base)}`;

const asPlain = (derived: DerivedLedger): unknown => {
  if (derived.status === 'refused') return { refused: derived.problem.kind };
  const { positions, cash, flows, ...state } = derived.state;
  return {
    positions: positions
      .map(
        ({ instrument, quantity, cost, realised: { local, base }, dividends }) =>
          `${instrument.symbol} ${text(quantity)} cost ${pair(cost)} realised ${pair({ local, base: base?.total })} by price ${text(base?.fromPrice)} dividends ${pair(dividends)}`,
      )
      .toSorted(),
    cash: cash
      .map(
        ({ currency, amount, costBase, realisedFx }) =>
          `${currency} ${text(amount)} ${text(costBase)} ${text(realisedFx)}`,
      )
      .toSorted(),
    sums: (['fees', 'taxes', 'accountFees', 'accountTaxes', 'interest'] as const)
      .flatMap((what) => state[what].map(({ currency, total }) => `${what} ${currency} ${pair(total)}`))
      .toSorted(),
    flows: flows.map(
      ({ date, currency, amount, base }) => `${date.toString()} ${currency} ${text(amount)} ${text(base)}`,
    ),
  };
};

describe('a second ledger, written from the rules alone', () => {
  it('comes to the same figures, to the last digit, in a thousand ledgers', () => {
    const seen = { kept: 0, refused: 0 };
    const kinds = new Map<string, number>();
    const count = (what: string): void => void kinds.set(what, (kinds.get(what) ?? 0) + 1);
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const { entries, rules } = anyLedger(seeded(seed));
      const derived = atOnce(deriveLedger(entries.map(asEntry), rules));
      const [figures, expected] = [asPlain(derived), independentLedger(entries, rules)];
      // Comparing as text first is far cheaper.
      if (JSON.stringify(figures) !== JSON.stringify(expected))
        expect(figures, `ledger ${seed}`).toEqual(expected);
      if (derived.status === 'refused') count(derived.problem.kind);
      else for (const { kind } of entries) count(kind);
      seen[derived.status === 'ok' ? 'kept' : 'refused'] += 1;
    }
    expect(seen.kept).toBeGreaterThan(700);
    expect(seen.refused).toBeGreaterThan(20);
    const rare = ['spin-off', 'merger', 'capital-return', 'transfer-out', 'transfer-in', 'nothing-held'];
    for (const kind of rare) expect(kinds.get(kind), kind).toBeGreaterThan(40);
    for (const kind of ['spun-away', 'sold-short', 'oversold'])
      expect(kinds.get(kind), kind).toBeGreaterThan(4);
  });
});
