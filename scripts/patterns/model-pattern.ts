import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { alphabetOf, type Alphabet, type Atom } from './model-alphabet.ts';

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A repetition of up to this many is a constant factor; a longer one counts as endless. */
const LARGEST_FACTOR = 64;
/** A repetition of up to this many is too short to matter, even where several follow each other. */
const SMALLEST_FACTOR = 4;

type Symbols = ReadonlySet<number>;

const isAtom = (node: AST.Node): node is Atom =>
  node.type === 'Character' ||
  node.type === 'CharacterSet' ||
  node.type === 'CharacterClass' ||
  node.type === 'ExpressionCharacterClass';

const union = (sets: readonly Symbols[]): Symbols => new Set(sets.flatMap((set) => [...set]));

/** The symbols that an element can begin with, and whether it can be empty. */
interface Begin {
  readonly first: Symbols;
  readonly canBeEmpty: boolean;
}

const NOTHING: Begin = { first: new Set(), canBeEmpty: true };

const beginOf = (node: AST.Element | AST.Alternative, alphabet: Alphabet): Begin => {
  if (isAtom(node)) return { first: alphabet.symbolsOf(node), canBeEmpty: false };
  switch (node.type) {
    case 'Alternative': {
      const first: Symbols[] = [];
      for (const element of node.elements) {
        const begin = beginOf(element, alphabet);
        first.push(begin.first);
        if (!begin.canBeEmpty) return { first: union(first), canBeEmpty: false };
      }
      return { first: union(first), canBeEmpty: true };
    }
    case 'Group':
    case 'CapturingGroup': {
      const begins = node.alternatives.map((alternative) => beginOf(alternative, alphabet));
      return {
        first: union(begins.map(({ first }) => first)),
        canBeEmpty: begins.some(({ canBeEmpty }) => canBeEmpty),
      };
    }
    case 'Quantifier': {
      const begin = beginOf(node.element, alphabet);
      return { first: begin.first, canBeEmpty: begin.canBeEmpty || node.min === 0 };
    }
    case 'Backreference':
      return { first: everything(alphabet), canBeEmpty: true };
    case 'Assertion':
    default:
      return NOTHING;
  }
};

const everything = ({ size }: Alphabet): Symbols =>
  new Set(Array.from({ length: size }, (_, symbol) => symbol));

/** The characters for symbols that are word characters, so that `\b` works in a model. */
const WORD_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_';
const FIRST_OTHER = 0x4e_00;

const charactersOf = (alphabet: Alphabet): readonly string[] | undefined => {
  let words = 0;
  const characters = Array.from({ length: alphabet.size }, (_, symbol) => {
    if (!alphabet.wordSymbols.has(symbol)) return String.fromCodePoint(FIRST_OTHER + symbol);
    words += 1;
    return WORD_CHARACTERS[words - 1] ?? '';
  });
  return words > WORD_CHARACTERS.length ? undefined : characters;
};

/** A part of a model, and whether it always matches at least one character. */
interface Part {
  readonly text: string;
  readonly consumes: boolean;
}

/**
 * Writes a pattern for the analyser: over a small alphabet, without flags, and without lookaround, which the analyser
 * cannot decide. Lookaround becomes further patterns, all of which must be linear:
 *
 * - a lookbehind for one character at the beginning becomes a character before the beginning;
 * - `(?=x)` is left out, and a further pattern consists of everything before it and `x`;
 * - `(?!x)` can fail only at a character that `x` can begin with, so a further pattern consists of everything before it
 *   and a character that `x` cannot begin with.
 *
 * Undefined for a pattern with a construct that this cannot express.
 */
