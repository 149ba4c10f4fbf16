import { describe, expect, it } from 'vitest';
import { asId, type DeliveryId, type InboxId, type MessageId } from '#src/kernel/ids.ts';
import { createLiveMessages } from '#src/chat/store/live-messages.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';

const [ONE, TWO] = [asId<InboxId>('1'), asId<InboxId>('2')];
const [D1, D2] = [asId<DeliveryId>('d1'), asId<DeliveryId>('d2')];
const M1 = asId<MessageId>('m1');

describe('messages in which answers are shown', () => {
  it('are opened once, and found again by the next process with when that was', async () => {
    const { storage, reopen } = await sqliteStorage();
    const first = createLiveMessages(storage);
    expect(await first.open(ONE, D1, AT)).toEqual({
      deliveryId: D1,
      messageId: undefined,
      openedAt: AT,
      isNew: true,
    });
    await storage.close();
    const second = createLiveMessages(await reopen());
    const again = await second.open(ONE, D2, LATER);
    expect(again).toMatchObject({ deliveryId: D1, messageId: undefined, isNew: false });
    expect(again.openedAt.equals(AT)).toBe(true);
    expect(await second.find(TWO)).toBeUndefined();
  });

  it('are known by their place once they are posted, until they are removed', async () => {
    const { storage } = await sqliteStorage();
    const live = createLiveMessages(storage);
    await live.open(ONE, D1, AT);
    expect(await live.messageOf(ONE)).toBeUndefined();
    await live.record(ONE, D1, M1, LATER);
    await live.record(TWO, D2, asId<MessageId>('m2'), LATER);
    expect(await live.messageOf(ONE)).toBe(M1);
    expect((await live.find(ONE))?.openedAt.equals(AT)).toBe(true);
    await live.remove(ONE);
    expect(await live.messageOf(ONE)).toBeUndefined();
    expect(await live.messageOf(TWO)).toBe('m2');
  });
});
