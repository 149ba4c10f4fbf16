import { type AST, RegExpParser } from '@eslint-community/regexpp';

const BEGIN = '\u0001';
const END = '\u0002';

export interface Position {
  readonly symbols: ReadonlySet<string>;
  readonly next: number[];
}

/** A part of a pattern as an automaton: where it begins and ends, and whether it can be empty. */
interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly canBeEmpty: boolean;
  /** Can be empty without an assertion that could fail. */
  readonly isSurelyEmpty: boolean;
  readonly lastSurely: readonly number[];
}

const EMPTY: Fragment = { first: [], last: [], canBeEmpty: true, isSurelyEmpty: true, lastSurely: [] };

const either = (fragments: readonly Fragment[]): Fragment => ({
  first: fragments.flatMap(({ first }) => first),
  last: fragments.flatMap(({ last }) => last),
  canBeEmpty: fragments.some(({ canBeEmpty }) => canBeEmpty),
  isSurelyEmpty: fragments.some(({ isSurelyEmpty }) => isSurelyEmpty),
  lastSurely: fragments.flatMap(({ lastSurely }) => lastSurely),
});

const optional = (fragment: Fragment): Fragment => ({ ...fragment, canBeEmpty: true, isSurelyEmpty: true });

export interface Automaton {
  readonly positions: readonly Position[];
  readonly finals: ReadonlySet<number>;
  /** Whether a loop can match the same text in two ways. */
  readonly isAmbiguousLoop: (component: readonly number[]) => boolean;
}

/** The position automaton: one state for each character of the pattern. State 0 is the search, which restarts at every position. */
export const automatonOf = (model: string): Automaton => {
  const parsed = new RegExpParser().parsePattern(model, 0, model.length, { unicode: false });
  const positions: Position[] = [{ symbols: new Set(), next: [] }];
  const add = (symbols: Iterable<string>): Fragment => {
    positions.push({ symbols: new Set(symbols), next: [] });
    const at = positions.length - 1;
    return { first: [at], last: [at], canBeEmpty: false, isSurelyEmpty: false, lastSurely: [at] };
  };
  const link = (from: readonly number[], to: readonly number[]): void => {
    for (const one of from) positions[one]?.next.push(...to);
  };
  const join = (before: Fragment, after: Fragment): Fragment => {
    link(before.last, after.first);
    return {
      first: before.canBeEmpty ? [...before.first, ...after.first] : before.first,
      last: after.canBeEmpty ? [...after.last, ...before.last] : after.last,
      canBeEmpty: before.canBeEmpty && after.canBeEmpty,
      isSurelyEmpty: before.isSurelyEmpty && after.isSurelyEmpty,
      lastSurely: after.isSurelyEmpty ? [...after.lastSurely, ...before.lastSurely] : after.lastSurely,
    };
  };
  const build = (node: AST.Element): Fragment => {
    switch (node.type) {
      case 'Character':
        return add([String.fromCodePoint(node.value)]);
      case 'CharacterClass':
        // `[^\0-\uffff]` matches nothing.
        return add(
          node.negate
            ? []
            : node.elements.flatMap((one) =>
                one.type === 'Character' ? [String.fromCodePoint(one.value)] : [],
              ),
        );
      case 'Group':
        return either(node.alternatives.map(buildAll));
      case 'Assertion':
        if (node.kind === 'start') return add([BEGIN]);
        if (node.kind === 'end') return add([END]);
        return { ...EMPTY, isSurelyEmpty: false };
      case 'Quantifier': {
        if (node.max <= 2) {
          let whole = EMPTY;
          for (let copy = node.max; copy >= 1; copy -= 1) {
            const joined = copy === node.max ? build(node.element) : join(build(node.element), whole);
            whole = copy > node.min ? optional(joined) : joined;
          }
          return whole;
        }
        const once = build(node.element);
        link(once.last, once.first);
        return node.min === 0 ? optional(once) : once;
      }
      case 'CapturingGroup':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
      case 'Backreference':
      default:
        throw new Error(`a model has no ${node.type}`);
    }
  };
  const buildAll = ({ elements }: AST.Alternative): Fragment => elements.map(build).reduce(join, EMPTY);
  const whole = either(parsed.alternatives.map(buildAll));
  positions[0]?.next.push(...whole.first);
  return {
    positions,
    finals: new Set(whole.lastSurely),
    isAmbiguousLoop: (component) => {
      const members = new Set(component);
      return component.some((at) => {
        const inside = (positions[at]?.next ?? []).filter((to) => members.has(to));
        return new Set(inside).size < inside.length;
      });
    },
  };
};

/** States that lead to each other, and so to themselves. */
export const loopsOf = (positions: readonly Position[]): readonly (readonly number[])[] => {
  const reachable = positions.map((_, from) => {
    const seen = new Set<number>();
    const open = [...(positions[from]?.next ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(positions[at]?.next ?? []));
    }
    return seen;
  });
  const done = new Set<number>();
  return positions.flatMap((_, at) => {
    if (done.has(at) || !reachable[at]?.has(at)) return [];
    const members = [...reachable[at]].filter((other) => reachable[other]?.has(at));
    for (const member of members) done.add(member);
    return [members];
  });
};
