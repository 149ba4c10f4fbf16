import type { Place } from './place.ts';
import { type ReadAnswer, within } from './read-answer.ts';
import type { WordHit } from './vocabulary.ts';

/** `RSI(14)`, `SMA 200`: how far after its word a parameter can end. */
const REACH_AFTER = 6;
/** `200-day moving average`: how far before its word a parameter can start. */
const REACH_BEFORE = 10;
/** No indicator looks back further, so a larger integer is a value. */
const MAX_PARAMETER = 400;
const AHEAD = /(?<digits>\d{1,3})(?:\s?-?\s?(?:day|일))?\s?$/u;
/** The length of `200-day ` before its word. */
const LONGEST_AHEAD = 8;
const ATTACHED = /^\s?\(?(?<digits>\d{1,3})\)?(?![\d.,%])/u;

/** The spans before a number: `200-day ($224.19)`. */
export const spansBefore = ({ figures }: ReadAnswer, { figure, from }: Place): readonly string[] =>
  within(figures, from, figure.start).flatMap(({ durationDays, value }) =>
    durationDays === undefined ? [] : [String(value)],
  );

/** The integers beside the word that names a number, as the 14 of `RSI(14)`. */
export const parametersBeside = (
  { text, figures }: ReadAnswer,
  { figure, line, from }: Place,
  word: WordHit,
): readonly string[] => {
  const start = line.row ? line.start : from;
  const end = Math.max(word.end, Math.min(word.end + REACH_AFTER, figure.start));
  const beside = within(figures, Math.max(0, word.start - REACH_BEFORE), end).filter(
    (each) =>
      each !== figure &&
      Number.isInteger(each.value) &&
      Math.abs(each.value) <= MAX_PARAMETER &&
      each.end >= start,
  );
  const attached = ATTACHED.exec(text.slice(word.end, end))?.groups?.['digits'];
  const ahead = AHEAD.exec(text.slice(Math.max(0, word.start - LONGEST_AHEAD), word.start))?.groups?.[
    'digits'
  ];
  return [
    ...beside.map(({ value }) => String(value)),
    ...(attached === undefined ? [] : [attached]),
    ...(ahead === undefined ? [] : [ahead]),
  ];
};
