import { describe, expect, it } from 'vitest';
import {
  type ApprovalId,
  asId,
  type ChannelId,
  type MessageId,
  type ThreadId,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { Approval } from '#src/kernel/agent/approval-store.ts';
import { newId } from '#src/platform/ids.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createApprovalStore } from '#src/chat/store/approvals.ts';
import type { TestStorage } from '#test/support/database.ts';
import {
  LAST,
  OTHER_SESSION,
  questionOf,
  refuseSecond,
  SESSION,
  setUpApprovals,
  TOO_LATE,
} from './approvals-fixture.ts';
import { AT, begin, entryOf, LATER, partOf } from '../../platform/storage/contract-fixture.ts';

const VERDICTS = ['approved', 'denied', 'expired'] as const;

/** Instants by what they say: an equality of objects would hold for any two of them. */
const inWords = ({ createdAt, expiresAt, ...rest }: Approval) => ({
  ...rest,
  createdAt: createdAt.toString(),
  expiresAt: expiresAt.toString(),
});

/** The part of the contract about questions to people. */
export const describeApprovalsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = () => setUpApprovals(open);

  describe(`approvals on ${name}`, () => {
    it.each([
      ['with the name of the asker', '김철수 "QA" 👩‍👩‍👧'],
      ['without a name', undefined],
    ])('gives a question back as it was asked, %s, also after a restart', async (_what, requesterName) => {
      const { storage, reopen, approvals } = await setUp();
      const question = questionOf({
        summary: '“삼성전자” 10주 매수\n- limit: 70,000 ₩ 🚀',
        locale: 'ko',
        requesterName,
        target: {
          ...partOf('').target,
          threadId: asId<ThreadId>('t"1'),
          replyToMessageId: asId<MessageId>('m1'),
        },
      });
      const expected = inWords({ ...question, status: 'pending', decidedBy: undefined });
      expect(inWords(await approvals.request(question))).toStrictEqual(expected);
      await storage.close();
      const again = createApprovalStore(await reopen());
      const found = [await again.get(question.id), await again.ofCall(question.turnId, question.callId)];
      expect(found.map((one) => one && inWords(one))).toStrictEqual([expected, expected]);
    });

    it('gives the words that were spoken in all messages of a turn, and no others', async () => {
      const { approvals, inbox } = await setUp();
      const file = { kind: 'audio', mimeType: 'audio/ogg', name: 'a.ogg', url: 'https://a.example' } as const;
      const spoken = (words: string) => ({ ...file, isVoice: true as const, words });
      const [leader, merged, typed, other] = [
        entryOf({ media: [spoken('Buy ten.'), { ...file, words: 'read as a file' }] }),
        entryOf({ media: [{ ...file, isVoice: true }, spoken('Of Apple.')] }),
        entryOf({ body: 'please' }),
        entryOf({ media: [spoken('Something else.')] }),
      ];
      for (const entry of [leader, merged, typed, other]) await inbox.accept(entry, AT);
      await inbox.begin(leader.id, [merged.id, typed.id], AT);
      expect(await approvals.heardIn(leader.id)).toBe('Buy ten.\n\nOf Apple.');
      expect(await approvals.heardIn(typed.id)).toBeUndefined();
    });

    it('knows nothing of questions that were not asked', async () => {
      const { approvals } = await setUp();
      const { turnId } = await approvals.request(questionOf());
      expect(await approvals.get(newId<ApprovalId>())).toBeUndefined();
      expect(await approvals.ofCall(turnId, 'call-2')).toBeUndefined();
      expect(await approvals.ofCall(newId<TurnId>(), 'call-1')).toBeUndefined();
    });

    it('asks once for a call, and gives the first question with its decision when asked again', async () => {
      const { approvals, rest } = await setUp();
      const { entry, turn, id } = await rest();
      await approvals.decide(id, 'denied', 'console:me', LATER);
      const again = { inboxId: entry.id, turnId: turn.id, inputHash: 'other' };
      expect(await approvals.request(questionOf(again))).toMatchObject({
        id,
        inputHash: 'a1b2',
        status: 'denied',
        decidedBy: 'console:me',
      });
      expect(await approvals.request(questionOf({ ...again, callId: 'call-2' }))).toMatchObject({
        status: 'pending',
      });
    });

    it('asks once when the same call comes four times at once', async () => {
      const { approvals, db } = await setUp();
      const question = questionOf();
      const asked = await Promise.all(
        [1, 2, 3, 4].map(() => approvals.request({ ...question, id: newId<ApprovalId>() })),
      );
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
      expect(await db.selectFrom('approvals').select('id').execute()).toHaveLength(1);
    });

    it('lists what is undecided, the oldest first, of one session or of all', async () => {
      const { approvals, rest, decided } = await setUp();
      const late = await rest(1, { createdAt: LATER });
      const early = await rest();
      const elsewhere = await rest(1, { createdAt: AT.add({ seconds: 1 }), sessionKey: OTHER_SESSION });
      await decided();
      expect((await approvals.pending()).map(({ id }) => id)).toEqual([early.id, elsewhere.id, late.id]);
      expect((await approvals.pending(SESSION)).map(({ id }) => id)).toEqual([early.id, late.id]);
    });

    it('lists a question only while its message rests: before that, nobody has been asked', async () => {
      const { approvals, inbox, run } = await setUp();
      const { entry, id } = await run();
      expect(await approvals.pending()).toEqual([]);
      await inbox.suspend(entry.id);
      const [listed] = await approvals.pending(SESSION);
      expect(listed).toMatchObject({ id, inboxId: entry.id, sessionKey: SESSION, status: 'pending' });
      await inbox.settle(entry.id, 'done', LATER);
      expect(await approvals.pending()).toEqual([]);
    });
  });

  describe(`decisions on ${name}`, () => {
    it('of two operators at once: the one that counts is in the audit log, and no other', async () => {
      const { approvals, rest, storage } = await setUp();
      const { id } = await rest();
      const [ann, bob] = ['U1', 'U2'].map((user) => ({
        channelId: asId<ChannelId>('slack'),
        userId: asId<UserId>(user),
      }));
      const outcomes = await Promise.all([
        approvals.decide(id, 'approved', 'slack:U1', LATER, ann),
        approvals.decide(id, 'denied', 'slack:U2', LATER, bob),
      ]);
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['recorded', 'too-late']);
      const decided = await approvals.get(id);
      const audited = await createAuditStore(storage).recent(9);
      expect(audited.map(({ action }) => action)).toEqual([
        decided?.status === 'approved' ? 'approval-approve' : 'approval-deny',
      ]);
    });

    it.each(VERDICTS)('are recorded once: what was %s cannot be decided otherwise', async (status) => {
      const { approvals, rest, db } = await setUp();
      const { id } = await rest();
      expect(await approvals.decide(id, status, 'slack:U1', LATER)).toEqual(LAST);
      for (const other of VERDICTS) {
        expect(await approvals.decide(id, other, 'slack:U2', LATER)).toEqual(TOO_LATE);
      }
      expect(await approvals.get(id)).toMatchObject({ status, decidedBy: 'slack:U1' });
      const rows = await db.selectFrom('approvals').select('decided_at').execute();
      expect(rows).toEqual([{ decided_at: '2026-11-13T06:30:05.000Z' }]);
    });

    it('come too late for a question that does not exist', async () => {
      const { approvals } = await setUp();
      expect(await approvals.decide(newId<ApprovalId>(), 'approved', 'me', LATER)).toEqual(TOO_LATE);
    });

    it('change nothing while the message does not rest yet, and count as soon as it does', async () => {
      const { approvals, inbox, run, inboxRow, statusOf, db } = await setUp();
      const { entry, id } = await run();
      for (const verdict of VERDICTS) {
        expect(await approvals.decide(id, verdict, 'me', LATER)).toEqual(TOO_LATE);
      }
      expect(
        await db.selectFrom('approvals').select(['status', 'decided_by', 'decided_at']).execute(),
      ).toEqual([{ status: 'pending', decided_by: null, decided_at: null }]);
      expect(await inboxRow(entry.id)).toMatchObject({ status: 'pending', attempts: 1 });
      expect(await inbox.suspend(entry.id)).toBe(true);
      expect(await approvals.decide(id, 'approved', 'me', LATER)).toEqual(LAST);
      expect(await statusOf(id)).toBe('approved');
    });

    it('wake the message with the last of them, its attempts forgotten, and no other message', async () => {
      const { approvals, rest, inbox, inboxRow } = await setUp();
      const { entry, ids } = await rest(2);
      const other = await rest();
      const [first = newId<ApprovalId>(), second = newId<ApprovalId>()] = ids;
      expect(await approvals.decide(second, 'denied', 'me', LATER)).toEqual({
        outcome: 'recorded',
        isLast: false,
      });
      expect(await inbox.pending()).toEqual([]);
      expect(await approvals.decide(first, 'approved', 'me', LATER)).toEqual(LAST);
      expect((await inbox.pending()).map(({ id }) => id)).toEqual([entry.id]);
      expect(await inboxRow(entry.id)).toMatchObject({ status: 'pending', attempts: 0, settled_at: null });
      expect(await inboxRow(other.entry.id)).toMatchObject({ status: 'suspended', attempts: 1 });
      expect(await begin(inbox, entry.id)).toBe(1);
    });

    it.each(['done', 'failed'] as const)('come too late for a message that is %s', async (status) => {
      const { approvals, rest, inbox, inboxRow } = await setUp();
      const { entry, id } = await rest();
      await inbox.settle(entry.id, status, AT);
      expect(await approvals.decide(id, 'approved', 'me', LATER)).toEqual(TOO_LATE);
      expect(await approvals.get(id)).toMatchObject({ status: 'denied', decidedBy: 'end of the message' });
      expect(await inboxRow(entry.id)).toMatchObject({ status, settled_at: '2026-11-13T06:30:00.123Z' });
    });

    it('are not recorded where the message cannot be woken', async () => {
      const { approvals, inbox, rest, stateOf, db } = await setUp();
      const message = await rest();
      await inbox.accept(entryOf(), AT);
      await refuseSecond(db, 'inbox', 'pending');
      await expect(approvals.decide(message.id, 'approved', 'me', LATER)).rejects.toThrow();
      expect(await stateOf(message)).toEqual({
        inbox: 'suspended',
        turn: 'suspended',
        questions: ['pending'],
      });
    });

    it('wake the message also when all of them fall at once: one of them is the last', async () => {
      const { approvals, rest, inbox } = await setUp();
      for (let round = 0; round < 10; round += 1) {
        const { entry, ids } = await rest(4);
        const outcomes = await Promise.all(ids.map((id) => approvals.decide(id, 'approved', 'me', LATER)));
        expect(outcomes.filter((decided) => decided.outcome === 'recorded' && decided.isLast)).toHaveLength(
          1,
        );
        expect((await inbox.pending()).map(({ id }) => id)).toEqual([entry.id]);
        await inbox.settle(entry.id, 'done', LATER);
      }
    });

    it('of two people at once count once', async () => {
      const { approvals, rest } = await setUp();
      const { id } = await rest();
      const outcomes = await Promise.all(
        VERDICTS.map((verdict) => approvals.decide(id, verdict, 'a', LATER)),
      );
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['recorded', 'too-late', 'too-late']);
    });

    it('let a call be begun once, and only where it was approved', async () => {
      const { approvals, rest, statusOf } = await setUp();
      const [yes, no, open] = (await rest(3)).ids;
      if (!yes || !no || !open) throw new Error('Nothing was asked');
      await approvals.decide(yes, 'approved', 'me', LATER);
      await approvals.decide(no, 'denied', 'me', LATER);
      const started = await Promise.all(
        [yes, no, open, newId<ApprovalId>()].map((id) => approvals.start(id)),
      );
      expect(started).toEqual([true, false, false, false]);
      expect(await approvals.start(yes)).toBe(false);
      expect(await Promise.all([yes, no, open].map(statusOf))).toEqual(['started', 'denied', 'pending']);
      expect(await approvals.decide(yes, 'denied', 'me', LATER)).toEqual(TOO_LATE);
    });
  });
};
