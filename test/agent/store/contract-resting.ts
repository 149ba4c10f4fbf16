import { describe, expect, it } from 'vitest';
import { type ApprovalId, type InboxId } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import type { TestStorage } from '#test/support/database.ts';
import {
  atOnce,
  questionOf,
  refuseSecond,
  setUpApprovals,
  TOO_LATE,
} from '../../chat/store/approvals-fixture.ts';
import { AT, begin, entryOf, LATER } from '../../platform/storage/contract-fixture.ts';

const ENDS = ['done', 'failed'] as const;
const BY_THE_END = { status: 'denied', decidedBy: 'end of the message' };

/** The part of the contract about messages that rest until a person has decided. */
export const describeRestingContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = () => setUpApprovals(open);

  describe(`messages at rest on ${name}`, () => {
    it('rest only as long as a question of theirs is undecided', async () => {
      const { approvals, inbox, inboxRow, run } = await setUp();
      const { entry, id } = await run();
      const other = entryOf();
      await inbox.accept(other, AT);
      expect(await inbox.suspend(other.id)).toBe(false);
      expect(await inbox.suspend(entry.id)).toBe(true);
      // A second time as well: the answer to the first may have been lost.
      expect(await inbox.suspend(entry.id)).toBe(true);
      expect((await inbox.pending()).map((waiting) => waiting.id)).toEqual([other.id]);
      expect(await inboxRow(entry.id)).toMatchObject({ status: 'suspended', settled_at: null });
      await approvals.decide(id, 'denied', 'me', LATER);
      expect(await inbox.suspend(entry.id)).toBe(false);
      expect(await inboxRow(entry.id)).toMatchObject({ status: 'pending' });
    });

    it('rest again for a further question', async () => {
      const { approvals, inbox, decided, statusOf } = await setUp();
      const { entry, turn, id } = await decided();
      const further = await approvals.request(
        questionOf({ inboxId: entry.id, turnId: turn.id, callId: 'call-2' }),
      );
      expect(await approvals.pending()).toEqual([]);
      expect(await inbox.suspend(entry.id)).toBe(true);
      expect((await approvals.pending()).map((listed) => listed.id)).toEqual([further.id]);
      expect(await statusOf(id)).toBe('approved');
    });

    it.each(ENDS)('are not made of what is %s, even if something was asked afterwards', async (status) => {
      const { approvals, inbox, inboxRow } = await setUp();
      const entry = entryOf();
      await inbox.accept(entry, AT);
      await inbox.settle(entry.id, status, AT);
      await approvals.request(questionOf({ inboxId: entry.id }));
      expect(await inbox.suspend(entry.id)).toBe(false);
      expect(await inboxRow(entry.id)).toMatchObject({ status });
      expect(await approvals.pending()).toEqual([]);
    });

    it('and a decision that falls while they lie down: it is too early, or it wakes them', async () => {
      const { approvals, inbox, run, inboxRow, statusOf } = await setUp();
      for (let round = 0; round < 20; round += 1) {
        const { entry, id } = await run();
        const [hasLainDown, decision] = await atOnce(
          round,
          () => inbox.suspend(entry.id),
          () => approvals.decide(id, 'approved', 'me', LATER),
        );
        const isDecided = decision.outcome === 'recorded';
        expect(hasLainDown).toBe(true);
        expect(await statusOf(id)).toBe(isDecided ? 'approved' : 'pending');
        expect((await inboxRow(entry.id)).status).toBe(isDecided ? 'pending' : 'suspended');
      }
    });

    it('can be read again by their id, whatever became of them', async () => {
      const { inbox, rest } = await setUp();
      const { entry } = await rest();
      const { message, ...routed } = (await inbox.get(entry.id)) ?? entryOf();
      expect(routed).toEqual({ id: entry.id, match: entry.match, sessionKey: entry.sessionKey });
      expect(message).toMatchObject({ id: entry.message.id, body: entry.message.body });
      expect(message.timestamp.equals(entry.message.timestamp)).toBe(true);
      expect(await inbox.get(newId<InboxId>())).toBeUndefined();
    });

    it('are not worked off: no attempt is counted, and nothing changes', async () => {
      const { inbox, inboxRow, rest } = await setUp();
      const { entry } = await rest();
      const before = await inboxRow(entry.id);
      expect(await begin(inbox, entry.id)).toBeUndefined();
      expect(await inboxRow(entry.id)).toEqual(before);
    });
  });

  describe(`the end of a message on ${name}`, () => {
    it.each(ENDS)('as %s denies what was still asked about it, and about no other', async (status) => {
      const { approvals, inbox, rest, run, stateOf, db } = await setUp();
      const [ending, resting, running] = [await rest(2), await rest(), await run()];
      await inbox.settle(ending.entry.id, status, LATER, status === 'failed' ? 'deadbeef' : undefined);
      for (const id of ending.ids) expect(await approvals.get(id)).toMatchObject(BY_THE_END);
      const denied = db.selectFrom('approvals').select('decided_at').where('status', '=', 'denied');
      const decidedAt = '2026-11-13T06:30:05.000Z';
      expect(await denied.execute()).toEqual([{ decided_at: decidedAt }, { decided_at: decidedAt }]);
      expect(await stateOf(resting)).toMatchObject({ inbox: 'suspended', questions: ['pending'] });
      expect(await stateOf(running)).toMatchObject({ inbox: 'pending', questions: ['pending'] });
    });

    it('leaves what was decided or begun as it is', async () => {
      const { approvals, inbox, rest } = await setUp();
      const { entry, ids } = await rest(5);
      const [begun, yes, no, late, open] = ids;
      if (!begun || !yes || !no || !late || !open) throw new Error('Nothing was asked');
      for (const id of [begun, yes]) await approvals.decide(id, 'approved', 'me', AT);
      await approvals.decide(no, 'denied', 'me', AT);
      await approvals.decide(late, 'expired', 'time', AT);
      await approvals.start(begun);
      await inbox.settle(entry.id, 'failed', LATER, 'deadbeef');
      const found = await Promise.all(ids.map((id) => approvals.get(id)));
      expect(found.map((one) => [one?.status, one?.decidedBy])).toEqual([
        ['started', 'me'],
        ['approved', 'me'],
        ['denied', 'me'],
        ['expired', 'time'],
        ['denied', 'end of the message'],
      ]);
    });

    it('is not recorded where the questions cannot be denied', async () => {
      const { approvals, inbox, rest, stateOf, db } = await setUp();
      const [message, other] = [await rest(), await rest()];
      await approvals.decide(other.id, 'denied', 'me', AT);
      await refuseSecond(db, 'approvals', 'denied');
      await expect(inbox.settle(message.entry.id, 'done', LATER)).rejects.toThrow();
      expect(await stateOf(message)).toMatchObject({ inbox: 'suspended', questions: ['pending'] });
    });

    it('and a decision at the same time: one of them counts for the question, the end for the message', async () => {
      const { approvals, inbox, rest, inboxRow } = await setUp();
      for (let round = 0; round < 10; round += 1) {
        const { entry, id } = await rest();
        const [, decision] = await atOnce(
          round,
          () => inbox.settle(entry.id, 'done', LATER),
          () => approvals.decide(id, 'approved', 'me', LATER),
        );
        const approved = { status: 'approved', decidedBy: 'me' };
        expect(await approvals.get(id)).toMatchObject(
          decision.outcome === 'recorded' ? approved : BY_THE_END,
        );
        expect((await inboxRow(entry.id)).status).toBe('done');
      }
    });

    it('makes no decision possible, whenever the question was asked', async () => {
      const { approvals, inbox, run, statusOf } = await setUp();
      const { entry, turn } = await run(0);
      await inbox.settle(entry.id, 'done', LATER);
      const asked = { id: newId<ApprovalId>(), inboxId: entry.id, turnId: turn.id };
      await approvals.request(questionOf(asked));
      expect(await approvals.decide(asked.id, 'approved', 'me', LATER)).toEqual(TOO_LATE);
      expect(await statusOf(asked.id)).toBe('pending');
    });
  });
};
