import { describe, expect, it } from 'vitest';
import { ANSWER_GROUPS } from './answers/index.ts';
import { scoreOfGroups } from './answers/report.ts';
import type { WrittenAnswer } from './answers/written-answer.ts';

const LEAST_CAUGHT = 0.98;
const MOST_FALSE_ALARMS = 0.02;

const answers = Object.values(ANSWER_GROUPS).flatMap(([, written]) => written);
const { total, report } = scoreOfGroups(ANSWER_GROUPS);

const isWrong = ({ text }: WrittenAnswer): boolean => /\{\{.+?\|[^?].*?\}\}/u.test(text);
const shareOf = (isOne: (answer: WrittenAnswer) => boolean): number =>
  answers.filter(isOne).length / answers.length;

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
