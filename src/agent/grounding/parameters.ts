import { isDigit } from '#src/language/characters.ts';
import type { Figure } from './figures.ts';
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

/** `7.69% above the 50-day`. */
const SPAN_BEHIND = /^\s(?:above|below|over|under|from)\s(?:its|the)\s(?<digits>\d{1,3})-day/iu;
const LONGEST_BEHIND = 24;

const spanBehind = ({ spanFigures, text }: ReadAnswer, { kind, end }: Figure): string | undefined =>
  kind === 'percent' && spanFigures.length > 0
    ? SPAN_BEHIND.exec(text.slice(end, end + LONGEST_BEHIND))?.groups?.['digits']
    : undefined;

/** The spans before a number, as in `200-day ($224.19)`, or the one from which it is a distance. */
export const spansBefore = (answer: ReadAnswer, { figure, from }: Place): readonly string[] => {
  const behind = spanBehind(answer, figure);
  return behind === undefined
    ? within(answer.spanFigures, from, figure.start).map(({ value }) => String(value))
    : [behind];
};

const hasDigit = (text: string, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) if (isDigit(text.charCodeAt(at))) return true;
  return false;
};

const NO_PARAMETERS: readonly string[] = [];

/** The integers beside the word that names a number, as the 14 of `RSI(14)`. */
export const parametersBeside = (
  answer: ReadAnswer,
  { figure, line, from }: Place,
  word: WordHit,
): readonly string[] => {
  const behind = word.end <= figure.start ? spanBehind(answer, figure) : undefined;
  if (behind !== undefined) return [behind];
  const { text, figures } = answer;
  const start = line.row ? line.start : from;
  const end = Math.max(word.end, Math.min(word.end + REACH_AFTER, figure.start));
  const beside = within(figures, Math.max(0, word.start - REACH_BEFORE), end).filter(
    (each) =>
      each !== figure &&
      Number.isInteger(each.value) &&
      Math.abs(each.value) <= MAX_PARAMETER &&
      each.end >= start,
  );
  const attached = hasDigit(text, word.end, end)
    ? ATTACHED.exec(text.slice(word.end, end))?.groups?.['digits']
    : undefined;
  const opens = Math.max(0, word.start - LONGEST_AHEAD);
  const ahead = hasDigit(text, opens, word.start)
    ? AHEAD.exec(text.slice(opens, word.start))?.groups?.['digits']
    : undefined;
  if (beside.length === 0 && attached === undefined && ahead === undefined) return NO_PARAMETERS;
  return [
    ...beside.map(({ value }) => String(value)),
    ...(attached === undefined ? [] : [attached]),
    ...(ahead === undefined ? [] : [ahead]),
  ];
};
