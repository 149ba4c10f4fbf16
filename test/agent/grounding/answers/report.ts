import type { Beside } from '../beside.ts';
import { type Score, scoreOf, sumOf } from './score.ts';
import type { AnswerGroups, FactSet, WrittenAnswer } from './written-answer.ts';

/** The score of some groups of answers, with a report to read when it is too low. */
export interface GroupsScore {
  readonly total: Score;
  /** The figures of all groups and of each one, then one line for each miss and each false alarm. */
  readonly report: string;
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

const line = (name: string, { caught, wrong, right, flagged }: Score): string =>
  `${name}: ${caught} of ${wrong} wrong caught (${percent(caught, wrong)}), ` +
  `${flagged.length} of ${right} right flagged (${percent(flagged.length, right)})`;

const scoreOfGroup = (
  { facts, today }: FactSet,
  answers: readonly WrittenAnswer[],
  { looseText: looseBeside, ...context }: Beside,
): Score =>
  sumOf(
    answers.map(({ text, own = '', loose = '' }) =>
      scoreOf(text, {
        ...context,
        facts,
        ownText: own,
        looseText: [loose, looseBeside].filter((each) => each !== '').join('\n'),
        today: Temporal.PlainDate.from(today),
      }),
    ),
  );

/** Checks every answer of the groups. */
export const scoreOfGroups = (groups: AnswerGroups, beside: Beside = { looseText: '' }): GroupsScore => {
  const scores = Object.entries(groups).map(([group, [facts, answers]]) => ({
    group,
    score: scoreOfGroup(facts, answers, beside),
  }));
  const total = sumOf(scores.map(({ score }) => score));
  return {
    total,
    report: [
      line('all', total),
      ...scores.map(({ group, score }) => line(group, score)),
      ...scores.flatMap(({ group, score }) => score.misses.map((miss) => `${group} · ${miss}`)),
    ].join('\n'),
  };
};
