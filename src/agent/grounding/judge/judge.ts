import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { resultsBehind, writtenResults } from '#src/reading/formulas.ts';
import {
  isAssumed,
  isConditioned,
  isCountOfShares,
  isCountOfThings,
  isTaxRate,
  saysAllowance,
  saysCustom,
  saysMean,
  saysResult,
  saysRule,
} from '#src/reading/around-numbers.ts';
import type { Evidence } from '../facts/evidence.ts';
import type { KnownNumber, Pool } from '../facts/pool.ts';
import { mayBeSame } from '../facts/units.ts';
import { lineFinder, namesAt, type AnswerPlace, placeOf, type ReadAnswer } from '../read/answer.ts';
import { type Figure, readFigures, significantDigits } from '../read/figures.ts';
import type { AnswerLine, TextRange } from '../read/layout.ts';
import {
  COUNTS,
  WHOLE,
  different,
  fromGroups,
  fromPairs,
  fromRun,
  fromTriples,
  isCoinAmount,
  totalOf,
  ofPosition,
  type Operand,
  type Target,
} from './derive.ts';
import { type Exemption, exemptions } from './exempt.ts';
import { FactOperands, pricedBy } from './operands.ts';
import { knownNumbers, TEXT_SCALES, unscaled } from './known-numbers.ts';
import { TextOperands, type TextNumbers } from './text-operands.ts';
import type { CheckedNumber } from './verdict.ts';
import { isIn, opennessOf, rangesOf, type WrittenRange } from './written.ts';

/** A number under judgement. */
export interface Judged extends Target {
  readonly place: AnswerPlace;
  /** Its place among the numbers of the answer. */
  readonly nth: number;
  /** Facts and texts that have the number, the best first. */
  known: readonly KnownNumber[];
  /** What others may be calculated from, once it is judged. */
  operands?: readonly Operand[];
  result: Pick<CheckedNumber, 'verdict' | 'known' | 'formula' | 'quotedFrom'> | undefined;
}

/** How far each number's sources count: the more there are to choose from, the more digits a result needs. */
const CHANCES = { sentence: 1.5, line: 0.5, facts: 0.35, others: 0.1 } as const;
/** Where no tool gave a fact, the texts are all that an answer can rest on. */
const TEXTS_ALONE_FACTOR = 3;
/** Of a paragraph, a sentence and the whole answer, so many numbers are combined. */
const MAX_OF_PARAGRAPH = 14;
const MAX_OF_SENTENCE = 8;
const MAX_OF_ANSWER = 24;
const MAX_RELATED = 40;
/** Of what the person wrote, the first lines and the first numbers of each. */
const MAX_OWN_LINES = 4;
const MAX_OWN_NUMBERS = 6;
/** After so many numbers that follow from nothing, only the nearest others are tried. */
const MOST_FAILED = 40;
const NEAREST_ATTEMPTS = 4;
/** How people and models slip in a scale. */
const SLIPS = [10, 100, 1_000, 0.1, 0.01, 0.001] as const;
const TELLING_DIGITS = 3;
const MAX_FORMULA = 80;
/** The openness of a number with one digit. */
const ONE_DIGIT = 0.08;
/** The openness of `약 2만 원`, `6만 원 넘게`. */
const HEDGED = 0.04;

/** Judges the numbers of an answer, one after the other. */
export class Judge {
  readonly all: readonly Judged[];
  readonly #answer: ReadAnswer;
  readonly #pool: Pool;
  readonly #operands: FactOperands;
  readonly #texts: () => TextOperands;
  /** What the person wrote, and what the answer shows as code. */
  readonly #question: () => readonly Operand[];
  /** What the model has given to the calculator. */
  readonly #calculated: () => readonly Operand[];
  readonly #isExempt: (figure: Figure, line: AnswerLine) => Exemption | undefined;
  /** How many numbers followed from nothing. */
  #failed = 0;

