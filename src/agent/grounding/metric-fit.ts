import { METRICS, type MetricId, type MetricKind } from '#src/kernel/fact-metrics.ts';
import type { FactIndex, FigureKind } from './fact-index.ts';
import type { Figure } from './figures.ts';
import type { WordHit } from './vocabulary.ts';

const METRIC_KINDS: Readonly<Record<FigureKind, readonly MetricKind[]>> = {
  money: ['money', 'number'],
  percent: ['percent'],
  percentPoints: ['percent'],
  points: ['money', 'number'],
  multiple: ['multiple', 'number'],
  count: ['count'],
  plain: ['money', 'percent', 'number', 'multiple', 'count'],
  date: ['date'],
};

const isOfKind = (id: MetricId, kind: FigureKind): boolean => METRIC_KINDS[kind].includes(METRICS[id].kind);

/** The metrics of a word that a number of this kind can be. */
export const fitting = (
  metrics: readonly MetricId[],
  { kind, sign }: Pick<Figure, 'kind' | 'sign'>,
  index: FactIndex,
): readonly MetricId[] => {
  // A rate of interest is a price in percent, but never has a sign.
  const isChange = kind === 'percent' && sign !== undefined;
  return index.fittingOnce(
    metrics,
    isChange ? 'change' : kind,
    (id) => isOfKind(id, kind) || (!isChange && index.hasKind(id, kind)),
  );
};

/** The last of the words that names what a number of this kind can be. */
export const lastFitting = (
  words: readonly WordHit[],
  figure: Pick<Figure, 'kind' | 'sign'>,
  index: FactIndex,
): { readonly metrics: readonly MetricId[]; readonly word: WordHit } | undefined => {
  for (let place = words.length - 1; place >= 0; place -= 1) {
    const word = words[place];
    const metrics = word ? fitting(word.value.metrics, figure, index) : [];
    if (word && metrics.length > 0) return { metrics, word };
  }
  return undefined;
};
