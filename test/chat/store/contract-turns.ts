import { describe, expect, it } from 'vitest';
import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import type { TestStorage } from '#test/support/database.ts';
import { createStoredBytes, ROW_BYTES } from '#src/chat/store/stored-bytes.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { AT, entryOf, LATER, partOf, setUpStorage, turnOf } from '../../platform/storage/contract-fixture.ts';

const ENDED_AT = '2026-11-13T06:30:05.000Z';

const setUpTurns = async (open: () => Promise<TestStorage>) => {
  const all = await setUpStorage(open);
  /** One of each kind, in one session. */
  const openEach = async () => {
    const made = [1, 2, 3, 4].map(() => turnOf(newId<InboxId>()));
    for (const turn of made) await all.turns.open(turn, AT);
    const [opened, suspended, complete, failed] = made;
    if (!opened || !suspended || !complete || !failed) throw new Error('No turns');
    await all.turns.suspend(suspended.id);
    await all.turns.finish(complete.id, 'complete', LATER);
    await all.turns.finish(failed.id, 'failed', LATER);
    return { opened, suspended, complete, failed };
  };
  return { ...all, openEach };
};

/** The part of the contract about runs of the model. */
export const describeTurnsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = () => setUpTurns(open);

  describe(`turns on ${name}`, () => {
    it('count towards what is stored of their person, with message, answer and conversation', async () => {
      const { db, storage, inbox, turns, outbox } = await setUp();
      const entry = entryOf({ body: '삼'.repeat(1_000) });
      const { channelId, senderId: userId } = entry.message;
      const turn = turnOf(entry.id);
      await inbox.accept(entry, AT);
      await turns.open(turn, AT);
      await outbox.plan(entry.id, [partOf('answer'.repeat(1_000))], AT);
      const row = { position: 1, version: 0, turnId: turn.id, at: AT.toString(), message: 'y'.repeat(9_000) };
      await createTranscriptRows(storage).append(turn.sessionKey, row, true);
      const read = createStoredBytes(db);
      const { bytes, since } = await read({ channelId, userId }, AT.subtract({ hours: 1 }));
      expect(bytes - ROW_BYTES).toBeGreaterThan(18_000);
      expect(bytes - ROW_BYTES).toBeLessThan(20_000);
      expect(since).toEqual(AT);
      expect(await read({ channelId, userId }, AT)).toEqual({ bytes: 0, pictures: 0, since: undefined });
    });

    it('count their pictures apart, because these have a limit of their own', async () => {
      const { db, storage, inbox, turns } = await setUp();
      const [photo, words] = ['image', 'file'].map((kind) =>
        entryOf({ media: [{ kind: kind as 'image', mimeType: 'image/png', name: 'a', url: 'a' }] }),
      );
      let position = 0;
      for (const entry of [photo, words]) {
        if (!entry) throw new Error('No entry');
        const turn = turnOf(entry.id);
        await inbox.accept(entry, AT);
        await turns.open(turn, AT);
        for (const length of [200_000, 9_000]) {
          position += 1;
          const row = {
            position,
            version: 0,
            turnId: turn.id,
            at: AT.toString(),
            message: 'y'.repeat(length),
          };
          await createTranscriptRows(storage).append(turn.sessionKey, row, true);
        }
      }
      const { channelId, senderId: userId } = entryOf({}).message;
      const { bytes, pictures } = await createStoredBytes(db)(
        { channelId, userId },
        AT.subtract({ hours: 1 }),
      );
      expect(pictures).toBe(200_000);
      expect(bytes).toBeGreaterThan(218_000);
      expect(bytes).toBeLessThan(230_000);
    });

    it('begins one turn for a message, and finds it again after a crash', async () => {
      const { turns, turnRow } = await setUp();
      const inboxId = newId<InboxId>();
      const begun = turnOf(inboxId);
      expect(await turns.open(begun, AT)).toEqual({ id: begun.id, status: 'open' });
      expect(await turns.open(turnOf(inboxId), LATER)).toEqual({ id: begun.id, status: 'open' });
      expect(await turnRow(begun.id)).toMatchObject({
        started_at: '2026-11-13T06:30:00.123Z',
        ended_at: null,
      });
    });

    it('begins another turn for another message of the session', async () => {
      const { turns } = await setUp();
      const [first, second] = [turnOf(newId<InboxId>()), turnOf(newId<InboxId>())];
      await turns.open(first, AT);
      expect(await turns.open(second, AT)).toEqual({ id: second.id, status: 'open' });
    });

    it('remembers how each turn ended, or that it waits, and begins none anew', async () => {
      const { turns, turnRow, openEach } = await setUp();
      const { opened, suspended, complete, failed } = await openEach();
      for (const [{ id, inboxId }, status, ended_at] of [
        [opened, 'open', null],
        [suspended, 'suspended', null],
        [complete, 'complete', ENDED_AT],
        [failed, 'failed', ENDED_AT],
      ] as const) {
        expect(await turns.open(turnOf(inboxId), LATER)).toEqual({ id, status });
        expect(await turnRow(id)).toMatchObject({ status, ended_at });
      }
    });

    it('knows for which messages a run was begun, however it ended', async () => {
      const { turns, openEach } = await setUp();
      const inboxId = newId<InboxId>();
      expect(await turns.isBegun(inboxId)).toBe(false);
      for (const turn of Object.values(await openEach()))
        expect(await turns.isBegun(turn.inboxId)).toBe(true);
      expect(await turns.isBegun(inboxId)).toBe(false);
      await turns.open(turnOf(inboxId), AT);
      expect(await turns.isBegun(inboxId)).toBe(true);
    });

    it('goes on with a turn that waited, and with no other', async () => {
      const { turns, turnRow, openEach } = await setUp();
      const { opened, suspended, complete, failed } = await openEach();
      const alsoSuspended = turnOf(newId<InboxId>());
      await turns.open(alsoSuspended, AT);
      await turns.suspend(alsoSuspended.id);
      for (const { id, inboxId } of [suspended, complete, failed, opened]) await turns.reopen(id, inboxId);
      expect(await turnRow(suspended.id)).toMatchObject({ status: 'open', ended_at: null });
      expect(await turnRow(alsoSuspended.id)).toMatchObject({ status: 'suspended' });
      expect(await turnRow(complete.id)).toMatchObject({ status: 'complete', ended_at: ENDED_AT });
      expect(await turnRow(failed.id)).toMatchObject({ status: 'failed', ended_at: ENDED_AT });
    });

    it('has those of the session live that are open or wait for a decision', async () => {
      const { turns, openEach } = await setUp();
      const { opened, suspended } = await openEach();
      const elsewhere = asId<SessionKey>('agent:main:slack:T1:channel:C1');
      await turns.open({ ...turnOf(newId<InboxId>()), sessionKey: elsewhere }, AT);
      expect(await turns.liveIn(opened.sessionKey)).toEqual(new Set([opened.id, suspended.id]));
      const nobody = asId<SessionKey>('agent:main:console:local:direct:nobody');
      expect(await turns.liveIn(nobody)).toEqual(new Set());
    });
  });
};
