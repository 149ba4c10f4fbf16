import { describe, expect, it } from 'vitest';
import { createAcknowledgement } from '#src/chat/delivery/acknowledgement.ts';
import { targetOf } from '#src/chat/delivery/delivery.ts';
import { ack } from '#src/chat/pipeline/3-ack.ts';
import { NEVER_ABORTED, normalized } from '#test/chat/pipeline/support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = async () => {
  const clock = new ManualClock();
  const channel = new TestChannel();
  const ctx = msgContext();
  const { logger } = recordingLogger();
  const acknowledgement = createAcknowledgement(channel, targetOf(ctx), {
    clock,
    logger,
    isFirstAttempt: true,
  });
  const question = {
    ...(await normalized({ ctx, channel, acknowledgement })),
    isQuestion: true as const,
  };
  return { clock, channel, question };
};

describe('ack stage', () => {
  it('shows that the message was seen and goes on with it', async () => {
    const { clock, channel, question } = await setUp();
    const result = await ack({ enableAck: true }).execute(question, NEVER_ABORTED);
    expect(result).toEqual({ action: 'continue', data: { ...question, isAcknowledged: true } });
    await clock.advance(5_400);
    expect(channel.visibleReactions).toEqual(['👀']);
    expect(channel.typing).toHaveLength(2);
  });

  it('shows no typing where nothing is wanted while the answer is made', async () => {
    const { clock, channel, question } = await setUp();
    await ack({ enableAck: true, showsTyping: () => false }).execute(question, NEVER_ABORTED);
    await clock.advance(20_000);
    expect(channel.visibleReactions).toEqual(['👀']);
    expect(channel.typing).toEqual([]);
  });

  it('does not wait for the platform', async () => {
    const { channel, question } = await setUp();
    channel.onReaction = () => new Promise(() => undefined);
    channel.onTyping = () => new Promise(() => undefined);
    await expect(ack({ enableAck: true }).execute(question, NEVER_ABORTED)).resolves.toMatchObject({
      action: 'continue',
    });
  });

  it('shows nothing at all where it is switched off, up to the end', async () => {
    const { clock, channel, question } = await setUp();
    const result = await ack({ enableAck: false }).execute(question, NEVER_ABORTED);
    expect(result).toMatchObject({ action: 'continue', data: { isAcknowledged: true } });
    await clock.advance(60_000);
    await question.acknowledgement.end(false);
    expect(channel.reactions).toEqual([]);
    expect(channel.typing).toEqual([]);
  });

  it('can be run again, and can be done without', async () => {
    const { clock, channel, question } = await setUp();
    const stage = ack({ enableAck: true });
    expect(stage.isRepeatable).toBe(true);
    await stage.execute(question, NEVER_ABORTED);
    await stage.execute(question, NEVER_ABORTED);
    await clock.advance(400);
    expect(channel.reactions).toHaveLength(1);
    expect(stage.degrade?.(question)).toEqual({ ...question, isAcknowledged: true });
  });
});
