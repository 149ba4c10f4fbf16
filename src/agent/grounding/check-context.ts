import type { ReadAnswer } from './read-answer.ts';
import type { Operand } from './derive.ts';
import { MIN_TELLING_DIGITS, significantDigits } from './digits.ts';
import { dayNumber, type EvidenceFact, type FactIndex } from './fact-index.ts';
import { type Figure, readFigures } from './figures.ts';
import { type Line, linesOf, type Range } from './layout.ts';
import { LooseText } from './loose-text.ts';
import { isWritten } from './matching.ts';
import { isSamePeriod } from './periods.ts';
import type { Evidence } from './verdict.ts';
import { type WordHit, wordsIn } from './vocabulary.ts';

/** More numbers than that are no answer for a person. */
const MAX_FIGURES = 500;
const MAX_OWN = 20_000;

/** Tells which words are part of others: `Holdings` of POSCO Holdings, and `주가` of `1.8억 주가`, name no metric. */
const coverTest = (others: readonly Range[], inside: number): ((word: Range) => boolean) => {
  // The words come in the order of the text, so those that end before one of them are passed for good.
  let first = 0;
  return (word) => {
    while ((others[first]?.end ?? Infinity) <= word.start) first += 1;
    for (let place = first; ; place += 1) {
      const other = others[place];
      if (!other || other.start + inside > word.start) return false;
      if (word.start < other.end && word.end <= other.end + inside) return true;
    }
  };
};

const uncovered = (
  words: readonly WordHit[],
  names: readonly Range[],
  figures: readonly Range[],
): readonly WordHit[] => {
  const isOfName = coverTest(names, 0);
  const isOfNumber = coverTest(figures, 1);
  return words.filter((word) => !isOfName(word) && !isOfNumber(word));
};

/** Words about what a person holds, in lower case. One pattern of all of them takes three times as long. */
const HOLDINGS = [
  /자산|국내 주식|해외 주식|보유|수익|손익|평단|평가|포트폴리오|원화로|달러로/u,
  /stake|portfolio|position|holding|unreali[sz]|cost basis|return|\bterms\b/u,
  /\d(?:\s?주로| shares,)/u,
  /\byou(?:['’]re| are| have|['’]ve)? (?:up|down|lost|made|gained)\b/u,
] as const;
const isAboutHoldings = (lowered: string): boolean => HOLDINGS.some((words) => words.test(lowered));

const isOfThePerson = (entity: string): boolean => /^(?:portfolio|tax)(?:[: ]|$)/u.test(entity);

const MAX_QUESTION = 400;
const lastQuestion = (ownText: string): string => {
  const asked = ownText.trimEnd();
  return asked.slice(Math.max(asked.lastIndexOf('\n') + 1, asked.length - MAX_QUESTION)).toLowerCase();
};

/** One answer with everything that its numbers are compared with. Expensive parts are read when first needed. */
export class CheckContext {
  readonly answer: ReadAnswer;
  readonly index: FactIndex;
  /** What the person asked last, in lower case. */
  readonly question: string;
  readonly uncheckedCount: number;
  readonly today: number;
  /** Days that the answer names anywhere. */
  readonly namedDays: ReadonlySet<number>;
  /** Facts about a portfolio as a whole, and taxes: no company is their subject. */
  readonly ofThePerson: readonly EvidenceFact[];
  /** Untyped text. */
  readonly loose: LooseText;
  readonly headlines: LooseText;
  readonly #evidence: Evidence;
  #own: readonly Operand[] | undefined;
  #namedInText: ReadonlySet<string> | undefined;
  #spans: readonly number[] | undefined;
  #inContext: readonly Figure[] | undefined;

