import { describe, expect, it } from 'vitest';
import type { ChannelPlugin, ClosedApproval } from '#src/kernel/channel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import {
  type ApprovalId,
  asId,
  type ChannelId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import { createDirectMessenger } from '#src/chat/delivery/direct-messenger.ts';
import { TestChannel } from '#test/support/channel.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { targetOf } from './notifier-support.ts';

const IN_THREAD = targetOf('general', {
  threadId: asId<ThreadId>('thread-7'),
  replyToMessageId: asId<MessageId>('question-1'),
  recipientId: asId<UserId>('mina'),
});
const DIRECT = targetOf('general', { recipientId: asId<UserId>('mina') });

const closedOf = (request: ApprovalRequest): ClosedApproval => ({
  id: request.id,
  request,
  verdict: 'approved',
  at: request.expiresAt,
});

const never = (): Promise<never> => new Promise(() => undefined);

const setUp = (more: Partial<ChannelPlugin> = {}) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const channel = new TestChannel();
  const channelOf = (id: ChannelId): ChannelPlugin => {
    if (id !== channel.id) throw new Error(`There is no channel ${id}`);
    return Object.assign(channel, more);
  };
  const messenger = createDirectMessenger({ channelOf, clock, logger });
  const request = (special: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    id: asId<ApprovalId>('01JCABCDEFGHJKMNPQRSTVWXYZ'),
    toolName: 'buy_stock',
    summary: 'Buy 3 AAPL',
    reason: 'It cannot simply be undone.',
    askedBy: asId<UserId>('mina'),
    locale: 'en',
    askedAt: clock.now(),
    expiresAt: clock.now().add({ minutes: 10 }),
    isRepeated: false,
    ...special,
  });
  return { clock, channel, messenger, request, records };
};

describe('telling a person something', () => {
  it('sends it for their eyes alone, to where they wrote', async () => {
    const { messenger, channel, records } = setUp();
    await messenger.tell(IN_THREAD, 'Too long.');
    await messenger.tell(IN_THREAD, 'Still too long.');
    expect(channel.sent).toMatchObject([
      { target: IN_THREAD, payload: { text: 'Too long.', ephemeral: true } },
      { target: IN_THREAD, payload: { text: 'Still too long.', ephemeral: true } },
    ]);
    expect(new Set(channel.sent.map(({ deliveryId }) => deliveryId)).size).toBe(2);
    expect(records()).toEqual([]);
  });

  it('gives the same notice about the same message the same delivery id, also in the next process', async () => {
    const [before, after] = [setUp(), setUp()];
    for (const { messenger } of [before, after]) await messenger.tell(IN_THREAD, 'Too long.');
    await after.messenger.tell(DIRECT, 'Too long.');
    const [first, again, elsewhere] = [...before.channel.sent, ...after.channel.sent];
    expect(again?.deliveryId).toBe(first?.deliveryId);
    expect(elsewhere?.deliveryId).not.toBe(first?.deliveryId);
  });

  it('only logs that the platform refused', async () => {
    const { messenger, channel, records } = setUp();
    channel.failNextSends(1);
    await messenger.tell(IN_THREAD, 'Too long.');
    expect([channel.attempts.length, channel.texts]).toEqual([1, []]);
    expect(records()).toMatchObject([{ level: 'warn', message: 'A notice could not be sent' }]);
  });

  it('only logs that there is no such channel', async () => {
    const { messenger, records } = setUp();
    await messenger.tell({ ...IN_THREAD, channelId: asId<ChannelId>('gone') }, 'Too long.');
    expect(records()).toHaveLength(1);
  });
});

