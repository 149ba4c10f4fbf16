import type { Locale } from '#src/kernel/locale.ts';
import { factSourceName } from '#src/kernel/messages/fact-sources.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { AnswerCheck, CheckedNumber } from './verdict.ts';
import { correct, type Edit } from './corrections.ts';
import { groundingMessages } from './messages.ts';

const isMiss = ({ verdict }: CheckedNumber): boolean =>
  verdict === 'contradicted' || verdict === 'unsupported';

/** The numbers of an answer that must be repaired or marked. */
export const missesIn = ({ numbers }: AnswerCheck): readonly CheckedNumber[] => numbers.filter(isMiss);

export const hasMisses = (check: AnswerCheck): boolean => check.numbers.some(isMiss);

const MAX_LISTED = 12;
/** For the model: `삼성전자: price 102,300 KRW`, with what tells it apart from others of its kind. */
const factLine = (
  { entity, metric, value, unit, day, period, parameter, asOf }: Fact,
  tool: string,
): string =>
  [
    `${tool} says ${entity} ${metric}${parameter === undefined ? '' : ` (${parameter})`}`,
    ...(period === undefined ? [] : [`over ${period}`]),
    `${value} ${unit}`,
    `as of ${day ?? asOf}`,
  ].join(' ');

const HEADER = 'Your answer was not sent yet: some of its numbers do not match the results of the tools.';
const FOOTER =
  'Write the whole answer again. Correct these numbers, get them with a tool, or leave them out. Calculate with `calculate`. Do not mention this note.';

/** Asks the model to correct the wrong numbers, with what the tools said. */
export const repairNote = (check: AnswerCheck): string => {
  const misses = missesIn(check);
  const lines = misses.slice(0, MAX_LISTED).map(({ text, known, verdict, isReversed }) => {
    const said =
      known && verdict === 'contradicted'
        ? `${factLine(known.fact, known.tool)}${isReversed ? ': the direction in the answer is wrong' : ''}`
        : 'in no result';
    // The model trusts the note, so no name in a fact may end it.
    return `- ${text}: ${said}`.replaceAll(/[\n<>]/gu, ' ');
  });
  const rest = misses.length > MAX_LISTED ? [`- and ${misses.length - MAX_LISTED} more`] : [];
  return ['<context>', HEADER, ...lines, ...rest, FOOTER, '</context>'].join('\n');
};

const MARK = '⚠️';
const EVERY_MARKUP = /[*_~`[\]|\n<>]/gu;
const MAX_SOURCE_CHARS = 60;

const listed = (texts: readonly string[], locale: Locale): string => {
  const unique = [...new Set(texts)];
  const rest = unique.length - MAX_LISTED;
  return [
    ...unique.slice(0, MAX_LISTED),
    ...(rest > 0 ? [groundingMessages(locale).more({ count: rest })] : []),
  ].join(', ');
};

const plain = (text: string): string => text.replaceAll(EVERY_MARKUP, '').trim();

/** Writes the changes into the answer. Two numbers may share a word. */
const edited = (answer: string, edits: readonly Edit[]): string => {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(answer.slice(from, start), text);
    from = end;
  }
  return [...parts, answer.slice(from)].join('');
};

/** Strikes contradicted numbers, marks unsupported ones, and says in one line what could not be confirmed. */
export const markAnswer = (answer: string, check: AnswerCheck, locale: Locale): string => {
  const misses = missesIn(check);
  if (misses.length === 0 && check.uncheckedCount === 0) return answer;
  const t = groundingMessages(locale);
  const corrected: string[] = [];
  const unconfirmed: string[] = [];
  const edits: Edit[] = [];
  for (const number of misses) {
    const { start, end, text, verdict, known } = number;
    if (verdict === 'contradicted' && known) {
      const { edits: own, said, right } = correct(answer, number, known.fact, locale);
      const source = plain(factSourceName(known.fact, locale)).slice(0, MAX_SOURCE_CHARS);
      edits.push(...own);
      corrected.push(`${plain(said)} → ${right}${source === '' ? '' : ` (${source})`}`);
    } else {
      edits.push({ start, end, text: `${text}${MARK}` });
      unconfirmed.push(plain(text));
    }
  }
  const notes = [
    ...(corrected.length > 0 ? [t.corrected({ list: listed(corrected, locale) })] : []),
    ...(unconfirmed.length > 0 ? [t.unconfirmed({ list: listed(unconfirmed, locale) })] : []),
    ...(check.uncheckedCount > 0 ? [t.unchecked({ count: check.uncheckedCount })] : []),
  ];
  return [edited(answer, edits).trimEnd(), notes.join('\n')].join('\n\n');
};

const STRUCK = /~~[^~\n]{1,80}~~/gu;
const MARKED = /(?<![\d.,])\d[\d.,]{0,40}[^\s\d⚠~]{0,12}(?: [^\s\d⚠~]{1,12}){0,2}⚠️/gu;
const LISTED = new RegExp(
  `(?:${(['ko', 'en'] as const)
    .flatMap((locale) => [groundingMessages(locale).corrected, groundingMessages(locale).unconfirmed])
    .map((write) => RegExp.escape(write({ list: '\n' }).split('\n')[0] ?? ''))
    .join('|')})[^⚠\n]*`,
  'gu',
);

/** A quoted answer without the numbers that were struck or marked in it: they must not support themselves. */
export const withoutWithdrawn = (quoted: string): string =>
  quoted.includes(MARK)
    ? quoted.replaceAll(LISTED, ' ').replaceAll(STRUCK, ' ').replaceAll(MARKED, ' ')
    : quoted;
