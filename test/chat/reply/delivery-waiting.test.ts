import { describe, expect, it } from 'vitest';
import { createPacing } from '#channels/slack/pacing.ts';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { NEVER_ABORTED, setUpDelivery } from '#test/chat/stages/support.ts';
import { msgContext } from '#test/support/context.ts';

const LIMIT = new ChannelError('rate-limited', 'wait', { retryAfterMs: 10_000 });
const STEP_MS = 5_000;
const STEPS = 80;

/** So many answers at once into one chat of a platform that takes one a second. */
const send = async (answers: number, limitedForMs = 0) => {
  const { delivery, channel, clock, recorded } = await setUpDelivery();
  const pacing = createPacing(clock);
  const startedMs = clock.monotonicMs();
  const post = async () => {
    if (clock.monotonicMs() - startedMs < limitedForMs) throw LIMIT;
    return { messageId: asId<MessageId>('1') };
  };
  const paced: ChannelPlugin = {
    id: channel.id,
    capabilities: channel.capabilities,
    isConnected: () => true,
    start: async () => undefined,
    stop: async () => undefined,
    close: async () => undefined,
    send: (_message, signal) => pacing.run('C1', post, signal),
  };
  const reports = Promise.all(
    Array.from({ length: answers }, () =>
      delivery.deliver(msgContext(), { text: 'x' }, paced, NEVER_ABORTED),
    ),
  );
  // In steps: what a timer set off is given the time to set the next one.
  for (let step = 0; step < STEPS; step += 1) await clock.advance(STEP_MS);
  const errors = recorded.payloads('delivery:retry').map(({ error }) => error);
  return {
    givenUp: (await reports).filter(({ failed }) => failed > 0).length,
    // What waits in silence is taken for dead after a while, and looked for before it is sent again.
    takenForDead: errors.filter(
      (error) => !(error instanceof ChannelError) || error.failure !== 'rate-limited',
    ),
  };
};

const ALL_WELL = { givenUp: 0, takenForDead: [] };

describe('an answer that only waits', () => {
  it('for its turn in a busy chat is neither given up nor taken for dead', async () => {
    expect(await send(110)).toEqual(ALL_WELL);
  });

  it('because the platform asks it to, again and again for minutes, is not given up', async () => {
    expect(await send(1, 120_000)).toEqual(ALL_WELL);
  });
});
