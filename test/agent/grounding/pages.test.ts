import { describe, expect, it } from 'vitest';
import type { Evidence, KnownFact } from '#src/agent/grounding/verdict.ts';
import { FUNDAMENTALS } from './answers/money-facts.ts';
import { type Score, scoreOf, sumOf } from './answers/score.ts';
import { PAGES } from './pages/index.ts';
import { TYPED_CLAIMS } from './pages/typed-claims.ts';

const MOST_UNSUPPORTED = 0.05;
/** Two numbers of a page give many others by chance, so that some errors pass. */
const LEAST_CAUGHT = 0.85;
const LEAST_CAUGHT_BY_FACTS = 0.97;

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

const reportOf = ({ flagged, right, caught, wrong, misses }: Score): string =>
  [`${flagged.length} of ${right} right numbers marked; ${caught} of ${wrong} errors caught`, ...misses].join(
    '\n',
  );

describe('answers from untyped pages', () => {
  it('come from sixty pages, fifteen of them with errors as well', () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(60);
    expect(planted.length).toBeGreaterThanOrEqual(15);
  });

  describe.each([
    ['alone', []],
    ['beside typed facts about other companies', FUNDAMENTALS.facts],
  ] as const)('%s', (_name, facts) => {
    it('are never contradicted, and rarely marked', () => {
      const score = scoreBeside(facts);
      const { right, flagged } = score;
      expect(
        flagged.filter(({ verdict }) => verdict === 'contradicted'),
        reportOf(score),
      ).toEqual([]);
      expect(right).toBeGreaterThan(200);
      expect(flagged.length / right, reportOf(score)).toBeLessThanOrEqual(MOST_UNSUPPORTED);
    });

    it('have most of their errors marked', () => {
      const score = sumOf(planted.map(({ page, wrong }) => scoreOf(wrong, evidenceFrom(page, facts))));
      expect(score.wrong).toBeGreaterThan(30);
      expect(score.caught / score.wrong, reportOf(score)).toBeGreaterThanOrEqual(LEAST_CAUGHT);
    });
  });
});

describe('what an answer from a page says about companies with typed facts', () => {
  const score = sumOf(
    PAGES.map(({ page, answer }, place) => {
      const claim = TYPED_CLAIMS[place % TYPED_CLAIMS.length] ?? '';
      return scoreOf(`${answer}\n\n${claim}`, evidenceFrom(page, FUNDAMENTALS.facts));
    }),
  );

  it('is caught where it is wrong, whatever numbers the page has', () => {
    expect(score.wrong).toBeGreaterThan(60);
    expect(score.caught / score.wrong, reportOf(score)).toBeGreaterThanOrEqual(LEAST_CAUGHT_BY_FACTS);
  });

  it('stands where it is right, beside the numbers of the page', () => {
    const { right, flagged } = score;
    expect(
      flagged.filter(({ verdict }) => verdict === 'contradicted'),
      reportOf(score),
    ).toEqual([]);
    expect(flagged.length / right, reportOf(score)).toBeLessThanOrEqual(MOST_UNSUPPORTED);
  });
});
