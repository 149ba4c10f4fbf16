import type { KnownFact } from '#src/agent/grounding/verdict.ts';
import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Fact } from '#src/kernel/tool.ts';

export type AnswerLanguage = 'ko' | 'en' | 'mixed';

/**
 * An answer as a model would write it. `{{201,300원|102,300}}` is a wrong number, or a wrong claim about one, with what
 * is right. `{{22%|?}}` may be marked or not: general knowledge, or a number that followed
 * from the wrong one. Every other number is right.
 */
export interface WrittenAnswer {
  readonly language: AnswerLanguage;
  readonly text: string;
  /** The person's question. */
  readonly own?: string;
  /** Untyped text that a tool returned. */
  readonly loose?: string;
}

/** What the tools said before a group of answers. */
export interface FactSet {
  readonly facts: readonly KnownFact[];
  /** ISO date. */
  readonly today: string;
}

/** Answers by subject, with what the tools said before them. */
export type AnswerGroups = Readonly<Record<string, readonly [FactSet, readonly WrittenAnswer[]]>>;

type Words = Pick<WrittenAnswer, 'own' | 'loose'>;

export const ko = (text: string, words: Words = {}): WrittenAnswer => ({ language: 'ko', text, ...words });
export const en = (text: string, words: Words = {}): WrittenAnswer => ({ language: 'en', text, ...words });
export const mixed = (text: string, words: Words = {}): WrittenAnswer => ({
  language: 'mixed',
  text,
  ...words,
});

type Row = readonly [
  metric: MetricId,
  value: string,
  unit: string,
  details?: Partial<Pick<Fact, 'label' | 'day' | 'period' | 'parameter' | 'operands' | 'asOf'>>,
];

interface Subject {
  readonly tool: string;
  readonly entity: string;
  readonly names?: readonly string[];
  readonly asOf: string;
}

/** The facts about one subject. Only the first one has its names, as in the results of tools. */
export const factsAbout = (
  { tool, entity, names, asOf }: Subject,
  rows: readonly Row[],
): readonly KnownFact[] =>
  rows.map(([metric, value, unit, details], index) => ({
    tool,
    fact: {
      entity,
      ...(names && index === 0 && { names }),
      metric,
      value,
      unit,
      asOf,
      source: 'yahoo',
      isSample: false,
      ...details,
    },
  }));
