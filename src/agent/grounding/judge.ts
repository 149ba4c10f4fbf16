import { Binder, type Binding } from './binding.ts';
import { CheckContext } from './check-context.ts';
import { isConfirmed } from './confirmed.ts';
import { DateClaims } from './date-claims.ts';
import { significantDigits } from './digits.ts';
import { exampleConversion } from './example-amount.ts';
import { exemptions } from './exempt.ts';
import { FactClaims, IMPLIED } from './fact-claims.ts';
import type { EvidenceFact, FactIndex } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { GeneralStatements } from './general.ts';
import { sentenceAt } from './layout.ts';
import { LikelyFacts } from './likely-facts.ts';
import { isWritten, limitOf } from './matching.ts';
import { type Judged, Operands } from './operands.ts';
import { isOfPayer, isRateFact, RATE_NAMED } from './rates.ts';
import { Reversals } from './reversals.ts';
import { MONEY_MOVES } from './vocabulary.ts';
import type { Evidence, KnownFact, PlainVerdict } from './verdict.ts';

/** Numbers with so few digits are used to suppose something. */
const isRound = (figure: Figure): boolean => significantDigits(figure) <= 2;

/** Targets, thresholds, conditions, opinions, denials, quotations, customs, and the past: their numbers differ from those of now. */
const NO_STATEMENT =
  /[가-힣]면(?:[\s,.]|$)|려면|알림|알려|목표|적정|지지|저항|손절|익절|예상|전망|의견|애널리스트|컨센서스|주문|보통|흔히|통상|대개|아니라|아니냐|아닙니다|잘못|정정|하셨|라고|다고|당시|때[는에\s]|이던|였던|이었던|(?:19|20)\d\d년|\b(?:in|since|until|by|early|late|mid)[\s-](?:19|20)\d\d|analyst|target|estimate|alert|limit order|stop[- ]loss|support|resistance|if\b|would|could|should|might|not\b|n't\b|wrong|apolog|mistak|you said|you mentioned|\bwas\b|\bwere\b|used to|went public|split|usual|typical|often|normally|common/iu;

/** A word at most this many characters away belongs to the number. */
const BESIDE = 12;
const TARGET = /알림|목표|손절|익절|target|alert|limit order|stop[- ]loss/iu;

const TOPIC_AFTER = /^(?:[은는을를]|이면)/u;

/** A wrong unit is a factor of a thousand or ten thousand. What differs more is something else. */
const MAX_FACTOR = 20_000;

/** Whether the number can be meant to be the value of the fact. */
const isOfSameSize = ({ kind, value }: Figure, fact: EvidenceFact): boolean => {
  if (kind === 'count' && Number.isInteger(fact.value) && !Number.isInteger(value)) return false;
  const factor = Math.abs(value / fact.value);
  return fact.value === 0 || value === 0 || (factor < MAX_FACTOR && factor > 1 / MAX_FACTOR);
};

/** What is known of the day of a high or a low: a date is replaced by a date. */
const knownDayOf = (known: KnownFact): KnownFact => {
  const { fact } = known;
  return fact.day === undefined ? known : { ...known, fact: { ...fact, value: fact.day, unit: 'date' } };
};

/** A limit further away says nothing. */
const MAX_BOUND = 1.5;

/** A number with so many digits is the same in another scale. */
const SURE_DIGITS = 4;

/** After so many searches without a result, no further formula is looked for, and no number is struck for having none. */
const MAX_FRUITLESS = 60;
/** An answer with more numbers is a list: operands that stand behind their result are not looked for. */
const MAX_DERIVED = 120;

/** Decides about each number of one answer: by facts, then by the person's words, then by its other numbers. */
export class Judge {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;
  readonly #likely: LikelyFacts;
  readonly #operands: Operands;
  readonly #general: GeneralStatements;
  /** How many verdicts were known when no formula was found for a number. */
  readonly #fruitless = new Map<Judged, number>();
  #fruitlessCount = 0;

  constructor(text: string, evidence: Evidence, index: FactIndex) {
    this.#context = new CheckContext(text, evidence, index);
    this.#claims = new FactClaims(this.#context);
    this.#likely = new LikelyFacts(this.#context, this.#claims);
    this.#operands = new Operands(this.#context, this.#claims);
    this.#general = new GeneralStatements(this.#context);
  }

