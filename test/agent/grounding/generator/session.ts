import type { Evidence, KnownFact } from '#src/agent/grounding/facts/evidence.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { evidenceOf } from '../evidence.ts';
import type { Collected, ToolFacts } from './collect-facts.ts';

/** Chances of a seeded run. */
export class Chances {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  readonly below = (count: number): number => Math.floor(this.#random() * count);

  readonly happens = (share: number): boolean => this.#random() < share;

  readonly pick = <T>(from: readonly T[]): T => {
    const one = from[this.below(from.length)];
    if (one === undefined) throw new Error('Nothing to pick from');
    return one;
  };

  readonly maybePick = <T>(from: readonly T[]): T | undefined => from[this.below(from.length)];

  readonly shuffled = <T>(from: readonly T[]): readonly T[] =>
    from
      .map((each) => [this.#random(), each] as const)
      .toSorted(([one], [other]) => one - other)
      .map(([, each]) => each);
}

/** What a conversation has heard from its tools. */
export interface Session {
  readonly evidence: Evidence;
  readonly facts: readonly Fact[];
  readonly byEntity: ReadonlyMap<string, readonly Fact[]>;
  /** What the person has said, and an answer may repeat. */
  readonly ownNumbers: readonly number[];
  readonly instruments: readonly Instrument[];
}

const CLASSES = ['equity', 'index', 'crypto', 'fx'] as const;

/** Several instruments, each with a quote and some of the rest, so that about 200 facts stand side by side. */
export const sessionOf = ({ calls, instruments }: Collected, chances: Chances): Session => {
  const known = [...instruments.values()];
  const [shares = [], indices = [], coins = [], pairs = []] = CLASSES.map((assetClass) =>
    chances.shuffled(known.filter((each) => each.assetClass === assetClass)),
  );
  const chosen = [
    ...shares.slice(0, 3 + chances.below(2)),
    ...indices.slice(0, chances.below(2)),
    ...coins.slice(0, chances.below(2)),
    ...pairs.slice(0, chances.below(2)),
  ];
  const symbols = new Set(chosen.map(({ symbol }) => symbol));
  const share: Readonly<Record<string, number>> = {
    get_quote: 1,
    get_history: 0.06,
    get_indicators: 0.3,
    get_fundamentals: 0.5,
    compare: 0.8,
    convert_currency: 0.5,
  };
  const hasOwn = chances.happens(0.3);
  const isIn = ({ tool, symbols: of }: ToolFacts): boolean => {
    if (tool === 'calculate') return chances.happens(0.3);
    if (tool.endsWith('_portfolio')) return hasOwn;
    return of.length > 0 && of.every((symbol) => symbols.has(symbol)) && chances.happens(share[tool] ?? 0);
  };
  const facts: readonly KnownFact[] = calls.filter(isIn).flatMap((call) => call.facts);
  const byEntity = Map.groupBy(
    facts.map(({ fact }) => fact),
    ({ entity }) => entity,
  );
  // The person has said what to calculate and to convert.
  const said = facts.map(({ fact: { metric, operands = [], entity } }) => {
    if (metric === 'calculation') return { operands, words: operands.join(', ') };
    const [amount] = metric === 'converted' ? operands : [];
    return amount === undefined
      ? { operands: [], words: '' }
      : { operands: [amount], words: `${amount} ${entity.split('/')[0]}` };
  });
  return {
    evidence: evidenceOf(facts, said.map(({ words }) => words).join('\n')),
    facts: facts.map(({ fact }) => fact),
    byEntity,
    ownNumbers: said.flatMap(({ operands }) => operands.map(Number)),
    instruments: known.filter(({ symbol }) => byEntity.has(symbol)),
  };
};
