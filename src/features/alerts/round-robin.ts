import type { Instrument } from '#src/kernel/finance.ts';

/** An instrument to request data for, and the owners who want it. */
export interface Wanted {
  readonly instrument: Instrument;
  readonly owners: Iterable<string>;
}

/** Picks which instruments are requested now, where not all can be. */
export interface RoundRobin {
  /**
   * At most `limit` of these. Owners take turns, the least recently served first, and each gets their least recently
   * requested instrument. So every instrument has its turn, and a long list holds up nobody else.
   */
  readonly next: (due: readonly Wanted[], limit: number) => readonly Instrument[];
  /** Forgets instruments and owners that are no longer wanted. */
  readonly keepOnly: (wanted: readonly Wanted[]) => void;
}

const forgetOthers = (known: Map<string, number>, kept: ReadonlySet<string>): void => {
  for (const key of known.keys()) if (!kept.has(key)) known.delete(key);
};

export const createRoundRobin = (): RoundRobin => {
  /** The number of the turn that a symbol or an owner last had. */
  const askedAt = new Map<string, number>();
  const servedAt = new Map<string, number>();
  let turns = 0;

  return {
    next: (due, limit) => {
      const oldestFirst = due.toSorted(
        (a, b) => (askedAt.get(a.instrument.symbol) ?? 0) - (askedAt.get(b.instrument.symbol) ?? 0),
      );
      const lists = new Map<string, Instrument[]>();
      for (const { instrument, owners } of oldestFirst)
        for (const owner of owners) {
          const list = lists.get(owner);
          if (list) list.push(instrument);
          else lists.set(owner, [instrument]);
        }
      const waiting = [...lists]
        .toSorted(([a], [b]) => (servedAt.get(a) ?? 0) - (servedAt.get(b) ?? 0))
        .map(([owner, list]) => ({ owner, rest: list.values() }));
      const picked = new Map<string, Instrument>();
      const isNew = ({ symbol }: Instrument): boolean => !picked.has(symbol);
      // Owners with nothing left drop out of the round.
      for (let round = waiting; round.length > 0 && picked.size < limit;) {
        round = round.filter(({ owner, rest }) => {
          if (picked.size >= limit) return false;
          const instrument = rest.find(isNew);
          if (!instrument) return false;
          turns += 1;
          picked.set(instrument.symbol, instrument);
          askedAt.set(instrument.symbol, turns);
          servedAt.set(owner, turns);
          return true;
        });
      }
      return [...picked.values()];
    },
    keepOnly: (wanted) => {
      forgetOthers(askedAt, new Set(wanted.map(({ instrument }) => instrument.symbol)));
      forgetOthers(servedAt, new Set(wanted.flatMap(({ owners }) => [...owners])));
    },
  };
};
