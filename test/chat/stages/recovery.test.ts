import { describe, expect, it } from 'vitest';
import { FinClawError, NoAnswerError, type NoAnswerReason, RunAbortedError } from '#src/kernel/errors.ts';
import { failureMessages } from '#src/chat/reply/messages.ts';
import { PipelineError } from '#src/chat/reply/errors.ts';
import { failureText } from '#src/chat/stages/recovery.ts';
import { everyRow } from '#test/support/every-row.ts';

const errorId = 'c0ffee00';
const secret = new Error('connect ECONNREFUSED 10.0.0.1, key sk-123');

const TABLE = [
  { what: 'a timeout', error: new RunAbortedError('timeout'), sentence: 'pipelineTimeout' },
  {
    what: 'a deadline',
    error: new PipelineError('x', 'PIPELINE_TIMEOUT', { cause: secret }),
    sentence: 'pipelineTimeout',
  },
  {
    what: 'a place that did not become free in time',
    error: new FinClawError('No slot', 'LANE_TIMEOUT'),
    sentence: 'laneTimeout',
  },
  {
    what: 'a place that other questions of the same person held for too long',
    error: new FinClawError('No slot', 'LANE_SHARE_TIMEOUT'),
    sentence: 'laneShareTimeout',
  },
  {
    what: 'a lane with no room to wait in',
    error: new FinClawError('Full', 'LANE_QUEUE_FULL'),
    sentence: 'laneTimeout',
  },
  {
    what: 'a context that could not be built',
    error: new PipelineError('x', 'CONTEXT_BUILD_FAILED', { cause: secret }),
    sentence: 'internalError',
  },
  { what: 'a stop', error: new RunAbortedError('stopped'), sentence: 'stopped' },
  {
    what: 'a failed run',
    error: new PipelineError('x', 'EXECUTION_FAILED', { cause: secret }),
    sentence: 'executionFailed',
  },
  { what: 'a failed stage', error: new PipelineError('x', 'STAGE_FAILED'), sentence: 'internalError' },
  { what: 'a failed delivery', error: new PipelineError('x', 'DELIVERY_FAILED'), sentence: 'deliveryFailed' },
  {
    what: 'an error of another part',
    error: new FinClawError('x', 'EXECUTION_FAILED'),
    sentence: 'internalError',
  },
  { what: 'a bug', error: secret, sentence: 'internalError' },
  { what: 'a thrown string', error: 'sk-123', sentence: 'internalError' },
  { what: 'nothing at all', error: undefined, sentence: 'internalError' },
] as const;

describe('failureText', () => {
  everyRow(
    TABLE.flatMap((row) => [
      { ...row, locale: 'en' as const },
      { ...row, locale: 'ko' as const },
    ]),
  )('says $sentence for $what ($locale)', ({ error, sentence, locale }) => {
    expect(failureText(error, locale, errorId)).toBe(failureMessages(locale)[sentence]({ errorId }));
  });

  everyRow(TABLE.filter(({ sentence }) => sentence !== 'stopped'))(
    'names the error id after $what',
    ({ error }) => {
      expect(failureText(error, 'en', errorId)).toContain(errorId);
    },
  );

  everyRow(TABLE)('never shows the inside of an error: $what', ({ error }) => {
    expect(failureText(error, 'en', errorId)).not.toMatch(/sk-123|ECONNREFUSED/);
  });

  everyRow<NoAnswerReason>([
    'rate-limited',
    'unavailable',
    'key-refused',
    'too-long',
    'refused',
    'empty',
    'user-budget',
    'total-budget',
  ])('says why there is no answer, wrapped or not, and when to ask again: %s', (reason) => {
    const cause = new NoAnswerError(reason, 'x', { retryAfterMs: 40_000 });
    const said = failureMessages('en').noAnswer[reason]({ errorId, wait: 'in 40 seconds' });
    expect(failureText(cause, 'en', errorId)).toBe(said);
    expect(failureText(new PipelineError('x', 'EXECUTION_FAILED', { cause }), 'en', errorId)).toBe(said);
    expect(said).toContain(errorId);
  });

  it.each(['superseded', 'shutdown'] as const)('never calls it a stop of the person: %s', (kind) => {
    expect(failureText(new RunAbortedError(kind), 'en', errorId)).not.toBe(failureMessages('en').stopped());
  });
});
