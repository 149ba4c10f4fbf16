import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type EventId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { notify } from '#src/chat/store/notifications.ts';
import type { InboxStatus } from '#src/chat/store/tables.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createAccountData } from '#src/people/account-data.ts';
import type { TestStorage } from '#test/support/database.ts';
import { usageLedger } from '#test/support/usage.ts';
import { entryOf } from '../platform/storage/contract-fixture.ts';
import { NOTHING } from './store/owned-fixture.ts';
import { DIRECT, leftIn, rowsOf } from '../platform/storage/rows-fixture.ts';

const SLACK = asId<ChannelId>('slack');
const ME = asId<UserId>('U1');
const GROUP = 'agent:main:slack:T1:channel:C1';

const payload = (url: string): string => JSON.stringify({ text: 'here', media: [{ kind: 'file', url }] });

/** Of each kind one row of this person. */
const furnish = async (
  rows: ReturnType<typeof rowsOf>,
  person: { readonly channel_id: string; readonly user: string; readonly session_key: string },
) => {
  const { channel_id, user, session_key } = person;
  const id = await rows.inbox({ channel_id, sender_id: user, session_key });
  await rows.outbox(id);
  await rows.turns(id, { sender_id: user, session_key });
  await rows.approvals(id, { channel_id, asked_by: user });
  await rows.usage({ channel_id, user_id: user, session_key });
  await rows.notifications({ channel_id, user_id: user, status: 'pending' });
  await rows.awaitedInputs({ channel_id, user_id: user });
  await rows.deadLetters({ channel_id, sender_id: user });
  await rows.pairings({ channel_id, user_id: user, status: 'paired' });
  await rows.profiles(user, { locale: 'ko' }, channel_id);
  await rows.notes(user, channel_id);
  await rows.settings(session_key);
  await rows.transcript(user, '2026-11-13T06:30:00Z', { session_key });
};

const TABLES = [
  'inbox',
  'outbox',
  'turns',
  'approvals',
  'notifications',
  'awaited_inputs',
  'dead_letters',
  'profiles',
  'privacy_notes',
  'session_settings',
  'queue_modes',
  'transcript_entries',
] as const;

