import { describe, expect, it } from 'vitest';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { createAcknowledgement } from '#src/chat/delivery/acknowledgement.ts';
import { targetOf } from '#src/chat/delivery/delivery.ts';
import { SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import { checkRequest } from '#src/platform/net/http-transport.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { losableWork } from '#test/support/lost-work.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

/** For a message that an earlier process had begun with. */
const AGAIN = { enableAck: true, isFirstAttempt: false };

const setUp = (channel: ChannelPlugin, { enableAck = false, isFirstAttempt = true } = {}) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const target = targetOf(msgContext());
  const acknowledgement = createAcknowledgement(channel, target, {
    clock,
    logger,
    enableAck,
    isFirstAttempt,
  });
  /** Begins, and takes long enough for signs to be shown. */
  const work = async (): Promise<void> => {
    acknowledgement.begin();
    await clock.advance(SHOW_AFTER_MS);
  };
  return { clock, records, target, acknowledgement, work };
};

/** A platform without reactions and typing. */
const plainChannel = (): ChannelPlugin => {
  const { id, capabilities, start, stop, close, isConnected, send } = new TestChannel();
  return { id, capabilities, start, stop, close, isConnected, send };
};

const failure = (sign: string) => ({ level: 'warn', sign, channelId: 'test' });

describe('createAcknowledgement', () => {
  it('puts eyes on the message and types in its chat', async () => {
    const channel = new TestChannel();
    const { acknowledgement, target, clock } = setUp(channel);
    acknowledgement.begin();
    await clock.advance(SHOW_AFTER_MS - 1);
    expect([channel.reactions, channel.typing]).toEqual([[], []]);
    await clock.advance(1);
    expect(channel.reactions).toEqual([{ action: 'add', emoji: '👀', target }]);
    expect(channel.typing).toEqual([target]);
  });

  it('shows nothing more once another process has the conversation', async () => {
    const shown: string[] = [];
    const show = async (sign: string): Promise<void> => {
      checkRequest();
      shown.push(sign);
    };
    const channel = Object.assign(new TestChannel(), {
      addReaction: () => show('eyes'),
      sendTyping: () => show('typing'),
    });
    const [early, later] = [setUp(channel), setUp(channel)];
    const [lostEarly, lostLater] = [losableWork(), losableWork()];
    lostEarly.run(() => early.acknowledgement.begin());
    lostEarly.lose();
    await early.clock.advance(60_000);
    expect(shown).toEqual([]);
    lostLater.run(() => later.acknowledgement.begin());
    await later.clock.advance(SHOW_AFTER_MS);
    lostLater.lose();
    await later.clock.advance(60_000);
    expect(shown.toSorted()).toEqual(['eyes', 'typing']);
  });

  it('makes no call for an answer that comes at once, and marks a failure that does', async () => {
    const channel = new TestChannel();
    const answered = setUp(channel);
    answered.acknowledgement.begin();
    await answered.acknowledgement.end(true);
    await answered.clock.advance(60_000);
    expect([channel.reactions, channel.typing, answered.clock.pendingTimers]).toEqual([[], [], 0]);
    const failed = setUp(channel);
    failed.acknowledgement.begin();
    await failed.acknowledgement.end(false);
    expect(channel.visibleReactions).toEqual(['⚠️']);
  });

  it('goes on typing', async () => {
    const channel = new TestChannel();
    const { acknowledgement, clock } = setUp(channel);
    acknowledgement.begin();
    await clock.advance(10_000 + SHOW_AFTER_MS);
    expect(channel.typing).toHaveLength(3);
  });

  it('takes everything back on success', async () => {
    const channel = new TestChannel();
    const { acknowledgement, clock } = setUp(channel);
    acknowledgement.begin();
    await clock.advance(SHOW_AFTER_MS);
    await acknowledgement.end(true);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(60_000);
    expect(channel.visibleReactions).toEqual([]);
    expect(channel.typing).toHaveLength(1);
  });

  it('leaves a warning on the message on failure, instead of the eyes', async () => {
    const channel = new TestChannel();
    const { acknowledgement, work } = setUp(channel);
    await work();
    await acknowledgement.end(false);
    expect(channel.reactions.map(({ action, emoji }) => `${action} ${emoji}`)).toEqual([
      'add 👀',
      'remove 👀',
      'add ⚠️',
    ]);
  });

  it('removes the eyes only after they are there, however slow the platform is', async () => {
    const channel = new TestChannel();
    const { promise: added, resolve } = Promise.withResolvers<void>();
    channel.onReaction = ({ action }) => (action === 'add' ? added : undefined);
    const { acknowledgement, clock, work } = setUp(channel);
    await work();
    const ended = acknowledgement.end(true);
    await clock.advance(0);
    expect(channel.reactions).toEqual([]);
    resolve();
    await ended;
    expect(channel.visibleReactions).toEqual([]);
    expect(channel.reactions.map(({ action }) => action)).toEqual(['add', 'remove']);
  });

  it.each([true, false])('shows nothing when it ends without having begun (success %s)', async (success) => {
    const channel = new TestChannel();
    const { acknowledgement, clock } = setUp(channel);
    await acknowledgement.end(success);
    await clock.advance(60_000);
    expect(channel.reactions).toEqual([]);
    expect(channel.typing).toEqual([]);
  });

  it('only logs signs that fail, also when the platform throws at once', async () => {
    const channel = new TestChannel();
    channel.onReaction = () => Promise.reject(new Error('no permission to react'));
    channel.onTyping = () => {
      throw new Error('no typing here');
    };
    const { acknowledgement, clock, records } = setUp(channel);
    acknowledgement.begin();
    await clock.advance(5_000 + SHOW_AFTER_MS);
    await acknowledgement.end(false);
    const failures = records().map(({ level, sign, channelId }) => ({ level, sign, channelId }));
    expect(failures.filter(({ sign }) => sign === 'reaction')).toEqual(Array(3).fill(failure('reaction')));
    expect(failures.filter(({ sign }) => sign === 'typing')).toEqual(Array(2).fill(failure('typing')));
    expect(JSON.stringify(records())).toContain('no permission to react');
  });

  it('waits a moment for signs that the platform never confirms, and gives each of them up after five', async () => {
    const channel = new TestChannel();
    channel.onReaction = () => new Promise(() => undefined);
    const { acknowledgement, clock, records, work } = setUp(channel);
    await work();
    let isEnded = false;
    const ended = acknowledgement.end(true).then(() => {
      isEnded = true;
    });
    await clock.advance(1_499);
    expect(isEnded).toBe(false);
    await clock.advance(1);
    await ended;
    await clock.advance(8_499);
    expect(records().map(({ sign }) => sign)).toEqual(['reaction']);
    await clock.advance(1);
    expect(records().map(({ sign }) => sign)).toEqual(['reaction', 'reaction']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('puts the signs in order also when they come after the wait', async () => {
    const channel = new TestChannel();
    const { promise: added, resolve } = Promise.withResolvers<void>();
    channel.onReaction = ({ action, emoji }) => (action === 'add' && emoji === '👀' ? added : undefined);
    const { acknowledgement, clock, work } = setUp(channel);
    await work();
    const ended = acknowledgement.end(false);
    await clock.advance(1_500);
    await ended;
    expect(channel.reactions).toEqual([]);
    resolve();
    await clock.advance(0);
    expect(channel.reactions.map(({ action, emoji }) => `${action} ${emoji}`)).toEqual([
      'add 👀',
      'remove 👀',
      'add ⚠️',
    ]);
  });

  it('takes back eyes that come through after they were given up', async () => {
    const channel = new TestChannel();
    const { promise: added, resolve } = Promise.withResolvers<void>();
    channel.onReaction = ({ action }) => (action === 'add' ? added : undefined);
    const { acknowledgement, clock, work } = setUp(channel);
    await work();
    const ended = acknowledgement.end(true);
    await clock.advance(13_000);
    await ended;
    resolve();
    await clock.advance(0);
    expect(channel.reactions.map(({ action }) => action)).toEqual(['remove', 'add', 'remove']);
    expect(channel.visibleReactions).toEqual([]);
  });

  it('takes the eyes back when the platform lets it, after as long as that asked it to wait', async () => {
    const channel = new TestChannel();
    const limited = new ChannelError('rate-limited', 'Slack limits reactions.remove', {
      retryAfterMs: 20_000,
    });
    const answers = [limited, new ChannelError('unreachable', 'no answer')];
    channel.onReaction = ({ action }) => {
      const failing = action === 'remove' ? answers.shift() : undefined;
      return failing && Promise.reject(failing);
    };
    const { acknowledgement, clock, records, work } = setUp(channel);
    await work();
    const ended = acknowledgement.end(true);
    await clock.advance(19_999);
    await ended;
    expect(channel.visibleReactions).not.toEqual([]);
    await clock.advance(5_000);
    expect(channel.visibleReactions).toEqual([]);
    expect(records()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('asks only once to take back what the platform refuses', async () => {
    const channel = new TestChannel();
    let asked = 0;
    channel.onReaction = ({ action }) => {
      if (action === 'add') return undefined;
      asked += 1;
      return Promise.reject(new ChannelError('refused', 'no permission'));
    };
    const { acknowledgement, clock, records, work } = setUp(channel);
    await work();
    await acknowledgement.end(true);
    await clock.advance(60_000);
    expect([asked, records().length]).toEqual([1, 1]);
  });

  it('puts up its eyes once, however often it begins', async () => {
    const channel = new TestChannel();
    const { acknowledgement, clock } = setUp(channel);
    acknowledgement.begin();
    acknowledgement.begin();
    await clock.advance(SHOW_AFTER_MS);
    expect(channel.reactions).toHaveLength(1);
    expect(channel.typing).toHaveLength(1);
  });

  it('replaces the eyes of an earlier process by the warning when it fails before it has begun', async () => {
    const channel = new TestChannel();
    const earlier = setUp(channel);
    await earlier.work();
    earlier.acknowledgement.pause();
    await setUp(channel, AGAIN).acknowledgement.end(false);
    expect(channel.visibleReactions).toEqual(['⚠️']);
  });

  it.each(['end', 'withdraw'] as const)(
    'takes back the eyes of an earlier process when it answers at once (%s)',
    async (ending) => {
      const channel = new TestChannel();
      const earlier = setUp(channel, { enableAck: true });
      await earlier.work();
      earlier.acknowledgement.pause();
      expect(channel.visibleReactions).toEqual(['👀']);
      const { acknowledgement } = setUp(channel, AGAIN);
      acknowledgement.begin();
      await acknowledgement[ending](true);
      expect(channel.visibleReactions).toEqual([]);
    },
  );

  it('shows nothing that is begun after the end', async () => {
    const channel = new TestChannel();
    const { acknowledgement, work } = setUp(channel);
    await acknowledgement.end(true);
    await work();
    expect([channel.reactions, channel.typing]).toEqual([[], []]);
  });

  it('takes back nothing that nobody can have shown', async () => {
    const channel = new TestChannel();
    const { acknowledgement } = setUp(channel, { enableAck: true });
    acknowledgement.begin();
    await acknowledgement.withdraw();
    await acknowledgement.end(false);
    expect(channel.reactions.map(({ action, emoji }) => `${action} ${emoji}`)).toEqual(['add ⚠️']);
  });

  it('shows nothing on a success that it had not begun', async () => {
    const channel = new TestChannel();
    await setUp(channel, AGAIN).acknowledgement.end(true);
    expect(channel.reactions).toEqual([]);
  });

  it('stops typing in a pause, and leaves the eyes for the run that goes on', async () => {
    const channel = new TestChannel();
    const { acknowledgement, clock } = setUp(channel);
    acknowledgement.begin();
    await clock.advance(5_000 + SHOW_AFTER_MS);
    acknowledgement.pause();
    await clock.advance(60_000);
    expect(channel.typing).toHaveLength(2);
    expect(channel.visibleReactions).toEqual(['👀']);
    const next = setUp(channel);
    await next.acknowledgement.resume();
    expect(channel.visibleReactions).toEqual([]);
  });

  it.each([true, false])('does without the signs that a platform lacks (success %s)', async (success) => {
    const { acknowledgement, clock, records } = setUp(plainChannel());
    acknowledgement.begin();
    await clock.advance(10_000);
    await acknowledgement.end(success);
    expect(records()).toEqual([]);
  });
});
