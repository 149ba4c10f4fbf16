import { expect } from 'vitest';
import { cpuMs } from '#test/support/cpu-time.ts';

/** So long everybody else waits at most, on an idle machine, whatever somebody sends. */
const MAX_BLOCK_MS = 50;
/** A busy machine is slower even in CPU time: caches are shared, and the garbage collector has fewer helpers. */
const BUSY_FACTOR = 2;
const ALLOWED_MS = MAX_BLOCK_MS * BUSY_FACTOR;
/** So long {@link yardstick} takes on the machine for which the limit was set. One on which it takes longer may take longer. */
const YARDSTICK_MS = 28;
/** The compiler, lazy loading, the garbage collector and pauses of a virtual machine fall into some run; what the input costs is in each of them. */
const MAX_RUNS = 3;

/** A timer of a millisecond is due after every turn that takes longer, and does not keep an idle loop busy. */
const LOOK_EVERY_MS = 1;

/**
 * Runs it, and gives the longest time for which the event loop did not turn. Time in which the thread did not run does
 * not count: it waited, or another process had the core.
 */
const longestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let longestMs = 0;
  let last = { wall: performance.now(), cpu: cpuMs() };
  const look = (): void => {
    const now = { wall: performance.now(), cpu: cpuMs() };
    longestMs = Math.max(longestMs, Math.min(now.wall - last.wall, now.cpu - last.cpu));
    last = now;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  try {
    await work();
    look();
  } finally {
    clearInterval(looking);
  }
  return longestMs;
};

/** Work like that on a text: strings, a pattern, a map, JSON. */
const yardstick = (): number => {
  const startedAtMs = cpuMs();
  const words = Array.from(
    { length: 20_000 },
    (_, index) => `${(index * 7_919) % 20_011}.${index % 97} Alpha`,
  );
  const sorted = words.toSorted();
  const numbers = [...sorted.join(' ').matchAll(/(\d+)\.(\d+) (\p{L}+)/gu)].map(([, whole]) => whole);
  expect(new Set(numbers).size + JSON.stringify(sorted).length).toBeGreaterThan(words.length);
  return cpuMs() - startedAtMs;
};

/** How much slower this machine is just now than the one for which the limit was set. */
const slowness = (): number => Math.max(1, Math.min(yardstick(), yardstick(), yardstick()) / YARDSTICK_MS);

export interface Blocks {
  /** Measures one input; `what` names the entry point and the shape. */
  readonly of: (what: string, work: () => Promise<unknown>) => Promise<void>;
  /** The same for what cannot be repeated by itself, such as an import that is confirmed. */
  readonly once: (what: string, work: () => Promise<unknown>) => Promise<void>;
  /** Runs all steps, and once more from the beginning if one that cannot be repeated took too long. */
  readonly steps: (run: () => Promise<void>) => Promise<void>;
  /** Fails with the inputs that held everybody else up. */
  readonly expectNone: () => void;
}

/** Looks at the machine only where that matters. */
const isStall = (ms: number): boolean => ms > ALLOWED_MS && ms > ALLOWED_MS * slowness();

/** The longest blocks of an entry point. `FINCLAW_SHOW_BLOCKS=1` prints the worst of them. */
export const createBlocks = (entryPoint: string): Blocks => {
  const measured = new Map<string, number>();
  const add = (what: string, ms: number): void => {
    measured.set(what, Math.min(ms, measured.get(what) ?? Infinity));
  };
  return {
    of: async (what, work) => {
      let ms = await longestBlock(work);
      for (let run = 1; run < MAX_RUNS && isStall(ms) && ms < MAX_BLOCK_MS * 20; run += 1)
        ms = Math.min(ms, await longestBlock(work));
      add(what, ms);
    },
    once: async (what, work) => add(what, await longestBlock(work)),
    steps: async (run) => {
      await run();
      for (let runs = 1; runs < MAX_RUNS && [...measured.values()].some(isStall); runs += 1) await run();
    },
    expectNone: () => {
      const worst = [...measured].toSorted(([, a], [, b]) => b - a);
      if (process.env['FINCLAW_SHOW_BLOCKS'] === '1')
        for (const [what, ms] of worst.slice(0, 5))
          process.stdout.write(`${entryPoint}: ${ms.toFixed(0)} ms ${what}\n`);
      expect(worst.length).toBeGreaterThan(0);
      const stalls = worst.filter(([, ms]) => isStall(ms));
      expect(stalls.map(([what, ms]) => `${what}: ${Math.round(ms)} ms`)).toEqual([]);
    },
  };
};
