import { expect, it } from 'vitest';
import { createDirectMessenger } from '#src/chat/reply/direct-messenger.ts';
import { targetOf } from '#test/chat/reply/notifier-support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

it('telling a person something ends after ten seconds on a platform that hears no abort', async () => {
  const clock = new ManualClock();
  const channel = new TestChannel();
  channel.hangSends({ isDeaf: true });
  const reach = createDirectMessenger({ channelOf: () => channel, clock, logger: recordingLogger().logger });
  let hasEnded = false;
  void reach.tell(targetOf('mina'), 'Given up.').then(() => (hasEnded = true));
  await clock.advance(10_000);
  expect(hasEnded).toBe(true);
});
