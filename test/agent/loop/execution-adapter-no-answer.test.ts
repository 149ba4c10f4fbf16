import { describe, expect, it } from 'vitest';
import { FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import { toNoAnswer } from '#src/agent/loop/execution-adapter.ts';
import { FinClawError, NoAnswerError, type NoAnswerReason, RunAbortedError } from '#src/kernel/errors.ts';
import { everyRow } from '#test/support/every-row.ts';

const failed = (reason: FallbackReason, retryAfterMs?: number): FailoverError =>
  new FailoverError(`it was ${reason}`, reason, { retryAfterMs });
const resting = (retryAfterMs: number): FinClawError =>
  new FinClawError('All keys rest', 'KEYS_COOLING', { details: { retryAfterMs } });
const all = (...errors: readonly unknown[]): AggregateError =>
  new AggregateError(errors, 'No model answered');

const noAnswerOf = (error: unknown): NoAnswerError => {
  const made = toNoAnswer(error);
  if (made instanceof NoAnswerError) return made;
  throw new Error(`It was left as it is: ${String(made)}`);
};

describe('toNoAnswer', () => {
  everyRow([
    ['rate-limit', 'rate-limited'],
    ['server-error', 'unavailable'],
    ['timeout', 'unavailable'],
    ['model-unavailable', 'unavailable'],
    ['empty-answer', 'empty'],
    ['context-overflow', 'too-long'],
    ['auth', 'key-refused'],
    ['billing', 'key-refused'],
    ['refusal', 'refused'],
  ] satisfies readonly (readonly [FallbackReason, NoAnswerReason])[])(
    'says of %s that it is %s, alone and among all',
    (reason, expected) => {
      const alone = failed(reason);
      expect(noAnswerOf(alone)).toMatchObject({ reason: expected, cause: alone, code: 'NO_ANSWER' });
      const among = all(failed(reason));
      expect(noAnswerOf(among)).toMatchObject({ reason: expected, cause: among });
    },
  );

  it.each([
    ['KEYS_COOLING', 'rate-limited'],
    ['CIRCUIT_OPEN', 'unavailable'],
    ['NO_API_KEY', 'key-refused'],
    ['AWS_SECRET_UNREADABLE', 'key-refused'],
  ] satisfies readonly (readonly [string, NoAnswerReason])[])('says of %s that it is %s', (code, reason) => {
    expect(noAnswerOf(all(new FinClawError('not asked', code))).reason).toBe(reason);
  });

  it.each(['auth', 'billing'])('does not call it a limit when keys rest because of %s', (reason) => {
    const error = new FinClawError('All keys rest', 'KEYS_COOLING', { details: { reason } });
    expect(noAnswerOf(all(error)).reason).toBe('key-refused');
  });

  it('says what the person can do most about when several things went wrong', () => {
    const ranking = [
      failed('refusal'),
      failed('context-overflow'),
      failed('rate-limit'),
      failed('timeout'),
      failed('auth'),
      failed('empty-answer'),
    ];
    const reasons = ranking.map(
      (_error, from) => noAnswerOf(all(...ranking.slice(from).toReversed())).reason,
    );
    expect(reasons).toEqual(['refused', 'too-long', 'rate-limited', 'unavailable', 'key-refused', 'empty']);
  });

  it('is not led astray by failures of no known kind among the others', () => {
    expect(noAnswerOf(all(new TypeError('a bug'), failed('timeout'), 'text')).reason).toBe('unavailable');
  });

  it('says the shortest time after which to try again, whoever named it', () => {
    const error = all(failed('rate-limit', 40_000), resting(7_000), failed('server-error'));
    expect(noAnswerOf(error).retryAfterMs).toBe(7_000);
    expect(noAnswerOf(failed('rate-limit', 5_000)).retryAfterMs).toBe(5_000);
  });

  it('says no time where nobody named one', () => {
    expect(noAnswerOf(all(failed('timeout'), failed('auth'))).retryAfterMs).toBeUndefined();
  });

  it('keeps the words of the failure for the log', () => {
    expect(noAnswerOf(all(failed('auth'))).message).toBe('No model answered');
  });

  it.each([
    ['an abort of the person', new RunAbortedError('stopped')],
    ['a bug of ours', new TypeError('x is not a function')],
    ['a wrong request', Object.assign(new Error('400'), { status: 400 })],
    ['a broken disk', new FinClawError('The disk is full', 'STORAGE_FULL')],
    ['what is no error at all', 'text'],
    ['several failures of no known kind', all(new Error('a'), new Error('b'))],
    ['a budget that is spent', new NoAnswerError('user-budget', 'spent', { retryAfterMs: 1 })],
  ])('leaves %s as it is', (_what, error) => {
    expect(toNoAnswer(error)).toBe(error);
  });
});
