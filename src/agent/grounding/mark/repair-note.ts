import type { KnownFact } from '../facts/evidence.ts';
import type { AnswerCheck, AnswerQuestion } from '../judge/verdict.ts';
import { missesIn } from './mark-answer.ts';

const MAX_LISTED = 12;
const MAX_FACTS = 3;
const MAX_QUOTED = 120;

/** For the model: `get_quote says AAPL price 190.5 USD as of 2026-11-13`. */
const factLine = ({
  fact: { entity, metric, value, unit, day, period, parameter, asOf },
  tool,
}: KnownFact): string =>
  [
    `${tool} says ${entity} ${metric}${parameter === undefined ? '' : ` (${parameter})`}`,
    ...(period === undefined ? [] : [`over ${period}`]),
    `${value} ${unit}`,
    `as of ${day ?? asOf}`,
  ].join(' ');

const QUESTIONS: Readonly<Record<AnswerQuestion['kind'], string>> = {
  value: 'Is this the right number here?',
  direction: 'Is the direction right?',
  day: 'Is this the right day?',
  stranger:
    'Only text from others says so: say whose number it is ("according to …"), beside that of the market.',
};

const HEADER = 'Your answer was not sent yet. Please look at these again:';
const NUMBERS =
  'Numbers that are in no result: correct them, get them with a tool, or leave them out. If you calculated one, use `calculate` or write how (a × b = c).';
const CLAIMS =
  'No tool did anything of that kind since the person wrote last. Call the tool if it is still to be done; if it was done earlier, say when; or do not say that it is done.';
const FOOTER = 'Write the whole answer again; leave what is right as it is. Do not mention this note.';

const listed = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, MAX_LISTED),
  ...(lines.length > MAX_LISTED ? [`- and ${lines.length - MAX_LISTED} more`] : []),
];

/** Asks the model about what the check found. It only asks: a number that stands in a result may well be right. */
export const repairNote = (check: AnswerCheck): string => {
  const numbers = missesIn(check).map(({ text }) => `- ${text}: in no result`);
  const questions = check.questions.map(
    ({ text, kind, facts }) =>
      `- ${text}: ${facts.slice(0, MAX_FACTS).map(factLine).join('; ')}. ${QUESTIONS[kind]}`,
  );
  const claims = check.claims.map(({ text }) => `- "${text.trim().slice(0, MAX_QUOTED)}"`);
  return [
    '<context>',
    HEADER,
    ...[
      ...listed(questions),
      ...listed(numbers),
      ...(numbers.length > 0 ? [NUMBERS] : []),
      ...listed(claims),
      ...(claims.length > 0 ? [CLAIMS] : []),
      // The model trusts the note, so no name in a fact may end it.
    ].map((line) => line.replaceAll(/[\n<>]/gu, ' ')),
    FOOTER,
    '</context>',
  ].join('\n');
};