  verdicts(): { readonly verdicts: readonly PlainVerdict[]; readonly uncheckedCount: number } {
    const { figures } = this.#context.answer;
    const lineAt = this.#context.lineFinder();
    const exemptionOf = exemptions(this.#context.answer, (value) =>
      this.#context.index.all.some(({ parameter }) => parameter === String(value)),
    );
    const exempt = new Set<Figure>();
    for (const figure of figures) {
      const line = lineAt(figure.start);
      if (!line || exemptionOf(figure, line)) exempt.add(figure);
    }
    const binder = new Binder(this.#context.answer, this.#context.index, (figure) => exempt.has(figure));
    const judged = figures.flatMap((figure): readonly Judged[] => {
      const line = lineAt(figure.start);
      if (!line || exempt.has(figure)) return [];
      const binding = this.#withoutFutureDays(binder.bind(figure, line));
      return [{ figure, line, binding, verdict: undefined, fact: undefined }];
    });
    for (const each of judged) this.#judgeByFacts(each);
    const wrongDays = judged.flatMap((each) => this.#judgeByDay(each));
    for (const each of judged) if (!each.verdict) this.#judgeByWords(each, judged);
    for (const each of judged) if (!each.verdict) this.#judgeByOthers(each, judged);
    new Reversals(this.#context, this.#claims).find(judged, (sentence) => !NO_STATEMENT.test(sentence));
    const verdicts: PlainVerdict[] = [
      ...Array.from(exempt, ({ start, end }) => ({ start, end, verdict: 'exempt' as const })),
      ...judged.map(({ figure: { start, end }, verdict }) => ({
        start,
        end,
        verdict: verdict?.verdict ?? ('unsupported' as const),
        known: verdict?.known,
        formula: verdict?.formula,
        quotedFrom: verdict?.quotedFrom,
        isReversed: verdict?.isReversed,
        wrongWord: verdict?.wrongWord,
      })),
      ...new DateClaims(this.#context, this.#claims).verdicts(binder, lineAt, wrongDays),
    ];
    return {
      verdicts: verdicts.toSorted((a, b) => a.start - b.start),
      uncheckedCount: this.#context.uncheckedCount,
    };
  }

  /** A future day is of an event, not of a price. */
  #withoutFutureDays(binding: Binding): Binding {
    const latest = this.#context.today + 1;
    if (!binding.days?.some((day) => day > latest)) return binding;
    const days = binding.days.filter((day) => day <= latest);
    return { ...binding, days: days.length > 0 ? days : undefined };
  }

  /** `The won fell 0.36%`: the rate of the dollar rose by it. */
  #byPayer({ figure, line, binding }: Judged): EvidenceFact | undefined {
    const { direction, directionAt } = binding;
    if (figure.kind !== 'percent' || figure.sign !== undefined || !directionAt) return undefined;
    const { start } = sentenceAt(line, figure.start);
    const words = this.#context.answer.text.slice(start, Math.max(figure.start, directionAt.start));
    return this.#claims
      .withValueOf(figure)
      .find(
        (fact) =>
          fact.metric === 'changePercent' && Math.sign(fact.value) !== direction && isOfPayer(fact, words),
      );
  }

  /** `The won rose 0.36%`: the rate of the dollar rose, so the won fell. */
  #isPayerMoved({ figure, line, binding }: Judged, fact: EvidenceFact): boolean {
    const { direction, directionAt } = binding;
    if (fact.metric !== 'changePercent' || figure.sign !== undefined || !directionAt) return false;
    if (direction !== Math.sign(fact.value) || !isRateFact(fact)) return false;
    const { start } = sentenceAt(line, figure.start);
    const words = this.#context.answer.text.slice(start, Math.max(figure.start, directionAt.start));
    return isOfPayer(fact, words) && !RATE_NAMED.test(words);
  }

  #judgeByFacts(judged: Judged): void {
    const fact =
      this.#claims.statedBy(judged.figure, judged.binding) ??
      this.#likely.by(judged.figure, judged.line, judged.binding) ??
      this.#byPayer(judged);
    if (!fact) return;
    if (this.#isPayerMoved(judged, fact)) {
      judged.verdict = { verdict: 'unsupported' };
      return;
    }
    judged.fact = fact;
    const { known } = fact;
    const { label } = known.fact;
    judged.verdict =
      fact.metric === 'calculation'
        ? { verdict: 'derived', known, formula: label }
        : { verdict: 'supported', known };
  }

