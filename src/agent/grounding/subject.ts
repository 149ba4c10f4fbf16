import type { Line } from './layout.ts';
import type { Place } from './place.ts';
import { LONGEST_CUE, type NameHit, type ReadAnswer, within } from './read-answer.ts';

/** Who a number is about. */
interface Subject {
  readonly entities: readonly string[];
  /** True if it is named in the sentence or in the row. */
  readonly isNear: boolean;
  /** True if nothing but words stands between the name and the number, or if the row or the heading is about it. */
  readonly isFirm?: boolean;
}

/** Comparisons: the other company of `SK하이닉스보다` is not the subject. */
const OBLIQUE_AFTER =
  /^(?:\([^)]{0,30}\))?[^\s,]{0,2}(?:보다|에\s?비해|와\s?달리|과\s?달리|와\s?비교|과\s?비교|\s?대비)/u;
const OBLIQUE_BEFORE = /(?:than|versus|vs\.?|unlike|against|compared (?:with|to))\s+(?:the\s+)?$/iu;
/** A value in brackets may stand between a name and its particle: `삼성전자(31.24%)보다`. */
const LONGEST_CUE_WITH_BRACKET = LONGEST_CUE + 16;
/** `31.24% for Samsung`: the name after the number is its subject. */
const OF_NAME_AFTER = /^[^,.;|]{0,14}(?:for|of|인|의|in)\s+(?:the\s+)?$/iu;
const JOINED = /^(?:은|는|이|가)?\s?(?:와|과|랑|및|,|·|\/|&|and|or|\([^)]{0,20}\))\s?(?:and\s)?(?:the\s)?$/iu;
/** A number this near to a name is about it, whatever stands before the name. */
const TOUCHING = 3;

const union = (names: readonly NameHit[]): readonly string[] => {
  const [first] = names;
  return names.length === 1 && first ? first.value : [...new Set(names.flatMap(({ value }) => value))];
};

/** The last of the names with those joined to it: `삼성전자와 SK하이닉스는`. */
const lastGroup = (text: string, names: readonly NameHit[]): readonly NameHit[] => {
  let first = names.length - 1;
  while (first > 0) {
    const [one, other] = [names[first - 1], names[first]];
    if (!one || !other || !JOINED.test(text.slice(one.end, other.start))) break;
    first -= 1;
  }
  return names.slice(first);
};

/** The last subject named before this position. What the person asked about, if there is none. */
const topicBefore = ({ names, text, topic }: ReadAnswer, at: number): Subject | undefined => {
  const before = within(names, 0, at);
  if (before.length > 0) return { entities: union(lastGroup(text, before)), isNear: false };
  return topic.length > 0 ? { entities: topic, isNear: false } : undefined;
};

/** The subject that a heading or an outer list item names. */
const subjectAbove = (answer: ReadAnswer, line: Line): Subject | undefined => {
  for (let above = line.parent; above; above = above.parent) {
    const names = within(answer.names, above.start, above.end);
    if (names.length > 0) return { entities: union(names), isNear: false, isFirm: true };
  }
  return topicBefore(answer, line.start);
};

const subjectInRow = (answer: ReadAnswer, { figure, line, column }: Place): Subject | undefined => {
  const { names } = answer;
  const inRow = within(names, line.start, line.end).filter(
    ({ start }) => start < figure.start || start > figure.end,
  );
  if (inRow.length > 0) return { entities: union(inRow), isNear: true, isFirm: true };
  const inColumn = column ? within(names, column.start, column.end) : [];
  if (inColumn.length > 0) return { entities: union(inColumn), isNear: true, isFirm: true };
  return subjectAbove(answer, line);
};

/** The subject of a sentence without names. */
const subjectBeforeSentence = (answer: ReadAnswer, { line, sentence }: Place): Subject | undefined => {
  const earlier = within(answer.names, line.start, sentence.start);
  if (earlier.length > 0) return { entities: union(lastGroup(answer.text, earlier)), isNear: false };
  return subjectAbove(answer, line);
};

