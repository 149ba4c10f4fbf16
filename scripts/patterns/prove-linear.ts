import { automatonOf, loopsOf } from './automaton.ts';

/** How the steps of a search grow with the text: `degree` 1 is linear, infinite is exponential. */
export type Growth = { readonly status: 'known'; readonly degree: number } | { readonly status: 'undecided' };

/** After so many steps the slower analyser is used instead. */
const MAX_STEPS = 3_000_000;

class OutOfSteps extends Error {}

const meets = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean => !one.isDisjointFrom(other);

/**
 * Finds whether some text can be taken in ever more ways, by the criteria of Weber and Seidl: exponential where a loop
 * takes one word in two ways; polynomial where one word leads from loop p to p, from p to q, and from q to q. The
 * search that begins at every place is a loop itself.
 */
export const growthOf = (model: string, isGlobal: boolean): Growth => {
  const { positions, finals, isAmbiguousLoop } = automatonOf(model);
  const loops = loopsOf(positions);
  let steps = 0;
  const spend = (): void => {
    steps += 1;
    if (steps > MAX_STEPS) throw new OutOfSteps();
  };
  const nextOf = (at: number): readonly number[] => positions[at]?.next ?? [];
  const symbolsOf = (at: number): ReadonlySet<string> => positions[at]?.symbols ?? new Set();

  const takesInTwoWays = (loop: readonly number[]): boolean => {
    if (isAmbiguousLoop(loop)) return true;
    const members = new Set(loop);
    // From (p, p) over a pair of different states back to (p, p).
    const edges = new Map<string, string[]>();
    const pairs = new Map<string, readonly [number, number]>();
    const open: (readonly [number, number])[] = loop.map((at) => [at, at]);
    for (let pair = open.pop(); pair; pair = open.pop()) {
      const key = pair.join();
      if (pairs.has(key)) continue;
      pairs.set(key, pair);
      for (const one of nextOf(pair[0])) {
        for (const other of nextOf(pair[1])) {
          spend();
          if (!members.has(one) || !members.has(other) || !meets(symbolsOf(one), symbolsOf(other))) continue;
          const to = `${one},${other}`;
          edges.set(to, [...(edges.get(to) ?? []), key]);
          open.push([one, other]);
        }
      }
    }
    // Backwards from all (p, p): which pairs of different states lead there.
    const seen = new Set<string>();
    const back = loop.map((at) => `${at},${at}`);
    for (let key = back.pop(); key !== undefined; key = back.pop()) {
      if (seen.has(key)) continue;
      seen.add(key);
      const pair = pairs.get(key);
      if (pair && pair[0] !== pair[1]) return true;
      spend();
      back.push(...(edges.get(key) ?? []));
    }
    return false;
  };

  /** Whether one word leads from p to p, from p to q and from q to q. */
  const feeds = (
    p: number,
    q: number,
    loopOfP: ReadonlySet<number>,
    loopOfQ: ReadonlySet<number>,
  ): boolean => {
    const seen = new Set<string>();
    const open: (readonly [number, number, number])[] = [[p, p, q]];
    for (let state = open.pop(); state; state = open.pop()) {
      const [x, y, z] = state;
      for (const nextZ of nextOf(z)) {
        if (!loopOfQ.has(nextZ)) continue;
        for (const nextY of nextOf(y)) {
          spend();
          const symbols = symbolsOf(nextZ).intersection(symbolsOf(nextY));
          if (symbols.size === 0) continue;
          for (const nextX of nextOf(x)) {
            if (!loopOfP.has(nextX) || !meets(symbols, symbolsOf(nextX))) continue;
            if (nextX === p && nextY === q && nextZ === q) return true;
            const key = `${nextX},${nextY},${nextZ}`;
            if (seen.has(key)) continue;
            seen.add(key);
            open.push([nextX, nextY, nextZ]);
          }
        }
      }
    }
    return false;
  };

  const after = (states: Iterable<number>, symbol: string): ReadonlySet<number> => {
    const found = new Set<number>();
    for (const state of states)
      for (const next of nextOf(state)) {
        spend();
        if (symbolsOf(next).has(symbol)) found.add(next);
      }
    return found;
  };

  /**
   * Whether searches that begin at many places all come to read the same text in the loop of q: one word leads from the
   * beginning to q and from q to q. Where something on the way from q ends the match, the search is over; where only
   * one match is asked for, any end is.
   */
  const isFedBySearch = (q: number, loopOfQ: ReadonlySet<number>): boolean => {
    interface State {
      readonly y: number;
      readonly z: number;
      readonly fromStart: ReadonlySet<number>;
      readonly fromQ: ReadonlySet<number>;
    }
    const seen = new Set<string>();
    const open: State[] = [{ y: 0, z: q, fromStart: new Set([0]), fromQ: new Set([q]) }];
    for (let state = open.pop(); state; state = open.pop()) {
      for (const nextZ of nextOf(state.z)) {
        if (!loopOfQ.has(nextZ)) continue;
        for (const nextY of nextOf(state.y)) {
          for (const symbol of symbolsOf(nextZ).intersection(symbolsOf(nextY))) {
            const fromQ = after(state.fromQ, symbol);
            const fromStart = isGlobal ? new Set<number>() : after(state.fromStart, symbol);
            if (meets(fromQ, finals) || meets(fromStart, finals)) continue;
            if (nextY === q && nextZ === q) return true;
            const key = [
              nextY,
              nextZ,
              [...fromStart].toSorted((a, b) => a - b),
              [...fromQ].toSorted((a, b) => a - b),
            ].join(';');
            if (seen.has(key)) continue;
            seen.add(key);
            open.push({ y: nextY, z: nextZ, fromStart, fromQ });
          }
        }
      }
    }
    return false;
  };

  try {
    if (loops.some(takesInTwoWays)) return { status: 'known', degree: Number.POSITIVE_INFINITY };
    const sets = [new Set([0]), ...loops.map((loop) => new Set(loop))];
    const feeding = sets.map((loopOfP, index) =>
      sets.flatMap((loopOfQ, other) => {
        if (other === 0 || index === other) return [];
        const isFed = [...loopOfQ].some(
          (q) =>
            !finals.has(q) &&
            (index === 0
              ? isFedBySearch(q, loopOfQ)
              : [...loopOfP].some((p) => feeds(p, q, loopOfP, loopOfQ))),
        );
        return isFed ? [other] : [];
      }),
    );
    const chain = (from: number): number => Math.max(1, ...(feeding[from] ?? []).map((to) => 1 + chain(to)));
    return { status: 'known', degree: Math.max(...sets.map((_, index) => chain(index))) };
  } catch (error) {
    if (error instanceof OutOfSteps) return { status: 'undecided' };
    throw error;
  }
};
