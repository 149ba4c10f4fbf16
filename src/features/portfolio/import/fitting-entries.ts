import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import {
  AMOUNT_DECIMALS,
  ENTRY_DECIMALS,
  timesRatio,
  toDecimal,
  toFixedPoint,
} from '../ledger/fixed-point.ts';
import { piecesMoves } from '../ledger/ledger-moves.ts';
import type { LedgerProblem, LedgerRules } from '../ledger/ledger-state.ts';
import { orderEntries } from '../ledger/order-entries.ts';
import type { RowProblem } from './problems.ts';

interface FittingEntries {
  /** Together with the recorded entries they form a valid ledger. */
  readonly kept: readonly NewTransaction[];
  readonly refused: ReadonlyMap<NewTransaction, RowProblem>;
}

/** The most entries replayed over all rounds, which takes some tenths of a second. */
const MAX_COUNTED = 100_000;

const symbolOf = (entry: NewTransaction): string | undefined =>
  'instrument' in entry ? entry.instrument.symbol : undefined;

const TAKES_MONEY: ReadonlySet<string> = new Set([
  'buy',
  'rights',
  'fee',
  'tax',
  'withdrawal',
  'fx',
  'transfer-out',
]);
const TAKES_PIECES: ReadonlySet<string> = new Set([
  'sell',
  'split',
  'cash-in-lieu',
  'capital-return',
  'spin-off',
  'merger',
  'transfer-out',
]);

/** Whether an entry uses what the problem says is lacking. */
const takesFrom = (entry: NewTransaction, problem: LedgerProblem): boolean => {
  if (problem.kind !== 'overdrawn')
    return symbolOf(entry) === symbolOf(problem.at) && TAKES_PIECES.has(entry.kind);
  return TAKES_MONEY.has(entry.kind) && entry.currency === problem.currency;
};

/** The new entry to blame: the one that breaks, else the last one before it that uses the same resource. */
const blamed = function* (
  problem: LedgerProblem,
  added: ReadonlySet<NewTransaction>,
): Steps<NewTransaction | undefined> {
  const { at } = problem;
  if (added.has(at)) return at;
  return (yield* orderEntries([...added]))
    .map(({ entry }) => entry)
    .findLast((entry) => takesFrom(entry, problem) && Temporal.PlainDate.compare(entry.date, at.date) <= 0);
};

interface Walk {
  held: bigint;
  /** Sales of the file since the last split. */
  sold: { readonly entry: NewTransaction; readonly quantity: bigint }[];
  readonly refused: (readonly [NewTransaction, RowProblem])[];
  /** Recorded entries use more than there is, and no sale of the file is to blame. */
  isLost: boolean;
  /** Sales of more than is held at their place in the day wait for a purchase of the same day. */
  waiting: readonly { readonly entry: PieceEntry; readonly isAdded: boolean }[];
}

const PIECE_KINDS = ['buy', 'sell', 'split', 'rights', 'cash-in-lieu'] as const;
type PieceEntry = Extract<NewTransaction, { readonly kind: (typeof PIECE_KINDS)[number] }>;

/** Whether an entry changes the quantity held. */
const isPieceEntry = (entry: NewTransaction): entry is PieceEntry =>
  PIECE_KINDS.some((kind) => kind === entry.kind);

const piecesOf = ({ quantity }: { readonly quantity?: Decimal }): bigint =>
  quantity ? toFixedPoint(quantity, ENTRY_DECIMALS) : 0n;

const brings = ({ kind }: PieceEntry): boolean => kind === 'buy' || kind === 'rights';

/** The problem with an entry that needs more than is held. */
const lacking = (
  entry: PieceEntry,
  held: bigint,
  { allowsShort }: LedgerRules,
): LedgerProblem | undefined => {
  if (entry.kind === 'split') return held === 0n ? { kind: 'nothing-held', at: entry } : undefined;
  const isShort = allowsShort && entry.kind === 'sell';
  const wanted = piecesOf(entry);
  if (brings(entry) || isShort || wanted <= held || wanted === 0n) return undefined;
  const [there, gone] = [toDecimal(held, ENTRY_DECIMALS), toDecimal(wanted, ENTRY_DECIMALS)];
  return { kind: 'oversold', at: entry, held: there, wanted: gone };
};

