import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import type { CheckedNumber, Evidence } from '#src/agent/grounding/verdict.ts';

interface Marked {
  readonly start: number;
  readonly end: number;
  /** What is right; `?` if it may be marked or not. */
  readonly right: string;
}

/** An answer without its marks, and where they were. */
interface Unmarked {
  readonly text: string;
  readonly marks: readonly Marked[];
}

const MARK = /\{\{(.+?)\|(.+?)\}\}/gu;

const unmarked = (written: string): Unmarked => {
  const marks: Marked[] = [];
  let text = '';
  let from = 0;
  for (const match of written.matchAll(MARK)) {
    const [whole, wrong = '', right = ''] = match;
    text += written.slice(from, match.index);
    marks.push({ start: text.length, end: text.length + wrong.length, right });
    text += wrong;
    from = match.index + whole.length;
  }
  return { text: text + written.slice(from), marks };
};

export interface Score {
  readonly wrong: number;
  readonly caught: number;
  /** Numbers that are right and not exempt. */
  readonly right: number;
  readonly flagged: readonly CheckedNumber[];
  /** One line for each miss and each false alarm. */
  readonly misses: readonly string[];
}

const isFlagged = ({ verdict }: CheckedNumber): boolean =>
  verdict === 'contradicted' || verdict === 'unsupported';

const excerpt = (text: string, start: number): string => {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', start);
  return text.slice(from, to < 0 ? undefined : to);
};

const factOf = ({ known }: CheckedNumber): string =>
  known ? ` (${known.fact.entity} ${known.fact.metric} ${known.fact.value} ${known.fact.unit})` : '';

const inside = (number: CheckedNumber, mark: Marked): boolean =>
  number.start < mark.end && number.end > mark.start;

/** Checks an answer and compares the verdicts with its marks. A wrong claim is caught if a number in it is flagged. */
export const scoreOf = (written: string, evidence: Evidence): Score => {
  const { text, marks } = unmarked(written);
  const { numbers } = checkAnswer(text, evidence);
  const wrong = marks.filter(({ right }) => right !== '?');
  const missed = wrong.filter((mark) => !numbers.some((number) => isFlagged(number) && inside(number, mark)));
  const right = numbers.filter(
    (number) => number.verdict !== 'exempt' && !marks.some((mark) => inside(number, mark)),
  );
  const flagged = right.filter(isFlagged);
  return {
    wrong: wrong.length,
    caught: wrong.length - missed.length,
    right: right.length,
    flagged,
    misses: [
      ...missed.map((mark) => {
        const seen = numbers.filter((number) => inside(number, mark));
        const verdicts = seen.map((number) => `${number.text} ${number.verdict}${factOf(number)}`).join(', ');
        return `missed: "${text.slice(mark.start, mark.end)}" (right: ${mark.right}) is ${verdicts || 'no number'} in: ${excerpt(text, mark.start)}`;
      }),
      ...flagged.map(
        (number) =>
          `false alarm: "${number.text}" ${number.verdict}${factOf(number)} in: ${excerpt(text, number.start)}`,
      ),
    ],
  };
};

/** Adds up the scores of several answers. */
export const sumOf = (scores: readonly Score[]): Score => ({
  wrong: scores.reduce((sum, { wrong }) => sum + wrong, 0),
  caught: scores.reduce((sum, { caught }) => sum + caught, 0),
  right: scores.reduce((sum, { right }) => sum + right, 0),
  flagged: scores.flatMap(({ flagged }) => flagged),
  misses: scores.flatMap(({ misses }) => misses),
});
