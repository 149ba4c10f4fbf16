import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { directionAround, directionOf } from './direction.ts';
import type { FactIndex } from './fact-index.ts';
import type { Figure } from './figures.ts';
import type { Line, Range } from './layout.ts';
import { metricInSentence } from './metric-in-sentence.ts';
import { metricInRow, type NamedMetric } from './named-metric.ts';
import { parametersBeside, spansBefore } from './parameters.ts';
import { type Place, Places } from './place.ts';
import { type ReadAnswer, within } from './read-answer.ts';
import { subjectOf } from './subject.ts';
import type { WordHit } from './vocabulary.ts';
import { dayOf, periodsOf } from './when.ts';

/** What a number of the answer is about, as far as the words around it say. */
export interface Binding {
  /** The subjects it may be about. Undefined if none is named. */
  readonly entities: readonly string[] | undefined;
  /** True if the subject is named in the sentence or in the row. */
  readonly isEntityNear: boolean;
  /** True if it is attached to the number: no other number stands between, or the row or the heading is about it. */
  readonly isEntityFirm: boolean;
  /** The metrics that the nearest word names. Undefined if there is no such word. */
  readonly metrics: readonly MetricId[] | undefined;
  /** What the nearest of them calls it. */
  readonly named: readonly MetricId[] | undefined;
  /** True if that word stands beside the number. */
  readonly isMetricNear: boolean;
  /** True if nothing but a few words without a comma stands between. */
  readonly isMetricAtNumber: boolean;
  /** Only "up" or "down" says that it is a change. */
  readonly isMetricByDirection: boolean;
  /** Other words of the sentence could say what it is. */
  readonly isMetricOpen: boolean;
  /** Days named in the sentence or in the row. */
  readonly days: readonly number[] | undefined;
  readonly isDayRelative: boolean;
  /** Where the day is named. */
  readonly dayAt: Range | undefined;
  /** Spans named in the sentence or in the row, nearest first. */
  readonly periods: readonly number[];
  /** Integers beside the word, as the 14 of `RSI(14)`. */
  readonly parameters: readonly string[];
  /** The currency that is named before the number: `달러 자산 비중은`. */
  readonly currencyNamed: string | undefined;
  readonly direction: 1 | -1 | undefined;
  /** A direction word follows the number at once: `0.3% 상승`. */
  readonly directionAfter: 1 | -1 | undefined;
  /** The word that says it. */
  readonly directionAt: Range | undefined;
  /** The directions that the rest of the sentence names: `원화로는 2.87%, 달러로는 3.05% 내렸어요`. */
  readonly directionsLater: readonly (1 | -1)[];
  readonly isComparing: boolean;
  readonly isSupposing: boolean;
  /** The number itself is supposed, not what follows from it. */
  readonly isSupposed: boolean;
}

