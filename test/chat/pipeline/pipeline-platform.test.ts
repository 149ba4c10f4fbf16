import { describe, expect, it } from 'vitest';
import { ChannelError, FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import type { ProcessOutcome } from '#src/kernel/chat/stage.ts';
import { setUpPipeline } from '#test/chat/pipeline/pipeline-support.ts';
import { MATCH, NEVER_ABORTED, planAndGoDown } from '#test/chat/pipeline/support.ts';
import type { TestChannel } from '#test/support/channel.ts';
import { msgContext } from '#test/support/context.ts';

const errorIdOf = (outcome: ProcessOutcome): string =>
  outcome.outcome === 'failed' ? outcome.errorId : 'it did not fail';

/** A message whose answer a process that went down had planned and not sent. */
const planned = async (text: string) => {
  const base = await setUpPipeline();
  const ctx = msgContext();
  await planAndGoDown(base.delivery, ctx, { text });
  return { ...base, ctx };
};

/** One that is not connected is waited for as long as it takes. */
const hangThoughConnected = (channel: TestChannel): void => {
  Object.assign(channel, { isConnected: () => true });
  channel.hangSends({ isDeaf: true });
};

describe('AutoReplyPipeline with a message that is refused', () => {
  const refused = AbortSignal.abort(new FinClawError('too many attempts', 'TOO_MANY_ATTEMPTS'));

  it('still sends the answer that was planned before, and says nothing else', async () => {
    const { pipeline, channel, ctx, statuses } = await planned('The answer.');
    expect(await pipeline.process(ctx, MATCH, refused)).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['The answer.']);
    expect(await statuses()).toEqual(['sent']);
  });

  it('says once that it is given up, however often it is taken up again', async () => {
    const { pipeline, channel } = await setUpPipeline();
    const ctx = msgContext();
    expect(await pipeline.process(ctx, MATCH, refused)).toMatchObject({ outcome: 'failed' });
    expect(await pipeline.process(ctx, MATCH, refused)).toEqual({ outcome: 'done' });
    expect(channel.texts).toHaveLength(1);
  });

  it('sends nothing more of an answer that its person stopped', async () => {
    const { pipeline, channel, ctx } = await planned('The answer.');
    await pipeline.process(ctx, MATCH, AbortSignal.abort(new RunAbortedError('stopped')));
    expect(channel.texts).toEqual([failureTexts('en').stopped()]);
  });
});

describe('AutoReplyPipeline on a platform that never answers', () => {
  it('ends when sends hang and hear no abort, after half an hour and the time of the sentence about it', async () => {
    const { process, clock, channel, records } = await setUpPipeline();
    hangThoughConnected(channel);
    const outcome = process();
    await clock.advance(40 * 60_000);
    expect(await outcome).toMatchObject({ outcome: 'failed', errorId: records().at(-1)?.['errorId'] });
    expect(records().at(-1)).toMatchObject({ message: 'The sender could not be told about a failure' });
  });

  it('ends in the same way when it only sends what was planned before a restart', async () => {
    const { process, clock, channel, ctx, statuses } = await planned('planned');
    hangThoughConnected(channel);
    const outcome = process(ctx);
    await clock.advance(40 * 60_000);
    expect(await outcome).toMatchObject({ outcome: 'failed' });
    expect(await statuses()).toEqual(['failed', 'pending']);
  });

  it('keeps the answer for one that is out of reach for long, past the time of the run', async () => {
    const { process, clock, channel, statuses } = await setUpPipeline();
    const atMs = clock.monotonicMs();
    let isFirst = true;
    channel.onSend = ({ inDoubtSince }) => {
      expect(inDoubtSince === undefined).toBe(isFirst);
      isFirst = false;
      if (clock.monotonicMs() - atMs < 600_000) throw new ChannelError('unreachable', 'no network');
    };
    const outcome = process();
    await clock.advance(660_000);
    expect(await outcome).toEqual({ outcome: 'done' });
    expect([channel.texts, await statuses()]).toEqual([['Apple rose.'], ['sent']]);
  });

  it('waits as long as it is asked to, and not at all for what will not change', async () => {
    const { process, clock, channel } = await setUpPipeline();
    channel.onSend = () => {
      if (channel.attempts.length === 1)
        throw new ChannelError('rate-limited', 'slow down', { retryAfterMs: 40_000 });
      if (channel.attempts.length === 2) throw new ChannelError('refused', 'no such chat');
    };
    const outcome = process();
    await clock.advance(39_000);
    expect(channel.attempts).toHaveLength(1);
    await clock.advance(2_000);
    expect(await outcome).toMatchObject({ outcome: 'failed' });
    // The second one was refused for good; the third is the sentence about it.
    expect(channel.attempts).toHaveLength(3);
  });

  it('does not hold the conversation up when a reaction hangs behind the answer', async () => {
    const { process, clock, channel } = await setUpPipeline();
    channel.onReaction = () => new Promise(() => undefined);
    const outcome = process();
    await clock.advance(10_000);
    expect(channel.texts).toEqual(['Apple rose.']);
    expect(await outcome).toEqual({ outcome: 'done' });
  });
});

