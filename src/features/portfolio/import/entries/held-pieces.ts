import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';

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