/** The part of the contract about what is kept about a person, and erased. */
export const describePersonDataContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const calls: { conversations: SessionKey[]; exports: string[] } = { conversations: [], exports: [] };
    const data = createAccountData({
      storage,
      clock: systemClock,
      owners: createOwnerStore(storage, systemClock),
      writeExport: async () => '',
      notify,
      wake: () => undefined,
      retentionDays: 90,
      removeConversations: (keys, _by, eraseRest) => {
        calls.conversations.push(...keys);
        return eraseRest(keys.length);
      },
      removeExport: async () => undefined,
      removeSent: async (urls) => {
        calls.exports.push(...urls);
        return urls.length;
      },
    });
    return { storage, data, calls, rows: rowsOf(storage) };
  };

  describe(`what is kept about a person on ${name}`, () => {
    it('is counted for them alone', async () => {
      const { data, rows } = await setUp();
      expect(await data.counts(SLACK, ME)).toEqual(NOTHING);
      await furnish(rows, { channel_id: 'slack', user: 'U1', session_key: DIRECT });
      await furnish(rows, {
        channel_id: 'slack',
        user: 'U2',
        session_key: 'agent:main:slack:T1:direct:U2',
      });
      await rows.inbox({ session_key: GROUP });
      await rows.inbox({ session_key: 'agent:research:slack:T2:direct:U1:thread' });
      expect(await data.counts(SLACK, ME)).toMatchObject({
        messages: 3,
        conversations: 2,
        usageRecords: 1,
        reminders: 1,
        hasProfile: true,
      });
      expect(data.retentionDays).toBe(90);
    });

    it('has no profile where all of it was taken back', async () => {
      const { data, rows } = await setUp();
      await rows.profiles('U1', {});
      expect(await data.counts(SLACK, ME)).toEqual(NOTHING);
    });

    it('is erased, all of it, and nothing of anybody else', async () => {
      const { storage, data, rows, calls } = await setUp();
      const others = [
        { channel_id: 'slack', user: 'U2', session_key: 'agent:main:slack:T1:direct:U2' },
        { channel_id: 'discord', user: 'U1', session_key: 'agent:main:discord:D1:direct:U1' },
      ];
      for (const other of others) await furnish(rows, other);
      const before = await Promise.all(TABLES.map((table) => leftIn(storage, table)));
      await furnish(rows, { channel_id: 'slack', user: 'U1', session_key: DIRECT });
      await rows.inbox({ status: 'suspended' });
      await rows.settings(`${DIRECT}:thread`);
      expect(await data.erase(SLACK, ME)).toMatchObject({
        messages: 2,
        conversations: 2,
        usageRecords: 1,
        reminders: 1,
        hasProfile: true,
      });
      expect(await Promise.all(TABLES.map((table) => leftIn(storage, table)))).toEqual(before);
      expect(calls.conversations.toSorted()).toEqual([DIRECT, `${DIRECT}:thread`]);
      expect(await data.counts(SLACK, ME)).toEqual(NOTHING);
      expect(await data.erase(SLACK, ME)).toEqual(NOTHING);
    });

    it('leaves what the turn of an unanswered message has stored in another process', async () => {
      const { storage, data, rows } = await setUp();
      const answered = await rows.turns(await rows.inbox());
      const underWay = await rows.turns(await rows.inbox({ status: 'pending' }), { status: 'open' });
      await rows.transcript(answered, '2026-11-13T06:30:00Z');
      await rows.transcript(underWay, '2026-11-13T06:31:00Z');
      await data.erase(SLACK, ME);
      const left = await storage.db.selectFrom('transcript_entries').select('turn_id').execute();
      expect(left).toEqual([{ turn_id: underWay }]);
    });

    it('leaves what was spent, under a code in the place of the person', async () => {
      const { storage, data, rows } = await setUp();
      await rows.usage();
      await rows.usage({ session_key: GROUP });
      await rows.usage({ user_id: 'U2' });
      const ledger = usageLedger(storage);
      const before = await ledger.sum({});
      await data.erase(SLACK, ME);
      expect(await ledger.sum({})).toEqual(before);
      const kept = await storage.db.selectFrom('usage').select(['user_id', 'session_key']).execute();
      expect(kept.map((row) => `${row.user_id} ${row.session_key}`).toSorted()).toEqual([
        `U2 ${DIRECT}`,
        `${storage.codes.erasedUserId(SLACK, ME)} erased`,
        `${storage.codes.erasedUserId(SLACK, ME)} erased`,
      ]);
    });

    it('leaves the permission that an administrator gave', async () => {
      const { storage, data, rows } = await setUp();
      await rows.pairings({ user_id: 'U1', status: 'paired' });
      await data.erase(SLACK, ME);
      expect(await leftIn(storage, 'pairings')).toEqual(new Set(['U1']));
    });

    it('leaves what is still being answered, with what became part of it', async () => {
      const { storage, data, rows } = await setUp();
      const pending = await rows.inbox({ status: 'pending' });
      const merged = await rows.inbox({ status: 'merged', taken_by: pending });
      const part = await rows.outbox(pending, { status: 'pending' });
      const turn = await rows.turns(pending, { status: 'open' });
      const question = await rows.approvals(pending, { status: 'approved' });
      const ended = await rows.inbox();
      const endedPart = await rows.inbox({ status: 'merged', taken_by: ended });
      for (const id of [ended, endedPart]) await rows.approvals(id, { status: 'approved' });
      expect(await data.erase(SLACK, ME)).toMatchObject({ messages: 2 });
      expect(await leftIn(storage, 'inbox')).toEqual(new Set([pending, merged]));
      expect(await leftIn(storage, 'outbox')).toEqual(new Set([part]));
      expect(await leftIn(storage, 'turns')).toEqual(new Set([turn]));
      expect(await leftIn(storage, 'approvals')).toEqual(new Set([question]));
    });

    it.each<InboxStatus>(['done', 'failed', 'superseded', 'withdrawn', 'suspended'])(
      'goes also where a message is %s',
      async (status) => {
        const { storage, data, rows } = await setUp();
        await rows.inbox({ status });
        await data.erase(SLACK, ME);
        expect((await leftIn(storage, 'inbox')).size).toBe(0);
      },
    );

    it('takes the words of a group along from the inbox, but not its conversation', async () => {
      const { storage, data, rows, calls } = await setUp();
      await rows.inbox({ session_key: GROUP });
      await rows.settings(GROUP);
      expect(await data.erase(SLACK, ME)).toMatchObject({ messages: 1, conversations: 0 });
      expect(calls.conversations).toEqual([]);
      expect((await leftIn(storage, 'session_settings')).size).toBe(1);
    });

    it('is found under ids that have the separator of a session key in them', async () => {
      const { data, rows, calls } = await setUp();
      const id = 'U:1%3A';
      const own = 'agent:a%3Ab:slack:T%3A1:direct:U%3A1%253A';
      await rows.inbox({ sender_id: id, session_key: own });
      // Somebody whose id only looks like it.
      await rows.settings('agent:main:slack:T1:direct:U:1%3A');
      await rows.settings('agent:main:slack:T1:direct:U%3A1:');
      await data.erase(SLACK, asId<UserId>(id));
      expect(calls.conversations).toEqual([own]);
    });

    it('does not come back when the platform tells of it again: that it was erased is known, and no more', async () => {
      const { storage, data } = await setUp();
      const inbox = createInbox(storage);
      const sender = { channelId: SLACK, senderId: ME };
      const young = entryOf({ ...sender, id: asId<EventId>('E-young'), body: 'private words' });
      const old = entryOf({ ...sender, id: asId<EventId>('E-old') });
      const now = systemClock.now();
      await inbox.accept(young, now);
      await inbox.accept(old, now.subtract({ hours: 2 }));
      for (const { id } of [young, old]) await inbox.settle(id, 'done', now);
      expect(await data.erase(SLACK, ME)).toMatchObject({ messages: 2 });
      expect(await inbox.isKnown(young.message)).toBe(true);
      expect(await inbox.isKnown({ ...young.message, id: asId<EventId>('E-other') })).toBe(false);
      // No platform tells of that any more.
      expect(await inbox.isKnown(old.message)).toBe(false);
      const kept = await storage.db.selectFrom('erased_events').selectAll().execute();
      expect(kept).toHaveLength(1);
      expect(JSON.stringify(kept)).not.toMatch(/E-young|private words|U1/);
    });

    it('includes the files that were sent to them', async () => {
      const { data, rows, calls } = await setUp();
      await rows.outbox(await rows.inbox(), { payload: payload('file:///data/exports/mine.md') });
      await rows.outbox(await rows.inbox({ sender_id: 'U2' }), { payload: payload('file:///yours.md') });
      await rows.outbox(await rows.inbox(), { payload: JSON.stringify({ text: 'the word "media"' }) });
      await data.erase(SLACK, ME);
      expect(calls.exports).toEqual(['file:///data/exports/mine.md']);
    });

    it('is all still there when a conversation cannot be removed', async () => {
      const { storage, rows } = await setUp();
      const id = await rows.inbox();
      const data = createAccountData({
        storage,
        clock: systemClock,
        retentionDays: 90,
        owners: createOwnerStore(storage, systemClock),
        removeConversations: () => Promise.reject(new Error('locked')),
        removeSent: async () => 0,
        removeExport: async () => undefined,
        writeExport: async () => '',
        notify,
        wake: () => undefined,
      });
      await expect(data.erase(SLACK, ME)).rejects.toThrow('locked');
      expect(await leftIn(storage, 'inbox')).toEqual(new Set([id]));
    });
  });
};
