import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type DeliveryId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';
import { CLAIM_MS, createNotificationStore } from '#src/chat/store/notifications.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, LATER, partOf } from '../../platform/storage/contract-fixture.ts';

const SLACK = asId<ChannelId>('slack');
const ME = asId<UserId>('U1');

const notificationOf = (overrides: Partial<NewNotification> = {}): NewNotification => ({
  id: newId<DeliveryId>(),
  target: partOf('').target,
  payload: { text: 'Wake up' },
  dueAt: AT,
  ...overrides,
});

const idsOf = (notifications: readonly { readonly id: DeliveryId }[]) => notifications.map(({ id }) => id);

/** The part of the contract about messages for later. */
export const describeNotificationsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const store = createNotificationStore(storage);
    const add = async (overrides: Partial<NewNotification> = {}): Promise<DeliveryId> => {
      const notification = notificationOf(overrides);
      await store.add(notification, AT);
      return notification.id;
    };
    const rowOf = (id: DeliveryId) =>
      storage.db.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return { storage, reopen, store, add, rowOf };
  };

  describe(`notifications on ${name}`, () => {
    it('are given back as they were, also after a restart', async () => {
      const { storage, reopen, store } = await setUp();
      const notification = notificationOf({
        target: { ...partOf('').target, threadId: asId<ThreadId>('t"1') },
        payload: {
          text: '“삼성전자” 70,000 ₩ 🚀\n끝',
          media: [{ kind: 'image', mimeType: 'image/png', name: '차트.png', url: 'a.png' }],
        },
        dueAt: LATER,
      });
      await store.add(notification, AT);
      await storage.close();
      const again = createNotificationStore(await reopen());
      const [found, ...others] = await again.pendingOf(SLACK, ME);
      expect(others).toEqual([]);
      expect(found && { ...found, dueAt: found.dueAt.toString() }).toStrictEqual({
        ...notification,
        dueAt: LATER.toString(),
        status: 'pending',
        attempts: 0,
      });
    });

    it.each(['en', 'ko'] as const)(
      'bear the sample mark once where a fact is sample data (%s)',
      async (locale) => {
        const { store, add } = await setUp();
        const mark = marketNoteTexts(locale).sampleMark();
        const text = locale === 'en' ? 'Apple rose.' : '애플이 올랐습니다.';
        const facts = [{ isSample: false }, { isSample: true }];
        const marked = { text: `${text}\n\n${mark}` };
        const payloads = [
          { text, textWithCards: '', facts },
          // A feature or a model that writes the mark itself.
          { text: `${mark}\n\n${text}`, facts },
          { text, facts: [{ isSample: false }] },
        ];
        for (const payload of payloads) await add({ payload: { ...payload, locale } });
        const guess = { timeZone: 'Asia/Seoul', payload: { text, facts } };
        const guessed = await add({ payload: { text, facts }, guess, dueAt: LATER });
        const found = await store.pendingOf(SLACK, ME);
        expect(found.map(({ payload }) => payload)).toStrictEqual([
          { ...marked, textWithCards: mark, locale },
          { ...marked, locale },
          { text, locale },
          marked,
        ]);
        expect(found.at(-1)?.guess).toStrictEqual({ timeZone: 'Asia/Seoul', payload: marked });
        const last = found.find(({ id }) => id === guessed);
        if (last) await store.rezone(last, AT);
        expect((await store.pendingOf(SLACK, ME)).at(-1)?.payload).toStrictEqual(marked);
      },
    );

    it('wait for one person on one platform, the earliest first', async () => {
      const { store, add } = await setUp();
      const { target } = partOf('');
      const late = await add({ dueAt: LATER });
      const early = await add();
      await add({ target: { ...target, recipientId: asId<UserId>('U2') } });
      await add({ target: { ...target, channelId: asId<ChannelId>('discord') } });
      expect(idsOf(await store.pendingOf(SLACK, ME))).toEqual([early, late]);
    });

    it('are taken when they are due, the earliest first, and counted', async () => {
      const { store, add } = await setUp();
      const second = await add({ dueAt: LATER });
      const third = await add({ dueAt: LATER });
      const first = await add();
      const future = await add({ dueAt: LATER.add({ milliseconds: 1 }) });
      const taken = await store.claimDue(LATER, 10);
      expect(idsOf(taken)).toEqual([first, second, third]);
      expect(taken.map(({ status, attempts }) => [status, attempts])).toEqual([
        ['sending', 1],
        ['sending', 1],
        ['sending', 1],
      ]);
      expect(idsOf(await store.pendingOf(SLACK, ME))).toEqual([future]);
    });

    it('are taken a few at a time', async () => {
      const { store, add } = await setUp();
      const ids = [await add(), await add(), await add()];
      expect(idsOf(await store.claimDue(AT, 2))).toEqual(ids.slice(0, 2));
      expect(idsOf(await store.claimDue(AT, 2))).toEqual(ids.slice(2));
      expect(await store.claimDue(AT, 2)).toEqual([]);
    });

    it('are taken once, also by several at once', async () => {
      const { store, add } = await setUp();
      const ids = await Promise.all(Array.from({ length: 20 }, () => add()));
      const taken = await Promise.all([1, 2, 3, 4, 5, 6].map(() => store.claimDue(AT, 20)));
      expect(idsOf(taken.flat()).toSorted()).toEqual(ids.toSorted());
    });

    it('are done when they were sent or given up, and not taken again', async () => {
      const { store, add, rowOf } = await setUp();
      const [sent, failed] = [await add(), await add()];
      const taken = await store.claimDue(AT, 10);
      await store.markSent(sent, LATER);
      for (const claim of taken) await store.markFailed(claim);
      expect(await rowOf(sent)).toMatchObject({ status: 'sent', sent_at: '2026-11-13T06:30:05.000Z' });
      expect(await rowOf(failed)).toMatchObject({ status: 'failed', sent_at: null });
      expect(await store.releaseStuck()).toBe(0);
      expect(await store.claimDue(LATER, 10)).toEqual([]);
      expect(await store.nextDueAt()).toBeUndefined();
    });

    it('wait again, until later, when they are given back, and remember their attempts', async () => {
      const { store, add } = await setUp();
      const [id, other] = [await add(), await add()];
      const [claim] = await store.claimDue(AT, 10);
      if (claim?.id !== id) throw new Error('Another one was taken first');
      await store.release(claim, LATER);
      expect((await store.nextDueAt())?.equals(LATER)).toBe(true);
      expect(await store.claimDue(LATER.subtract({ milliseconds: 1 }), 10)).toEqual([]);
      const again = await store.claimDue(LATER, 10);
      // Whoever looks for it on the platform looks from when it was first due.
      expect(again.map(({ id, attempts, dueAt }) => [id, attempts, dueAt.equals(AT)])).toEqual([
        [id, 2, true],
      ]);
      expect(await store.releaseStuck()).toBe(2);
      expect(idsOf(await store.pendingOf(SLACK, ME))).toEqual([id, other]);
      expect(await store.claimDue(LATER, 10)).toHaveLength(2);
    });

    it('say when the next is to be taken: the earliest that waits, or whose taker may be gone by then', async () => {
      const { store, add } = await setUp();
      expect(await store.nextDueAt()).toBeUndefined();
      await add({ dueAt: LATER });
      await add();
      expect((await store.nextDueAt())?.equals(AT)).toBe(true);
      await store.claimDue(AT, 10);
      expect((await store.nextDueAt())?.equals(LATER)).toBe(true);
      await store.claimDue(LATER, 10);
      expect((await store.nextDueAt())?.equals(AT.add({ milliseconds: CLAIM_MS }))).toBe(true);
    });

    it('are taken over once from whoever said nothing for too long, who can change nothing any more', async () => {
      const { store, add, rowOf } = await setUp();
      const [silent, renewed] = [await add(), await add()];
      const first = await store.claimDue(AT, 10);
      const beforeEnd = AT.add({ milliseconds: CLAIM_MS - 1 });
      expect(await store.claimDue(beforeEnd, 10)).toEqual([]);
      expect(
        await store.renew(
          first.filter(({ id }) => id === renewed),
          beforeEnd,
        ),
      ).toEqual([renewed]);
      const end = AT.add({ milliseconds: CLAIM_MS });
      const taken = await Promise.all([1, 2, 3].map(() => store.claimDue(end, 10)));
      expect(taken.flat().map(({ id, attempts }) => [id, attempts])).toEqual([[silent, 2]]);
      expect(await store.renew(first, end)).toEqual([renewed]);
      for (const late of first.filter(({ id }) => id === silent)) {
        await store.release(late, AT);
        await store.markFailed(late);
      }
      expect(await rowOf(silent)).toMatchObject({ status: 'sending', attempts: 2 });
    });

    it('that a process left half-way wait again at their old time', async () => {
      const { store, add, rowOf } = await setUp();
      const id = await add();
      await store.claimDue(LATER, 10);
      expect(await store.releaseStuck()).toBe(1);
      expect(await rowOf(id)).toMatchObject({
        status: 'pending',
        attempts: 1,
        due_at: '2026-11-13T06:30:00.123Z',
        created_at: '2026-11-13T06:30:00.123Z',
      });
    });
  });
};
