import { describe, expect, it } from 'vitest';
import { createFeedbackStore } from '#src/features/feedback/store.ts';
import { asId, type ChannelId, type DeliveryId, type InboxId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { createOutbox } from '#src/chat/store/outbox.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, entryOf, LATER, partOf } from '../../platform/storage/contract-fixture.ts';

const SLACK = { channelId: asId<ChannelId>('slack') };
const ME = { ...SLACK, userId: asId<UserId>('U1') };
const OTHER = { ...SLACK, userId: asId<UserId>('U2') };
const MODEL = { provider: 'anthropic', model: 'claude-sonnet-5-5' } as const;

/** The part of the contract about what people think of answers. */
export const describeFeedbackContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const store = createFeedbackStore(storage);
    /** An answer of two parts, of which the last one asks. */
    const answered = async (rated?: ReplyPayload['rated']): Promise<InboxId> => {
      const entry = entryOf(SLACK);
      await createInbox(storage).accept(entry, AT);
      const last = { text: 'end', ...(rated && { rated: { ...rated, answerId: entry.id } }) };
      const parts = [partOf('begin'), { ...partOf(''), deliveryId: newId<DeliveryId>(), payload: last }];
      await createOutbox(storage).plan(entry.id, parts, AT);
      return entry.id;
    };
    return { store, answered, all: () => Array.fromAsync(store.all()) };
  };

  describe(`feedback on ${name}`, () => {
    it('finds the answer that asked, with its model, on its platform alone', async () => {
      const { store, answered } = await setUp();
      const id = await answered({ answerId: newId<InboxId>(), ...MODEL });
      expect(await store.answer(id, SLACK)).toMatchObject({ answerId: id, ...MODEL });
      expect(await store.answer(id, { channelId: asId<ChannelId>('discord') })).toBeUndefined();
      expect(await store.answer(await answered(), SLACK)).toBeUndefined();
      expect(await store.answer('', SLACK)).toBeUndefined();
    });

    it('keeps the newest verdict of each person, and tells whether it is new', async () => {
      const { store, answered, all } = await setUp();
      const answer = await store.answer(await answered({ answerId: newId<InboxId>() }), SLACK);
      if (!answer) throw new Error('the answer is not there');
      expect(await store.record(answer, 'up', ME, AT)).toBe('recorded');
      expect(await store.record(answer, 'up', ME, LATER)).toBe('same');
      expect(await store.record(answer, 'up', OTHER, AT)).toBe('recorded');
      expect(await store.record(answer, 'down', ME, LATER)).toBe('recorded');
      expect((await all()).map(({ verdict, at }) => [verdict, at.toString()])).toEqual([
        ['down', LATER.toString()],
        ['up', AT.toString()],
      ]);
    });

    it('records one of twenty presses at once', async () => {
      const { store, answered, all } = await setUp();
      const answer = await store.answer(await answered({ answerId: newId<InboxId>(), ...MODEL }), SLACK);
      if (!answer) throw new Error('the answer is not there');
      const presses = Array.from({ length: 20 }, () => store.record(answer, 'up', ME, AT));
      expect((await Promise.all(presses)).filter((outcome) => outcome === 'recorded')).toHaveLength(1);
      expect(await all()).toMatchObject([{ answerId: answer.answerId, channel: 'slack', ...MODEL }]);
    });

    it('reads all of them, page by page', async () => {
      const { store, answered, all } = await setUp();
      const answer = await store.answer(await answered({ answerId: newId<InboxId>() }), SLACK);
      if (!answer) throw new Error('the answer is not there');
      for (let index = 0; index < 1_001; index += 1)
        await store.record(answer, 'up', { ...SLACK, userId: asId<UserId>(`U${index}`) }, AT);
      expect(await all()).toHaveLength(1_001);
    });
  });
};
