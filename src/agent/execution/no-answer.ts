import { errorMessage, FinClawError, NoAnswerError, type NoAnswerReason } from '#src/core/errors.ts';
import { classifyFallbackError, FailoverError, type FallbackReason } from '../errors.ts';

const REASONS: Readonly<Record<FallbackReason, NoAnswerReason>> = {
  'rate-limit': 'rate-limited',
  'server-error': 'unavailable',
  timeout: 'unavailable',
  'model-unavailable': 'unavailable',
  'empty-answer': 'empty',
  'context-overflow': 'too-long',
  auth: 'key-refused',
  billing: 'key-refused',
  refusal: 'refused',
};

/** When several things went wrong, what the person can do most about is said. */
const RANKING: readonly NoAnswerReason[] = [
  'refused',
  'too-long',
  'rate-limited',
  'unavailable',
  'key-refused',
  'empty',
];

const reasonOf = (error: unknown): NoAnswerReason | undefined => {
  const known = classifyFallbackError(error);
  if (known) return REASONS[known];
  if (!(error instanceof FinClawError)) return undefined;
  // A key that rests because it was refused, or not paid for, has reached no limit.
  const isRefused = ['auth', 'billing'].includes(String(error.details['reason']));
  if (error.code === 'KEYS_COOLING') return isRefused ? 'key-refused' : 'rate-limited';
  if (error.code === 'CIRCUIT_OPEN') return 'unavailable';
  // No key could be had: none is set, or where it is kept cannot be reached.
  return error.code === 'NO_API_KEY' || error.code.startsWith('AWS_') ? 'key-refused' : undefined;
};

const waitOf = (error: unknown): number | undefined => {
  if (error instanceof FailoverError) return error.retryAfterMs;
  const wait = error instanceof FinClawError ? error.details['retryAfterMs'] : undefined;
  return typeof wait === 'number' ? wait : undefined;
};

/**
 * The failures of all models as one error that says what to tell the person; other errors stay as they are.
 */
export const toNoAnswer = (error: unknown): unknown => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reasons = new Set(errors.map(reasonOf));
  const reason = RANKING.find((candidate) => reasons.has(candidate));
  if (!reason) return error;
  const waits = errors.flatMap((each) => waitOf(each) ?? []);
  return new NoAnswerError(reason, errorMessage(error), {
    cause: error,
    retryAfterMs: waits.length > 0 ? Math.min(...waits) : undefined,
  });
};
