import { stemsOf } from '#src/language/particles.ts';
import type { CheckContext } from './check-context.ts';
import { type Range, sentenceAt } from './layout.ts';
import type { Judged } from './operands.ts';
import { within } from './read-answer.ts';

/** Words of a rule, an example or a custom. */
const RULE =
  /보통|일반적|통상|대개|흔히|대체로|법칙|원칙|예를 들|예컨대|가령|세율|공제|보호\s?한도|거래세|원천\s?징수|양도소득세|배당소득세|뜻합니다|의미합니다|라는 뜻|다고 봅니다|로 봅니다|typical|usual|general|rule of|historically|for example|for instance|e\.g\.|tax rate|withh(?:eld|olding)|deposit insurance|insured up to|would mean|means|so-called|textbook/iu;
/** Words of a moment, or of somebody's money. */
const OF_NOW =
  /현재|지금|오늘|어제|간밤|전일|전날|마감|올해|작년|지난\s?(?:주|달|해|분기)|최근|이번|올 들어|보유하신|평단|고객님|회원님|today|current|now\b|yesterday|latest|closed|trading at|trades at|so far|as of|this (?:year|week|month|quarter)|last (?:year|week|month|quarter)|your (?:portfolio|holding|account|position|shares|stock)|you (?:own|hold)/iu;
/** The name of a tax at its rate. */
const TAX_BEFORE =
  /(?:세율|소득세|거래세|세금|원천\s?징수|\btax(?: rate)?)(?:\([^()]{0,8}\))?(?:[은는이가]|[:(]|\s(?:of|at|is))?\s?(?:약\s)?$/iu;
const LOOK = 24;
const WORD = /[\p{L}][\p{L}\p{N}&.-]{1,30}/gu;
const HANGUL = /[가-힣]/u;
const CAPITALIZED = /^\p{Lu}/u;
/** People write `aapl` and `tesla`; shorter words are ordinary ones. */
const ANY = /^.{4}/u;
/** A sentence has few names, and each word is looked up. */
const MAX_WORDS = 40;
const MIN_NAME = 2;

interface SentenceKind {
  readonly sentence: Range;
  /** It is about facts, a day or now. */
  readonly isParticular: boolean;
  /** It explains a rule, a custom or an example. */
  readonly isRule: boolean;
}

/** Tells numbers about the market in general, as in an explanation, from those about a company or a moment. */
export class GeneralStatements {
  readonly #context: CheckContext;
  readonly #bySentence = new Map<number, boolean>();
  #isAsked: boolean | undefined;
  #last: SentenceKind | undefined;

  constructor(context: CheckContext) {
    this.#context = context;
  }

  /** Whether the number needs no source, because it is about nobody and about no day. */
  includes({ figure, line, binding }: Judged, all: readonly Judged[]): boolean {
    if (line.row) return false;
    const sentence = sentenceAt(line, figure.start);
    const { text, isAboutHoldings } = this.#context.answer;
    // `양도소득세율 22%를 적용하면 약 37만 원`: a rate of a tax is of no company.
    if (
      figure.kind === 'percent' &&
      TAX_BEFORE.test(text.slice(Math.max(0, figure.start - LOOK), figure.start))
    )
      return true;
    if (binding.isEntityNear) return false;
    const { isParticular, isRule } = this.#kindOf(sentence, all);
    if (isParticular) return false;
    if (isRule) return !this.#namesInstrument(sentence);
    // Where no tool was asked, nothing was looked up that the answer could be about.
    return (
      this.#context.index.all.length === 0 &&
      this.#context.loose.isEmpty &&
      !isAboutHoldings &&
      !this.#namesInstrument(sentence) &&
      !this.#isAskedAboutInstrument()
    );
  }

  /** What a sentence is about. Its numbers ask for it one after the other. */
  #kindOf(sentence: Range, all: readonly Judged[]): SentenceKind {
    if (this.#last?.sentence === sentence) return this.#last;
    const { start, end } = sentence;
    const { text, dates } = this.#context.answer;
    const written = text.slice(start, end);
    const isParticular =
      within(dates, start, end).length > 0 ||
      OF_NOW.test(written) ||
      all.some(({ fact, figure }) => fact && figure.start >= start && figure.end <= end);
    this.#last = { sentence, isParticular, isRule: !isParticular && RULE.test(written) };
    return this.#last;
  }

  /** Whether a word of the sentence is the name of a company or a coin that no tool was asked about. */
  #namesInstrument({ start, end }: Range): boolean {
    const known = this.#bySentence.get(start);
    if (known !== undefined) return known;
    const isNamed = this.#hasName(this.#context.answer.text.slice(start, end), CAPITALIZED);
    this.#bySentence.set(start, isNamed);
    return isNamed;
  }

  /** `How much is apple?`: the answer need not repeat the name. */
  #isAskedAboutInstrument(): boolean {
    this.#isAsked ??= this.#hasName(this.#context.question, ANY);
    return this.#isAsked;
  }

  /** Latin words are looked up only if they look like names: many words are also codes. */
  #hasName(text: string, latinName: RegExp): boolean {
    const { isInstrument } = this.#context;
    const words = text.match(WORD)?.slice(0, MAX_WORDS) ?? [];
    return (
      isInstrument !== undefined &&
      words.some((word) =>
        HANGUL.test(word)
          ? stemsOf(word).some((stem) => stem.length >= MIN_NAME && isInstrument(stem))
          : latinName.test(word) && isInstrument(word),
      )
    );
  }
}
