import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { FinClawError, NoAnswerError, type NoAnswerReason, RunAbortedError } from '#src/kernel/errors.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import { PipelineError } from '#src/chat/delivery/errors.ts';
import {
  type ErrorClass,
  errorClassOf,
  failureText,
  runStageSafely,
} from '#src/chat/pipeline/stage-failures.ts';
import { NEVER_ABORTED } from '#test/chat/pipeline/support.ts';
import { recordingLogger } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { temporaryDir } from '#test/support/database.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';

const withCode = (code: string): Error => Object.assign(new Error('from the driver'), { code });
const ofSqlite = (errcode: number): Error =>
  Object.assign(new Error('from SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
const wrapped = (cause: unknown, code: ConstructorParameters<typeof PipelineError>[1]): PipelineError =>
  new PipelineError('x', code, { cause });

describe('errorClassOf', () => {
  everyRow<[string, unknown, ErrorClass]>([
    ['SQLite busy', ofSqlite(5), 'recoverable'],
    ['SQLite locked', ofSqlite(6), 'recoverable'],
    ['SQLite busy with a snapshot', ofSqlite(517), 'recoverable'],
    ['SQLite full', ofSqlite(13), 'fatal'],
    ['a serialization failure', withCode('40001'), 'recoverable'],
    ['a deadlock', withCode('40P01'), 'recoverable'],
    ['a server that is starting', withCode('57P03'), 'recoverable'],
    ['a broken connection', withCode('08006'), 'recoverable'],
    ['a refused connection', withCode('ECONNREFUSED'), 'recoverable'],
    ['a reset connection', withCode('ECONNRESET'), 'recoverable'],
    ['a closed pipe', withCode('EPIPE'), 'recoverable'],
    ['a connection that ended', new Error('Connection terminated unexpectedly'), 'recoverable'],
    ['a broken rule of the database', withCode('23505'), 'fatal'],
    ['a wrong password', withCode('28P01'), 'fatal'],
    ['no context', wrapped(new Error('a bug'), 'CONTEXT_BUILD_FAILED'), 'degradable'],
    ['no context for a busy database', wrapped(ofSqlite(5), 'CONTEXT_BUILD_FAILED'), 'recoverable'],
    [
      'what we wrapped twice',
      new FinClawError('x', 'X', { cause: wrapped(ofSqlite(5), 'STAGE_FAILED') }),
      'recoverable',
    ],
    ['a failed fetch', new TypeError('fetch failed', { cause: withCode('ECONNRESET') }), 'fatal'],
    ['a run that failed for a connection', wrapped(withCode('ECONNRESET'), 'EXECUTION_FAILED'), 'fatal'],
    ['a delivery that failed for one', wrapped(withCode('ECONNRESET'), 'DELIVERY_FAILED'), 'fatal'],
    ['a deadline', new PipelineError('x', 'PIPELINE_TIMEOUT'), 'fatal'],
    ['a bug', new TypeError('x is undefined'), 'fatal'],
    ['a thrown string', 'ECONNRESET', 'fatal'],
    ['nothing', undefined, 'fatal'],
  ])('%s', (_what, error, expected) => {
    expect(errorClassOf(error)).toBe(expected);
  });

  it('knows what a locked SQLite file really throws', () => {
    const path = `${temporaryDir()}/locked.db`;
    const [first, second] = [new DatabaseSync(path), new DatabaseSync(path, { timeout: 0 })];
    first.exec('begin immediate');
    let thrown: unknown;
    try {
      second.exec('begin immediate');
    } catch (error) {
      thrown = error;
    }
    first.close();
    second.close();
    expect(errorClassOf(thrown)).toBe('recoverable');
  });
});

type Step = string | Error;

/** A stage that throws or answers as listed, and then answers for ever with the last. */
const stageOf = (steps: readonly Step[], options: Partial<PipelineStage<string, string>> = {}) => {
  const inputs: string[] = [];
  const stage: PipelineStage<string, string> = {
    name: 'tried',
    execute: async (input) => {
      const step = steps[Math.min(inputs.length, steps.length - 1)] ?? '';
      inputs.push(input);
      if (step instanceof Error) throw step;
      return StageResult.continue(step);
    },
    ...options,
  };
  return { stage, inputs };
};

const setUp = () => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const run = async (stage: PipelineStage<string, string>, signal: AbortSignal = NEVER_ABORTED) => {
    const result = runStageSafely(stage, 'in', signal, { clock, logger });
    result.catch(() => undefined);
    await clock.advance(5_000);
    return result;
  };
  return { clock, records, run };
};

const busy = ofSqlite(5);
const bug = new Error('a bug');

describe('runStageSafely', () => {
  it('gives what the stage gives, and logs nothing', async () => {
    const { run, records } = setUp();
    const { stage, inputs } = stageOf(['out']);
    expect(await run(stage)).toEqual({ action: 'continue', data: 'out' });
    expect(inputs).toEqual(['in']);
    expect(records()).toEqual([]);
  });

  it('tries a stage that may be run again up to three times, for what passes in a moment', async () => {
    const { run, records } = setUp();
    const { stage, inputs } = stageOf([busy, busy, 'out'], { isRepeatable: true });
    expect(await run(stage)).toEqual({ action: 'continue', data: 'out' });
    expect(inputs).toEqual(['in', 'in', 'in']);
    expect(records()).toMatchObject([
      { level: 'warn', stage: 'tried', attempt: 1 },
      { level: 'warn', stage: 'tried', attempt: 2 },
    ]);
  });

  it('gives up after the third try', async () => {
    const { run } = setUp();
    const { stage, inputs } = stageOf([busy], { isRepeatable: true });
    await expect(run(stage)).rejects.toBe(busy);
    expect(inputs).toHaveLength(3);
  });

  it('tries nothing again that must happen once, and nothing that does not pass', async () => {
    const { run } = setUp();
    const once = stageOf([busy]);
    await expect(run(once.stage)).rejects.toBe(busy);
    const broken = stageOf([bug], { isRepeatable: true });
    await expect(run(broken.stage)).rejects.toBe(bug);
    expect([once.inputs, broken.inputs]).toEqual([['in'], ['in']]);
  });

  it.each([bug, busy, wrapped(bug, 'CONTEXT_BUILD_FAILED')])(
    'leaves out a stage that can be done without',
    async (error) => {
      const { run, records } = setUp();
      const { stage } = stageOf([error], { isRepeatable: true, degrade: (input) => `${input}, as it was` });
      expect(await run(stage)).toEqual({ action: 'continue', data: 'in, as it was' });
      expect(records().at(-1)).toMatchObject({
        level: 'warn',
        stage: 'tried',
        errorClass: errorClassOf(error),
      });
    },
  );

  it('leaves a stage alone that ended by itself', async () => {
    const { run } = setUp();
    const ended = StageResult.abort('refused', bug);
    const { stage } = stageOf([], { execute: async () => ended, degrade: () => 'else' });
    expect(await run(stage)).toBe(ended);
  });

  it('throws why the run was ended, and does not go on with less', async () => {
    const { clock, records } = setUp();
    const { logger } = recordingLogger();
    const controller = new AbortController();
    const reason = new RunAbortedError('stopped');
    const { stage } = stageOf([], {
      degrade: () => 'else',
      execute: async () => {
        controller.abort(reason);
        throw new Error('the connection broke off');
      },
    });
    const running = runStageSafely(stage, 'in', controller.signal, { clock, logger });
    await expect(running).rejects.toBe(reason);
    expect(records()).toEqual([]);
  });

  it('throws an end that another part decided, also where the signal does not know of it', async () => {
    const { run } = setUp();
    const reason = new RunAbortedError('superseded');
    await expect(run(stageOf([reason], { degrade: () => 'else' }).stage)).rejects.toBe(reason);
  });

  it('stops waiting for the next try when the run is ended', async () => {
    const { clock } = setUp();
    const { logger } = recordingLogger();
    const controller = new AbortController();
    const { stage, inputs } = stageOf([busy], { isRepeatable: true, degrade: () => 'else' });
    const running = runStageSafely(stage, 'in', controller.signal, { clock, logger });
    const rejected = expect(running).rejects.toThrow('stopped');
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new RunAbortedError('stopped'));
    await rejected;
    expect(inputs).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });
});

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
    expect(failureText(error, locale, errorId)).toBe(failureTexts(locale)[sentence]({ errorId }));
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
    const said = failureTexts('en').noAnswer[reason]({ errorId, wait: 'in 40 seconds' });
    expect(failureText(cause, 'en', errorId)).toBe(said);
    expect(failureText(new PipelineError('x', 'EXECUTION_FAILED', { cause }), 'en', errorId)).toBe(said);
    expect(said).toContain(errorId);
  });

  it.each(['superseded', 'shutdown'] as const)('never calls it a stop of the person: %s', (kind) => {
    expect(failureText(new RunAbortedError(kind), 'en', errorId)).not.toBe(failureTexts('en').stopped());
  });
});
