import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { isCoinCode } from '#src/reading/currencies.ts';
import type { Evidence } from '../facts/evidence.ts';
import type { KnownNumber, Pool } from '../facts/pool.ts';
import { mayBeSame } from '../facts/units.ts';
import { lineFinder, namesAt, type AnswerPlace, placeOf, type ReadAnswer } from '../read/answer.ts';
import { type Figure, readFigures, significantDigits } from '../read/figures.ts';
import type { AnswerLine, TextRange } from '../read/layout.ts';
import {
  COUNTS,
  different,
  fromGroups,
  fromPairs,
  fromRun,
  fromTriples,
  timesDifference,
  type Operand,
  type Target,
} from './derive.ts';
import { exemptions } from './exempt.ts';
import { FactOperands, pricedBy } from './operands.ts';
import { knownNumbers, TEXT_SCALES, unscaled } from './known-numbers.ts';
import { TextOperands, type TextNumbers } from './text-operands.ts';
import type { CheckedNumber } from './verdict.ts';
import { isIn, opennessOf, rangesOf, type WrittenRange } from './written.ts';
import { foldWidth } from '#src/reading/reading.ts';

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
const MOST_FAILED = 60;
const NEAREST_ATTEMPTS = 4;
/** How people and models slip in a scale. */
const SLIPS = [10, 100, 1_000, 0.1, 0.01, 0.001] as const;
const MAX_FORMULA = 80;
/** The openness of a number with one digit. */
const ONE_DIGIT = 0.08;
/** The openness of `약 2만 원`, `6만 원 넘게`. */
const HEDGED = 0.04;

const isOfCoin = ({ currency }: Figure): boolean => currency !== undefined && isCoinCode(currency);

/** Judges the numbers of an answer, one after the other. */
export class Judge {
  readonly all: readonly Judged[];
  readonly #answer: ReadAnswer;
  readonly #pool: Pool;
  readonly #operands: FactOperands;
  readonly #texts: TextOperands;
  readonly #question: readonly Operand[];
  readonly #isExempt: (figure: Figure, line: AnswerLine) => boolean;
  /** How many numbers followed from nothing. */
  #failed = 0;

