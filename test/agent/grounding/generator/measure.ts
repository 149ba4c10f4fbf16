import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import type { AnswerCheck } from '#src/agent/grounding/verdict.ts';
import type { Beside } from '../beside.ts';
import type { Collected } from './collect-facts.ts';
import { render } from './draft.ts';
import { generate } from './generate.ts';
import type { Planted } from './plant.ts';

interface Count {
  readonly all: number;
  /** Planted errors that were found, or right answers with an alarm. */
  readonly hits: number;
}

interface Example {
  readonly of: string;
  readonly text: string;
  readonly note: string;
}

export interface Measured {
  /** By kind. */
  readonly planted: ReadonlyMap<string, Count>;
  /** By group of templates. */
  readonly right: ReadonlyMap<string, Count>;
  readonly misses: readonly Example[];
  readonly falseAlarms: readonly Example[];
}

const missesOf = ({ numbers }: AnswerCheck) =>
  numbers.filter(({ verdict }) => verdict === 'contradicted' || verdict === 'unsupported');

const verdictsOf = ({ numbers }: AnswerCheck, targets: Planted['targets']): string =>
  numbers
    .filter(({ start, end }) => targets.some(([from, to]) => start < to && end > from))
    .map(({ text, verdict, formula, known }) =>
      [text, verdict, formula ?? (known && `${known.fact.entity} ${known.fact.metric} ${known.fact.value}`)]
        .filter((part) => part !== undefined)
        .join(' '),
    )
    .join('; ');

/** What the check finds among wrong answers, and what it says about right ones. */
export const measure = (
  collected: Collected,
  options: { readonly seed: string; readonly answers: number; readonly plantedEach: number },
  beside?: Beside,
): Measured => {
  const planted = new Map<string, Count>();
  const right = new Map<string, Count>();
  const misses: Example[] = [];
  const falseAlarms: Example[] = [];
  const count = (counts: Map<string, Count>, key: string, isHit: boolean): void => {
    const { all, hits } = counts.get(key) ?? { all: 0, hits: 0 };
    counts.set(key, { all: all + 1, hits: hits + (isHit ? 1 : 0) });
  };
  for (const { session, draft, planted: wrong } of generate(collected, options)) {
    const evidence = { ...session.evidence, ...beside };
    const { text } = render(draft.parts);
    const alarms = missesOf(checkAnswer(text, evidence));
    count(right, draft.group, alarms.length > 0);
    if (alarms.length > 0) {
      const note = alarms
        .map((each) => `${each.text} ${each.verdict} ${each.known?.fact.metric ?? ''}`)
        .join('; ');
      falseAlarms.push({ of: draft.group, text, note });
    }
    for (const { kind, text: wrongText, targets, before } of wrong) {
      const check = checkAnswer(wrongText, evidence);
      const isCaught = missesOf(check).some(({ start, end }) =>
        targets.some(([from, to]) => start < to && end > from),
      );
      count(planted, kind, isCaught);
      if (!isCaught)
        misses.push({
          of: kind,
          text: wrongText,
          note: `${before} → ${verdictsOf(check, targets) || 'not read'}`,
        });
    }
  }
  return { planted, right, misses, falseAlarms };
};

export const totalOf = (counts: ReadonlyMap<string, Count>): Count => ({
  all: [...counts.values()].reduce((sum, { all }) => sum + all, 0),
  hits: [...counts.values()].reduce((sum, { hits }) => sum + hits, 0),
});

export const shareOf = ({ all, hits }: Count): number => (all === 0 ? 0 : hits / all);
