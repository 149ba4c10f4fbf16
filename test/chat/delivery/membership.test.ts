import { expect, it } from 'vitest';
import type { ChannelPlugin, Membership } from '#src/kernel/channel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { createMembershipCheck } from '#src/chat/delivery/membership.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const target = (user: string, more: Partial<ReplyTarget> = {}): ReplyTarget => ({
  channelId: asId<ChannelId>('slack'),
  accountId: asId<AccountId>('T1'),
  chatId: asId<ChatId>('C1'),
  recipientId: asId<UserId>(user),
  ...more,
});

const setUp = (membership: ChannelPlugin['membership']) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const channel: Pick<ChannelPlugin, 'membership'> = membership ? { membership } : {};
  return { check: createMembershipCheck({ channelOf: () => channel, clock, logger }), clock, records };
};

it('somebody who is there is asked for once an hour; who has left is asked for again', async () => {
  const asked: string[] = [];
  const answers = new Map<string, Membership>([['gone', 'left']]);
  const { check, clock } = setUp(async ({ recipientId }) => {
    asked.push(recipientId);
    return answers.get(recipientId) ?? 'member';
  });
  expect(await Promise.all([check(target('ann')), check(target('ann'))])).toEqual(['member', 'member']);
  expect(await check(target('ann'))).toBe('member');
  expect([await check(target('gone')), await check(target('gone'))]).toEqual(['left', 'left']);
  expect(asked).toEqual(['ann', 'gone', 'gone']);
  await clock.advance(3_600_001);
  answers.set('ann', 'bot-removed');
  expect(await check(target('ann'))).toBe('bot-removed');
  // Nobody can have left a direct chat.
  expect(await check(target('gone', { isDirect: true }))).toBe('member');
});

it('a check that fails loses no alert: they count as there, and are asked for again', async () => {
  let tries = 0;
  const { check, records } = setUp(async () => {
    tries += 1;
    throw new ChannelError('rate-limited', 'slow down');
  });
  expect([await check(target('ann')), await check(target('ann'))]).toEqual(['member', 'member']);
  expect(tries).toBe(2);
  expect(JSON.stringify(records())).toContain('slow down');
  expect(await setUp(undefined).check(target('ann'))).toBe('member');
});

it('a platform that does not answer holds the alerts of others up for ten seconds at most', async () => {
  const { check, clock } = setUp(() => new Promise(() => undefined));
  const asking = check(target('ann'));
  await clock.advance(10_000);
  expect(await asking).toBe('member');
});
