import { describe, expect, it } from 'vitest';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createAccountData, type AccountDataDeps } from '#src/people/account-data.ts';
import type { TestStorage } from '#test/support/database.ts';
import { linkPeople } from '#test/support/link-people.ts';
import { ME as ann, personOf } from '../features/alerts/alerts-fixture.ts';
import { furnishOwned, NOTHING, ownedRows } from './store/owned-fixture.ts';
import { DIRECT, leftIn, rowsOf } from '../platform/storage/rows-fixture.ts';

const { channelId: SLACK, userId: ME } = ann;
const annElsewhere = personOf('discord', '42');
const others = [personOf('discord', 'U1'), personOf('slack', 'U2'), personOf('slack', 'U')];

const HERE = { messages: 0, conversations: 0, usageRecords: 0, reminders: 0, hasProfile: false };
/** Of what `furnishOwned` makes. */
const OWNED = { portfolios: 1, transactions: 2, alerts: 1, watched: 1, briefings: 1 };

/** The part of the contract about what is a person's own, under however many names. */
export const describePersonOwnContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const conversations: SessionKey[] = [];
    const written: string[] = [];
    const woken: string[] = [];
    const owners = createOwnerStore(storage, systemClock);
    const deps: AccountDataDeps = {
      storage,
      clock: systemClock,
      retentionDays: 90,
      owners,
      removeConversations: (keys, _by, eraseRest) => {
        conversations.push(...keys);
        return eraseRest(keys.length);
      },
      removeSent: async () => 0,
      removeExport: async () => undefined,
      notify,
      wake: () => woken.push('woken'),
      writeExport: async ({ extension }, content) =>
        `file:///${written.push([content].flat().join(''))}.${extension}`,
    };
    const link = async (issuer: PersonRef, other: PersonRef) => {
      expect(await linkPeople(owners, issuer, other)).toMatchObject({ status: 'linked' });
    };
    const data = createAccountData(deps);
    return { storage, deps, data, conversations, written, woken, link, rows: rowsOf(storage) };
  };

  describe(`what is a person's own on ${name}`, () => {
    it('is counted and erased for them alone, with what waits to be told, and that is noted', async () => {
      const { storage, data } = await setUp();
      for (const other of others) await furnishOwned(storage, other);
      const before = await ownedRows(storage);
      await furnishOwned(storage, ann);
      const held = await data.counts(SLACK, ME);
      expect(held).toMatchObject({ ...OWNED, reminders: 1, others: [] });
      expect(await data.erase(SLACK, ME)).toMatchObject({ ...OWNED, reminders: 1 });
      expect(await ownedRows(storage)).toEqual(before);
      expect(await data.counts(SLACK, ME)).toEqual(NOTHING);
      const [noted] = await createAuditStore(storage).recent(5);
      expect(noted).toMatchObject({
        action: 'privacy-delete',
        person: storage.codes.person(ann),
        details: { ...OWNED, reminders: 1, identities: 1, profiles: 0 },
      });
    });

    it('is erased for linked identities too, which are told; their messages stay with them', async () => {
      const { storage, data, link, rows, conversations, woken } = await setUp();
      for (const other of others) await furnishOwned(storage, other);
      await furnishOwned(storage, ann);
      await furnishOwned(storage, annElsewhere);
      await rows.inbox();
      const elsewhere = 'agent:main:discord:D1:direct:42';
      const answered = await rows.inbox({ channel_id: 'discord', sender_id: '42', session_key: elsewhere });
      await rows.outbox(answered);
      await rows.usage({ channel_id: 'discord', user_id: '42', session_key: elsewhere });
      await rows.profiles('42', { locale: 'ko' }, 'discord');
      await link(annElsewhere, ann);
      const shared = { ...OWNED, portfolios: 2, transactions: 4, alerts: 2, briefings: 2 };
      const here = { ...HERE, messages: 1, conversations: 1, reminders: 1 };
      const named = { ...annElsewhere, name: 'name of 42' };
      expect(await data.counts(SLACK, ME)).toEqual({ ...NOTHING, ...shared, ...here, others: [named] });
      const before = await data.counts(annElsewhere.channelId, annElsewhere.userId);
      expect(before).toMatchObject({ ...shared, messages: 1, conversations: 1, hasProfile: true });

      expect(await data.erase(SLACK, ME)).toEqual({ ...NOTHING, ...shared, ...here, others: [named] });
      expect(conversations).toEqual([DIRECT]);
      expect(await data.counts(SLACK, ME)).toEqual(NOTHING);
      // What waited to be told of the shared alert is gone; that the shared things are gone is told.
      expect(await data.counts(annElsewhere.channelId, annElsewhere.userId)).toEqual({
        ...NOTHING,
        messages: 1,
        conversations: 1,
        usageRecords: 1,
        hasProfile: true,
        reminders: 1,
      });
      const told = await storage.db
        .selectFrom('notifications')
        .select('payload')
        .where('channel_id', '=', 'discord')
        .where('user_id', '=', '42')
        .execute();
      expect(told.map(({ payload }) => payload)).toEqual([expect.stringContaining('deleted their data')]);
      expect(woken).toEqual(['woken']);
      expect(await leftIn(storage, 'outbox')).toHaveLength(1);
      for (const other of others)
        expect(await data.counts(other.channelId, other.userId)).toMatchObject(OWNED);
    });

    it('is all still there, and nothing is noted, when the rows cannot be erased', async () => {
      const { storage, deps, data } = await setUp();
      await furnishOwned(storage, ann);
      const before = await ownedRows(storage);
      const fails = createAccountData({
        ...deps,
        storage: {
          ...storage,
          write: (work) =>
            storage.write(async (tx) => {
              await work(tx);
              throw new Error('disk full');
            }),
        },
      });
      await expect(fails.erase(SLACK, ME)).rejects.toThrow('disk full');
      expect(await ownedRows(storage)).toEqual(before);
      expect(await createAuditStore(storage).recent(5)).toEqual([]);
      expect(await data.counts(SLACK, ME)).toMatchObject(OWNED);
    });

    it('is exported with every transaction and no secret; messages of a linked identity are not in it', async () => {
      const { storage, data, link, rows, written } = await setUp();
      for (const other of others) await furnishOwned(storage, other);
      await furnishOwned(storage, ann);
      await furnishOwned(storage, annElsewhere);
      await link(annElsewhere, ann);
      const interaction = { token: 'interaction-token-never-shown', isPrivate: true };
      const message = JSON.stringify({ body: '삼성전자 얼마야?', chatType: 'direct', interaction });
      const target = JSON.stringify({ chatId: 'U1', interaction });
      const id = await rows.inbox({ message });
      await rows.outbox(id, { payload: '{"text":"71,000원"}', target });
      await rows.inbox({ sender_id: 'U2', message: '{"body":"words of U2"}' });
      const linked = await rows.inbox({
        channel_id: 'discord',
        sender_id: '42',
        message: '{"body":"words elsewhere"}',
      });
      await rows.outbox(linked, { payload: '{"text":"answer elsewhere"}' });
      await rows.usage({ channel_id: 'discord', user_id: '42', model: 'model elsewhere' });
      await rows.approvals(id, { summary: 'buy 3 AAPL', target });
      await rows.usage({ cost_pico_usd: '1500000000' });
      await rows.usage({ user_id: 'U2', model: 'model of U2' });
      await rows.notifications({ payload: '{"text":"call mum"}', target });
      await rows.profiles('U1', { riskTolerance: 'moderate' });

      const file = await data.export(SLACK, ME, 'ko', 'Asia/Seoul');
      expect(file).toMatchObject({ mimeType: 'application/json', url: 'file:///1.json' });
      expect(file.name).toMatch(/^finclaw-data-\d{4}-\d\d-\d\d\.json$/);
      const [content = ''] = written;
      expect(content).not.toMatch(/never-shown|U2|slack-U"|discord-U1|elsewhere/);
      const exported = JSON.parse(content) as Record<string, unknown>;
      expect(exported).toMatchObject({
        identities: [
          {
            ...ann,
            profile: { riskTolerance: 'moderate' },
            messages: [
              { text: '삼성전자 얼마야?', chat: { type: 'direct' }, answers: [{ text: '71,000원' }] },
            ],
            usage: [{ model: 'claude', costUsd: '0.0015', inputTokens: 1 }],
            approvals: [{ tool: 'place_order', summary: 'buy 3 AAPL' }],
          },
        ],
        alerts: [{ condition: { kind: 'above', price: '200' }, firedAt: [expect.any(String)] }, {}],
        watchlist: [{ symbol: 'AAPL' }],
        briefings: [{ time: '08:30:00' }, {}],
      });
      const ledger = [
        { number: 1, kind: 'buy', date: '2026-11-12', quantity: '10.000000000000000001' },
        { number: 2, kind: 'reversal', reverses: 1 },
      ];
      const own = {
        transactions: ledger,
        dismissedActions: [{ symbol: 'AAPL', kind: 'split', date: '2020-08-31' }],
      };
      expect(exported['portfolios']).toMatchObject([own, own]);
      expect(content).toContain('call mum');
      const [noted] = await createAuditStore(storage).recent(5);
      expect(noted).toMatchObject({ action: 'privacy-export', details: { transactions: 4, identities: 2 } });
    });
  });
};
