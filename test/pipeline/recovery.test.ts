import { describe, expect, it } from 'vitest';
import { FinClawError, RunAbortedError } from '#src/core/errors.ts';
import { texts } from '#src/core/i18n.ts';
import { PipelineError } from '#src/pipeline/errors.ts';
import { failureText } from '#src/pipeline/recovery.ts';

const errorId = 'c0ffee00';
const secret = new Error('connect ECONNREFUSED 10.0.0.1, key sk-123');

const TABLE = [
  { what: 'a timeout', error: new RunAbortedError('timeout'), sentence: 'pipelineTimeout' },
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
  it.each(
    TABLE.flatMap((row) => [
      { ...row, locale: 'en' as const },
      { ...row, locale: 'ko' as const },
    ]),
  )('says $sentence for $what ($locale)', ({ error, sentence, locale }) => {
    expect(failureText(error, locale, errorId)).toBe(texts(locale)[sentence]({ errorId }));
  });

  it.each(TABLE.filter(({ sentence }) => sentence !== 'stopped'))(
    'names the error id after $what',
    ({ error }) => {
      expect(failureText(error, 'en', errorId)).toContain(errorId);
    },
  );

  it.each(TABLE)('never shows the inside of an error: $what', ({ error }) => {
    expect(failureText(error, 'en', errorId)).not.toMatch(/sk-123|ECONNREFUSED/);
  });
});
