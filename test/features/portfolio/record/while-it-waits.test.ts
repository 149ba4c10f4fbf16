import { describe, expect, it } from 'vitest';
import { linkPeople } from '#test/support/link-people.ts';
import { asId, type ChannelId, type InboxId, type UserId } from '#src/kernel/ids.ts';
import { openPortfolios } from '../service-support.ts';

const NEVER = new AbortController().signal;

/** Portfolios where something happens while the price of Samsung is on its way. */
const openSlow = async () => {
  const service = await openPortfolios();
  service.prices.set('005930.KS', { price: '70000' });
  const { getQuotes } = service.market;
  return {
    ...service,
    meanwhile: (happens: () => Promise<unknown>) => {
      (service.market as { getQuotes: typeof getQuotes }).getQuotes = async (instruments, signal) => {
        (service.market as { getQuotes: typeof getQuotes }).getQuotes = getQuotes;
        await happens();
        return getQuotes(instruments, signal);
      };
    },
  };
};

describe('an entry that waits for its price', () => {
  it.each([
    ['first', []],
    ['second', ['/portfolio 매수 삼성전자 10주 71,000원']],
  ])('is theirs who link meanwhile, also the %s one', async (_which, before) => {
    const { service, say, requesterOf, owners, store, meanwhile } = await openSlow();
    for (const line of before) await say(line);
    const mina = requesterOf('mina');
    meanwhile(async () => {
      const elsewhere = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('S1') };
      expect(await linkPeople(owners, elsewhere, mina)).toMatchObject({ status: 'linked' });
    });
    const request = { kind: 'buy', name: '삼성전자', quantity: '10' } as const;
    const said = await service.record(request, { ...mina, requestId: 'late' }, NEVER);
    const ownerId = await owners.ownerOf(mina);
    const [portfolio, ...others] = await store.list(ownerId);
    if (!portfolio) throw new Error('It is nobody’s');
    const entries = await store.transactions(ownerId, portfolio.id);
    expect([said.found, entries.length, others.length]).toEqual([1, before.length + 1, 0]);
  });

  it('is judged by the rules of the moment at which it is recorded', async () => {
    const { service, say, requesterOf, ledgerOf, meanwhile } = await openSlow();
    await say('/portfolio 매수 삼성전자 10주 71,000원', { inboxId: asId<InboxId>('a') });
    await say('/portfolio short on', { inboxId: asId<InboxId>('b') });
    meanwhile(() => say('/portfolio short off', { inboxId: asId<InboxId>('c') }));
    const request = { kind: 'sell', name: '삼성전자', quantity: '15' } as const;
    expect(await service.record(request, { ...requesterOf('mina'), requestId: 'd' }, NEVER)).toMatchObject({
      found: 0,
    });
    expect(await ledgerOf('mina')).toHaveLength(1);
    expect(
      await service.summary({ isDrawn: false, isDetailed: true }, requesterOf('mina'), NEVER),
    ).toMatchObject({ found: 1 });
  });
});