describe('AutoReplyPipeline on a platform that refuses an answer', () => {
  it.each(['en', 'ko'] as const)('tells the sender in one sentence (%s)', async (locale) => {
    const { process, clock, channel, statuses, recorded } = await setUpPipeline({
      answer: async () => 'refused words',
    });
    channel.onSend = ({ payload }) => {
      if (payload.text.includes('refused words')) throw new Error('not on this platform');
    };
    const running = process(msgContext({ locale }));
    await clock.advance(60_000);
    const errorId = errorIdOf(await running);
    expect(channel.texts).toEqual([failureTexts(locale).deliveryFailed({ errorId })]);
    expect(await statuses()).toEqual(['failed', 'sent']);
    expect(recorded.payloads('pipeline:error')).toMatchObject([
      { errorId, error: { code: 'DELIVERY_FAILED' } },
    ]);
    expect(channel.visibleReactions).toEqual(['⚠️']);
  });

  it('tells the sender behind the parts that arrived', async () => {
    const lines = ['first', 'second', 'third'].map((word) => `${word} ${'x'.repeat(150)}`);
    const { process, clock, channel } = await setUpPipeline({
      maxMessageLength: 200,
      answer: async () => lines.join('\n'),
    });
    channel.onSend = ({ payload }) => {
      if (payload.text.startsWith('second')) throw new Error('refused');
    };
    const running = process();
    await clock.advance(60_000);
    const errorId = errorIdOf(await running);
    expect(channel.texts).toEqual([lines[0], lines[2], failureTexts('en').deliveryFailed({ errorId })]);
  });

  it('tells the sender of a command in the same way', async () => {
    const { process, clock, channel } = await setUpPipeline();
    channel.onSend = ({ payload }) => {
      if (payload.text === 'pong') throw new Error('refused');
    };
    const running = process(msgContext({ rawBody: '/ping' }));
    await clock.advance(60_000);
    const errorId = errorIdOf(await running);
    expect(channel.texts).toEqual([failureTexts('en').deliveryFailed({ errorId })]);
  });

  it('tells the sender once, also when the process ends before that is settled', async () => {
    const { process, pipeline, clock, channel } = await setUpPipeline({
      answer: async () => 'refused words',
    });
    channel.onSend = ({ payload }) => {
      if (payload.text.includes('refused words')) throw new Error('not on this platform');
    };
    const ctx = msgContext();
    const running = process(ctx);
    await clock.advance(60_000);
    await running;
    expect(await pipeline.process(ctx, MATCH, NEVER_ABORTED)).toEqual({ outcome: 'done' });
    expect(channel.texts).toHaveLength(1);
  });

  it('fails and says so when it refuses what was planned before a restart', async () => {
    const { process, clock, channel, ctx } = await planned('planned');
    channel.onSend = ({ payload }) => {
      if (payload.text === 'planned') throw new Error('refused');
    };
    const running = process(ctx);
    await clock.advance(60_000);
    const errorId = errorIdOf(await running);
    expect(channel.texts).toEqual([failureTexts('en').deliveryFailed({ errorId })]);
  });
});
