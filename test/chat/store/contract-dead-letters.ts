import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type InboxId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import { createDeadLetters, type DeadLetterRecord } from '#src/chat/store/dead-letters.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';

const letterOf = (overrides: Partial<DeadLetterRecord> = {}): DeadLetterRecord => ({
  inboxId: newId<InboxId>(),
  sessionKey: asId<SessionKey>('agent:main:slack:T1:direct:U1'),
  channelId: asId<ChannelId>('slack'),
  senderId: asId<UserId>('U1'),
  attempts: 3,
  reason: 'it failed too often',
  errorId: 'deadbeef',
  at: AT,
  ...overrides,
});

/** The part of the contract about messages that were given up. */
export const describeDeadLettersContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    return { storage, letters: createDeadLetters(storage) };
  };

  describe(`dead letters on ${name}`, () => {
    it('are counted, and the newest shown as they were', async () => {
      const { letters } = await setUp();
      expect(await letters.summary(5)).toEqual({ count: 0, newest: [] });
      const [old, same, young] = [letterOf(), letterOf(), letterOf({ at: LATER, reason: '“안 됨” 🚀' })];
      for (const letter of [young, old, same]) await letters.add(letter);
      const { count, newest } = await letters.summary(2);
      expect(count).toBe(3);
      expect(newest.map(({ inboxId }) => inboxId)).toEqual([young.inboxId, same.inboxId]);
      const { sessionKey: _session, senderId: _sender, at, ...shown } = young;
      expect(newest[0]).toMatchObject(shown);
      expect(newest[0]?.at.equals(at)).toBe(true);
    });

    it('are kept once, as they were first', async () => {
      const { letters } = await setUp();
      const letter = letterOf();
      await letters.add(letter);
      await letters.add({ ...letter, reason: 'another', at: LATER });
      const { count, newest } = await letters.summary(5);
      expect([count, newest[0]?.reason, newest[0]?.at.equals(AT)]).toEqual([1, letter.reason, true]);
    });

    it('have a short reason, without half characters', async () => {
      const { letters } = await setUp();
      await letters.add(letterOf({ reason: `${'x'.repeat(199)}🚀${'y'.repeat(5_000)}` }));
      const [letter] = (await letters.summary(1)).newest;
      expect(letter?.reason).toBe(`${'x'.repeat(199)}\ufffd`);
    });
  });
};
