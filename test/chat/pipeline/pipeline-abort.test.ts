import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { deaf, setUpPipeline, untilAborted } from '#test/chat/pipeline/pipeline-support.ts';
import { MATCH, NEVER_ABORTED, planAndGoDown } from '#test/chat/pipeline/support.ts';
import { msgContext } from '#test/support/context.ts';

/** Three messages of at most 34 characters. */
const inThreeParts = async (): Promise<string> => 'first part 123456\nsecond part 12345\nthird part 123456';

describe('AutoReplyPipeline, out of time', () => {
  it.each(['en', 'ko'] as const)('says so and fails (%s)', async (locale) => {
    const { process, clock, channel, recorded } = await setUpPipeline({ answer: untilAborted });
    const outcome = process(msgContext({ locale }));
    await clock.advance(59_999);
    expect(channel.attempts).toEqual([]);
    await clock.advance(1);
    const result = await outcome;
    const errorId = result.outcome === 'failed' ? result.errorId : '';
    expect(result).toEqual({ outcome: 'failed', errorId });
    expect(channel.texts).toEqual([failureTexts(locale).pipelineTimeout({ errorId })]);
    expect(channel.visibleReactions).toEqual(['⚠️']);
    expect(recorded.payloads('pipeline:error')).toMatchObject([
      { errorId, error: { code: 'PIPELINE_TIMEOUT' } },
    ]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: false, durationMs: 60_000 }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves a deaf stage behind after two seconds of grace', async () => {
    const { process, clock, channel } = await setUpPipeline({ answer: deaf });
    const outcome = process();
    await clock.advance(61_999);
    expect(channel.attempts).toEqual([]);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ outcome: 'failed' });
    expect(channel.texts).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not deliver what the deaf stage says later', async () => {
    const late = Promise.withResolvers<string>();
    const { process, clock, channel } = await setUpPipeline({ answer: () => late.promise });
    const outcome = process();
    await clock.advance(62_000);
    await outcome;
    late.resolve('far too late');
    await clock.advance(60_000);
    expect(channel.texts).toHaveLength(1);
    expect(channel.texts[0]).not.toContain('far too late');
  });

  it('uses what a stage makes of the grace, but starts no other stage', async () => {
    const { process, clock, channel, recorded } = await setUpPipeline({
      answer: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => clock.after(1_000, () => resolve('just in time')));
        }),
    });
    const outcome = process();
    await clock.advance(61_000);
    expect(await outcome).toMatchObject({ outcome: 'failed' });
    expect(recorded.payloads('pipeline:stage').at(-1)).toMatchObject({
      stage: 'execute',
      durationMs: 61_000,
    });
    expect(channel.texts.join('')).not.toContain('just in time');
  });
});