/** Applies an entry, or refuses what cannot be applied. */
const settle = (walk: Walk, entry: PieceEntry, isAdded: boolean, rules: LedgerRules): void => {
  const problem = lacking(entry, walk.held, rules);
  if (problem && isAdded) {
    walk.refused.push([entry, { kind: 'ledger', problem }]);
    return;
  }
  // Recorded entries stay; the last sales of the file before them are refused.
  while (lacking(entry, walk.held, rules) && !walk.isLost) {
    const last = walk.sold.pop();
    if (last) {
      walk.held += last.quantity;
      walk.refused.push([last.entry, { kind: 'breaks-later', date: entry.date }]);
    } else walk.isLost = true;
  }
  if (entry.kind === 'split') {
    walk.held = timesRatio(walk.held, toFixedPoint(entry.ratio, AMOUNT_DECIMALS));
    walk.sold = [];
    return;
  }
  const quantity = piecesOf(entry);
  walk.held += brings(entry) ? quantity : -quantity;
  if (!brings(entry) && isAdded) walk.sold.push({ entry, quantity });
};

/** Settles an entry, or lets a sale of too much wait for a purchase of the same day. */
const step = (walk: Walk, entry: PieceEntry, isAdded: boolean, rules: LedgerRules): void => {
  if (entry.kind !== 'split' && lacking(entry, walk.held, rules)) {
    walk.waiting = [...walk.waiting, { entry, isAdded }];
    return;
  }
  settle(walk, entry, isAdded, rules);
  if (!brings(entry)) return;
  const { waiting } = walk;
  walk.waiting = [];
  for (const each of waiting) step(walk, each.entry, each.isAdded, rules);
};

/** Settles the sales that no purchase of the day covered. */
const endDay = (walks: Iterable<Walk>, rules: LedgerRules): void => {
  for (const walk of walks) {
    for (const { entry, isAdded } of walk.waiting) settle(walk, entry, isAdded, rules);
    walk.waiting = [];
  }
};

/**
 * Finds sales of more than was held and splits of nothing, for all instruments in one pass: most files that do not fit
 * begin after the first purchases. Unclear instruments are left to the full replay.
 */
const findOversold = function* (
  existing: readonly NewTransaction[],
  added: ReadonlySet<NewTransaction>,
  rules: LedgerRules,
): Steps<readonly (readonly [NewTransaction, RowProblem])[]> {
  const walks = new Map<string, Walk>();
  const waiting = new Set<Walk>();
  const walkOf = ({ symbol }: Instrument): Walk =>
    walks.getOrInsertComputed(symbol, () => ({
      held: 0n,
      sold: [],
      refused: [],
      isLost: false,
      waiting: [],
    }));
  let today: number | undefined;
  for (const { entry, day } of yield* orderEntries([...existing, ...added])) {
    yield;
    if (day !== today) {
      endDay(waiting, rules);
      waiting.clear();
      today = day;
    }
    if (!isPieceEntry(entry)) {
      for (const { instrument } of piecesMoves(entry)) walkOf(instrument).isLost = true;
      continue;
    }
    const walk = walkOf(entry.instrument);
    step(walk, entry, added.has(entry), rules);
    if (walk.waiting.length > 0) waiting.add(walk);
  }
  endDay(waiting, rules);
  return [...walks.values()].flatMap(({ isLost, refused }) => (isLost ? [] : refused));
};

/**
 * Removes entries that do not fit, in counting order, until the rest form a valid ledger. Recorded entries stay: a new
 * entry that would break one is refused. If this takes too long, the whole file is refused.
 */
export const keepFittingEntries = function* (
  existing: readonly NewTransaction[],
  entries: readonly NewTransaction[],
  rules: LedgerRules,
): Steps<FittingEntries> {
  const left = new Set(entries);
  const refused = new Map<NewTransaction, RowProblem>();
  const refuse = (entry: NewTransaction, problem: RowProblem): void => {
    left.delete(entry);
    refused.set(entry, problem);
  };
  let counted = 0;
  let isWalked = false;
  while (left.size > 0) {
    const derived = yield* deriveLedger([...existing, ...left], rules);
    if (derived.status === 'ok') break;
    counted += existing.length + left.size;
    const { problem } = derived;
    const entry = yield* blamed(problem, left);
    if (!isWalked) {
      isWalked = true;
      for (const [each, reason] of yield* findOversold(existing, left, rules)) refuse(each, reason);
    } else if (entry === problem.at) refuse(entry, { kind: 'ledger', problem });
    else if (entry) refuse(entry, { kind: 'breaks-later', date: problem.at.date });
    // The recorded ledger is invalid by itself, so nothing can be added.
    else for (const each of left) refuse(each, { kind: 'breaks-later', date: problem.at.date });
    if (counted > MAX_COUNTED) for (const each of left) refuse(each, { kind: 'unchecked-line' });
  }
  return { kept: [...left], refused };
};