/** `A and B are at 1 and 2 respectively`: the names and the numbers are in the same order. */
const subjectInOrder = (
  { words }: ReadAnswer,
  { figure, sentence, inSentence }: Place,
  names: readonly NameHit[],
): Subject | undefined => {
  const respective = within(words, sentence.start, sentence.end).find(({ value }) => value.isRespective);
  if (!respective) return undefined;
  const after = inSentence.filter(({ start }) => start >= respective.end);
  const numbers = after.length > 0 ? after : inSentence;
  const until = after.length > 0 ? respective.start : (inSentence[0]?.start ?? 0);
  const first = inSentence.findLast(({ end }) => end <= until)?.end ?? sentence.start;
  const listed = [
    ...new Map(
      names
        .filter(({ start, end }) => end <= until && start >= first)
        .map((name) => [name.value.join(), name]),
    ).values(),
  ];
  if (listed.length < 2) return undefined;
  const nth = numbers.indexOf(figure);
  const name = listed[nth % listed.length];
  // The numbers come in full rounds, one for each name. Those left over are about something else.
  const inRounds = numbers.length - (numbers.length % listed.length);
  return name && nth < inRounds ? { entities: name.value, isNear: true, isFirm: true } : undefined;
};

/** The subject of a number that stands before all names of its sentence. */
const subjectAfterNumber = (
  answer: ReadAnswer,
  { figure, sentence, inSentence }: Place,
  after: NameHit | undefined,
): Subject | undefined => {
  if (!after) return undefined;
  const isOfOtherNumber = inSentence.some((each) => each.start > figure.end && each.end <= after.start);
  if (isOfOtherNumber) return topicBefore(answer, sentence.start) ?? { entities: after.value, isNear: false };
  // `41.70%로 삼성전자(31.24%)보다 높고`: the subject stands in the sentence before.
  const isCompared = OBLIQUE_AFTER.test(answer.text.slice(after.end, after.end + LONGEST_CUE_WITH_BRACKET));
  // `-14.63%로 엔비디아의 -36.89%보다 작습니다`: the name belongs to the number behind it.
  const next = inSentence.find(({ start }) => start >= after.end);
  const isOfNext = next !== undefined && next.start - after.end <= TOUCHING;
  const topic = isCompared || isOfNext ? topicBefore(answer, sentence.start) : undefined;
  return topic ?? { entities: after.value, isNear: !isOfNext };
};

/** `It's 20.2% of your portfolio`: a part of it, which the sentence before names. */
const OF_WHOLE = /^\sof\s(?:your\s|the\s|my\s)?$/iu;
const isWholeOf = (gap: string, { value }: NameHit): boolean =>
  OF_WHOLE.test(gap) && value.every((entity) => entity.startsWith('portfolio:'));

const subjectInSentence = (answer: ReadAnswer, place: Place): Subject | undefined => {
  const { figure, line, sentence, inSentence } = place;
  const { text } = answer;
  const here = within(answer.names, sentence.start, sentence.end);
  if (here.length === 0) return subjectBeforeSentence(answer, place);
  const inOrder = subjectInOrder(answer, place, here);
  if (inOrder) return inOrder;
  const before = here.filter(({ end }) => end <= figure.start);
  const after = here.find(({ start }) => start >= figure.end);
  const last = before.at(-1);
  if (after && !last && figure.kind === 'percent' && isWholeOf(text.slice(figure.end, after.start), after)) {
    const part = subjectBeforeSentence(answer, place);
    if (part) return part;
  }
  if (after && OF_NAME_AFTER.test(text.slice(figure.end, after.start))) {
    const isLastOfOtherNumber =
      last === undefined || inSentence.some((each) => each.start > last.end && each.end <= figure.start);
    return {
      entities: isLastOfOtherNumber ? after.value : [...after.value, ...last.value],
      isNear: true,
      isFirm: isLastOfOtherNumber,
    };
  }
  if (!last) return subjectAfterNumber(answer, place, after);
  const together = lastGroup(text, before);
  // `NVDA 40주의 P&L은 +$2,752.80`: a count does not separate them.
  const isAttached = inSentence.every(
    ({ kind, start, end }) => kind === 'count' || start < last.end || end > figure.start,
  );
  const isOblique =
    figure.start - last.end > TOUCHING &&
    (OBLIQUE_AFTER.test(text.slice(last.end, last.end + LONGEST_CUE)) ||
      OBLIQUE_BEFORE.test(text.slice(Math.max(0, last.start - LONGEST_CUE), last.start)));
  if (!isOblique) return { entities: union(together), isNear: true, isFirm: isAttached };
  const subject = before[before.length - 1 - together.length] ?? after;
  const others = subject ? subject.value : (subjectAbove(answer, line)?.entities ?? []);
  return { entities: [...new Set([...union(together), ...others])], isNear: true };
};

/** Who the number is about. Undefined if nothing says it. */
export const subjectOf = (answer: ReadAnswer, place: Place): Subject | undefined =>
  place.line.row ? subjectInRow(answer, place) : subjectInSentence(answer, place);
