import type { PolicyRule } from './policy.ts';

/** Below every rule of an operator: what the groups' defaults would make a nuisance. */
export const BUILT_IN_RULES: readonly PolicyRule[] = [
  {
    pattern: 'query_my_data',
    verdict: 'allow',
    reason: 'everybody may read what is kept about themselves',
    priority: Number.MIN_SAFE_INTEGER,
  },
];
