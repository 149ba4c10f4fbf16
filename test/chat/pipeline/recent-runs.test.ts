import { describe, expect, it } from 'vitest';
import { NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { PipelineError } from '#src/chat/delivery/errors.ts';
import { createRecentRuns } from '#src/chat/pipeline/recent-runs.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const SESSION = msgContext().sessionKey;
const sessionOf = (name: string): SessionKey => asId<SessionKey>(name);
const DONE = { success: true, outcome: 'answered', stagesExecuted: [], durationMs: 0 } as const;
const FAILED = {
  success: false,
  outcome: 'failed',
  stagesExecuted: [],
  durationMs: 0,
  reason: 'failed',
} as const;

const setUp = () => {
  const clock = new ManualClock();
  const { observer, runs } = createRecentRuns(clock);
  /** A message that goes through at once. */
  const run = (ctx: Partial<TurnContext> = {}): TurnContext => {
    const whole = msgContext(ctx);
    observer.onPipelineStart(whole);
    observer.onPipelineComplete(whole, DONE);
    return whole;
  };
  return { clock, observer, runs, run };
};

describe('createRecentRuns', () => {
  it('keeps when a message began, how long it took, and how each stage went', async () => {
    const { clock, observer, runs } = setUp();
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    const startedAt = clock.now();
    observer.onStageStart(ctx, 'normalize');
    observer.onStageComplete(ctx, 'normalize', 'continue', 1);
    await clock.advance(250);
    observer.onStageStart(ctx, 'command');
    observer.onStageComplete(ctx, 'command', 'skip', 249);
    observer.onPipelineComplete(ctx, { ...DONE, durationMs: 250, reason: 'command' });
    expect(runs.last(SESSION)).toEqual([
      {
        startedAt,
        durationMs: 250,
        success: true,
        stages: [
          { stage: 'normalize', action: 'continue', durationMs: 1 },
          { stage: 'command', action: 'skip', durationMs: 249 },
        ],
        reason: 'command',
      },
    ]);
  });

  it('shows a message only once it has ended', () => {
    const { observer, runs } = setUp();
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    expect(runs.last(SESSION)).toEqual([]);
    observer.onPipelineComplete(ctx, DONE);
    expect(runs.last(SESSION)).toHaveLength(1);
  });

  it('tells of a message once, should its end be reported twice', () => {
    const { observer, runs, run } = setUp();
    observer.onPipelineComplete(run(), DONE);
    expect(runs.last(SESSION)).toHaveLength(1);
  });

  it('keeps messages that run at the same time apart', () => {
    const { observer, runs } = setUp();
    const [one, other] = [msgContext(), msgContext()];
    observer.onPipelineStart(one);
    observer.onPipelineStart(other);
    observer.onStageComplete(other, 'ack', 'continue', 2);
    observer.onPipelineComplete(one, DONE);
    observer.onPipelineComplete(other, DONE);
    expect(runs.last(SESSION)).toMatchObject([{ stages: [{ stage: 'ack' }] }, { stages: [] }]);
  });

  it('names the stage that failed, how long it ran, and the error by its codes, not by its words', async () => {
    const { clock, observer, runs } = setUp();
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    observer.onStageStart(ctx, 'execute');
    await clock.advance(700);
    const noAnswer = new NoAnswerError('key-refused', '401 for key sk-ant-secret', {
      cause: new TypeError('sk-ant-secret'),
    });
    observer.onPipelineError(
      ctx,
      new PipelineError('x', 'EXECUTION_FAILED', { cause: noAnswer }),
      'c0ffee00',
    );
    // The person is told, which is not the time of the stage.
    await clock.advance(5_000);
    observer.onPipelineComplete(ctx, FAILED);
    const [trace] = runs.last(SESSION);
    expect(trace).toMatchObject({
      success: false,
      stages: [{ stage: 'execute', action: 'failed', durationMs: 700 }],
      reason: 'EXECUTION_FAILED ← NO_ANSWER key-refused ← TypeError',
      errorId: 'c0ffee00',
    });
    expect(JSON.stringify(trace)).not.toContain('secret');
  });

  it.each([
    [new RunAbortedError('timeout'), 'RUN_ABORTED timeout'],
    ['thrown as text', 'string'],
    [new RangeError('x'), 'RangeError'],
  ])('takes whatever was thrown: %s', (error, reason) => {
    const { observer, runs } = setUp();
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    observer.onPipelineError(ctx, error, 'c0ffee01');
    observer.onPipelineComplete(ctx, FAILED);
    expect(runs.last(SESSION)).toMatchObject([{ reason, errorId: 'c0ffee01', stages: [] }]);
  });

  it('follows causes that go round in a circle no further than so far', () => {
    const { observer, runs } = setUp();
    const error = new Error('x');
    error.cause = error;
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    observer.onPipelineError(ctx, error, 'c0ffee02');
    observer.onPipelineComplete(ctx, FAILED);
    expect(runs.last(SESSION)[0]?.reason).toBe('Error ← Error ← Error ← Error');
  });

  it('calls a stage interrupted that a stop or a shutdown cut short', async () => {
    const { clock, observer, runs } = setUp();
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    observer.onStageStart(ctx, 'execute');
    await clock.advance(40);
    observer.onPipelineComplete(ctx, { ...FAILED, reason: 'parked' });
    const [trace] = runs.last(SESSION);
    expect(trace).toMatchObject({
      reason: 'parked',
      stages: [{ stage: 'execute', action: 'interrupted', durationMs: 40 }],
    });
    expect(trace).not.toHaveProperty('errorId');
  });

  it('knows nothing of conversations without messages', () => {
    expect(setUp().runs.last(SESSION)).toEqual([]);
  });
});

describe('what createRecentRuns keeps is bounded:', () => {
  it('the last five of a conversation, the newest first', async () => {
    const { clock, runs, run } = setUp();
    const begun: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      begun.push(clock.now().toString());
      run();
      await clock.advance(1);
    }
    const kept = runs.last(SESSION).map(({ startedAt }) => startedAt.toString());
    expect(kept).toEqual(begun.toReversed().slice(0, 5));
  });

  it('the two hundred conversations that were used last', () => {
    const { runs, run } = setUp();
    const sessions = Array.from({ length: 200 }, (_, index) => sessionOf(`s${index}`));
    for (const sessionKey of sessions) run({ sessionKey });
    run({ sessionKey: sessionOf('s0') });
    run({ sessionKey: sessionOf('new') });
    expect(runs.last(sessionOf('s0'))).toHaveLength(2);
    expect(runs.last(sessionOf('s1'))).toEqual([]);
    expect(runs.last(sessionOf('s2'))).toHaveLength(1);
    expect(runs.last(sessionOf('new'))).toHaveLength(1);
  });

  it('so many messages under way, should they never be ended', () => {
    const { observer, runs } = setUp();
    const open = Array.from({ length: 1_001 }, (_, index) =>
      msgContext({ inboxId: asId<InboxId>(`i${index}`), sessionKey: sessionOf(`s${index}`) }),
    );
    for (const ctx of open) observer.onPipelineStart(ctx);
    for (const ctx of [open[0], open[1]]) {
      if (!ctx) throw new Error('missing');
      observer.onStageStart(ctx, 'late');
      observer.onStageComplete(ctx, 'late', 'continue', 1);
      observer.onPipelineError(ctx, new Error('x'), 'c0ffee03');
      observer.onPipelineComplete(ctx, DONE);
    }
    expect(runs.last(sessionOf('s0'))).toEqual([]);
    expect(runs.last(sessionOf('s1'))).toHaveLength(1);
  });

  it('twenty stages and two hundred characters of a reason', () => {
    const { observer, runs } = setUp();
    const ctx = msgContext();
    observer.onPipelineStart(ctx);
    for (let count = 0; count < 30; count += 1) observer.onStageComplete(ctx, `s${count}`, 'continue', 1);
    observer.onPipelineComplete(ctx, { ...DONE, reason: 'x'.repeat(1_000) });
    const [trace] = runs.last(SESSION);
    expect(trace?.stages).toHaveLength(20);
    expect(trace?.reason).toHaveLength(200);
  });
});
