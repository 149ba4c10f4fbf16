import type { Instrument } from '#src/core/finance.ts';
import type { NewTransaction } from '#src/core/ledger.ts';
import { Decimal } from '#src/core/money.ts';

const ZERO = new Decimal(0);

/** Pieces of each instrument, entry by entry. */
export class HeldPieces {
  readonly #held = new Map<string, Decimal>();

  constructor(instrument?: Instrument, held = ZERO) {
    if (instrument) this.#held.set(instrument.symbol, held);
  }

  of({ symbol }: Instrument): Decimal {
    return this.#held.get(symbol) ?? ZERO;
  }

  add(entry: NewTransaction): void {
    if (!('instrument' in entry) || !entry.instrument) return;
    const held = this.of(entry.instrument);
    const after = (): Decimal => {
      if (entry.kind === 'split') return held.times(entry.ratio);
      if (entry.kind === 'buy' || entry.kind === 'rights') return held.plus(entry.quantity);
      if (entry.kind === 'sell') return held.minus(entry.quantity);
      return entry.kind === 'cash-in-lieu' ? held.minus(entry.quantity ?? 0) : held;
    };
    this.#held.set(entry.instrument.symbol, after());
  }
}

const MAX_TO = 100;
const MAX_FROM = 20;

/** The simplest ratio that leaves less than one piece over, which was paid in cash. */
const simpleRatio = (before: Decimal, after: Decimal): Decimal | undefined => {
  let best: { readonly ratio: Decimal; readonly size: number } | undefined;
  for (let from = 1; from <= MAX_FROM; from += 1)
    for (let to = 1; to <= MAX_TO; to += 1) {
      const size = from + to;
      if (best && best.size <= size) continue;
      const ratio = new Decimal(to).dividedBy(from);
      const over = before.times(ratio).minus(after);
      if (!over.isNegative() && over.lessThan(1)) best = { ratio, size };
    }
  return best?.ratio;
};

export interface FoundRatio {
  readonly ratio: Decimal;
  /** What was paid in cash for a fraction that is gone. */
  readonly fraction: Decimal;
}

/**
 * The ratio of a split by the pieces before it and those that came or went. `hasCash`: a fraction was paid for in cash,
 * so that the pieces do not give the ratio exactly.
 */
export const ratioBetween = (before: Decimal, added: Decimal, hasCash: boolean): FoundRatio | undefined => {
  const after = before.plus(added);
  if (!before.greaterThan(0) || !after.greaterThan(0) || added.isZero()) return undefined;
  const exact = after.dividedBy(before);
  const simple = hasCash ? simpleRatio(before, after) : undefined;
  return simple && !simple.equals(exact)
    ? { ratio: simple, fraction: before.times(simple).minus(after) }
    : { ratio: exact, fraction: ZERO };
};
