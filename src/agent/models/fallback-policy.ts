import type { FallbackReason } from '../errors.ts';

/** What is tried after a failure before the next model: the same key again, then the provider's next key. */
export interface FallbackStep {
  readonly sameKey: boolean;
  readonly nextKey: boolean;
  /** The key is to blame, and rests for a while. */
  readonly coolsKey: boolean;
  /** The provider is to blame; its breaker counts it. */
  readonly isProviderFault: boolean;
}

const step = (...marks: readonly (keyof FallbackStep)[]): FallbackStep => ({
  sameKey: marks.includes('sameKey'),
  nextKey: marks.includes('nextKey'),
  coolsKey: marks.includes('coolsKey'),
  isProviderFault: marks.includes('isProviderFault'),
});

export const FALLBACK_STEPS: Readonly<Record<FallbackReason, FallbackStep>> = {
  'rate-limit': step('sameKey', 'nextKey', 'coolsKey'),
  'server-error': step('sameKey', 'nextKey', 'isProviderFault'),
  timeout: step('sameKey', 'nextKey', 'isProviderFault'),
  // A key that is refused or not paid for is refused again: straight to the next.
  auth: step('nextKey', 'coolsKey'),
  billing: step('nextKey', 'coolsKey'),
  'model-unavailable': step(),
  'empty-answer': step('sameKey'),
  refusal: step(),
  // Another window is rarely larger: the conversation has to become shorter. Only by opt-in.
  'context-overflow': step(),
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
