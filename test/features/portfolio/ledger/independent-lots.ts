/** Fractions of whole numbers, and lots counted in them, for the second ledger. */
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
  readonly toSymbol?: string;
  readonly toQuantity?: string;
  readonly percent?: string;
  readonly lots?: readonly PlainLot[];
}

/** Shares that a transfer brings. */
export interface PlainLot {
  readonly quantity: string;
  readonly cost: string;
  readonly costBase?: string;
  readonly first: string;
  readonly last: string;
}

export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

export const ZERO: Fraction = { n: 0n, d: 1n };
export const read = (text: string | undefined): Fraction => {
  const [whole = '0', decimals = ''] = (text ?? '0').split('.');
  return { n: BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) };
};
export const add = (a: Fraction, b: Fraction): Fraction => {
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d };
  if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d };
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
};
export const neg = (a: Fraction): Fraction => ({ n: -a.n, d: a.d });
export const sub = (a: Fraction, b: Fraction): Fraction => add(a, neg(b));
export const mul = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
export const abs = (a: Fraction): Fraction => (a.n < 0n ? neg(a) : a);
export const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
const CUT = 10n ** 18n;
/** `a × part / whole`, cut off after the 18th decimal. */
export const part = (a: Fraction, of: Fraction, whole: Fraction): Fraction => ({
  n: (a.n * of.n * whole.d * CUT) / (a.d * of.d * whole.n),
  d: CUT,
});
export const rounded = (a: Fraction): Fraction => {
  const size = abs(a);
  const n = (size.n * CUT * 2n + size.d) / (size.d * 2n);
  return { n: a.n < 0n ? -n : n, d: CUT };
};
export const write = (a: Fraction): string => {
  const digits = String(a.d).length - 1;
  if (a.d !== 10n ** BigInt(digits)) throw new Error('not a decimal fraction');
  const text = String(a.n < 0n ? -a.n : a.n).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const decimals = text.slice(text.length - digits).replace(/0+$/u, '');
  return `${a.n < 0n ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
};

export const text = (value: Fraction | undefined): string => (value ? write(value) : '?');

/** In its own currency and in the portfolio's; the second is missing where a rate is. */
export interface Both {
  readonly own: Fraction;
  readonly base: Fraction | undefined;
}
export type Maybe = Fraction | undefined;
export const NOTHING: Both = { own: ZERO, base: ZERO };
export const both = (a: Maybe, b: Maybe, join: (a: Fraction, b: Fraction) => Fraction): Maybe =>
  a && b ? join(a, b) : undefined;
export const plus = (a: Both, b: Both): Both => ({ own: add(a.own, b.own), base: both(a.base, b.base, add) });
export const minus = (a: Both, b: Both): Both => ({
  own: sub(a.own, b.own),
  base: both(a.base, b.base, sub),
});
export const partOf = (a: Both, of: Fraction, whole: Fraction): Both => ({
  own: part(a.own, of, whole),
  base: a.base && part(a.base, of, whole),
});
export const turned = (a: Both): Both => minus(NOTHING, a);

export interface Lot {
  pieces: Fraction;
  cost: Both;
  /** The days of the first and the last purchase in it. */
  first: string;
  last: string;
}
/** What holds lots. */
interface Holding {
  lots: Lot[];
}

export const currentHoldings = ({ lots }: Holding): Fraction =>
  lots.reduce((sum, { pieces }) => add(sum, pieces), ZERO);

/** Takes the oldest pieces with their cost. */
export const takeOldest = (account: Holding, pieces: Fraction): readonly Lot[] => {
  const going: Lot[] = [];
  let left = pieces;
  while (left.n !== 0n) {
    const [lot] = account.lots;
    if (!lot) throw new Error('more was taken than is there');
    if (isLess(left, abs(lot.pieces))) {
      const cost = partOf(lot.cost, left, abs(lot.pieces));
      going.push({ ...lot, pieces: left, cost });
      lot.cost = minus(lot.cost, cost);
      lot.pieces = lot.pieces.n < 0n ? add(lot.pieces, left) : sub(lot.pieces, left);
      return going;
    }
    going.push(lot);
    left = sub(left, abs(lot.pieces));
    account.lots.shift();
  }
  return going;
};
export const costOf = (lots: readonly Lot[]): Both =>
  lots.reduce((sum, { cost }) => plus(sum, cost), NOTHING);
/** Divides pieces as the lots are divided, cut off along the running sum. */
export const divided = (pieces: Fraction, lots: readonly Lot[]): readonly Fraction[] => {
  const whole = lots.reduce((sum, lot) => add(sum, lot.pieces), ZERO);
  const upTo = lots.map((_, index) =>
    part(
      pieces,
      lots.slice(0, index + 1).reduce((sum, lot) => add(sum, lot.pieces), ZERO),
      whole,
    ),
  );
  return upTo.map((end, index) => sub(end, upTo[index - 1] ?? ZERO));
};

/** The order within a day: splits, spin-offs and mergers without a time, entries with a time, the rest. */
const placeOf = ({ kind, time }: PlainEntry): string =>
  time === undefined ? (EVENTS.has(kind) ? '' : '~') : time;

const EVENTS = new Set(['split', 'spin-off', 'merger']);
export const isMoney = ({ kind, symbol }: PlainEntry): boolean =>
  ['deposit', 'withdrawal', 'fx'].includes(kind) || (kind.startsWith('transfer') && symbol === undefined);

const keyOf = (entry: PlainEntry): string =>
  [entry.date, placeOf(entry), String(entry.number).padStart(9, '0')].join(' ');

export const inOrder = (entries: readonly PlainEntry[]): readonly PlainEntry[] =>
  entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
