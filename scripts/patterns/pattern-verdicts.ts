import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modelsOf, type Pattern } from './model-pattern.ts';
import { growthOf } from './prove-linear.ts';

/** How the time of a search grows with the text. `why` explains it, with an example text where one is known. */
export type Verdict =
  | { readonly status: 'linear' }
  | { readonly status: 'faster' | 'undecided'; readonly degree: number | null; readonly why: string };

/** A bounded repetition is a constant factor; two of them in a row are still acceptable. */
const MAX_BOUNDED_DEGREE = 2;
const SECOND_OPINION_MS = 10_000;

const LINEAR: Verdict = { status: 'linear' };

const worstGrowth = (
  pattern: Pattern,
  countsBounds: boolean,
): { readonly degree: number; readonly model: string } => {
  const models = modelsOf(pattern, countsBounds);
  // Without a model the pattern is undecided.
  if (!models) return { degree: Number.NaN, model: '' };
  let worst = { degree: 1, model: '' };
  for (const model of models) {
    const growth = growthOf(model, pattern.flags.includes('g'));
    const degree = growth.status === 'known' ? growth.degree : Number.NaN;
    if (Number.isNaN(degree) || degree > worst.degree) worst = { degree, model };
  }
  return worst;
};

/**
 * Asks `recheck`, which knows that a search stops at a match, and shows an attack. It does not know global patterns, which
 * are searched again behind each match, so it cannot clear those.
 */
const secondOpinion = async (
  model: string,
  isGlobal: boolean,
): Promise<{ isCleared: boolean; attack: string }> => {
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  const found = checkSync(model, '', { checker: 'automaton', timeout: SECOND_OPINION_MS });
  return {
    isCleared: found.status === 'safe' && !isGlobal,
    attack:
      found.status === 'vulnerable'
        ? ` (for example, in the alphabet of the model ${model}: ${found.attack.pattern})`
        : '',
  };
};

export const verdictOf = async (pattern: Pattern): Promise<Verdict> => {
  if (!/[*+]|\{\d+,/u.test(pattern.source)) return LINEAR;
  const { degree, model } = worstGrowth(pattern, false);
  if (degree === 1) {
    const bounded = worstGrowth(pattern, true);
    if (bounded.degree <= MAX_BOUNDED_DEGREE) return LINEAR;
    return {
      status: 'faster',
      degree: bounded.degree,
      why: 'several repetitions of the same characters in a row, though each has an end',
    };
  }
  if (model === '')
    return {
      status: 'undecided',
      degree: null,
      why: 'it has something that cannot be analysed, such as a lookbehind of any length',
    };
  const { isCleared, attack } = await secondOpinion(model, pattern.flags.includes('g'));
  if (isCleared) return LINEAR;
  if (Number.isNaN(degree))
    return { status: 'undecided', degree: null, why: `the analysis takes too long${attack}` };
  const growth = Number.isFinite(degree) ? `with the length to the power of ${degree}` : 'exponentially';
  return { status: 'faster', degree, why: `the time grows ${growth}${attack}` };
};

interface Cache {
  /** A hash of the analyser, because another version may decide differently. */
  readonly analyser: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

const FILES = [
  'pattern-verdicts.ts',
  'model-pattern.ts',
  'model-alphabet.ts',
  'prove-linear.ts',
  'automaton.ts',
  '../../package-lock.json',
];

const analyserKey = (): string => {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.update(process.version).digest('hex');
};

const readCache = (path: string, analyser: string): Readonly<Record<string, Verdict>> => {
  try {
    const cached = JSON.parse(readFileSync(path, 'utf8')) as Cache;
    return cached.analyser === analyser ? cached.verdicts : {};
  } catch {
    return {};
  }
};

/** The verdicts on all patterns, cached in the file at `cachePath`. */
export const verdictsOf = async (
  patterns: readonly Pattern[],
  cachePath: string,
): Promise<ReadonlyMap<string, Verdict>> => {
  const analyser = analyserKey();
  const known = readCache(cachePath, analyser);
  const verdicts = new Map<string, Verdict>();
  for (const pattern of patterns) {
    const key = keyOf(pattern);
    if (!verdicts.has(key)) verdicts.set(key, known[key] ?? (await verdictOf(pattern)));
  }
  const cache: Cache = { analyser, verdicts: Object.fromEntries(verdicts) };
  mkdirSync(dirname(cachePath), { recursive: true });
  writeFileSync(cachePath, JSON.stringify(cache));
  return verdicts;
};

export const keyOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;