export const modelsOf = (
  { source, flags }: Pattern,
  countsBounds: boolean,
): readonly string[] | undefined => {
  const parsed = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const atoms: Atom[] = [];
  let isKnown = !flags.includes('v');
  const note = (node: Atom): void => {
    if (node.parent.type !== 'CharacterClass' && node.parent.type !== 'CharacterClassRange') atoms.push(node);
  };
  visitRegExpAST(parsed, {
    onCharacterEnter: note,
    onCharacterSetEnter: note,
    onCharacterClassEnter: note,
    onModifiersEnter: () => {
      isKnown = false;
    },
  });
  const alphabet = alphabetOf(atoms, flags);
  const characters = charactersOf(alphabet);
  if (!isKnown || !characters) return undefined;

  const write = (symbols: Symbols): string =>
    symbols.size === 0 ? '[^\\0-\\uffff]' : `[${[...symbols].map((symbol) => characters[symbol]).join('')}]`;
  const complement = (symbols: Symbols): Symbols => everything(alphabet).difference(symbols);
  const endOr = (symbols: Symbols): string => `(?:$|${write(symbols)})`;
  const beginOr = (symbols: Symbols): string => `(?:^|${write(symbols)})`;

  const models: string[] = [];
  const isSticky = flags.includes('y');
  const isByLine = flags.includes('m');
  const groupTexts = new Map<AST.CapturingGroup, string>();

  const oneCharacter = (alternatives: readonly AST.Alternative[]): Symbols | undefined => {
    const sets = alternatives.map(({ elements: [only, ...others] }) => {
      if (others.length > 0 || !only) return undefined;
      if (isAtom(only)) return alphabet.symbolsOf(only);
      if (only.type === 'Group') return oneCharacter(only.alternatives);
      // `^` as an alternative adds nothing, because the beginning is always allowed.
      return only.type === 'Assertion' && only.kind === 'start' ? new Set<number>() : undefined;
    });
    const known = sets.filter((set) => set !== undefined);
    return known.length === sets.length ? union(known) : undefined;
  };

  /** Whether the element is a `\b` before something that begins with a word character. */
  const isWordBegin = (element: AST.Element, behind: readonly AST.Element[]): boolean => {
    if (element.type !== 'Assertion' || element.kind !== 'word' || element.negate) return false;
    for (const next of behind) {
      const { first, canBeEmpty } = beginOf(next, alphabet);
      if (!first.isSubsetOf(alphabet.wordSymbols)) return false;
      if (!canBeEmpty) return true;
    }
    return false;
  };

  const writeAlternatives = (
    alternatives: readonly AST.Alternative[],
    before: string,
    isFirst: boolean,
  ): Part => {
    const parts = alternatives.map((alternative) => writeAlternative(alternative, before, isFirst));
    return {
      text: `(?:${parts.map(({ text }) => text).join('|')})`,
      consumes: parts.every(({ consumes }) => consumes),
    };
  };

  const writeAlternative = (alternative: AST.Alternative, before: string, isFirst: boolean): Part => {
    let text = '';
    let consumes = false;
    let startSymbols: Symbols | undefined;
    for (const [index, element] of alternative.elements.entries()) {
      const isStart = isFirst && !consumes && text === '';
      if (isStart && isWordBegin(element, alternative.elements.slice(index + 1))) {
        const allowed = complement(alphabet.wordSymbols);
        startSymbols = startSymbols ? startSymbols.intersection(allowed) : allowed;
        continue;
      }
      if (isStart && element.type === 'Assertion' && element.kind === 'lookbehind') {
        const single = element.negate
          ? union(element.alternatives.map((one) => oneCharacter([one]) ?? new Set()))
          : oneCharacter(element.alternatives);
        if (single) {
          const allowed = element.negate ? complement(single) : single;
          startSymbols = startSymbols ? startSymbols.intersection(allowed) : allowed;
          continue;
        }
      }
      if (startSymbols) {
        text += beginOr(startSymbols);
        startSymbols = undefined;
      }
      const part = writeElement(element, before + text, isFirst && text === '');
      text += part.text;
      consumes ||= part.consumes;
    }
    if (startSymbols) text += beginOr(startSymbols);
    return { text, consumes };
  };

  const writeElement = (element: AST.Element, before: string, isFirst: boolean): Part => {
    if (isAtom(element)) return { text: write(alphabet.symbolsOf(element)), consumes: true };
    switch (element.type) {
      case 'Group':
        return writeAlternatives(element.alternatives, before, isFirst);
      case 'CapturingGroup': {
        const part = writeAlternatives(element.alternatives, before, isFirst);
        groupTexts.set(element, part.text);
        return part;
      }
      case 'Backreference': {
        const group = Array.isArray(element.resolved) ? element.resolved[0] : element.resolved;
        return { text: group ? (groupTexts.get(group) ?? '') : '', consumes: false };
      }
      case 'Quantifier':
        return writeQuantifier(element, before, isFirst);
      case 'Assertion':
        return { text: writeAssertion(element, before, isFirst), consumes: false };
      default:
        isKnown = false;
        return { text: '', consumes: false };
    }
  };

  const writeQuantifier = (element: AST.Quantifier, before: string, isFirst: boolean): Part => {
    const { min, max, greedy } = element;
    const isEndless = max > (countsBounds ? SMALLEST_FACTOR : LARGEST_FACTOR);
    const known = models.length;
    const once = writeElement(element.element, before, isFirst);
    const lazy = greedy ? '' : '?';
    if (max > 1 && models.length > known) {
      // With lookaround inside, the repetition itself may precede it.
      models.length = known;
      writeElement(element.element, `${before}${once.text}${isEndless ? '*' : '{0,2}'}${lazy}`, false);
    }
    if (max === 0) return { text: '', consumes: false };
    const consumes = once.consumes && min > 0;
    if (!isEndless) {
      if (max === 1) return { text: min === 1 ? once.text : `${once.text}?${lazy}`, consumes };
      const least = Math.min(min, 2);
      return { text: `${once.text}{${least},2}${min === max ? '' : lazy}`, consumes };
    }
    return { text: `${once.text}${min === 0 ? '*' : '+'}${lazy}`, consumes };
  };

  const writeAssertion = (assertion: AST.Assertion, before: string, isFirst: boolean): string => {
    switch (assertion.kind) {
      case 'word':
        return assertion.negate ? '\\B' : '\\b';
      case 'start':
        if (!isByLine) return '^';
        return isFirst ? beginOr(alphabet.lineSymbols) : '';
      case 'end':
        if (!isByLine) return '$';
        models.push(before + endOr(alphabet.lineSymbols));
        return '';
      case 'lookbehind': {
        const { text } = writeAlternatives(assertion.alternatives, '', false);
        // A lookbehind is read backwards at every position, so only a constant length is fine.
        if (/[*+]/u.test(text)) isKnown = false;
        if (isFirst && !assertion.negate) return text;
        if (!isFirst) models.push(before + write(new Set()));
        return '';
      }
      case 'lookahead': {
        const { text } = writeAlternatives(assertion.alternatives, before, false);
        // A negative lookahead costs something only if its length is unbounded.
        if (!assertion.negate || /[*+]/u.test(text)) models.push(before + text);
        if (assertion.negate) {
          const begins = assertion.alternatives.map((alternative) => beginOf(alternative, alphabet));
          const first = begins.some(({ canBeEmpty }) => canBeEmpty)
            ? everything(alphabet)
            : union(begins.map((begin) => begin.first));
          models.push(before + endOr(complement(first)));
        }
        return '';
      }
      default:
        isKnown = false;
        return '';
    }
  };

  const begin = isSticky ? '^' : '';
  const whole = writeAlternatives(parsed.alternatives, begin, true);
  models.push(begin + whole.text);
  return isKnown ? [...new Set(models)] : undefined;
};