  constructor(text: string, evidence: Evidence, index: FactIndex) {
    const lower = text.toLowerCase();
    const lowered = lower.length === text.length ? lower : text;
    const question = lastQuestion(evidence.ownText);
    this.question = question;
    const { figures, dates } = readFigures(text, evidence.today);
    const names = index.namesIn(lowered);
    this.#evidence = evidence;
    this.index = index;
    this.loose = new LooseText(evidence.looseText, evidence.today);
    this.headlines = new LooseText(evidence.headlineText ?? '', evidence.today);
    this.uncheckedCount = Math.max(0, figures.length - MAX_FIGURES);
    const words = uncovered(wordsIn(lowered), names, figures);
    const checked = figures.length > MAX_FIGURES ? figures.slice(0, MAX_FIGURES) : figures;
    this.answer = {
      text,
      lines: linesOf(text),
      figures: checked,
      dates,
      words,
      spanWords: words.filter(({ value }) => value.periodDays !== undefined),
      spanFigures: checked.filter(({ durationDays }) => durationDays !== undefined),
      names,
      isAboutHoldings: isAboutHoldings(lowered) || isAboutHoldings(question),
      topic: [...new Set(index.namesIn(question).flatMap(({ value }) => value))],
    };
    this.ofThePerson = [...index.byEntity.keys()].some(isOfThePerson)
      ? index.all.filter(({ entity }) => isOfThePerson(entity))
      : [];
    this.today = dayNumber(evidence.today);
    this.namedDays = new Set(dates.flatMap(({ days }) => days));
  }

  /** The line of a position. Fast for positions in order. */
  lineFinder(): (at: number) => Line | undefined {
    const { lines } = this.answer;
    let place = 0;
    return (at) => {
      if ((lines[place]?.start ?? 0) > at) place = 0;
      while (place < lines.length && (lines[place]?.end ?? 0) < at) place += 1;
      return lines[place];
    };
  }

  /** Whether a word is the name of an instrument, if that can be looked up. */
  get isInstrument(): Evidence['isInstrument'] {
    return this.#evidence.isInstrument;
  }

  /** Whether the person asked about this span, so that the answer need not name it. */
  readonly isAskedSpan = (days: number): boolean => {
    if (!this.#spans) {
      const asked = lastQuestion(this.#evidence.ownText);
      this.#spans = [
        ...wordsIn(asked).flatMap(({ value }) => value.periodDays ?? []),
        ...readFigures(asked, this.#evidence.today).figures.flatMap(({ durationDays }) => durationDays ?? []),
        ...this.answer.figures.flatMap(({ durationDays }) => durationDays ?? []),
        ...this.answer.words.flatMap(({ value }) => value.periodDays ?? []),
      ];
    }
    return this.#spans.some((span) => isSamePeriod(span, days));
  };

  /** The numbers of the person's words. */
  ownNumbers(): readonly Operand[] {
    const text = this.#evidence.ownText.slice(-MAX_OWN);
    this.#own ??= readFigures(text, this.#evidence.today).figures.map(
      ({ value, kind, currency, start, end }) => ({
        value,
        kind,
        currency,
        text: text.slice(start, end),
        prices: undefined,
        metric: undefined,
        day: undefined,
        rank: start >= text.length - MAX_QUESTION ? 0 : 1,
        start: undefined,
      }),
    );
    return this.#own;
  }

  /** Whether untyped text names one of these subjects. */
  isNamedInText(entities: readonly string[]): boolean {
    this.#namedInText ??= new Set(
      this.index
        .namesIn(`${this.loose.text}\n${this.headlines.text}`.toLowerCase())
        .flatMap(({ value }) => value),
    );
    const named = this.#namedInText;
    return entities.some((entity) => named.has(entity));
  }

  /** Whether the person wrote this number, or a conversion was made from it. */
  isOwn(figure: Figure): boolean {
    if (figure.kind === 'money' && this.#isConverted(figure)) return true;
    return this.ownNumbers().some(
      ({ value, kind, currency }) =>
        isWritten(value, figure, undefined) &&
        (kind === figure.kind || kind === 'plain' || kind === 'count' || figure.kind === 'plain') &&
        (figure.kind !== 'money' || currency === undefined || currency === figure.currency),
    );
  }

  #isConverted({ value, currency }: Figure): boolean {
    return this.index.all.some(
      ({ metric, entity, known }) =>
        metric === 'converted' &&
        entity.split('/')[0] === currency &&
        Number(known.fact.operands?.[0]) === value,
    );
  }

  /** Whether the program told the model this number about the person's records: an alert, a holding. */
  isInContext(figure: Figure): boolean {
    if (figure.kind === 'plain' || significantDigits(figure) < MIN_TELLING_DIGITS) return false;
    this.#inContext ??= readFigures(
      (this.#evidence.contextText ?? '').slice(-MAX_OWN),
      this.#evidence.today,
    ).figures;
    return this.#inContext.some(
      ({ value, kind, currency }) =>
        kind === figure.kind && currency === figure.currency && isWritten(value, figure, undefined),
    );
  }
}