/** `PBR은 약 1.62배`, `average cost for Apple Inc. is $246`: words between a metric and its number. */
const LONGEST_BEFORE = 48;
/** `1.62배의 PBR`. */
const LONGEST_AFTER = 8;
/** What ends the reach of a word: the next clause, another number, `저점에서 112,400원`. */
const ENDS_REACH =
  /[,;·|(]|\d|\s중\s|가운데|부분은|에서|부터|까지|보다|대비|\b(?:short of|below|above|under|over|off|from|than|to)\b|\s(?:뒤|후|대|and|with|while|but|versus|vs|then|on)\s/u;
const PASSED_OVER = /\([^()]{0,20}\)|\d{1,3}(?:-|\s)?(?:days?|weeks?|months?|years?|개월|일|주|년|거래일)/giu;

const MAY_BE_PASSED_OVER = /[(\d]/u;

const isAtNumber = ({ text, dates }: ReadAnswer, figure: Figure, { word, isNear }: NamedMetric): boolean => {
  if (!word || !isNear) return false;
  const isBefore = word.end <= figure.start;
  const [from, to] = isBefore ? [word.end, figure.start] : [figure.end, word.start];
  // `closed on November 12 at $279.36`
  const date = dates.length > 0 ? within(dates, from, to).findLast(({ end }) => end <= to) : undefined;
  const gap = date ? text.slice(from, date.start) + text.slice(date.end, to) : text.slice(from, to);
  if (gap.length > (isBefore ? LONGEST_BEFORE : LONGEST_AFTER)) return false;
  // `매출의 약 19%`: the word names the whole, and the number is a part of it.
  if (isBefore && figure.kind === 'percent' && gap.startsWith('의 ')) return false;
  if (gap.length < 2) return !ENDS_REACH.test(gap);
  return !ENDS_REACH.test(MAY_BE_PASSED_OVER.test(gap) ? gap.replaceAll(PASSED_OVER, '') : gap);
};

const CURRENCY_NAMES =
  /(?<USD>달러|dollars?|usd)|(?<KRW>원화|\bwon\b|krw)|(?<JPY>엔화|\byen\b|jpy)|(?<EUR>유로|euros?|eur)/giu;

const PAIR = /\b(?<priced>USD|EUR|JPY|GBP|CNY)\s?\/\s?(?:KRW|USD)\b/iu;

/** `57.35% in won`. */
const IN_CURRENCY = /^\s(?:is\s)?in\s(?:us\s)?[a-z]{3,7}/iu;

const currencyIn = (text: string): string | undefined => {
  const pair = PAIR.exec(text)?.groups?.['priced'];
  if (pair !== undefined) return pair.toUpperCase();
  const [found] = [...text.matchAll(CURRENCY_NAMES)].slice(-1);
  return Object.entries(found?.groups ?? {}).find(([, name]) => name !== undefined)?.[0];
};

const currencyAfter = (text: string, at: number): string | undefined => {
  const after = text.charAt(at) === ' ' ? IN_CURRENCY.exec(text.slice(at, at + LONGEST_AFTER * 2)) : null;
  return after ? currencyIn(after[0]) : undefined;
};

/** The parts of these names, wherever they stand: a quick test, because most numbers have none before them. */
const MAYBE_KOREAN = /달러|원화|엔화|유로/u;
const MAYBE_ENGLISH = /dollar|usd|won|krw|yen|jpy|euro?|gbp|cny/i;

/** The currency that is named before a number. */
const currencyBefore = (text: string, from: number, to: number): string | undefined => {
  const before = text.slice(from, to);
  return MAYBE_KOREAN.test(before) || MAYBE_ENGLISH.test(before) ? currencyIn(before) : undefined;
};

const CONDITION = /^(?:if|suppos|assum|imagine|say|for example|for instance|e\.g|hypothetical)/iu;

/** `if it falls 5 %, …` and `5% 내리면 …`: the condition stands before its word in Korean, and behind it in English. */
const isConditionOf = ({ text }: ReadAnswer, word: WordHit, figure: Figure): boolean =>
  word.start >= figure.end
    ? !/[,;](?!\d)/u.test(text.slice(figure.end, word.start))
    : CONDITION.test(text.slice(word.start, word.end)) && !/[,;]\s/u.test(text.slice(word.end, figure.start));

/** What the words of a sentence say about a number of it. */
interface Said {
  readonly isRespective: boolean;
  /** How many of the words name a metric. */
  readonly namingCount: number;
  readonly directionsLater: readonly (1 | -1)[];
  readonly isComparing: boolean;
  readonly isSupposing: boolean;
  readonly isSupposed: boolean;
}

const NO_DIRECTIONS: readonly never[] = [];

const saidOf = (answer: ReadAnswer, { figure, said }: Place): Said => {
  let isRespective = false;
  let namingCount = 0;
  let directionsLater: (1 | -1)[] | undefined;
  let isComparing = false;
  let isSupposing = false;
  let isSupposed = false;
  for (const word of said) {
    const { value, start } = word;
    if (value.isRespective) isRespective = true;
    if (value.metrics.length > 0) namingCount += 1;
    if (value.direction !== undefined && start >= figure.end) {
      directionsLater ??= [];
      directionsLater.push(value.direction);
    }
    if (value.isComparing) isComparing = true;
    if (value.isSupposing) {
      isSupposing = true;
      isSupposed ||= isConditionOf(answer, word, figure);
    }
  }
  return {
    isRespective,
    namingCount,
    directionsLater: directionsLater ?? NO_DIRECTIONS,
    isComparing,
    isSupposing,
    isSupposed,
  };
};

/** Finds what each number of an answer is about. */
export class Binder {
  readonly #answer: ReadAnswer;
  readonly #index: FactIndex;
  readonly #places: Places;

  /** `isIgnored` tells parameters, spans and list numbers, which do not separate words from numbers. */
  constructor(answer: ReadAnswer, index: FactIndex, isIgnored: (figure: Figure) => boolean) {
    this.#answer = answer;
    this.#index = index;
    this.#places = new Places(answer, isIgnored);
  }

  bind(figure: Figure, line: Line): Binding {
    const answer = this.#answer;
    const place = this.#places.of(figure, line);
    const { column } = place;
    const subject = subjectOf(answer, place);
    const metric = line.row
      ? metricInRow(answer, this.#index, place)
      : metricInSentence(answer, this.#index, place);
    const mention = dayOf(answer, place);
    const { direction, directionAfter, directionAt } = directionOf(answer, place);
    const said = saidOf(answer, place);
    const isSupposedInTable = line.row !== undefined && this.#isSupposedTable(line);
    const isComparedInColumn =
      column !== undefined &&
      within(answer.words, column.start, column.end).some(({ value }) => value.isComparing);
    return {
      entities: subject?.entities,
      isEntityNear: subject?.isNear ?? false,
      isEntityFirm: subject?.isFirm ?? false,
      metrics: metric.metrics,
      named: metric.named ?? metric.metrics,
      isMetricNear: metric.isNear,
      isMetricAtNumber:
        line.row !== undefined ||
        metric.isRangeEnd === true ||
        (said.isRespective && said.namingCount === 1) ||
        (metric.isAbove === true && place.inSentence.length === 1) ||
        isAtNumber(answer, figure, metric),
      isMetricByDirection: metric.isByDirection ?? false,
      isMetricOpen: metric.isExtended ?? false,
      days: mention && mention.days.length > 0 ? mention.days : undefined,
      isDayRelative: mention?.isRelative ?? false,
      dayAt: mention,
      periods: periodsOf(answer, place),
      parameters:
        metric.word && metric.isNear
          ? parametersBeside(answer, place, metric.word)
          : spansBefore(answer, place),
      currencyNamed:
        currencyAfter(answer.text, figure.end) ?? currencyBefore(answer.text, place.from, figure.start),
      direction,
      directionAfter,
      directionAt,
      directionsLater:
        direction === undefined && figure.sign === undefined
          ? [...directionAround(answer, place), ...said.directionsLater]
          : said.directionsLater,
      isComparing: said.isComparing || isComparedInColumn,
      isSupposing: said.isSupposing || isSupposedInTable,
      isSupposed: said.isSupposed || (isSupposedInTable && figure.kind === 'percent'),
    };
  }

  /** `| 시나리오 | 주식 변동 | 총자산 |`: the head of the table, or the heading above it, says that its rows are supposed. */
  #isSupposedTable({ row, parent }: Line): boolean {
    const [first] = row?.headers ?? [];
    const last = row?.headers.at(-1);
    const isSupposing = ({ start, end }: Range): boolean =>
      within(this.#answer.words, start, end).some(({ value }) => value.isSupposing);
    return (
      (first !== undefined && last !== undefined && isSupposing({ start: first.start, end: last.end })) ||
      (parent !== undefined && isSupposing(parent))
    );
  }
}