  /** A high or a low of another day than the words say: the date is wrong, not the number. */
  #judgeByDay(judged: Judged): readonly PlainVerdict[] {
    const { figure, line, binding } = judged;
    if (judged.verdict || !binding.dayAt || binding.isDayRelative) return [];
    const fact = this.#likely.by(figure, line, { ...binding, days: undefined });
    if (!fact || fact.days.length === 0 || (fact.metric !== 'periodHigh' && fact.metric !== 'periodLow'))
      return [];
    judged.fact = fact;
    judged.verdict = { verdict: 'supported', known: fact.known };
    const { start, end } = binding.dayAt;
    return [{ start, end, verdict: 'contradicted', known: knownDayOf(fact.known) }];
  }

  /** By the person's words, unless a fact says otherwise. */
  #judgeByWords(judged: Judged, all: readonly Judged[]): void {
    const { figure, line, binding } = judged;
    const isOwn = this.#context.isOwn(figure);
    if ((binding.isSupposed || this.#isTarget(judged)) && (isOwn || isRound(figure))) {
      judged.verdict = isOwn ? { verdict: 'quoted', quotedFrom: 'person' } : { verdict: 'exempt' };
      return;
    }
    const { answer, index } = this.#context;
    const example = exampleConversion(answer, figure, sentenceAt(line, figure.start), index.all);
    if (example) {
      judged.verdict = isOwn ? { verdict: 'quoted', quotedFrom: 'person' } : { verdict: 'exempt' };
      const result = all.find((each) => each.figure === example.into);
      if (result) result.verdict ??= { verdict: 'derived', formula: example.formula };
      return;
    }
    const against = this.#claims.against(figure, line, binding);
    if (against && this.#isTrueLimit(judged, against)) {
      judged.verdict = { verdict: 'supported', known: against.known };
      return;
    }
    const isNamed =
      binding.isMetricNear &&
      binding.isMetricAtNumber &&
      (!binding.isMetricByDirection || (binding.periods.length > 0 && !binding.isMetricOpen));
    const isReversed =
      against !== undefined && against.isSigned && isWritten(against.value, figure, undefined);
    const isFirm =
      against !== undefined &&
      (isReversed ||
        (isNamed && !binding.isComparing && !binding.isSupposing && !this.#operands.hasCount(judged))) &&
      (!isOwn || (IMPLIED.includes(against.metric) && !this.#isTopic(judged))) &&
      isOfSameSize(figure, against) &&
      (isReversed || this.#isStatement(judged));
    const isAgreed =
      isOwn && against !== undefined && IMPLIED.includes(against.metric) && this.#isAgreed(judged);
    // A number beside its own name is no result, unless it is a change.
    const isStatement =
      against !== undefined &&
      binding.isMetricAtNumber &&
      !binding.isComparing &&
      !binding.isSupposing &&
      !against.isSigned &&
      !this.#operands.isMultiple(judged, against.value);
    const mayBeResult = !isReversed && !isOwn && !isStatement;
    const formula = mayBeResult ? this.#formulaOf(judged, all, isFirm) : undefined;
    if (formula !== undefined) judged.verdict = { verdict: 'derived', formula };
    else if ((isFirm || isAgreed) && !(mayBeResult && this.#hasGivenUp) && !this.#isOfText(judged, against))
      judged.verdict = { verdict: 'contradicted', known: against.known };
    else if (isOwn) judged.verdict = { verdict: 'quoted', quotedFrom: 'person' };
  }

  /** How the number follows from others. Looks again only after another number got its verdict. */
  #formulaOf(judged: Judged, all: readonly Judged[], isDoubtful: boolean): string | undefined {
    if (this.#hasGivenUp) return undefined;
    const decided = all.reduce((count, { verdict }) => (verdict ? count + 1 : count), 0);
    if (this.#fruitless.get(judged) === decided) return undefined;
    const formula = this.#operands.formulaOf(judged, all, isDoubtful);
    if (formula !== undefined) return formula;
    this.#fruitlessCount += 1;
    if (!isDoubtful) this.#fruitless.set(judged, decided);
    return undefined;
  }

  get #hasGivenUp(): boolean {
    return this.#fruitlessCount >= MAX_FRUITLESS;
  }

  /** Whether the sentence says plainly what is so now: no target, no condition, no denial, nothing of another year. */
  #isStatement({ figure, line, binding }: Judged): boolean {
    if (binding.named === MONEY_MOVES) return false;
    const { start, end } = sentenceAt(line, figure.start);
    return !NO_STATEMENT.test(this.#context.answer.text.slice(start, end));
  }

  /** The person named a wrong price, and the answer says that it is so. */
  #isAgreed(judged: Judged): boolean {
    const { figure, line, binding } = judged;
    return (
      binding.isEntityFirm &&
      isConfirmed(this.#context.answer.text, sentenceAt(line, figure.start), figure) &&
      this.#isStatement(judged)
    );
  }

  /** `영업이익률은 10% 미만입니다`: true of 9.47 %. */
  #isTrueLimit({ figure, binding }: Judged, { value }: EvidenceFact): boolean {
    if (figure.sign !== undefined || !isRound(figure) || !binding.isMetricAtNumber) return false;
    const limit = limitOf(this.#context.answer.text, figure);
    const size = Math.abs(value);
    if (limit === 'under') return size < figure.value && size >= figure.value / MAX_BOUND;
    return limit === 'over' && size > figure.value && size <= figure.value * MAX_BOUND;
  }

  /** `50만 원은 현재 환율로`: what the sentence speaks about is not what it says of it. */
  #isTopic({ figure: { end } }: Judged): boolean {
    return TOPIC_AFTER.test(this.#context.answer.text.slice(end, end + 2));
  }

  /** A level that somebody may choose: an alert, a target, a stop. */
  #isTarget({ figure: { start, end } }: Judged): boolean {
    const { text } = this.#context.answer;
    return TARGET.test(text.slice(Math.max(0, start - BESIDE), end + BESIDE));
  }

  /** Whether untyped text may be about what the number is about: it names the subject, or no fact is about it. */
  #isTextAbout(
    { entities, isEntityNear, isEntityFirm }: Binding,
    against: EvidenceFact | undefined,
  ): boolean {
    if (entities && this.#context.isNamedInText(entities)) return true;
    return !against && !isEntityNear && !isEntityFirm;
  }

  /** Untyped text supports the number, or the answer may be about something that only the text names. */
  #isOfText({ figure, binding }: Judged, against: EvidenceFact): boolean {
    const { loose, headlines } = this.#context;
    if (loose.has(figure) || headlines.has(figure)) return true;
    if (loose.isEmpty) return false;
    const isReversed = against.isSigned && isWritten(against.value, figure, undefined);
    return (
      (!binding.entities && !isReversed) ||
      (this.#isTextAbout(binding, against) && (loose.hasScaled(figure) || loose.gives(figure)))
    );
  }

  /** Whether untyped text is the source of the number. */
  #isFromText({ figure, binding }: Judged, against: EvidenceFact | undefined): boolean {
    const { loose, headlines } = this.#context;
    if (loose.isEmpty && headlines.isEmpty) return false;
    const isAbout = this.#isTextAbout(binding, against);
    const mayRepeat = isAbout || (!binding.isEntityNear && !binding.isEntityFirm);
    const isSure = significantDigits(figure) >= SURE_DIGITS;
    return (
      (mayRepeat && (loose.has(figure) || headlines.has(figure) || (isSure && loose.hasScaled(figure)))) ||
      (isAbout && (loose.hasScaled(figure) || (!binding.isEntityNear && loose.gives(figure))))
    );
  }

  /** By other numbers of the answer and by untyped text. What is left has no source. */
  #judgeByOthers(judged: Judged, all: readonly Judged[]): void {
    const { figure, line, binding } = judged;
    const formula = all.length > MAX_DERIVED ? undefined : this.#formulaOf(judged, all, false);
    if (formula !== undefined) {
      judged.verdict = { verdict: 'derived', formula };
      return;
    }
    const calculation = binding.isEntityNear ? undefined : this.#claims.calculationWith(figure);
    if (calculation) {
      judged.verdict = { verdict: 'supported', known: calculation.known };
      return;
    }
    const against = this.#claims.against(figure, line, binding);
    const isSure =
      against !== undefined &&
      !binding.isComparing &&
      !binding.isSupposing &&
      !this.#operands.hasCount(judged) &&
      isOfSameSize(figure, against) &&
      this.#isStatement(judged) &&
      (binding.isMetricAtNumber || (binding.metrics === undefined && binding.isEntityFirm));
    if (isSure && !this.#hasGivenUp && !this.#isOfText(judged, against))
      judged.verdict = { verdict: 'contradicted', known: against.known };
    else if (this.#context.isInContext(figure)) judged.verdict = { verdict: 'quoted', quotedFrom: 'person' };
    else if (this.#isFromText(judged, against)) judged.verdict = { verdict: 'quoted', quotedFrom: 'text' };
    else judged.verdict = { verdict: this.#general.includes(judged, all) ? 'exempt' : 'unsupported' };
  }
}
