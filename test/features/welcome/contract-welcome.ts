import { describe, expect, it } from 'vitest';
import { createWelcomeStore } from '#src/features/welcome/store.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type DeliveryId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { JoinedChat } from '#src/kernel/people/welcome.ts';
import { newId } from '#src/platform/ids.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, partOf } from '../../platform/storage/contract-fixture.ts';

const ME = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
const CHAT: JoinedChat = {
  channelId: asId<ChannelId>('discord'),
  accountId: asId<AccountId>('A1'),
  guildId: 'G1',
  subject: 'G1',
  chatId: asId<ChatId>('C1'),
  botId: asId<UserId>('B1'),
};
const hello = () => ({ ...partOf('hello'), id: newId<DeliveryId>(), dueAt: AT });

/** The part of the contract about whom the bot has introduced itself to. */
export const describeWelcomeContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const stored = async () => (await storage.db.selectFrom('notifications').select('id').execute()).length;
    return { storage, store: createWelcomeStore(storage), stored };
  };

  describe(`welcomes on ${name}`, () => {
    it('are stored once for a person, and with the transaction or not at all', async () => {
      const { storage, store, stored } = await setUp();
      const failing = storage.write(async (tx) => {
        await store.person(tx, ME, hello(), AT);
        throw new Error('the answer could not be stored');
      });
      await expect(failing).rejects.toThrow('the answer');
      expect(await store.isKnown(ME)).toBe(false);
      const attempts = Array.from({ length: 4 }, () =>
        storage.write((tx) => store.person(tx, ME, hello(), AT)),
      );
      await Promise.all(attempts);
      expect(await store.isKnown(ME)).toBe(true);
      expect(await stored()).toBe(1);
    });

    it('are stored once for a server or channel', async () => {
      const { store, stored } = await setUp();
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => store.chat(CHAT, hello(), AT)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.chat({ ...CHAT, subject: 'G2' }, hello(), AT)).toBe(true);
      expect(await stored()).toBe(2);
    });
  });
};
