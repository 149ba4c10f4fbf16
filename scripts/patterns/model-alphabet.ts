import type { AST } from '@eslint-community/regexpp';

/** One character of a pattern: a literal, a class or a set such as `\s`. */
export type Atom = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** A small alphabet over which a pattern behaves as over all of Unicode. */
export interface Alphabet {
  readonly size: number;
  /** The symbols that an atom matches, by index. */
  readonly symbolsOf: (atom: Atom) => ReadonlySet<number>;
  /** The symbols that are word characters to `\b`. */
  readonly wordSymbols: ReadonlySet<number>;
  /** The symbols that end a line. */
  readonly lineSymbols: ReadonlySet<number>;
}

const LAST_CODE_POINT = 0x10_ff_ff;
/** Latin, Greek, Cyrillic, Hangul letters, punctuation, signs, and East Asian punctuation and forms. */
const DENSE: readonly (readonly [from: number, to: number])[] = [
  [0, 0x06_00],
  [0x11_00, 0x12_00],
  [0x20_00, 0x23_00],
  [0x30_00, 0x34_00],
  [0xff_00, 0x1_00_00],
];
/** All other code points are sampled. The step is prime, so that it does not align with blocks of scripts. */
const SPARSE_STEP = 251;

const sampleOfUnicode = (): readonly number[] => {
  const points = new Set<number>();
  for (const [from, to] of DENSE) for (let point = from; point < to; point += 1) points.add(point);
  for (let point = 0; point <= LAST_CODE_POINT; point += SPARSE_STEP) points.add(point);
  return [...points];
};
const SAMPLE = sampleOfUnicode();

/** The code points of the sample that are in a class, by index; as a list where they are few. */
interface Membership {
  readonly isIn: (point: number) => boolean;
  readonly few: readonly number[] | undefined;
  readonly all: Uint8Array;
}

const FEW = 64;
const seen = new Map<string, Membership>();

const membership = (source: string, flags: string): Membership => {
  const key = `${flags}/${source}`;
  const known = seen.get(key);
  if (known) return known;
  const pattern = new RegExp(`^(?:${source})$`, flags);
  const isIn = (point: number): boolean => pattern.test(String.fromCodePoint(point));
  const all = Uint8Array.from(SAMPLE, (point) => (isIn(point) ? 1 : 0));
  const list: number[] = [];
  for (let at = 0; at < all.length && list.length <= FEW; at += 1) if (all[at] === 1) list.push(at);
  const found = { isIn, few: list.length > FEW ? undefined : list, all };
  seen.set(key, found);
  return found;
};

/** The ends of ranges and the single characters of an atom, with their neighbours and both cases. */
const edgesOf = (atom: Atom): readonly number[] => {
  if (atom.type === 'Character') return around(atom.value);
  if (atom.type !== 'CharacterClass') return [];
  return atom.elements.flatMap((element): readonly number[] => {
    if (element.type === 'Character') return around(element.value);
    if (element.type === 'CharacterClassRange')
      return [...around(element.min.value), ...around(element.max.value)];
    return [];
  });
};

const around = (point: number): readonly number[] => {
  const text = String.fromCodePoint(point);
  const cases = [text.toLowerCase(), text.toUpperCase()].map((cased) => cased.codePointAt(0) ?? point);
  return [point - 1, point, point + 1, ...cases].filter((near) => near >= 0 && near <= LAST_CODE_POINT);
};

/**
 * Makes one symbol of all code points that no atom of the pattern tells apart. The engine itself decides which atom matches
 * which code point, so properties and case folding are exactly its own.
 */
export const alphabetOf = (atoms: readonly Atom[], flags: string): Alphabet => {
  const kept = flags.replaceAll(/[^iusv]/gu, '');
  const sources = [...new Set(atoms.map(({ raw }) => raw))];
  const extra = [...new Set(atoms.flatMap(edgesOf))];
  const tests = [...sources, String.raw`\w`, String.raw`[\n\r\u2028\u2029]`].map((source) =>
    membership(source, kept),
  );
  // Most code points are in none of the small classes, so only the large classes are tested for them.
  // The sum of bits stays exact, because no pattern has fifty large classes.
  const large = tests.filter(({ few }) => few === undefined);
  const apart = new Set(tests.flatMap(({ few }) => few ?? []));
  const examples = new Map<number, number>();
  for (let at = 0; at < SAMPLE.length; at += 1) {
    if (apart.has(at)) continue;
    let signature = 1;
    for (const { all } of large) signature = signature * 2 + (all[at] ?? 0);
    if (!examples.has(signature)) examples.set(signature, at);
  }
  const sampled = [...examples.values(), ...apart].map((at) => SAMPLE[at] ?? 0);
  const signatureOf = (point: number): string => tests.map(({ isIn }) => (isIn(point) ? '1' : '0')).join('');
  const symbols = new Map<string, number>();
  for (const point of [...sampled, ...extra]) {
    const signature = signatureOf(point);
    if (!symbols.has(signature)) symbols.set(signature, symbols.size);
  }
  const taking = (test: number): ReadonlySet<number> =>
    new Set([...symbols].flatMap(([signature, symbol]) => (signature[test] === '1' ? [symbol] : [])));
  const bySource = new Map(sources.map((source, test) => [source, taking(test)]));
  return {
    size: symbols.size,
    symbolsOf: ({ raw }) => bySource.get(raw) ?? new Set(),
    wordSymbols: taking(sources.length),
    lineSymbols: taking(sources.length + 1),
  };
};
