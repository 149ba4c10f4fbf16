import { describe, expect, it } from 'vitest';
import { FIRST_LATER, SECOND_LATER, UNSEEN } from './answers/later/index.ts';
import { scoreOfGroups } from './answers/report.ts';
import { sumOf } from './answers/score.ts';

const first = scoreOfGroups(FIRST_LATER);
const second = scoreOfGroups(SECOND_LATER);
const unseen = scoreOfGroups(UNSEEN);

describe('answers written after the check was tuned and used to improve it', () => {
  const total = sumOf([first.total, second.total]);
  const report = `first set\n${first.report}\n\nsecond set\n${second.report}`;

  it('have at least 93 % of their wrong numbers caught', () => {
    expect(total.wrong).toBeGreaterThan(200);
    expect(total.caught / total.wrong, report).toBeGreaterThanOrEqual(0.93);
  });

  it('have at most 4 % of their right numbers flagged', () => {
    expect(total.right).toBeGreaterThan(1000);
    expect(total.flagged.length / total.right, report).toBeLessThanOrEqual(0.04);
  });
});

describe('answers written after the check was tuned and never used to improve it', () => {
  const { total, report } = unseen;

  it('have at least 92 % of their wrong numbers caught', () => {
    expect(total.wrong).toBeGreaterThan(100);
    expect(total.caught / total.wrong, report).toBeGreaterThanOrEqual(0.92);
  });

  it('have at most 4.5 % of their right numbers flagged', () => {
    expect(total.right).toBeGreaterThan(500);
    expect(total.flagged.length / total.right, report).toBeLessThanOrEqual(0.045);
  });

  it('have at most 1 % of their right numbers contradicted', () => {
    const contradicted = total.flagged.filter(({ verdict }) => verdict === 'contradicted');
    expect(contradicted.length / total.right, report).toBeLessThanOrEqual(0.01);
  });
});
