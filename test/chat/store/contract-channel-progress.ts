import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type EventId,
  type ThreadId,
} from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { createChannelProgress } from '#src/chat/store/channel-progress.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { recordingLogger } from '#test/support/context.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { AT, entryOf, LATER } from '../../platform/storage/contract-fixture.ts';

const SLACK = asId<ChannelId>('slack');
const TEAM = asId<AccountId>('T1');
const OTHER = asId<AccountId>('T2');

/** The part of the contract about how far the channels have heard. */
export const describeChannelProgressContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const clock = new ManualClock(LATER.add({ hours: 1 }).toString());
    const boot = () => createChannelProgress(storage, clock, recordingLogger().logger);
    const progress = boot();
    const accept = (message: Partial<MsgContext>, at = AT): Promise<unknown> =>
      createInbox(storage).accept(entryOf({ channelId: SLACK, accountId: TEAM, ...message }), at);
    return { progress, boot, clock, accept };
  };

  describe(`how far a channel has heard, on ${name}`, () => {
    it('is unknown at first, and then the newest event, of each account by itself', async () => {
      const { progress, boot } = await setUp();
      expect(await progress.seenUntil(SLACK, TEAM)).toBeUndefined();
      progress.saw(SLACK, TEAM, LATER);
      progress.saw(SLACK, TEAM, AT);
      progress.saw(SLACK, OTHER, AT);
      // Known at once: a connection that is lost a moment later is caught up from here.
      expect(await progress.seenUntil(SLACK, TEAM)).toEqual(LATER);
      await progress.stop();
      expect(await boot().seenUntil(SLACK, TEAM)).toEqual(LATER);
      expect(await boot().seenUntil(SLACK, OTHER)).toEqual(AT);
    });

    it('never goes back to what a process stores that has come less far', async () => {
      const { progress, boot } = await setUp();
      const slow = boot();
      progress.saw(SLACK, TEAM, LATER);
      await progress.stop();
      slow.saw(SLACK, TEAM, AT);
      await slow.stop();
      expect(await boot().seenUntil(SLACK, TEAM)).toEqual(LATER);
    });

    it('is what others have stored, once this process has forgotten its own', async () => {
      const { progress, boot } = await setUp();
      progress.saw(SLACK, TEAM, AT);
      await progress.stop();
      progress.hold(SLACK, TEAM, AT);
      progress.saw(SLACK, TEAM, LATER);
      const other = boot();
      other.saw(SLACK, TEAM, LATER);
      await other.stop();
      expect(await progress.seenUntil(SLACK, TEAM)).toEqual(AT);
      progress.forget(SLACK, TEAM);
      expect(await progress.seenUntil(SLACK, TEAM)).toEqual(LATER);
    });

    it('is not later than now, and is mended, if a clock was wrong', async () => {
      const { progress, boot, clock } = await setUp();
      progress.saw(SLACK, TEAM, clock.now().add({ hours: 24 }));
      await progress.stop();
      expect(await boot().seenUntil(SLACK, TEAM)).toEqual(clock.now());
      const later = boot();
      later.saw(SLACK, TEAM, LATER);
      await later.stop();
      expect(await boot().seenUntil(SLACK, TEAM)).toEqual(LATER);
    });

    it('is stored at the first event, and then every few seconds, without being asked to', async () => {
      const { progress, boot, clock } = await setUp();
      progress.saw(SLACK, TEAM, AT);
      await expect.poll(() => boot().seenUntil(SLACK, TEAM)).toEqual(AT);
      progress.saw(SLACK, TEAM, LATER);
      await clock.advance(4_999);
      expect(await boot().seenUntil(SLACK, TEAM)).toEqual(AT);
      await clock.advance(1);
      await expect.poll(() => boot().seenUntil(SLACK, TEAM)).toEqual(LATER);
    });

    it('does not go past what is received and not stored yet, nor anywhere while an older gap is read', async () => {
      const { progress, boot } = await setUp();
      const DURING = AT.add({ seconds: 1 });
      const release = progress.hold(SLACK, TEAM, AT);
      progress.saw(SLACK, TEAM, LATER);
      expect(await progress.seenUntil(SLACK, TEAM)).toEqual(AT);
      const stay = progress.hold(SLACK, TEAM);
      release();
      await progress.stop();
      expect(await boot().seenUntil(SLACK, TEAM), 'a crash here reads from the first one again').toEqual(AT);
      const next = progress.hold(SLACK, TEAM, DURING);
      stay();
      expect(await progress.seenUntil(SLACK, TEAM)).toEqual(DURING);
      next();
      expect(await progress.seenUntil(SLACK, TEAM)).toEqual(LATER);
      await progress.stop();
      expect(await boot().seenUntil(SLACK, TEAM)).toEqual(LATER);
    });

    it('comes with the places in which somebody spoke to the bot since, each once, the newest first', async () => {
      const { progress, accept } = await setUp();
      const chatId = asId<ChatId>('C1');
      await accept({ chatId: asId<ChatId>('OLD'), chatType: 'channel' }, AT.subtract({ hours: 2 }));
      await accept({ chatId, chatType: 'channel', id: asId<EventId>('e1') });
      await accept({ chatId, chatType: 'channel', threadId: asId<ThreadId>('9'), id: asId<EventId>('e2') });
      await accept({ chatId: asId<ChatId>('U1'), chatType: 'direct', id: asId<EventId>('e3') });
      await accept({ chatId, chatType: 'channel', id: asId<EventId>('e4') });
      await accept({ chatId: asId<ChatId>('C9'), accountId: OTHER, id: asId<EventId>('e5') });
      expect(await progress.activeChats(SLACK, TEAM, AT.subtract({ hours: 1 }))).toEqual([
        { chatId: 'C1', chatType: 'channel' },
        { chatId: 'U1', chatType: 'direct' },
        { chatId: 'C1', chatType: 'channel', threadId: '9' },
      ]);
    });
  });
};
