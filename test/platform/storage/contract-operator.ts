import { describe, expect, it } from 'vitest';
import { dayAround } from '#src/agent/usage/periods.ts';
import { asId, type ChannelId, type InboxId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createSupportShareStore } from '#src/people/store/support-shares.ts';
import { createDeadLetterActions, createDeadLetters } from '#src/chat/store/dead-letters.ts';
import { createOutbox } from '#src/chat/store/outbox.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { createUsageDays } from '#src/agent/store/usage-days.ts';
import { eraseRows } from '#src/people/store/rows.ts';
import { ownOwnerId } from '#src/people/store/owners.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { AT, begin, entryOf, LATER, partOf, setUpStorage, turnOf } from './contract-fixture.ts';
import { rowsOf } from './rows-fixture.ts';

const SLACK = asId<ChannelId>('slack');
const U1 = { channelId: SLACK, userId: asId<UserId>('U1') };
const ADMIN = { channelId: asId<ChannelId>('discord'), userId: asId<UserId>('42') };
const SESSION = asId<SessionKey>('agent:main:slack:T1:direct:U1');

/** The part of the contract about what operators see and do. */
export const describeOperatorContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUpDays = async (nowText: string, timeZone: string) => {
    const { storage } = await open();
    const clock = new ManualClock(nowText);
    const days = createUsageDays({ storage, clock, timeZone, dayAround });
    const shown = async (count: number) =>
      (await days.last(count)).map(
        ({ day, model, channelId, person, requestCount, failedCount, costUsd }) =>
          `${day.toString()} ${model} ${channelId} ${person} ${requestCount}/${failedCount} ${costUsd.times('1e12').toFixed()}`,
      );
    return { storage, clock, shown, rows: rowsOf(storage) };
  };

  const setUpLetters = async () => {
    const world = await setUpStorage(open);
    const { storage, inbox, outbox } = world;
    const letters = createDeadLetters(storage);
    /** A message whose person was told that it is given up. */
    const given = async (): Promise<InboxId> => {
      const entry = entryOf();
      await inbox.accept(entry, AT);
      for (let attempt = 0; attempt < 4; attempt += 1) await begin(inbox, entry.id);
      const notice = partOf('Sorry');
      await outbox.closeWith(entry.id, { ...notice, payload: { text: 'Sorry', isClosing: true } }, AT);
      await letters.add({
        inboxId: entry.id,
        sessionKey: entry.sessionKey,
        channelId: entry.message.channelId,
        senderId: entry.message.senderId,
        attempts: 3,
        reason: 'too often',
        errorId: 'deadbeef',
        at: AT,
      });
      return entry.id;
    };
    return { ...world, letters, given, actions: createDeadLetterActions(storage) };
  };

  const setUpShares = async () => {
    const { storage } = await open();
    const shares = createSupportShareStore(storage, notify);
    const idOf = async () => (await shares.list(LATER))[0]?.id ?? newId();
    const notices = async () =>
      (await storage.db.selectFrom('notifications').select(['user_id', 'payload']).execute()).map(
        ({ user_id, payload }) => `${user_id} ${payload}`,
      );
    return { storage, shares, idOf, notices };
  };

  describe(`usage by day on ${name}`, () => {
    it('puts a request on the day of the time zone, also where clocks are set back that day', async () => {
      const { storage, clock, shown, rows } = await setUpDays('2026-11-02T12:00:00Z', 'America/New_York');
      const person = storage.codes.person(U1);
      // November 1 has 25 hours in New York: from 04:00 UTC to 05:00 UTC.
      for (const at of ['2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'])
        await rows.usage({ at });
      await rows.usage({ at: '2026-11-02T05:00:00.000Z', outcome: 'failed' });
      // Under way, and just booked.
      await rows.usage({ at: '2026-11-02T11:58:00.000Z', reserved_pico_usd: '7' });
      await rows.usage({ at: '2026-11-02T11:59:00.000Z' });
      const expected = [
        `2026-10-31 claude slack ${person} 1/0 5`,
        `2026-11-01 claude slack ${person} 2/0 10`,
        `2026-11-02 claude slack ${person} 2/1 10`,
      ];
      expect(await shown(3)).toEqual(expected);
      await clock.advance(3_600_000);
      expect(await shown(3)).toEqual(expected);
      expect(await shown(2)).toEqual(expected.slice(1));
      await storage.write(async (tx) => {
        await tx.updateTable('usage').set({ reserved_pico_usd: null, outcome: 'ok' }).execute();
      });
      await clock.advance(60_000);
      expect((await shown(1))[0]).toBe(`2026-11-02 claude slack ${person} 3/1 15`);
    });

    it('shows those who cost most, and the others together', async () => {
      const { storage, clock, shown, rows } = await setUpDays('2026-11-13T12:00:00Z', 'Asia/Seoul');
      for (let number = 0; number < 23; number += 1)
        await rows.usage({
          at: number % 2 ? '2026-11-13T11:59:00.000Z' : '2026-11-12T00:00:00.000Z',
          user_id: `P${number}`,
          cost_pico_usd: String(100 - number),
        });
      const lines = await shown(2);
      expect(lines.filter((line) => line.includes('others'))).toEqual([
        '2026-11-12 claude slack others 2/0 158',
        '2026-11-13 claude slack others 1/0 79',
      ]);
      expect(lines).toHaveLength(22);
      // Whoever is last today may lead tomorrow.
      await rows.usage({ at: '2026-11-13T11:59:30.000Z', user_id: 'P22', cost_pico_usd: '1000' });
      await clock.advance(10_000);
      const person = storage.codes.person({ ...U1, userId: asId<UserId>('P22') });
      expect(await shown(2)).toEqual(
        expect.arrayContaining([
          `2026-11-12 claude slack ${person} 1/0 78`,
          `2026-11-13 claude slack ${person} 1/0 1000`,
          '2026-11-12 claude slack others 1/0 80',
        ]),
      );
    });

    it('keeps the sums of a person whose data is deleted, under a code', async () => {
      const { storage, clock, shown, rows } = await setUpDays('2026-11-13T12:00:00Z', 'Asia/Seoul');
      await rows.usage({ at: '2026-11-12T06:00:00.000Z' });
      await rows.usage({ at: '2026-11-13T11:59:00.000Z' });
      await shown(2);
      await storage.write((tx) =>
        eraseRows(
          tx,
          storage.tables,
          { ...U1, ownerId: ownOwnerId(U1), sessions: [], codes: storage.codes },
          clock.now(),
        ),
      );
      await clock.advance(3_600_000);
      const code = storage.codes.erasedUserId(SLACK, U1.userId);
      expect(await shown(2)).toEqual([
        `2026-11-12 claude slack ${code} 1/0 5`,
        `2026-11-13 claude slack ${code} 1/0 5`,
      ]);
      const left = await storage.db.selectFrom('usage_days').select('user_id').distinct().execute();
      expect(left).toEqual([{ user_id: code }]);
    });

    it('counts each request once when two processes ask at once', async () => {
      const { storage } = await open();
      const clock = new ManualClock('2026-11-13T12:00:00Z');
      const rows = rowsOf(storage);
      for (let number = 0; number < 10; number += 1) await rows.usage({ at: '2026-11-13T06:00:00.000Z' });
      const asked = Array.from({ length: 4 }, () =>
        createUsageDays({ storage, clock, timeZone: 'Asia/Seoul', dayAround }).last(1),
      );
      for (const days of await Promise.all(asked)) expect(days.map((day) => day.requestCount)).toEqual([10]);
    });

    it('keeps the answer for each period for a few seconds, because operators look at several', async () => {
      const { storage } = await open();
      const clock = new ManualClock('2026-11-13T12:00:00Z');
      const days = createUsageDays({ storage, clock, timeZone: 'Asia/Seoul', dayAround });
      await rowsOf(storage).usage({ at: '2026-11-01T06:00:00.000Z' });
      const [week, quarter] = [await days.last(7), await days.last(90)];
      expect([week.length, quarter.length]).toEqual([0, 1]);
      expect(await days.last(7)).toBe(week);
      expect(await days.last(90)).toBe(quarter);
      await clock.advance(6_000);
      expect(await days.last(90)).not.toBe(quarter);
    });
  });

  describe(`replaying dead letters on ${name}`, () => {
    it('makes the message pending as if it were new, once, whoever presses first', async () => {
      const { storage, inbox, inboxRow, turns, turnRow, letters, given, actions } = await setUpLetters();
      const id = await given();
      const turn = turnOf(id);
      await turns.open(turn, AT);
      await turns.finish(turn.id, 'failed', AT);
      expect(await actions.replay(id, 'token', LATER)).toBe('gone');
      await inbox.settle(id, 'failed', AT, 'deadbeef');
      const outcomes = await Promise.all([
        actions.replay(id, ADMIN, LATER),
        actions.replay(id, 'token', LATER),
      ]);
      expect(outcomes.toSorted()).toEqual(['done', 'gone']);
      expect(await inboxRow(id)).toMatchObject({ status: 'pending', attempts: 0, error_id: null });
      expect(await createOutbox(storage).partsOf(id)).toEqual([]);
      await expect(turnRow(turn.id)).rejects.toThrow();
      expect(await turns.open(turnOf(id), AT)).toMatchObject({ status: 'open' });
      expect((await letters.summary(5)).count).toBe(0);
      const [entry, ...others] = await createAuditStore(storage).recent(5);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ action: 'message-replay', details: { message: id, error: 'deadbeef' } });
      expect(['token', storage.codes.person(ADMIN)]).toContain(entry?.person);
    });

    it('keeps the turn of a message that broke off, and answers no deleted one', async () => {
      const { storage, db, inbox, turns, turnRow, given, actions, letters } = await setUpLetters();
      const [broken, deleted] = [await given(), await given()];
      const turn = turnOf(broken);
      await turns.open(turn, AT);
      for (const id of [broken, deleted]) await inbox.settle(id, 'failed', AT, 'deadbeef');
      expect(await actions.replay(broken, 'token', LATER)).toBe('done');
      expect(await turnRow(turn.id)).toMatchObject({ status: 'open' });
      await db.deleteFrom('inbox').where('id', '=', deleted).execute();
      expect(await actions.replay(deleted, 'token', LATER)).toBe('gone');
      expect((await letters.summary(5)).count).toBe(0);
      const audited = await createAuditStore(storage).recent(5);
      expect(audited.map(({ action, details }) => [action, details['message']])).toEqual([
        ['message-discard', deleted],
        ['message-replay', broken],
      ]);
    });

    it('delivers an answer that was given, unless its conversation was reset', async () => {
      const { storage, inbox, turns, given, actions } = await setUpLetters();
      const transcript = createTranscriptRows(storage);
      const [kept, reset] = [await given(), await given()];
      for (const id of [reset, kept]) {
        const turn = turnOf(id);
        await turns.open(turn, AT);
        await turns.finish(turn.id, 'complete', AT);
        await inbox.settle(id, 'failed', AT, 'deadbeef');
        const row = { position: 1, version: 0, turnId: turn.id, at: AT.toString(), message: '{}' };
        await transcript.append(turn.sessionKey, row, true);
        if (id === reset) await transcript.archive(turn.sessionKey, AT);
      }
      expect(await actions.replay(kept, ADMIN, LATER)).toBe('done');
      expect(await actions.replay(reset, ADMIN, LATER)).toBe('gone');
    });

    it('takes a discarded message off the list, and leaves it as it ended', async () => {
      const { inbox, inboxRow, given, actions, letters } = await setUpLetters();
      const id = await given();
      await inbox.settle(id, 'failed', AT, 'deadbeef');
      expect(await actions.discard(id, ADMIN, LATER)).toBe('done');
      expect(await actions.discard(id, ADMIN, LATER)).toBe('gone');
      expect(await actions.replay(id, ADMIN, LATER)).toBe('gone');
      expect((await letters.summary(5)).count).toBe(0);
      expect(await inboxRow(id)).toMatchObject({ status: 'failed' });
    });
  });

  describe(`shared conversations on ${name}`, () => {
    const chat = {
      person: U1,
      sessionKey: SESSION,
      target: { ...partOf('').target, isDirect: true as const },
      locale: 'ko' as const,
    };
    const reader = {
      name: (locale: string) => `op-${locale}`,
      notice: (who: string, locale: string) => `${who} read it (${locale})`,
    };
    const TOMORROW = AT.add({ hours: 24 });
    it('are read until they end, and the person is told once of each reader', async () => {
      const { storage, shares, idOf, notices } = await setUpShares();
      await shares.share(chat, AT, TOMORROW);
      const id = await idOf();
      expect((await shares.list(LATER))[0]).toMatchObject({
        person: storage.codes.person(U1),
        channelId: SLACK,
      });
      for (const by of ['token', ADMIN, ADMIN] as const)
        expect(await shares.read(id, { ...reader, by }, LATER)).toBe(SESSION);
      expect(await notices()).toHaveLength(2);
      expect((await notices())[0]).toContain('op-ko read it (ko)');
      expect((await shares.current(SESSION, LATER))?.readers).toHaveLength(2);
      const audited = (await createAuditStore(storage).recent(9)).map(({ action }) => action);
      expect(audited.toSorted()).toEqual(['support-read', 'support-read', 'support-read', 'support-share']);
      expect(await shares.read(id, { ...reader, by: 'token' }, TOMORROW)).toBeUndefined();
      expect(await shares.list(TOMORROW)).toEqual([]);
    });

    it('are extended by sharing again, and begin anew after their end', async () => {
      const { shares, idOf } = await setUpShares();
      await shares.share(chat, AT, TOMORROW);
      const id = await idOf();
      await shares.read(id, { ...reader, by: 'token' }, LATER);
      await shares.share(chat, LATER, TOMORROW.add({ hours: 1 }));
      const current = await shares.current(SESSION, LATER);
      expect([await idOf(), current?.readers.length, current?.expiresAt.toString()]).toEqual([
        id,
        1,
        TOMORROW.add({ hours: 1 }).toString(),
      ]);
      const late = TOMORROW.add({ hours: 2 });
      await shares.share(chat, late, late.add({ hours: 24 }));
      expect((await shares.current(SESSION, late))?.readers).toEqual([]);
    });

    it('are closed by their person, and gone with their data', async () => {
      const { storage, shares, idOf, notices } = await setUpShares();
      await shares.share(chat, AT, TOMORROW);
      const id = await idOf();
      expect([await shares.revoke(chat, LATER), await shares.revoke(chat, LATER)]).toEqual([true, false]);
      expect(await shares.read(id, { ...reader, by: ADMIN }, LATER)).toBeUndefined();
      expect(await notices()).toEqual([]);
      await shares.share(chat, AT, TOMORROW);
      await shares.read(await idOf(), { ...reader, by: ADMIN }, LATER);
      await storage.write((tx) =>
        eraseRows(
          tx,
          storage.tables,
          { ...U1, ownerId: ownOwnerId(U1), sessions: [SESSION], codes: storage.codes },
          LATER,
        ),
      );
      expect(await shares.list(LATER)).toEqual([]);
      expect(await storage.db.selectFrom('support_reads').selectAll().execute()).toEqual([]);
    });
  });
};