describe('AutoReplyPipeline, stopped by a person', () => {
  it.each(['en', 'ko'] as const)('says so, and that is no failure (%s)', async (locale) => {
    const { process, run, clock, channel, recorded } = await setUpPipeline({ answer: untilAborted });
    const outcome = process(msgContext({ locale }));
    await clock.advance(1_000);
    run.abort(new RunAbortedError('stopped'));
    expect(await outcome).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual([failureTexts(locale).stopped()]);
    expect(channel.visibleReactions).toEqual([]);
    expect(recorded.payloads('pipeline:error')).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('AutoReplyPipeline, stopped while the answer is being sent', () => {
  it('does not send the rest, not even at the next start', async () => {
    const { process, pipeline, run, clock, channel, statuses } = await setUpPipeline({
      maxMessageLength: 34,
      answer: inThreeParts,
    });
    channel.delaySends(1_000, clock);
    const ctx = msgContext();
    const outcome = process(ctx);
    await clock.advance(1_500);
    run.abort(new RunAbortedError('stopped'));
    await clock.advance(10_000);
    expect(await outcome).toEqual({ outcome: 'done' });
    await pipeline.process(ctx, MATCH, NEVER_ABORTED);
    expect(channel.texts).toEqual(['first part 123456', 'Stopped.']);
    expect(await statuses()).toEqual(['sent', 'sent']);
  });

  it('says that it stopped when nothing of the answer had been sent', async () => {
    const { process, run, clock, channel } = await setUpPipeline({
      maxMessageLength: 34,
      answer: inThreeParts,
    });
    channel.delaySends(1_000, clock);
    const outcome = process();
    await clock.advance(500);
    run.abort(new RunAbortedError('stopped'));
    await clock.advance(10_000);
    expect(await outcome).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual([failureTexts('en').stopped()]);
  });
});

describe('AutoReplyPipeline, going down', () => {
  it('parks the message: nothing is said, nothing is planned', async () => {
    const { process, run, clock, channel, recorded, statuses } = await setUpPipeline({
      answer: untilAborted,
    });
    const outcome = process();
    await clock.advance(1_000);
    run.abort(new RunAbortedError('shutdown'));
    expect(await outcome).toEqual({ outcome: 'parked' });
    expect(channel.attempts).toEqual([]);
    expect(await statuses()).toEqual([]);
    expect(recorded.payloads('pipeline:error')).toEqual([]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: false }]);
  });

  it('parks it also when the stage is deaf, after the grace', async () => {
    const { process, run, clock, channel } = await setUpPipeline({ answer: deaf });
    const outcome = process();
    await clock.advance(1_000);
    run.abort(new RunAbortedError('shutdown'));
    await clock.advance(2_000);
    expect(await outcome).toEqual({ outcome: 'parked' });
    expect(channel.attempts).toEqual([]);
  });

  it('parks it also when a stage answers the abort with an error of its own', async () => {
    const { process, run, clock, channel, recorded } = await setUpPipeline({
      replace: ([first, second, third, , fifth, sixth]) => [
        first,
        second,
        third,
        {
          name: 'context',
          execute: (_input, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
            }),
        },
        fifth,
        sixth,
      ],
    });
    const outcome = process();
    await clock.advance(1_000);
    run.abort(new RunAbortedError('shutdown'));
    expect(await outcome).toEqual({ outcome: 'parked' });
    expect(channel.attempts).toEqual([]);
    expect(recorded.payloads('pipeline:error')).toEqual([]);
  });

  it('does not go on typing for a message that it parked', async () => {
    const { process, run, clock, channel } = await setUpPipeline({ answer: untilAborted });
    const outcome = process();
    await clock.advance(1_000);
    run.abort(new RunAbortedError('shutdown'));
    await outcome;
    const shown = channel.typing.length;
    await clock.advance(20_000);
    expect(channel.typing).toHaveLength(shown);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves the eyes on a message that it parked, and takes them off with the rest of its answer', async () => {
    const { process, pipeline, run, clock, channel } = await setUpPipeline();
    const release = channel.hangSends();
    const ctx = msgContext();
    const outcome = process(ctx);
    await clock.advance(400);
    run.abort(new RunAbortedError('shutdown'));
    expect(await outcome).toEqual({ outcome: 'parked' });
    expect(channel.visibleReactions).toEqual(['👀']);
    release();
    await pipeline.process(ctx, MATCH, NEVER_ABORTED);
    expect(channel.texts).toEqual(['Apple rose.']);
    expect(channel.visibleReactions).toEqual([]);
  });

  it('parks an answer that is being sent, and the next run sends the rest of it only', async () => {
    let asked = 0;
    const { process, pipeline, run, clock, channel, statuses } = await setUpPipeline({
      maxMessageLength: 34,
      answer: async () => {
        asked += 1;
        return inThreeParts();
      },
    });
    const releases: (() => void)[] = [];
    channel.onSend = ({ payload }) => {
      if (payload.text.startsWith('second')) releases.push(channel.hangSends());
    };
    const ctx = msgContext();
    const outcome = process(ctx);
    await clock.advance(0);
    run.abort(new RunAbortedError('shutdown'));
    expect(await outcome).toEqual({ outcome: 'parked' });
    expect(await statuses()).toEqual(['sent', 'pending', 'pending']);

    channel.onSend = () => undefined;
    for (const release of releases) release();
    const resumed = await pipeline.process(ctx, MATCH, NEVER_ABORTED);
    expect(resumed).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['first part 123456', 'second part 12345', 'third part 123456']);
    expect(asked).toBe(1);
  });

  it('parks an answer whose rest it was sending after a restart', async () => {
    const { process, run, clock, channel, delivery, statuses } = await setUpPipeline();
    const ctx = msgContext();
    await planAndGoDown(delivery, ctx, { text: 'planned' });
    channel.hangSends();
    const outcome = process(ctx);
    await clock.advance(0);
    run.abort(new RunAbortedError('shutdown'));
    expect(await outcome).toEqual({ outcome: 'parked' });
    expect(await statuses()).toEqual(['pending']);
  });
});

const setUp = async () => {
  const base = await setUpPipeline();
  base.hooks.beforeMessageProcess.on(() => ({ skip: true, skipReply: 'closed' }), { plugin: 'test' });
  base.channel.hangSends({ isDeaf: true });
  return base;
};

it('ends when the reply of a plugin hangs on a platform that hears no abort', async () => {
  const { process, clock } = await setUp();
  let outcome: unknown = 'still running';
  void process().then((result) => (outcome = result.outcome));
  await clock.advance(60_000 + 2_000 + 30_000 + 10_000);
  expect(outcome).toBe('failed');
});

it('is parked by a shutdown meanwhile', async () => {
  const { process, clock, run } = await setUp();
  let outcome: unknown = 'still running';
  void process().then((result) => (outcome = result.outcome));
  await clock.advance(1_000);
  run.abort(new RunAbortedError('shutdown'));
  await clock.advance(10_000);
  expect(outcome).toBe('parked');
});

it('ends at once when the run is ended while a plugin thinks', async () => {
  const { process, hooks, clock, run } = await setUpPipeline();
  hooks.beforeMessageProcess.on(() => new Promise<undefined>(() => undefined), { plugin: 'test' });
  let outcome: unknown = 'still running';
  void process().then((result) => (outcome = result.outcome));
  await clock.advance(1_000);
  run.abort(new RunAbortedError('shutdown'));
  await clock.advance(2_000);
  expect(outcome).toBe('parked');
});