describe('asking a person', () => {
  it('is left to the channel that has a way of its own', async () => {
    const asked: unknown[] = [];
    const { messenger, channel, request } = setUp({
      requestApproval: async (...question) => {
        asked.push(question);
        return { messageId: asId<MessageId>('question') };
      },
    });
    expect(await messenger.ask(IN_THREAD, request())).toBe('question');
    expect(asked).toEqual([[IN_THREAD, request()]]);
    expect(channel.attempts).toEqual([]);
  });

  it('is tried once more as one that may stand there, where nobody knows whether it arrived', async () => {
    const asked: boolean[] = [];
    const { messenger, request } = setUp({
      requestApproval: async (_target, { isRepeated }) => {
        asked.push(isRepeated);
        if (!isRepeated) throw new ChannelError('unreachable', 'the answer was lost');
        return { messageId: asId<MessageId>('question') };
      },
    });
    expect(await messenger.ask(IN_THREAD, request())).toBe('question');
    expect(asked).toEqual([false, true]);
  });

  it.each(['en', 'ko'] as const)(
    'is done in words elsewhere (%s): what, why, how long, and how to decide',
    async (locale) => {
      const { messenger, channel, request } = setUp();
      await messenger.ask(IN_THREAD, request({ locale }));
      const t = approvalTexts(locale);
      const why = 'It cannot simply be undone.';
      const question = t.ask({
        summary: 'Buy 3 AAPL',
        why,
        minutes: 10,
        requester: undefined,
        isRepeated: false,
      });
      expect(channel.sent).toMatchObject([{ target: IN_THREAD }]);
      expect(channel.texts).toEqual([`${question}\n${t.byCommand({ code: 'tvwxyz' })}`]);
      // All who read along may know that something waits; who may decide is another matter.
      expect(channel.sent[0]?.payload).not.toHaveProperty('ephemeral');
    },
  );

  it.each([
    [600_000, 10],
    [540_001, 10],
    [60_000, 1],
    [1, 1],
    [0, 1],
    [-5_000, 1],
  ])('names whole minutes, and at least one: %d ms are %d', async (leftMs, minutes) => {
    const { messenger, channel, request, clock } = setUp();
    await messenger.ask(IN_THREAD, request({ expiresAt: clock.now().add({ milliseconds: leftMs }) }));
    expect(channel.texts[0]).toMatch(new RegExp(`Expires in ${minutes} min\\.`));
  });

  it('says whose call it is where others read along, and that it was asked before', async () => {
    const { messenger, channel, request } = setUp();
    await messenger.ask(IN_THREAD, request({ requesterName: 'Mina', isRepeated: true }));
    expect(channel.texts[0]).toContain('Mina');
    expect(channel.texts[0]).toContain('before I was restarted');
  });

  it('shows all that is to be decided, in as many parts as it takes', async () => {
    const { messenger, channel, request } = setUp();
    const lines = Array.from({ length: 200 }, (_, n) => `- argument ${n}: ${'x'.repeat(20)}`);
    await messenger.ask(IN_THREAD, request({ summary: lines.join('\n') }));
    expect(channel.sent.length).toBeGreaterThan(1);
    expect(channel.texts.join('\n')).toContain(lines.join('\n'));
    expect(channel.texts.at(-1)).toContain('/approve tvwxyz');
  });

  it.each(['in words', 'in its own way'])(
    'ends after ten seconds on a platform that never answers, %s',
    async (how) => {
      const { messenger, channel, request, clock } = setUp(
        how === 'in words' ? {} : { requestApproval: never },
      );
      channel.hangSends({ isDeaf: true });
      const asking = expect(messenger.ask(IN_THREAD, request())).rejects.toThrow('longer than 10 s');
      await clock.advance(10_000);
      await asking;
    },
  );

  it('fails where the question could not be put', async () => {
    const refused = setUp();
    refused.channel.failNextSends(1);
    await expect(refused.messenger.ask(IN_THREAD, refused.request())).rejects.toThrow('out of reach');
    const own = setUp({ requestApproval: () => Promise.reject(new Error('no buttons today')) });
    await expect(own.messenger.ask(IN_THREAD, own.request())).rejects.toThrow('no buttons today');
  });
});

describe('taking a question off', () => {
  it('is left to the channel', async () => {
    const closed: unknown[] = [];
    const { messenger, request } = setUp({
      closeApproval: async (...question) => void closed.push(question),
    });
    await messenger.close(IN_THREAD, closedOf(request()));
    expect(closed).toEqual([[IN_THREAD, closedOf(request())]]);
  });

  it('is nothing where the channel asked in words', async () => {
    const { messenger, channel, records, request } = setUp();
    await messenger.close(IN_THREAD, closedOf(request()));
    expect([channel.attempts, records()]).toEqual([[], []]);
  });

  it('only logs that it failed, or that there is no such channel', async () => {
    const { messenger, records, request } = setUp({
      closeApproval: () => Promise.reject(new Error('it is gone')),
    });
    await messenger.close(IN_THREAD, closedOf(request()));
    await messenger.close({ ...IN_THREAD, channelId: asId<ChannelId>('gone') }, closedOf(request()));
    expect(records().map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  it('is given up after ten seconds on a platform that never answers', async () => {
    const { messenger, clock, records, request } = setUp({ closeApproval: never });
    const closing = messenger.close(IN_THREAD, closedOf(request()));
    await clock.advance(10_000);
    await closing;
    expect(records()).toHaveLength(1);
  });
});

describe('the private chat with a person', () => {
  it('is opened by the channel, from a target that names neither thread nor message', async () => {
    const asked: ReplyTarget[] = [];
    const opened = targetOf('dm-9');
    const { messenger } = setUp({
      directTarget: async (target) => {
        asked.push(target);
        return opened;
      },
    });
    expect(await messenger.directTarget(IN_THREAD, 'channel')).toEqual(opened);
    expect(asked).toEqual([DIRECT]);
  });

  it('is the chat itself where it is private, beside the thread and not in answer to the message', async () => {
    expect(await setUp().messenger.directTarget(IN_THREAD, 'direct')).toEqual(DIRECT);
  });

  it.each(['group', 'channel'] as const)(
    'is none in a %s of a platform that cannot open one',
    async (chatType) => {
      expect(await setUp().messenger.directTarget(IN_THREAD, chatType)).toBeUndefined();
    },
  );
});

it('telling a person something ends after ten seconds on a platform that hears no abort', async () => {
  const clock = new ManualClock();
  const channel = new TestChannel();
  channel.hangSends({ isDeaf: true });
  const messenger = createDirectMessenger({
    channelOf: () => channel,
    clock,
    logger: recordingLogger().logger,
  });
  let hasEnded = false;
  void messenger.tell(targetOf('mina'), 'Given up.').then(() => (hasEnded = true));
  await clock.advance(10_000);
  expect(hasEnded).toBe(true);
});
