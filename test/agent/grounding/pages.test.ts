import { describe, expect, it } from 'vitest';
import type { Evidence, KnownFact } from '#src/agent/grounding/verdict.ts';
import { FUNDAMENTALS } from './answers/money-facts.ts';
import { scoreOf, sumOf } from './answers/score.ts';
import { PAGES } from './pages/index.ts';

const MOST_UNSUPPORTED = 0.05;

const evidenceFrom = (page: string, facts: readonly KnownFact[]): Evidence => ({
  facts,
  ownText: '',
  looseText: page,
  today: Temporal.PlainDate.from('2026-11-13'),
});

/** The scores of the right answers, beside typed facts about companies of other names. */
const scoreBeside = (facts: readonly KnownFact[]) =>
  sumOf(PAGES.map(({ page, answer }) => scoreOf(answer, evidenceFrom(page, facts))));

const planted = PAGES.flatMap(({ page, wrong }) => (wrong === undefined ? [] : [{ page, wrong }]));

describe('answers from untyped pages', () => {
  it('come from sixty pages, fifteen of them with errors as well', () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(60);
    expect(planted.length).toBeGreaterThanOrEqual(15);
  });

  it.each([
    ['alone', []],
    ['beside typed facts about other companies', FUNDAMENTALS.facts],
  ] as const)('are never contradicted, and rarely marked, by pages %s', (_name, facts) => {
    const { right, flagged, misses } = scoreBeside(facts);
    const caught = sumOf(planted.map(({ page, wrong }) => scoreOf(wrong, evidenceFrom(page, facts))));
    const report = [
      `${flagged.length} of ${right} right numbers marked; ${caught.caught} of ${caught.wrong} planted errors caught`,
      ...misses,
    ].join('\n');
    expect(
      flagged.filter(({ verdict }) => verdict === 'contradicted'),
      report,
    ).toEqual([]);
    expect(right).toBeGreaterThan(200);
    expect(flagged.length / right, report).toBeLessThanOrEqual(MOST_UNSUPPORTED);
  });
});