  /** `examples`: code of the answer, whose numbers are not read but calculated with. */
  constructor(answer: ReadAnswer, pool: Pool, evidence: Evidence, examples: string) {
    this.#answer = answer;
    this.#pool = pool;
    this.#operands = new FactOperands(answer, pool, evidence.question);
    this.#texts = lazily(() => new TextOperands(answer, pool, evidence.question));
    this.#isExempt = exemptions(answer, (value) =>
      evidence.facts.some(({ fact }) => Number(fact.parameter) === value),
    );
    const readIn = (text: string): readonly Operand[] =>
      readFigures(text, evidence.today).figures.map(({ value, kind, currency, start, end }) => ({
        value,
        kind,
        currency,
        text: text.slice(start, end).trim(),
      }));
    this.#calculated = lazily(() =>
      evidence.facts
        .slice(-MAX_OWN_LINES)
        .flatMap(({ fact: { label, operands } }) => (operands ? readIn(label ?? '') : [])),
    );
    this.#question = lazily(() =>
      pool.lines
        .filter(({ from }) => from === 'person')
        .slice(0, MAX_OWN_LINES)
        .flatMap(({ numbers }) => numbers.slice(0, MAX_OWN_NUMBERS))
        .map(({ figure: { value, kind, currency }, text }) => ({ value, kind, currency, text }))
        .concat(readIn(examples)),
    );
    const lineAt = lineFinder(answer.lines);
    const isMean = speaksOfMean(evidence.question);
    const figures = answer.figures.flatMap((figure) => {
      const line = lineAt(figure.start);
      return line
        ? [
            {
              figure,
              ranges: rangesOf(figure, answer.text),
              place: placeOf(line, figure.start),
              isMean: isMean || speaksOfMean(answer.text, line, figure),
            },
          ]
        : [];
    });
    this.all = figures.map((each, nth) => ({ ...each, nth, known: [], result: undefined }));
  }

  /** Whether facts have all of the numbers, so that no text needs to be read. */
  isSettledByFacts(): boolean {
    for (const judged of this.all) this.#findKnown(judged);
    return this.all.every(({ result }) => result);
  }

  /** Judges in steps. */
  *run(): Steps<void> {
    for (const judged of this.all) {
      this.#findKnown(judged);
      yield;
    }
    // A result may rest on another, which may stand behind it.
    let settled = -1;
    for (let round = 0; round < 2; round += 1) {
      const before = settled;
      settled = this.all.filter(({ result }) => result).length;
      if (settled === before || settled === this.all.length) break;
      for (const judged of this.all) {
        if (judged.result) continue;
        const formula = yield* this.#formulaOf(judged);
        if (formula !== undefined) judged.result = { verdict: 'derived', formula };
        yield;
      }
      for (const judged of this.all)
        if (!judged.result && this.#isFree(judged)) judged.result = { verdict: 'exempt' };
    }
    for (const judged of this.all) judged.result ??= { verdict: 'unsupported' };
  }

  #findKnown(judged: Judged): void {
    const { figure, place } = judged;
    judged.result = undefined;
    const exemption = figure.value === 0 ? 'label' : this.#isExempt(figure, place.line);
    if (exemption) {
      judged.result = { verdict: 'exempt' };
      if (exemption === 'label') judged.operands = [];
      return;
    }
    const subjects = new Set(namesAt(this.#answer, place).flatMap(({ value }) => value));
    judged.known = knownNumbers(judged, this.#pool, subjects);
    const [best] = judged.known;
    if (best?.fact) judged.result = { verdict: 'supported', known: best.fact.known };
    else if (best?.scanned) judged.result = { verdict: 'quoted', quotedFrom: best.scanned.from };
    else if (isSupposed(this.#answer.text, place.sentence, figure) && !this.#isMisscaled(judged))
      judged.result = { verdict: 'exempt' };
  }

  /** `알림: 1,100,000원 이상` of a person who wrote 110,000: no supposition, but a slip. */
  #isMisscaled({ ranges: [range] }: Judged): boolean {
    return (
      range !== undefined &&
      SLIPS.some((scale) =>
        this.#pool
          .between(range.from / scale, range.to / scale)
          .some(
            ({ fact, scanned, kind }) =>
              kind === 'money' && (scanned?.from === 'person' || fact?.metric === 'alertPrice'),
          ),
      )
    );
  }

  /** A number of the answer as an operand, in its written and its exact form. */
  #operandOf = (judged: Judged): readonly Operand[] => {
    const { figure, known, result } = judged;
    const { start, end, kind, currency, value } = figure;
    if (!result || result.verdict === 'unsupported') return [];
    if (judged.operands) return judged.operands;
    const [best] = known;
    const written: Operand = {
      value,
      kind:
        kind !== 'plain'
          ? kind
          : isCountOfShares(this.#answer.text.slice(end, end + LOOK))
            ? 'count'
            : (best?.kind ?? kind),
      currency: kind === 'plain' && best ? best.currency : currency,
      text: this.#answer.text.slice(start, end).trim(),
      // With few digits, another fact has it by chance.
      ...(significantDigits(figure) >= TELLING_DIGITS && {
        metric: best?.fact?.metric,
        entity: best?.fact?.entity,
      }),
      prices: best?.fact && pricedBy(best.fact),
      isSpan: figure.durationDays !== undefined,
    };
    const isRounded = best && Math.abs(best.value) !== Math.abs(value) && unscaled(best, judged);
    judged.operands = isRounded ? [{ ...written, value: best.value }, written] : [written];
    return judged.operands;
  };

  /** The numbers of the answer in some part of it, the nearest first. */
  #within(judged: Judged, { start, end }: TextRange): readonly Operand[] {
    const found: Judged[] = [];
    let before = judged.nth - 1;
    let after = judged.nth + 1;
    while (found.length < MAX_OF_ANSWER) {
      const left = this.#at(before, start, end);
      const right = this.#at(after, start, end);
      if (!left && !right) break;
      const own = judged.figure.start;
      const isLeft = left && (!right || own - left.figure.start <= right.figure.start - own);
      if (isLeft) before -= 1;
      else after += 1;
      const nearer = isLeft ? left : right;
      if (nearer) found.push(nearer);
    }
    return found.flatMap(this.#operandOf);
  }

  #at(nth: number, start: number, end: number): Judged | undefined {
    const judged = this.all[nth];
    return judged && judged.figure.start >= start && judged.figure.end <= end ? judged : undefined;
  }

  /** The numbers of the same column, or those of the same place in the lines of a list. */
  #column({ place, figure }: Judged): readonly Operand[] {
    const { row } = place.line;
    const { sentence } = place;
    const nth = row?.cells.findIndex(({ end }) => figure.start < end) ?? -1;
    return this.all
      .filter(({ place: other, figure: each }) => {
        if (each === figure) return false;
        if (!row)
          return !other.line.row && other.sentence.start !== sentence.start && each.kind === figure.kind;
        const cell = other.line.row?.cells[nth];
        return (
          other.line.row?.headers === row.headers &&
          cell !== undefined &&
          each.start >= cell.start &&
          each.end <= cell.end
        );
      })
      .flatMap((each) => this.#operandOf(each).slice(0, 1));
  }

  /** The result that this number says again, in fewer digits. */
  #saidBefore({ figure, ranges }: Judged): string | undefined {
    const same = this.all.find(
      ({ figure: other, result }) =>
        other !== figure &&
        result?.verdict === 'derived' &&
        other.lastPower <= figure.lastPower &&
        mayBeSame(other, figure) &&
        isIn(ranges, other.value),
    );
    return same?.result?.formula;
  }

  /** `2,592 + 820 + 640 = 4,052억원`: the answer shows how. */
  #writtenOut({ figure, ranges, place }: Judged): string | undefined {
    const { text } = this.#answer;
    const results = [...writtenResults(text, figure.start), ...resultsBehind(text, figure.end)];
    const isIt = results.some((value) =>
      [1, ...TEXT_SCALES].some((scale) => isIn(ranges, value * scale) || isIn(ranges, value / scale)),
    );
    return isIt ? text.slice(place.sentence.start, figure.start).trim().slice(-MAX_FORMULA) : undefined;
  }

  /** What gives a number, the nearest first, each with how far chance is trusted there. */
  *#formulas(written: Judged): Generator<string | undefined> {
    const { text } = this.#answer;
    const judged = isCounted(text, written.figure)
      ? { ...written, figure: { ...written.figure, kind: 'count' as const } }
      : written;
    const { figure, place } = judged;
    const { line, sentence } = place;
    const cue = cueAt(text, judged, sentence, line.row !== undefined);
    const [ofSentence, ofLine, ofFacts] = [CHANCES.sentence * cue, CHANCES.line * cue, CHANCES.facts * cue];
    const { parent } = line;
    const nth = line.sentences.findIndex(({ end }) => figure.start < end);
    const previous = line.sentences[nth - 1]?.start ?? sentence.start;
    const near = this.#within(judged, sentence);
    const question = this.#question();
    const local = different([...near, ...(parent ? this.#within(judged, parent) : []), ...question]);
    yield fromPairs(judged, local, local, ofSentence);
    const of = this.#operands;
    const subjects = of.subjectsAt(place, near);
    const prices = subjects.flatMap((subject) => of.pricesOf(subject));
    yield fromPairs(judged, local, prices, ofLine);
    yield fromPairs(judged, prices, prices, ofLine);
    const paragraph = {
      start: Math.min(previous, parent?.start ?? previous),
      end: Math.max(sentence.end, line.end),
    };
    const wider = this.#within(judged, paragraph).slice(0, MAX_OF_PARAGRAPH);
    const own = [...near, ...question, ...wider];
    yield fromTriples(judged, different(own).slice(0, MAX_OF_SENTENCE), ofLine);
    const now = prices.filter(({ metric }) => metric === 'price' || metric === 'close');
    yield fromTriples(judged, different([...local.slice(0, MAX_OF_SENTENCE), ...now]), ofFacts);
    yield fromRun(judged, this.#column(judged), ofLine);
    yield fromRun(judged, wider, ofFacts);
    const everywhere = this.#within(judged, { start: 0, end: text.length });
    yield fromPairs(judged, local, everywhere, ofLine);
    const rates = of.rates();
    yield fromPairs(judged, [...wider, ...rates], [...local, ...wider], ofLine);
    for (const subject of subjects) {
      const facts = of.of(subject);
      yield fromPairs(judged, facts, [...local, ...wider, ...rates], ofFacts);
      yield fromPairs(judged, facts, facts, ofFacts);
      if (judged.isMean) yield fromRun(judged, of.seriesOf(subject).slice(-MAX_OF_ANSWER), ofFacts);
      if (figure.kind === 'money') yield fromPairs(judged, facts, COUNTS, ofFacts);
      yield ofPosition(judged, local, facts, ofFacts);
    }
    if (subjects.length > 1) yield ofPosition(judged, near, now, ofLine);
    for (const same of of.byMetric()) {
      // Other units give no money.
      if (figure.kind === 'money' && same[0]?.kind !== 'money') continue;
      const named = same.filter(({ entity }) => entity !== undefined && subjects.includes(entity));
      yield fromRun(judged, same, ofFacts);
      yield fromPairs(judged, named, named, ofFacts);
      yield fromPairs(judged, same, same, CHANCES.others * cue);
      if (figure.kind === 'percent' && same[0]?.metric === 'marketValue')
        yield fromPairs(judged, same, [totalOf(same)], ofFacts);
    }
    yield fromPairs(judged, everywhere, figure.kind === 'percent' ? [...COUNTS, WHOLE] : COUNTS, ofLine);
    yield fromPairs(judged, of.allPrices(), local, ofLine);
    yield fromTriples(judged, different([...own, ...rates, ...everywhere]), ofLine);
    yield fromTriples(judged, different([...question, ...this.#calculated()]), ofLine);
    const ofTexts = this.#pool.facts.length === 0 ? TEXTS_ALONE_FACTOR : 1;
    yield* this.#formulasOfTexts(judged, [...local, ...everywhere], ofLine * ofTexts, ofFacts * ofTexts);
  }

  *#formulasOfTexts(
    judged: Judged,
    stated: readonly Operand[],
    ofLine: number,
    ofFacts: number,
  ): Generator<string | undefined> {
    const { figure, place } = judged;
    const texts = this.#texts();
    const addedUp = ({ rows, runs }: TextNumbers): string | undefined => {
      for (const run of [...runs, ...rows]) {
        const formula = fromRun(judged, run, ofFacts);
        if (formula !== undefined) return formula;
      }
      return undefined;
    };
    const related = texts.related(figure, place);
    yield undefined;
    const numbers = related.rows.flat().slice(0, MAX_RELATED);
    yield fromGroups(judged, withItself(related.rows), ofLine);
    yield fromPairs(judged, numbers, stated, ofFacts);
    yield addedUp(related);
    const all = texts.all(figure);
    yield fromGroups(judged, withItself(all.rows), ofFacts);
    yield fromGroups(judged, withItself(all.columns), ofFacts);
    yield addedUp(all);
    yield fromPairs(judged, numbers, numbers, ofLine);
  }

  /** How a number follows from others, looked for in steps. */
  *#formulaOf(judged: Judged): Steps<string | undefined> {
    const said = this.#saidBefore(judged) ?? this.#writtenOut(judged);
    if (said !== undefined) return said;
    // An answer with so many numbers that follow from nothing is no calculation.
    let left = this.#failed < MOST_FAILED ? Number.POSITIVE_INFINITY : NEAREST_ATTEMPTS;
    for (const formula of this.#formulas(judged)) {
      if (formula !== undefined) return formula;
      left -= 1;
      if (left === 0) break;
      yield;
    }
    this.#failed += 1;
    return undefined;
  }

  /** Whether the number says too little to be asked about: nobody can tell whether it was looked up. */
  #isFree({ figure, place, ranges }: Judged): boolean {
    if (isOfRule(this.#answer.text, place.sentence, figure)) return true;
    const isHedged = opennessOf(ranges) >= HEDGED;
    if (
      (figure.kind !== 'money' || isCoinAmount(figure.currency) || isHedged) &&
      significantDigits(figure) <= 1
    )
      return true;
    return opennessOf(ranges) >= ONE_DIGIT && figure.kind !== 'money';
  }
}

/** Each group combined with itself. */
const withItself = <T>(groups: readonly T[]): readonly (readonly [T, T])[] =>
  groups.map((group) => [group, group]);

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

const isCounted = (text: string, { kind, end }: Figure): boolean =>
  kind === 'plain' && isCountOfThings(text.slice(end, end + LOOK));

const CUED = 4;
/** A number with two digits follows from others more often than it is made up. */
const COARSE = 0.008;
const COARSE_FACTOR = 6;
const CUE_BEFORE = 60;
const CUE_AFTER = 40;

/** How much more likely the words around a number make it that it was calculated. */
const cueAt = (
  text: string,
  { figure, ranges }: { readonly figure: TextRange; readonly ranges: readonly WrittenRange[] },
  sentence: TextRange,
  isInTable: boolean,
): number => {
  const around = text.slice(
    Math.max(sentence.start, figure.start - CUE_BEFORE),
    Math.min(sentence.end, figure.end + CUE_AFTER),
  );
  return (isInTable || saysResult(around) ? CUED : 1) * (opennessOf(ranges) >= COARSE ? COARSE_FACTOR : 1);
};

/** Whether the words around a number speak of an average; of the whole text, if there is none. */
const speaksOfMean = (
  text: string,
  line: TextRange = { start: 0, end: text.length },
  figure = line,
): boolean => saysMean(text.slice(Math.max(line.start, figure.start - CUE_BEFORE), figure.end + CUE_AFTER));

const LOOK = 48;
const ROUND_DIGITS = 2;
/** `보통 1.75%`, `typically 0.5%`. */
const CUSTOM_DIGITS = 3;

/** Whether the sentence supposes the number, so that nobody could look it up. */
const isSupposed = (text: string, sentence: TextRange, figure: Figure): boolean =>
  isAssumed(text, sentence, figure) ||
  (significantDigits(figure) <= ROUND_DIGITS && isConditioned(text, sentence, figure));

/** Whether it is of a rule or a custom: a tax rate, a level of an indicator. */
const isOfRule = (text: string, sentence: TextRange, figure: Figure): boolean => {
  const digits = significantDigits(figure);
  const written = text.slice(sentence.start, sentence.end);
  if (figure.kind === 'money') return digits <= ROUND_DIGITS && saysAllowance(written);
  if (figure.kind === 'percent' && isTaxRate(text, sentence, figure)) return true;
  if (figure.kind === 'percent' && digits <= CUSTOM_DIGITS && saysCustom(written)) return true;
  return digits <= ROUND_DIGITS && saysRule(written);
};
