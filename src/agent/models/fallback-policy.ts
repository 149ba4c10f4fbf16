import type { FallbackReason } from '../errors.ts';

/** What is tried after a failure, in this order: the same key again, the provider's next key, the next model. */
export interface FallbackStep {
  readonly sameKey: boolean;
  readonly nextKey: boolean;
  readonly nextModel: boolean;
  /** The key is to blame, and rests for a while. */
  readonly coolsKey: boolean;
  /** The provider is to blame; its breaker counts it. */
  readonly isProviderFault: boolean;
}

const step = (...marks: readonly (keyof FallbackStep)[]): FallbackStep => ({
  sameKey: marks.includes('sameKey'),
  nextKey: marks.includes('nextKey'),
  nextModel: marks.includes('nextModel'),
  coolsKey: marks.includes('coolsKey'),
  isProviderFault: marks.includes('isProviderFault'),
});

export const FALLBACK_STEPS: Readonly<Record<FallbackReason, FallbackStep>> = {
  'rate-limit': step('sameKey', 'nextKey', 'nextModel', 'coolsKey'),
  'server-error': step('sameKey', 'nextKey', 'nextModel', 'isProviderFault'),
  timeout: step('sameKey', 'nextKey', 'nextModel', 'isProviderFault'),
  // A key that is refused or not paid for is refused again: straight to the next.
  auth: step('nextKey', 'nextModel', 'coolsKey'),
  billing: step('nextKey', 'nextModel', 'coolsKey'),
  'model-unavailable': step('nextModel'),
  'empty-answer': step('sameKey', 'nextModel'),
  refusal: step('nextModel'),
  // Another window is rarely larger: the conversation has to become shorter. Only by opt-in.
  'context-overflow': step('nextModel'),
};

/** What leads to another try. `context-overflow` is missing on purpose. */
export const DEFAULT_FALLBACK_ON: readonly FallbackReason[] = [
  'rate-limit',
  'server-error',
  'timeout',
  'model-unavailable',
  'auth',
  'billing',
  'refusal',
  'empty-answer',
];
