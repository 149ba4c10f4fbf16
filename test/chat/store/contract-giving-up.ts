import { describe, expect, it } from 'vitest';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { TestStorage } from '#test/support/database.ts';
import { atOnce, OTHER_SESSION, refuseSecond, SESSION, setUpApprovals } from './approvals-fixture.ts';
import { AT, begin, LATER } from '../../platform/storage/contract-fixture.ts';

const ENDED_AT = '2026-11-13T06:30:05.000Z';
const RESTING = { inbox: 'suspended', turn: 'suspended', questions: ['pending'] };
const GIVEN_UP = { inbox: 'done', turn: 'failed', questions: ['denied'] };
/** Decided, and not taken up since. */
const DECIDED = { inbox: 'pending', turn: 'suspended', questions: ['approved'] };

const setUpGivingUp = async (open: () => Promise<TestStorage>) => {
  const all = await setUpApprovals(open);
  const giveUp = async (which: Parameters<typeof all.approvals.giveUp>[1] = {}) =>
    (await all.approvals.giveUp(SESSION, which, 'gone on', LATER)).map(({ id }) => id);
  return { ...all, giveUp };
};

/** The part of the contract about questions that nobody needs to answer any more. */
export const describeGivingUpContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = () => setUpGivingUp(open);

  describe(`giving up on ${name}`, () => {
    it('denies what waits, and ends its message and its turn', async () => {
      const { approvals, rest, stateOf, inboxRow, turnRow, giveUp } = await setUp();
      const message = await rest(2);
      const givenUp = await approvals.giveUp(SESSION, {}, 'gone on', LATER);
      expect(givenUp.map(({ id, status, decidedBy }) => [id, status, decidedBy])).toEqual(
        message.ids.map((id) => [id, 'denied', 'gone on']),
      );
      expect(await stateOf(message)).toEqual({ ...GIVEN_UP, questions: ['denied', 'denied'] });
      expect(await inboxRow(message.entry.id)).toMatchObject({ settled_at: ENDED_AT, error_id: null });
      expect(await turnRow(message.turn.id)).toMatchObject({ ended_at: ENDED_AT });
      expect(await giveUp()).toEqual([]);
    });

    it('gives the oldest first, whichever message it belongs to', async () => {
      const { rest, giveUp } = await setUp();
      const late = await rest(1, { createdAt: LATER });
      const early = await rest(2, { createdAt: AT });
      expect(await giveUp()).toEqual([...early.ids, late.id]);
    });

    it('denies with the message also what was approved, but nothing that was begun or decided otherwise', async () => {
      const { approvals, rest, stateOf, giveUp } = await setUp();
      const message = await rest(5);
      const [begun, yes, no, late, undecided] = message.ids;
      if (!begun || !yes || !no || !late || !undecided) throw new Error('Nothing was asked');
      for (const id of [begun, yes]) await approvals.decide(id, 'approved', 'me', AT);
      await approvals.decide(no, 'denied', 'me', AT);
      await approvals.decide(late, 'expired', 'time', AT);
      await approvals.start(begun);
      expect(await giveUp()).toEqual([yes, undecided]);
      const questions = ['started', 'denied', 'denied', 'expired', 'denied'];
      expect(await stateOf(message)).toEqual({ ...GIVEN_UP, questions });
      const deciders = await Promise.all(message.ids.map(async (id) => (await approvals.get(id))?.decidedBy));
      expect(deciders).toEqual(['me', 'gone on', 'me', 'time', 'gone on']);
    });

    it('touches one requester, one session', async () => {
      const { rest, stateOf, giveUp } = await setUp();
      const mine = await rest();
      const theirs = await rest(1, { askedBy: asId<UserId>('you') });
      const elsewhere = await rest(1, { sessionKey: OTHER_SESSION });
      expect(await giveUp({ askedBy: asId<UserId>('me') })).toEqual(mine.ids);
      for (const other of [theirs, elsewhere]) expect(await stateOf(other)).toEqual(RESTING);
      expect(await giveUp()).toEqual(theirs.ids);
      expect(await stateOf(elsewhere)).toEqual(RESTING);
    });

    it('leaves the message that it is done for, and newer ones, alone', async () => {
      const { rest, stateOf, giveUp } = await setUp();
      const [older, itself, newer] = [await rest(), await rest(), await rest()];
      // The order of acceptance counts, not that of the questions.
      const slow = await rest(1, { createdAt: AT.subtract({ seconds: 1 }) });
      expect(await giveUp({ before: itself.entry.id })).toEqual(older.ids);
      expect(await stateOf(older)).toEqual(GIVEN_UP);
      for (const other of [itself, newer, slow]) expect(await stateOf(other)).toEqual(RESTING);
    });

    it.each([false, true])(
      'leaves a run that is still under way to itself (what is decided too: %s)',
      async (isDecidedToo) => {
        const { approvals, inbox, run, stateOf, giveUp } = await setUp();
        const message = await run();
        expect(await giveUp({ isDecidedToo })).toEqual([]);
        expect(await stateOf(message)).toEqual({ inbox: 'pending', turn: 'open', questions: ['pending'] });
        expect(await inbox.suspend(message.entry.id)).toBe(true);
        expect((await approvals.pending()).map(({ id }) => id)).toEqual(message.ids);
      },
    );

    it('leaves a message to itself that is about to rest, and ends it with what is decided', async () => {
      const { inbox, turns, run, stateOf, giveUp } = await setUp();
      const message = await run();
      await turns.suspend(message.turn.id);
      expect(await giveUp()).toEqual([]);
      expect(await stateOf(message)).toEqual({ ...RESTING, inbox: 'pending' });
      expect(await giveUp({ isDecidedToo: true })).toEqual(message.ids);
      expect(await inbox.suspend(message.entry.id)).toBe(false);
      expect(await stateOf(message)).toEqual(GIVEN_UP);
    });

    it('leaves everything as it was where it cannot be done whole', async () => {
      const { turns, rest, run, stateOf, giveUp, db } = await setUp();
      const [message, other] = [await rest(), await run()];
      await turns.finish(other.turn.id, 'failed', AT);
      await refuseSecond(db, 'turns', 'failed');
      await expect(giveUp()).rejects.toThrow();
      expect(await stateOf(message)).toEqual(RESTING);
    });

    it('and a decision at the same time: one of them counts, for the question and its message', async () => {
      const { approvals, rest, stateOf, giveUp } = await setUp();
      for (let round = 0; round < 20; round += 1) {
        const message = await rest();
        const [givenUp, decision] = await atOnce(
          round,
          () => giveUp(),
          () => approvals.decide(message.id, 'approved', 'me', LATER),
        );
        const isDecided = decision.outcome === 'recorded';
        expect(givenUp).toEqual(isDecided ? [] : message.ids);
        expect(await stateOf(message)).toEqual(isDecided ? DECIDED : GIVEN_UP);
      }
    });

    it('twice at the same time gives each question up once', async () => {
      const { rest, stateOf, giveUp } = await setUp();
      for (let round = 0; round < 10; round += 1) {
        const messages = [await rest(), await rest(), await rest()];
        const givenUp = await atOnce(
          round,
          () => giveUp(),
          () => giveUp(),
        );
        expect(givenUp.flat().toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
        for (const message of messages) expect(await stateOf(message)).toEqual(GIVEN_UP);
      }
    });
  });

  describe(`giving up what is decided on ${name}`, () => {
    it('happens only where it is asked for', async () => {
      const { approvals, inbox, decided, stateOf, inboxRow, turnRow, giveUp } = await setUp();
      const message = await decided();
      expect(await giveUp()).toEqual([]);
      expect(await stateOf(message)).toEqual(DECIDED);
      expect(await giveUp({ isDecidedToo: true })).toEqual(message.ids);
      expect(await stateOf(message)).toEqual(GIVEN_UP);
      expect(await approvals.get(message.id)).toMatchObject({ decidedBy: 'gone on' });
      expect(await inboxRow(message.entry.id)).toMatchObject({ settled_at: ENDED_AT, error_id: null });
      expect(await turnRow(message.turn.id)).toMatchObject({ ended_at: ENDED_AT });
      expect(await begin(inbox, message.entry.id)).toBeUndefined();
      expect(await approvals.start(message.id)).toBe(false);
    });

    it('happens together with what still waits, within the same bounds', async () => {
      const { rest, decided, stateOf, giveUp } = await setUp();
      const [waiting, mine] = [await rest(), await decided()];
      const theirs = await decided(1, { askedBy: asId<UserId>('you') });
      const elsewhere = await decided(1, { sessionKey: OTHER_SESSION });
      const newer = await decided();
      const which = { isDecidedToo: true, askedBy: asId<UserId>('me'), before: newer.entry.id };
      expect(await giveUp(which)).toEqual([waiting.id, mine.id]);
      for (const other of [theirs, elsewhere, newer]) expect(await stateOf(other)).toEqual(DECIDED);
    });

    it('leaves a run alone that has been taken up', async () => {
      const { inbox, turns, decided, approvals, stateOf, giveUp } = await setUp();
      const message = await decided();
      await begin(inbox, message.entry.id);
      await turns.reopen(message.turn.id, message.entry.id);
      expect(await giveUp({ isDecidedToo: true })).toEqual([]);
      expect(await stateOf(message)).toEqual({ ...DECIDED, turn: 'open' });
      expect(await approvals.start(message.id)).toBe(true);
    });

    it.each(['denied', 'expired'] as const)('ends a message of which all was %s', async (verdict) => {
      const { approvals, inbox, rest, stateOf, giveUp } = await setUp();
      const message = await rest();
      await approvals.decide(message.id, verdict, 'me', AT);
      expect(await giveUp()).toEqual([]);
      expect(await stateOf(message)).toEqual({ ...DECIDED, questions: [verdict] });
      // There is nobody to be told: what was asked has had its answer.
      expect(await giveUp({ isDecidedToo: true })).toEqual([]);
      expect(await stateOf(message)).toEqual({ ...GIVEN_UP, questions: [verdict] });
      expect(await approvals.get(message.id)).toMatchObject({ decidedBy: 'me' });
      expect(await inbox.pending()).toEqual([]);
    });

    it('and taking it up at the same time: it is given up, or its run has begun and its call is made', async () => {
      const { approvals, turns, decided, stateOf, giveUp } = await setUp();
      for (let round = 0; round < 20; round += 1) {
        const message = await decided();
        const [givenUp, isBegun] = await atOnce(
          round,
          () => giveUp({ isDecidedToo: true }),
          async () => {
            await turns.reopen(message.turn.id, message.entry.id);
            return approvals.start(message.id);
          },
        );
        expect(givenUp).toEqual(isBegun ? [] : message.ids);
        const running = { inbox: 'pending', turn: 'open', questions: ['started'] };
        expect(await stateOf(message)).toEqual(isBegun ? running : GIVEN_UP);
      }
    });

    it('and a decision at the same time: whoever is first, the message has ended', async () => {
      const { approvals, rest, stateOf, giveUp } = await setUp();
      for (let round = 0; round < 20; round += 1) {
        const message = await rest();
        const [givenUp] = await atOnce(
          round,
          () => giveUp({ isDecidedToo: true }),
          () => approvals.decide(message.id, 'approved', 'me', LATER),
        );
        expect(givenUp).toEqual(message.ids);
        expect(await stateOf(message)).toEqual(GIVEN_UP);
        expect(await approvals.get(message.id)).toMatchObject({ decidedBy: 'gone on' });
      }
    });
  });
};
