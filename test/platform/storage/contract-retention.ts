import { describe, expect, it } from 'vitest';
import { createAlertStore } from '#src/features/alerts/store.ts';
import type { NewAlert } from '#src/features/alerts/store-types.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createRetention } from '#src/platform/storage/retention.ts';
import type { InboxStatus } from '#src/chat/store/tables.ts';
import { unsentFiles } from '#src/chat/store/outbox.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { firingOf, ME, MINE, newAlert } from '../../features/alerts/alerts-fixture.ts';
import { furnishOwned, ownedRows } from '../../people/store/owned-fixture.ts';
import { leftIn, rowsOf } from './rows-fixture.ts';

/** With thirty days and the clock at 2026-11-13 06:30: the last moment that goes, and the first that stays. */
const OLD = '2026-10-14T06:29:59.999Z';
const YOUNG = '2026-10-14T06:30:00.000Z';
const ANCIENT = '2025-01-01T00:00:00.000Z';

/** What people keep, among the rows of what is theirs. */
const isOwn = (row: string): boolean =>
  /^(portfolios|transactions|dismissed_actions|watchlist_entries|briefings) /.test(row);

const withFiles = (...names: readonly string[]): string =>
  JSON.stringify({ text: 'x', media: names.map((file) => ({ url: `file:///exports/${file}` })) });

const purgeFiles = async () => ({ conversations: 0 });

