import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type PortfolioId, type UserId } from '#src/kernel/ids.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createOwnerStore, ownOwnerId } from '#src/people/store/owners.ts';
import { createPortfolioStore } from '#src/features/portfolio/store/store.ts';
import type { TestStorage } from '#test/support/database.ts';
import { deciding } from '#test/support/decide.ts';
import { linkPeople } from '#test/support/link-people.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const I = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
const YOU = { ...I, userId: asId<UserId>('U2') };
const [ME, OTHER] = [ownOwnerId(I), ownOwnerId(YOU)];

const entry = (clientId: string): NewTransaction => ({
  kind: 'deposit',
  clientId,
  date: Temporal.PlainDate.from('2026-11-13'),
  currency: 'KRW',
  amount: new Decimal(1),
});

/** The part of the contract about how many entries a person may have. */
export const describeEntryLimitContract = (name: string, openStorage: () => Promise<TestStorage>): void => {
  describe(`portfolios on ${name}`, () => {
    it('have a bounded number of entries together, undone and linked ones included, and an entry can always be undone', async () => {
      const { storage } = await openStorage();
      const clock = new ManualClock();
      const store = createPortfolioStore(storage, clock, 4);
      const open = async (portfolio: string): Promise<PortfolioId> => {
        const created = await store.create(I, { name: portfolio, baseCurrency: 'KRW' });
        if (!created) throw new Error('The name is taken');
        return created.id;
      };
      const [one, other] = [await open('one'), await open('other')];
      const add = (id: PortfolioId, ...clientIds: readonly string[]) =>
        store.record(
          ME,
          id,
          clientIds,
          deciding(() => ({ append: clientIds.map((clientId) => entry(clientId)) })),
        );
      expect(await add(one, 'a', 'b')).toMatchObject({ status: 'recorded' });
      expect(await add(other, 'c', 'd', 'e')).toEqual({ status: 'full', limit: 4 });
      expect(await store.transactions(ME, other)).toEqual([]);
      // At once, in two portfolios: only one of them fits.
      const both = await Promise.all([add(one, 'f', 'g'), add(other, 'h', 'i')]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['full', 'recorded']);
      const [first] = await store.transactions(ME, one);
      const undo = deciding(() => ({ reverse: [first?.id ?? asId('')], clientId: 'undo' }));
      expect(await store.record(ME, one, ['undo'], undo)).toMatchObject({ status: 'reversed' });
      expect(await add(other, 'j')).toEqual({ status: 'full', limit: 4 });
      // Linking makes one person of two: what both have counts together.
      const yours = await store.create(YOU, { name: 'one', baseCurrency: 'KRW' });
      const append = [entry('k'), entry('l')];
      if (yours)
        await store.record(
          OTHER,
          yours.id,
          [],
          deciding(() => ({ append })),
        );
      const owners = createOwnerStore(storage, clock, 4);
      expect(await linkPeople(owners, I, YOU)).toEqual({ status: 'full', limit: 4 });
      expect(await owners.ownerOf(YOU)).toBe(OTHER);
      await store.remove(ME, one);
      await store.remove(ME, other);
      expect(await linkPeople(owners, I, YOU)).toMatchObject({ status: 'linked' });
      const mine = await open('new');
      expect(await add(mine, 'j', 'k', 'l')).toEqual({ status: 'full', limit: 4 });
      expect(await add(mine, 'j', 'k')).toMatchObject({ status: 'recorded' });
    });
  });
};
