import { describe, expect, it } from 'vitest';
import { asId, type DeliveryId, type InboxId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { OutboundMessage } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, LATER, partOf, setUpStorage } from '../../platform/storage/contract-fixture.ts';

const textsOf = (parts: readonly OutboundMessage[]) => parts.map((part) => part.payload.text);

/** The outbox's part of the contract. */
export const describeOutboxContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = () => setUpStorage(open);

  describe(`outbox on ${name}`, () => {
    it('gives all parts of an answer back as they were planned, in order', async () => {
      const { outbox } = await setUp();
      const inboxId = newId<InboxId>();
      const parts: OutboundMessage[] = Array.from({ length: 12 }, (_, index) => partOf(`part ${index} 🚀`));
      const media = [{ kind: 'image', mimeType: 'image/png', name: '차트.png', url: 'a.png' }] as const;
      const [target] = parts.map((part) => part.target);
      if (target) {
        parts.push({
          deliveryId: newId<DeliveryId>(),
          target: {
            ...target,
            threadId: asId<ThreadId>('t"1'),
            replyToMessageId: asId<MessageId>('m1'),
          },
          payload: { text: '“끝”', media, ephemeral: true },
        });
      }
      await outbox.plan(inboxId, parts, AT);
      await outbox.plan(newId<InboxId>(), [partOf('of another message')], AT);
      expect(await outbox.partsOf(inboxId)).toStrictEqual(
        parts.map((part) => ({ ...part, status: 'pending' })),
      );
    });

    it('has no parts of a message without an answer, nor of an answer without parts', async () => {
      const { outbox } = await setUp();
      const inboxId = newId<InboxId>();
      expect(await outbox.partsOf(inboxId)).toEqual([]);
      await outbox.plan(inboxId, [], AT);
      expect(await outbox.partsOf(inboxId)).toEqual([]);
    });

    it('keeps the first answer whole when another one, also a longer one, is planned', async () => {
      const { outbox } = await setUp();
      const inboxId = newId<InboxId>();
      await outbox.plan(inboxId, [partOf('a1'), partOf('a2')], AT);
      await outbox.plan(inboxId, [partOf('b1')], LATER);
      await outbox.plan(inboxId, [partOf('c1'), partOf('c2'), partOf('c3'), partOf('c4')], LATER);
      expect(textsOf(await outbox.partsOf(inboxId))).toEqual(['a1', 'a2']);
    });

    it('never mixes two answers that are planned at once', async () => {
      const { outbox } = await setUp();
      const inboxId = newId<InboxId>();
      const answers = [['a1'], ['b1', 'b2'], ['c1', 'c2', 'c3']];
      await Promise.allSettled(answers.map((answer) => outbox.plan(inboxId, answer.map(partOf), AT)));
      expect(answers).toContainEqual(textsOf(await outbox.partsOf(inboxId)));
    });

    it('plans all parts or none', async () => {
      const { outbox } = await setUp();
      const [inboxId, otherId] = [newId<InboxId>(), newId<InboxId>()];
      const taken = partOf('taken');
      await outbox.plan(otherId, [taken], AT);
      const broken = [partOf('one'), { ...partOf('two'), deliveryId: taken.deliveryId }];
      await expect(outbox.plan(inboxId, broken, AT)).rejects.toThrow();
      expect(await outbox.partsOf(inboxId)).toEqual([]);
      expect(textsOf(await outbox.partsOf(otherId))).toEqual(['taken']);
    });

    it('records each part by itself: sent with the id on the platform, failed, or still to do', async () => {
      const { outbox, outboxRow } = await setUp();
      const inboxId = newId<InboxId>();
      const [sent, failed, waiting] = [partOf('one'), partOf('two'), partOf('three')];
      await outbox.plan(inboxId, [sent, failed, waiting], AT);
      await outbox.markSent(sent.deliveryId, asId<MessageId>('platform-1'), LATER);
      await outbox.markFailed(failed.deliveryId);
      const statuses = (await outbox.partsOf(inboxId)).map((part) => part.status);
      expect(statuses).toEqual(['sent', 'failed', 'pending']);
      expect(await outboxRow(sent.deliveryId)).toMatchObject({
        platform_message_id: 'platform-1',
        created_at: '2026-11-13T06:30:00.123Z',
        sent_at: '2026-11-13T06:30:05.000Z',
      });
      expect(await outboxRow(failed.deliveryId)).toMatchObject({ platform_message_id: null, sent_at: null });
    });

    it('forgets the parts that were not sent yet when the answer is closed, and no others', async () => {
      const { outbox } = await setUp();
      const [inboxId, otherId] = [newId<InboxId>(), newId<InboxId>()];
      const [sent, failed] = [partOf('sent'), partOf('failed')];
      await outbox.plan(inboxId, [sent, failed, partOf('waiting'), partOf('waiting too')], AT);
      await outbox.plan(otherId, [partOf('of another message')], AT);
      await outbox.markSent(sent.deliveryId, asId<MessageId>('platform-1'), LATER);
      await outbox.markFailed(failed.deliveryId);
      await outbox.closeWith(inboxId, partOf('the end'), LATER);
      expect(textsOf(await outbox.partsOf(inboxId))).toEqual(['sent', 'failed', 'the end']);
      expect(textsOf(await outbox.partsOf(otherId))).toEqual(['of another message']);
    });

    it('puts one more part behind those that are there, whatever became of them', async () => {
      const { outbox, outboxRow } = await setUp();
      const [inboxId, otherId] = [newId<InboxId>(), newId<InboxId>()];
      const [sent, failed, added] = [partOf('sent'), partOf('failed'), partOf('added')];
      await outbox.plan(inboxId, [sent, failed, partOf('waiting')], AT);
      await outbox.plan(otherId, [partOf('of another message')], AT);
      await outbox.markSent(sent.deliveryId, asId<MessageId>('platform-1'), LATER);
      await outbox.markFailed(failed.deliveryId);
      await outbox.closeWith(inboxId, added, LATER);
      expect((await outbox.partsOf(inboxId)).map(({ payload, status }) => [payload.text, status])).toEqual([
        ['sent', 'sent'],
        ['failed', 'failed'],
        ['added', 'pending'],
      ]);
      expect(await outboxRow(added.deliveryId)).toMatchObject({
        part_index: 2,
        attempts: 0,
        created_at: '2026-11-13T06:30:05.000Z',
      });
      expect(textsOf(await outbox.partsOf(otherId))).toEqual(['of another message']);
    });

    it('makes an added part the whole answer where none was planned, and no other is planned after it', async () => {
      const { outbox } = await setUp();
      const inboxId = newId<InboxId>();
      await outbox.closeWith(inboxId, partOf('one'), AT);
      await outbox.plan(inboxId, [partOf('too late')], LATER);
      expect(textsOf(await outbox.partsOf(inboxId))).toEqual(['one']);
    });

    it('counts the first attempt of the first part with the plan, and every later one of its part alone', async () => {
      const { outbox, outboxRow } = await setUp();
      const [tried, other] = [partOf('one'), partOf('two')];
      await outbox.plan(newId<InboxId>(), [tried, other], AT);
      expect((await outboxRow(tried.deliveryId)).attempts).toBe(1);
      await outbox.countAttempt(tried.deliveryId, AT);
      expect((await outboxRow(tried.deliveryId)).attempts).toBe(2);
      expect((await outboxRow(other.deliveryId)).attempts).toBe(0);
    });

    it('says of every attempt but the first since when the part may have arrived', async () => {
      const { outbox } = await setUp();
      const [first, second] = [partOf('one'), partOf('two')];
      await outbox.plan(newId<InboxId>(), [first, second], AT);
      expect(await outbox.countAttempt(first.deliveryId, LATER)).toEqual(AT);
      expect(await outbox.countAttempt(second.deliveryId, LATER)).toBeUndefined();
      expect(await outbox.countAttempt(second.deliveryId, AT)).toEqual(LATER);
    });

    it('keeps which message a part takes the place of', async () => {
      const { outbox } = await setUp();
      const inboxId = newId<InboxId>();
      await outbox.plan(
        inboxId,
        [{ ...partOf('one'), replaces: asId<MessageId>('live-1') }, partOf('two')],
        AT,
      );
      expect((await outbox.partsOf(inboxId)).map(({ replaces }) => replaces)).toEqual(['live-1', undefined]);
    });
  });
};