/** The part of the contract about what is forgotten, and what never is. */
export const describeRetentionContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const clock = new ManualClock();
    const { events, payloads } = recordingEvents();
    const { logger } = recordingLogger();
    const retention = createRetention({ storage, purgeFiles, days: 30, clock, events, logger });
    return { storage, clock, payloads, retention, rows: rowsOf(storage) };
  };

  describe(`retention on ${name}`, () => {
    it.each<InboxStatus>(['done', 'failed', 'superseded', 'withdrawn'])(
      'forgets a message that is %s with all that belongs to it, when it is too old',
      async (status) => {
        const { storage, retention, rows } = await setUp();
        const left: Record<'inbox' | 'outbox' | 'turns' | 'approvals', string[]> = {
          inbox: [],
          outbox: [],
          turns: [],
          approvals: [],
        };
        for (const settled_at of [OLD, YOUNG]) {
          const id = await rows.inbox({ status, settled_at, accepted_at: OLD });
          const belongings = {
            inbox: id,
            outbox: await rows.outbox(id),
            turns: await rows.turns(id),
            approvals: await rows.approvals(id, { decided_at: YOUNG }),
          };
          if (settled_at === YOUNG)
            for (const table of ['inbox', 'outbox', 'turns', 'approvals'] as const)
              left[table].push(belongings[table]);
        }
        expect(await retention.purge()).toMatchObject({ inbox: 1, outbox: 1, turns: 1, approvals: 1 });
        for (const table of ['inbox', 'outbox', 'turns', 'approvals'] as const)
          expect([...(await leftIn(storage, table))]).toEqual(left[table]);
      },
    );

    it.each<InboxStatus>(['pending', 'suspended'])(
      'never forgets a message that is %s, nor what belongs to it',
      async (status) => {
        const { storage, retention, rows } = await setUp();
        const id = await rows.inbox({ status, accepted_at: ANCIENT });
        await rows.outbox(id, { created_at: ANCIENT });
        await rows.turns(id, { started_at: ANCIENT, status: 'suspended' });
        await rows.approvals(id, { decided_at: ANCIENT, status: 'approved' });
        await rows.approvals(id, { decided_at: null, status: 'pending' });
        const merged = await rows.inbox({ status: 'merged', settled_at: ANCIENT, taken_by: id });
        const further = await rows.inbox({ status: 'merged', settled_at: ANCIENT, taken_by: merged });
        const before = await Promise.all(
          (['outbox', 'turns', 'approvals'] as const).map((table) => leftIn(storage, table)),
        );
        expect(await retention.purge()).toMatchObject({ inbox: 0, outbox: 0, turns: 0, approvals: 0 });
        expect(await leftIn(storage, 'inbox')).toEqual(new Set([id, merged, further]));
        const after = await Promise.all(
          (['outbox', 'turns', 'approvals'] as const).map((table) => leftIn(storage, table)),
        );
        expect(after).toEqual(before);
      },
    );

    it('forgets what was part of a turn once the message it became part of is at its end or gone', async () => {
      const { storage, retention, rows } = await setUp();
      const leader = await rows.inbox({ settled_at: YOUNG });
      const young = await rows.inbox({ status: 'merged', settled_at: YOUNG, taken_by: leader });
      await rows.inbox({ status: 'merged', settled_at: OLD, taken_by: leader });
      await rows.inbox({ status: 'merged', settled_at: OLD, taken_by: 'one that is gone' });
      const oldLeader = await rows.inbox({ settled_at: OLD });
      const link = await rows.inbox({ status: 'merged', settled_at: OLD, taken_by: oldLeader });
      await rows.inbox({ status: 'merged', settled_at: OLD, taken_by: link });
      expect(await retention.purge()).toMatchObject({ inbox: 5 });
      expect(await leftIn(storage, 'inbox')).toEqual(new Set([leader, young]));
    });

    it('forgets decisions, but not questions', async () => {
      const { storage, retention, rows } = await setUp();
      const id = await rows.inbox({ settled_at: YOUNG });
      for (const status of ['approved', 'denied', 'expired', 'started'] as const)
        await rows.approvals(id, { status, decided_at: OLD });
      const kept = [
        await rows.approvals(id, { status: 'denied', decided_at: YOUNG }),
        await rows.approvals(id, { status: 'pending', decided_at: null, created_at: ANCIENT }),
      ];
      expect(await retention.purge()).toMatchObject({ approvals: 4 });
      expect(await leftIn(storage, 'approvals')).toEqual(new Set(kept));
    });

    it('forgets messages of its own that were sent or given up, but none that waits', async () => {
      const { storage, retention, rows } = await setUp();
      await rows.notifications({ due_at: OLD, sent_at: OLD });
      await rows.notifications({ due_at: OLD, status: 'failed' });
      const kept = [
        await rows.notifications({ due_at: OLD, sent_at: YOUNG }),
        await rows.notifications({ due_at: YOUNG, status: 'failed' }),
        await rows.notifications({ due_at: ANCIENT, status: 'pending' }),
        await rows.notifications({ due_at: ANCIENT, status: 'sending' }),
      ];
      expect(await retention.purge()).toMatchObject({ notifications: 2 });
      expect(await leftIn(storage, 'notifications')).toEqual(new Set(kept));
    });

    it('forgets the use of models, and messages that were given up', async () => {
      const { storage, retention, rows } = await setUp();
      await rows.usage({ at: OLD });
      await rows.deadLetters({ at: OLD });
      const usage = await rows.usage({ at: YOUNG });
      const letter = await rows.deadLetters({ at: YOUNG });
      expect(await retention.purge()).toMatchObject({ usage: 1, dead_letters: 1 });
      expect(await leftIn(storage, 'usage')).toEqual(new Set([usage]));
      expect(await leftIn(storage, 'dead_letters')).toEqual(new Set([letter]));
    });

    it('knows which files are still to be sent, with answers and with notifications', async () => {
      const { storage, rows } = await setUp();
      const inbox = await rows.inbox({ status: 'pending' });
      await rows.outbox(inbox, { status: 'pending', payload: withFiles('a.md', 'b.png') });
      await rows.outbox(inbox, { status: 'pending', part_index: 1 });
      await rows.outbox(inbox, { status: 'sent', part_index: 2, payload: withFiles('sent.md') });
      await rows.outbox(inbox, { status: 'failed', part_index: 3, payload: withFiles('failed.md') });
      await rows.notifications({ status: 'sending', payload: withFiles('c.png') });
      await rows.notifications({ status: 'sent', payload: withFiles('told.png') });
      expect(await unsentFiles(storage)).toEqual(
        new Set(['a.md', 'b.png', 'c.png'].map((file) => `file:///exports/${file}`)),
      );
    });

    it('forgets who asked to be let in and was not, a day later; who was let in stays', async () => {
      const { storage, retention, rows } = await setUp();
      await rows.pairings({ expires_at: '2026-11-12T06:29:59.999Z' });
      await rows.pairings({ expires_at: '2026-11-12T06:29:59.999Z', status: 'denied' });
      const kept = [
        await rows.pairings({ expires_at: '2026-11-12T06:30:00.000Z' }),
        await rows.pairings({ expires_at: ANCIENT, status: 'paired' }),
      ];
      expect(await retention.purge()).toMatchObject({ pairings: 2 });
      expect(await leftIn(storage, 'pairings')).toEqual(new Set(kept));
    });

    it('forgets that it waits for somebody when it does no longer', async () => {
      const { storage, retention, rows } = await setUp();
      await rows.awaitedInputs({ expires_at: '2026-11-13T06:29:59.999Z' });
      const kept = await rows.awaitedInputs({ expires_at: '2026-11-13T06:30:00.000Z' });
      expect(await retention.purge()).toMatchObject({ awaited_inputs: 1 });
      expect(await leftIn(storage, 'awaited_inputs')).toEqual(new Set([kept]));
    });

    it('forgets alerts that are over with what they told, old notes, and codes that ran out', async () => {
      const { storage, clock, retention } = await setUp();
      const alerts = createAlertStore(storage, clock);
      const expiresAt = clock.now().add({ minutes: 1 });
      const set = async (requestId: string, overrides: Partial<NewAlert> = {}) => {
        const added = await alerts.add(newAlert(overrides), ME, requestId, 100);
        return added.status === 'added' ? added.alert : Promise.reject(new Error(added.status));
      };
      const repeating = await set('repeating', { isRepeating: true });
      await set('waits');
      await set('expires', { expiresAt });
      const later = clock.now().add({ hours: 24 });
      for (const [requestId, at] of [
        ['old', clock.now()],
        ['young', later],
      ] as const)
        await alerts.fire([firingOf(await set(requestId), at)]);
      await alerts.fire([firingOf(repeating, clock.now())]);
      await storage.db.updateTable('notifications').set({ status: 'sent' }).execute();
      await alerts.fire([firingOf(await set('to be told'), clock.now())]);
      await alerts.expire(expiresAt);
      const audit = createAuditStore(storage);
      for (const at of [clock.now(), later]) await audit.record('link', ME, {}, at);
      const portfolio = { owner_id: MINE, portfolio_id: 'p', content: '' };
      for (const days of [0, 60]) {
        const expires_at = clock
          .now()
          .add({ hours: 24 * days })
          .toString();
        await storage.db
          .insertInto('pending_imports')
          .values({ ...portfolio, code: `c${days}`, expires_at })
          .execute();
        const code = { code_hash: `h${days}`, channel_id: 'slack', user_id: 'U1', expires_at, contact: '{}' };
        await storage.db.insertInto('link_codes').values(code).execute();
      }
      await clock.advance((30 * 24 * 60 + 2) * 60_000);
      const forgotten = { alerts: 2, alert_firings: 2, audit: 1, pending_imports: 1, link_codes: 1 };
      expect(await retention.purge()).toMatchObject(forgotten);
      const left = await storage.db.selectFrom('alerts').select('request_id').orderBy('request_id').execute();
      expect(left.map((row) => row.request_id)).toEqual(['repeating', 'to be told', 'waits', 'young']);
      const waiting = storage.db
        .selectFrom('notifications')
        .innerJoin('alert_firings', 'alert_firings.id', 'notifications.id')
        .select('alert_firings.id')
        .where('notifications.status', '=', 'pending');
      expect(await waiting.execute()).toHaveLength(1);
    });

    it('never forgets what people chose and were told', async () => {
      const { storage, clock, retention, rows } = await setUp();
      await rows.settings('agent:main:slack:T1:direct:U1');
      await rows.profiles('U1');
      await rows.notes('U1');
      await furnishOwned(storage, ME);
      const own = (await ownedRows(storage)).filter(isOwn);
      expect(own).toHaveLength(6);
      await clock.advance(10 * 365 * 24 * 3_600_000);
      await retention.purge();
      expect((await ownedRows(storage)).filter(isOwn)).toEqual(own);
      for (const table of ['session_settings', 'queue_modes', 'profiles', 'privacy_notes'] as const)
        expect([table, (await leftIn(storage, table)).size]).toEqual([table, 1]);
    });

    it('forgets a conversation as a whole when its newest entry is too old', async () => {
      const { storage, retention, rows } = await setUp();
      const gone = { session_key: 'gone' };
      await rows.transcript('old 1', ANCIENT, { ...gone, state: 'compacted' });
      await rows.transcript('old 2', OLD, gone);
      await rows.transcript('kept 1', ANCIENT, { state: 'compacted' });
      await rows.transcript('kept 2', YOUNG);
      expect(await retention.purge()).toMatchObject({ transcript_entries: 2 });
      expect(await leftIn(storage, 'transcript_entries')).toEqual(new Set(['kept 1', 'kept 2']));
    });

    it.each<InboxStatus>(['pending', 'suspended'])(
      'keeps an old conversation while one of its messages is %s',
      async (status) => {
        const { storage, retention, rows } = await setUp();
        await rows.inbox({ status, accepted_at: ANCIENT });
        await rows.transcript('kept', ANCIENT);
        await rows.transcript('old', ANCIENT, { session_key: 'another' });
        expect(await retention.purge()).toMatchObject({ transcript_entries: 1 });
        expect(await leftIn(storage, 'transcript_entries')).toEqual(new Set(['kept']));
      },
    );

    it('forgets archived and damaged entries by when they left, whatever becomes of the rest', async () => {
      const { storage, retention, rows } = await setUp();
      await rows.inbox({ status: 'pending', accepted_at: ANCIENT });
      for (const state of ['archived', 'damaged'] as const) {
        await rows.transcript(`old ${state}`, ANCIENT, { state, left_at: OLD });
        await rows.transcript(`young ${state}`, ANCIENT, { state, version: 1, left_at: YOUNG });
      }
      await rows.transcript('current', ANCIENT);
      expect(await retention.purge()).toMatchObject({ transcript_entries: 2 });
      expect(await leftIn(storage, 'transcript_entries')).toEqual(
        new Set(['young archived', 'young damaged', 'current']),
      );
    });

    it('forgets the conversations of many sessions in steps', async () => {
      const { storage, clock, retention, rows } = await setUp();
      for (let index = 0; index < 230; index += 1)
        await rows.transcript(`${index}`, index % 2 === 0 ? OLD : YOUNG, { session_key: `s${index}` });
      const purged = retention.purge();
      const state = { isDone: false };
      const onDone = (): void => {
        state.isDone = true;
      };
      void purged.then(onDone, onDone);
      while (!state.isDone) await clock.advance(100);
      expect(await purged).toMatchObject({ transcript_entries: 115 });
      expect((await leftIn(storage, 'transcript_entries')).size).toBe(115);
    });

    it('works off a lot in steps, with time for others in between, and reports the sum', async () => {
      const { storage, clock, payloads, retention, rows } = await setUp();
      const pending = await rows.inbox({ status: 'pending', accepted_at: ANCIENT });
      const one = await rows.inbox({ settled_at: OLD });
      const {
        id: _id,
        event_id: _event,
        ...row
      } = await storage.db.selectFrom('inbox').selectAll().where('id', '=', one).executeTakeFirstOrThrow();
      const copies = Array.from({ length: 1_200 }, (_, index) => `${one}-${index}`);
      for (let from = 0; from < copies.length; from += 400)
        await storage.db
          .insertInto('inbox')
          .values(copies.slice(from, from + 400).map((id) => ({ ...row, id, event_id: id })))
          .execute();
      const young = await rows.inbox({ settled_at: YOUNG });
      const purged = retention.purge();
      const state = { isDone: false };
      const onDone = (): void => {
        state.isDone = true;
      };
      void purged.then(onDone, onDone);
      await storage.db.selectFrom('inbox').select('id').execute();
      for (let tries = 0; tries < 1_000 && clock.pendingTimers === 0; tries += 1)
        await new Promise((resolve) => void setImmediate(resolve));
      expect(state.isDone).toBe(false);
      expect((await leftIn(storage, 'inbox')).size).toBeGreaterThan(700);
      while (!state.isDone) await clock.advance(100);
      expect(await purged).toMatchObject({ inbox: 1_201 });
      expect(await leftIn(storage, 'inbox')).toEqual(new Set([pending, young]));
      expect(payloads('retention:purge')).toEqual([{ removed: await purged }]);
    });
  });
};
