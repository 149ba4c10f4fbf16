import { describe, expect, it } from 'vitest';
import { ANSWER_GROUPS } from './answers/index.ts';
import { type Score, scoreOf, sumOf } from './answers/score.ts';
import type { WrittenAnswer } from './answers/written-answer.ts';

const LEAST_CAUGHT = 0.98;
const MOST_FALSE_ALARMS = 0.02;

const answers = Object.values(ANSWER_GROUPS).flatMap(([, written]) => written);
const scores = Object.entries(ANSWER_GROUPS).map(([group, [{ facts, today }, written]]) => ({
  group,
  score: sumOf(
    written.map(({ text, own = '', loose = '' }) =>
      scoreOf(text, { facts, ownText: own, looseText: loose, today: Temporal.PlainDate.from(today) }),
    ),
  ),
}));
const total = sumOf(scores.map(({ score }) => score));

const isWrong = ({ text }: WrittenAnswer): boolean => /\{\{.+?\|[^?].*?\}\}/u.test(text);
const shareOf = (isOne: (answer: WrittenAnswer) => boolean): number =>
  answers.filter(isOne).length / answers.length;

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;
const line = (name: string, { caught, wrong, right, flagged }: Score): string =>
  `${name}: ${caught} of ${wrong} wrong caught (${percent(caught, wrong)}), ` +
  `${flagged.length} of ${right} right flagged (${percent(flagged.length, right)})`;

const report = [
  line('all', total),
  ...scores.map(({ group, score }) => line(group, score)),
  ...scores.flatMap(({ group, score }) => score.misses.map((miss) => `${group} · ${miss}`)),
].join('\n');

describe('answers as models write them', () => {
  it('are many, half of them wrong, in Korean and in English', () => {
    expect(answers.length).toBeGreaterThanOrEqual(320);
    expect(new Set(answers.map(({ text, own }) => `${own}\n${text}`)).size).toBe(answers.length);
    expect(shareOf(isWrong)).toBeGreaterThan(0.45);
    expect(shareOf(isWrong)).toBeLessThan(0.55);
    expect(shareOf(({ language }) => language === 'ko')).toBeGreaterThanOrEqual(0.45);
    expect(shareOf(({ language }) => language === 'en')).toBeGreaterThanOrEqual(0.35);
  });

  it('have at least 98 % of their wrong numbers caught', () => {
    expect(total.wrong).toBeGreaterThan(300);
    expect(total.caught / total.wrong, report).toBeGreaterThanOrEqual(LEAST_CAUGHT);
  });

  it('have at most 2 % of their right numbers flagged', () => {
    expect(total.right).toBeGreaterThan(500);
    expect(total.flagged.length / total.right, report).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
  });
});