  /** `examples`: code of the answer, whose numbers are not read but calculated with. */
  constructor(answer: ReadAnswer, pool: Pool, evidence: Evidence, examples: string) {
    this.#answer = answer;
    this.#pool = pool;
    this.#operands = new FactOperands(answer, pool);
    this.#texts = new TextOperands(answer, pool, evidence.question);
    const parameters = new Set(evidence.facts.map(({ fact }) => Number(fact.parameter)));
    this.#isExempt = exemptions(answer, (value) => parameters.has(value));
    this.#question = pool.lines
      .filter(({ from }) => from === 'person')
      .slice(0, MAX_OWN_LINES)
      .flatMap(({ numbers }) => numbers.slice(0, MAX_OWN_NUMBERS))
      .map(({ figure: { value, kind, currency }, text }) => ({ value, kind, currency, text }))
      .concat(
        readFigures(examples, evidence.today).figures.map(({ value, kind, currency, start, end }) => ({
          value,
          kind,
          currency,
          text: examples.slice(start, end).trim(),
        })),
      );
    const lineAt = lineFinder(answer.lines);
    const figures = answer.figures.flatMap((figure) => {
      const line = lineAt(figure.start);
      return line
        ? [
            {
              figure,
              ranges: rangesOf(figure, answer.text),
              place: placeOf(line, figure.start),
              isMean: speaksOfMean(answer.text, line, figure) || speaksOfMean(evidence.question),
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
    for (let round = 0; round < 2; round += 1) {
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
    if (figure.value === 0 || this.#isExempt(figure, place.line)) {
      judged.result = { verdict: 'exempt' };
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
      kind: kind === 'plain' && best ? best.kind : kind,
      currency: kind === 'plain' && best ? best.currency : currency,
      text: this.#answer.text.slice(start, end).trim(),
      metric: best?.fact?.metric,
      entity: best?.fact?.entity,
      prices: best?.fact && pricedBy(best.fact),
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
    const nth = row?.cells.findIndex(({ end }) => figure.start < end) ?? -1;
    return this.all
      .filter(({ place: other, figure: each }) => {
        if (each === figure) return false;
        if (!row) return !other.line.row && other.line !== place.line && each.kind === figure.kind;
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
    const results = writtenResults(text, figure.start);
    const isIt = results.some((value) =>
      [1, ...TEXT_SCALES].some((scale) => isIn(ranges, value * scale) || isIn(ranges, value / scale)),
    );
    return isIt ? text.slice(place.sentence.start, figure.start).trim().slice(-MAX_FORMULA) : undefined;
  }

  /** What may give a number, the nearest first, each with how far chance is trusted there. */
  #attempts(judged: Judged): readonly (() => string | undefined)[] {
    const { figure, place } = judged;
    const { text } = this.#answer;
    const { line, sentence } = place;
    const cue = cueAt(text, judged, sentence, line.row !== undefined);
    const [ofSentence, ofLine, ofFacts] = [CHANCES.sentence * cue, CHANCES.line * cue, CHANCES.facts * cue];
    const ofOthers = CHANCES.others * cue;
    const ofTexts = this.#pool.facts.length === 0 ? TEXTS_ALONE_FACTOR : 1;
    const { parent } = line;
    const nth = line.sentences.findIndex(({ end }) => figure.start < end);
    const previous = line.sentences[nth - 1]?.start ?? sentence.start;
    const near = this.#within(judged, sentence);
    const local = different([...near, ...(parent ? this.#within(judged, parent) : []), ...this.#question]);
    const paragraph = {
      start: Math.min(previous, parent?.start ?? previous),
      end: Math.max(sentence.end, line.end),
    };
    const wider = this.#within(judged, paragraph).slice(0, MAX_OF_PARAGRAPH);
    const own = [...near, ...this.#question, ...wider];
    const everywhere = this.#within(judged, { start: 0, end: text.length });
    const of = this.#operands;
    const [rates, totals] = [of.rates(), of.totals()];
    const subjects = of.subjectsAt(place);
    const prices = subjects.flatMap((subject) => of.pricesOf(subject));
    const pairs =
      (first: readonly Operand[], second: readonly Operand[], chance: number) => (): string | undefined =>
        fromPairs(judged, first, second, chance);
    return [
      pairs(local, local, ofSentence),
      pairs(near, COUNTS, ofLine),
      pairs(local, prices, ofLine),
      pairs(prices, prices, ofLine),
      () => fromTriples(judged, different(own).slice(0, MAX_OF_SENTENCE), ofLine),
      () => fromRun(judged, this.#column(judged), ofLine),
      () => fromRun(judged, near, ofLine),
      pairs([...wider, ...rates], [...local, ...wider], ofLine),
      ...subjects.flatMap((subject) => [
        pairs(of.of(subject), [...local, ...wider, ...rates], ofFacts),
        pairs(of.of(subject), of.of(subject), ofFacts),
        pairs(of.of(subject), totals, ofFacts),
        () => timesDifference(judged, local, of.of(subject), ofFacts),
      ]),
      ...of.byMetric().flatMap((same) => {
        const named = same.filter(({ entity }) => entity !== undefined && subjects.includes(entity));
        return [
          () => fromRun(judged, same, ofFacts),
          () => fromRun(judged, named, ofFacts),
          pairs(named, named, ofFacts),
          pairs(same, same, ofOthers),
        ];
      }),
      pairs(wider, COUNTS, ofLine),
      pairs(everywhere, everywhere, ofFacts),
      pairs(of.allPrices(), local, ofLine),
      () => fromTriples(judged, different([...own, ...rates, ...everywhere]), ofLine),
      ...this.#attemptsAtTexts(judged, [...local, ...everywhere], ofLine * ofTexts, ofFacts * ofTexts),
      ...subjects.slice(0, 1).map((subject) => pairs(of.of(subject), of.all(), ofOthers)),
    ];
  }

  #attemptsAtTexts(
    judged: Judged,
    stated: readonly Operand[],
    ofLine: number,
    ofFacts: number,
  ): readonly (() => string | undefined)[] {
    const { figure, place } = judged;
    const texts = this.#texts;
    const related = lazily(() => texts.related(figure, place));
    const all = lazily(() => texts.all(figure));
    const addedUp = ({ rows, runs }: TextNumbers): string | undefined => {
      for (const run of [...runs, ...rows]) {
        const formula = fromRun(judged, run, ofFacts);
        if (formula !== undefined) return formula;
      }
      return undefined;
    };
    return [
      () => fromGroups(judged, withItself(related().rows), ofLine),
      () => fromGroups(judged, texts.acrossColumns(figure, place), ofLine),
      () => fromPairs(judged, related().rows.flat().slice(0, MAX_RELATED), stated, ofFacts),
      () => addedUp(related()),
      () => fromGroups(judged, withItself(all().rows), ofFacts),
      () => fromGroups(judged, withItself(all().columns), ofFacts),
      () => addedUp(all()),
      () => {
        const numbers = related().rows.flat().slice(0, MAX_RELATED);
        return fromPairs(judged, numbers, numbers, ofLine);
      },
    ];
  }

  /** How a number follows from others, looked for in steps. */
  *#formulaOf(judged: Judged): Steps<string | undefined> {
    const said = this.#saidBefore(judged) ?? this.#writtenOut(judged);
    if (said !== undefined) return said;
    // An answer with so many numbers that follow from nothing is no calculation.
    const attempts = this.#attempts(judged).slice(
      0,
      this.#failed < MOST_FAILED ? undefined : NEAREST_ATTEMPTS,
    );
    for (const attempt of attempts) {
      const formula = attempt();
      if (formula !== undefined) return formula;
      yield;
    }
    this.#failed += 1;
    return undefined;
  }

  /** Whether the number says too little to be asked about: nobody can tell whether it was looked up. */
  #isFree({ figure, place, ranges }: Judged): boolean {
    const { text } = this.#answer;
    if (isOfRule(text, place.sentence, figure)) return true;
    const isHedged = opennessOf(ranges) >= HEDGED;
    if ((figure.kind !== 'money' || isOfCoin(figure) || isHedged) && significantDigits(figure) <= 1)
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

/** Words that announce a result. */
const CALCULATED =
  /[=≈→]|합|차이|격차|총|평균|비율|비중|배수|환산|계산|남|더하|빼|곱|나누|대비|보다|약\s|정도|손익|수익|이익|손실|추가|상승 여력|괴리|sum|total|combined|together|average|mean|ratio|differ|gap|spread|versus|\bvs\b|than|worth|about|roughly|around|approx|≈|~|implies|equals?|works out|convert|leaves|remaining|upside|downside|gain|loss|profit|\b(?:up|down|from|below|above|under|off|ahead|behind|short)\b|outperform|\bbeat|\blag|band|range|폭|범위|구간|필요|모자|부족|need|내려|올라|떨어|하락|상승|높|낮|per (?:share|month|year|day)/iu;
const CUED = 4;
/** A number with two digits follows from others more often than it is made up. */
const COARSE = 0.008;
const COARSE_FACTOR = 6;
const MEAN =
  /평균|중간|평단|average|\bmean\b|midpoint|midway|\bavg\b|a (?:month|day|year)\b|per (?:month|day|year)/iu;
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
  return (
    (isInTable || CALCULATED.test(around) ? CUED : 1) * (opennessOf(ranges) >= COARSE ? COARSE_FACTOR : 1)
  );
};

/** Whether the words around a number speak of an average; of the whole text, if there is none. */
const speaksOfMean = (
  text: string,
  line: TextRange = { start: 0, end: text.length },
  figure = line,
): boolean => MEAN.test(text.slice(Math.max(line.start, figure.start - CUE_BEFORE), figure.end + CUE_AFTER));

/** `10% 더 떨어지면`, `100만 원을 넣는다면`: what is supposed stands before the ending. */
const CONDITION_AFTER = /^[^,.\n]{0,24}?(?:(?<![측화반표장국방단전후정])면|경우|다가|기로|려고)(?=[\s,])/u;
/** `if it falls 10%`, `a stop at 7% below`. */
const CONDITION_BEFORE =
  /(?:\bif\b|suppos|assum|imagine|hypothetic|\bevery\b|\beach\b|\bsay\b|for every|at least|more than|as much as)[^,.;\n]{0,48}$/iu;
/** A sentence that advises, offers or gives an example. */
const ADVICE =
  /만약|만일|가정|가령|시나리오|예를 들|예컨대|예시|목표|손절|익절|분할|권장|추천|고려|제안|할까요|드릴까요|원하시면|말씀해|for (?:example|instance)|e\.g\.|\blet me know\b|\bwant(?: me)?\b|consider|recommend|suggest|\btarget|stop[- ]loss|\bset (?:an?|it|up)\b|rule of thumb|scenario/iu;
/** A sentence of a rule, a custom, a limit or a scale. */
const RULE =
  /보통|일반적|통상|대개|흔히|대체로|법칙|원칙|과매수|과매도|중립|세율|공제|한도|거래세|원천\s?징수|소득세|비과세|해석|간주|typical|usual|generally|rule|historically|\btax|withh(?:eld|old)|insur|considered|overbought|oversold|neutral|deduct|allowance|exempt|bracket|threshold/iu;
/** Of an allowance or a limit in money. */
const OF_TAX = /세율|공제|한도|소득세|비과세|예금자|\btax|deduct|allowance|exempt|insur/iu;
/** `양도소득세율 22%`, `withholding of 15.4%`: a rate of a tax, whatever its digits. */
const TAX_BEFORE =
  /(?:세율|소득세|거래세|세금|원천\s?징수|\btax(?:ed)?(?: rate)?|withholding|withheld)[^,.\n\d]{0,12}$/iu;
/** `22%의 양도소득세`, `15% withholding`. */
const TAX_AFTER =
  /^(?:의|인|가|를)?\s?(?:[\p{L}]{1,12}\s)?(?:양도|배당|소득|거래|원천|지방|종합|세금|세율|(?:withholding|capital gains|dividend|income|long-term|state|federal|transaction)?\s?tax|withh)/iu;
/** `환율을 1,460원으로 잡으면`, `assuming a rate of 1,460`. */
const ASSUMED_AFTER = /^(?:으로|라고|이라고|로)?\s?(?:잡|가정|놓고|치면|친다|본다면|보면)/u;
const ASSUMED_BEFORE =
  /(?:assum\w{1,4}|suppos\w{1,4}|\bsay,?|imagine|if (?:it|the price|the rate)[\p{L}\s]{0,20})\s(?:an? |the )?(?:[\p{L}]{1,12} ){0,3}[₩$€£¥]?$/iu;
const LOOK = 48;
const ROUND_DIGITS = 2;
/** `보통 1.75%`, `typically 0.5%`. */
const CUSTOM = /보통|통상|일반적|대개|흔히|typical|usual|generally/iu;
const CUSTOM_DIGITS = 3;

/** Whether the sentence supposes the number, so that nobody could look it up. */
const isSupposed = (text: string, sentence: TextRange, figure: Figure): boolean => {
  const { start, end } = figure;
  if (ASSUMED_AFTER.test(text.slice(end, end + LOOK))) return true;
  if (ASSUMED_BEFORE.test(text.slice(Math.max(sentence.start, start - LOOK), start))) return true;
  if (significantDigits(figure) > ROUND_DIGITS) return false;
  return (
    CONDITION_AFTER.test(text.slice(end, end + LOOK)) ||
    CONDITION_BEFORE.test(text.slice(Math.max(sentence.start, start - LOOK), start)) ||
    ADVICE.test(text.slice(sentence.start, sentence.end))
  );
};

/** Whether it is of a rule or a custom: a tax rate, a level of an indicator. */
const isOfRule = (text: string, sentence: TextRange, figure: Figure): boolean => {
  const { start, end, kind } = figure;
  if (
    kind === 'percent' &&
    (TAX_BEFORE.test(text.slice(Math.max(sentence.start, start - LOOK), start)) ||
      TAX_AFTER.test(text.slice(end, end + LOOK)))
  )
    return true;
  const written = text.slice(sentence.start, sentence.end);
  if (kind === 'percent' && significantDigits(figure) <= CUSTOM_DIGITS && CUSTOM.test(written)) return true;
  const rule = kind === 'money' ? OF_TAX : RULE;
  return significantDigits(figure) <= ROUND_DIGITS && rule.test(written);
};

/** What is written before an equals sign is short. */
const LONGEST = 160;
const EQUALS_BEFORE = /[=≈]\s?(?:약\s?|about\s|roughly\s|~\s?)?[A-Z]{0,3}[₩$€£¥+-]?$/u;
const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/uy;
const MORE: ReadonlySet<string> = new Set(['+', '-', '*', '/']);
const OPERATORS: Readonly<Record<string, string>> = {
  '×': '*',
  x: '*',
  '*': '*',
  '÷': '/',
  '/': '/',
  '+': '+',
  '-': '-',
};
const MAX_TOKENS = 40;

/** The numbers, operators and brackets of a text; words and units are skipped. */
const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = [];
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS;) {
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    const char = text.charAt(at);
    const operator = OPERATORS[char];
    if (number !== undefined) tokens.push(number.replaceAll(',', ''));
    else if (char === '(' || char === ')') tokens.push(char);
    else if (operator !== undefined && (char !== 'x' || text.charAt(at - 1) === ' ')) tokens.push(operator);
    at += number?.length ?? 1;
  }
  return tokens;
};

/** The value of a whole row of tokens by the usual rules. Undefined if they are no formula. */
const valueOf = (tokens: readonly string[]): number | undefined => {
  let at = 0;
  const atom = (): number => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '-') return -atom();
    if (token !== '(') return MORE.has(token) || token === ')' || token === '' ? Number.NaN : Number(token);
    const inner = sum();
    if (tokens[at] !== ')') return Number.NaN;
    at += 1;
    return inner;
  };
  const product = (): number => {
    let value = atom();
    while (tokens[at] === '*' || tokens[at] === '/') {
      at += 1;
      value = tokens[at - 1] === '*' ? value * atom() : value / atom();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') {
      at += 1;
      value = tokens[at - 1] === '+' ? value + product() : value - product();
    }
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
};

/** What the formula gives that stands before the equals sign of a number: `2,592 + 820 + 640 = 4,052`. */
const writtenResults = (text: string, start: number): readonly number[] => {
  const before = foldWidth(text.slice(Math.max(0, start - LONGEST), start));
  const sign = EQUALS_BEFORE.exec(before);
  if (!sign) return [];
  const tokens = tokensOf(
    before
      .slice(0, sign.index)
      .split(/[=≈\n;]|[.!?]\s/u)
      .at(-1) ?? '',
  );
  // Words may stand before the formula, and their numbers are none of it.
  for (let from = 0; from < tokens.length - 2; from += 1) {
    const rest = tokens.slice(from);
    const value = rest.some((token) => MORE.has(token)) ? valueOf(rest) : undefined;
    if (value !== undefined) return [value, value * 100];
  }
  return [];
};
