import { describe, expect, it } from 'vitest';
import {
  type ApprovalId,
  asId,
  type ChatId,
  type InboxId,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import type { ProcessOutcome } from '#src/kernel/chat/stage.ts';
import { newId } from '#src/platform/ids.ts';
import { createApprovalStore } from '#src/chat/store/approvals.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, type Run, setUpRouter, workedOff } from './router-fixture.ts';

const SUSPENDED: ProcessOutcome = { outcome: 'suspended' };
const AT = Temporal.Instant.from('2026-11-13T06:30:00Z');
const MINA = asId<UserId>('mina');
const JUN = asId<UserId>('jun');

/** A message of a chat that several people write in. */
const inGroup = (senderId: UserId, body: string) =>
  inboundMessage({ chatType: 'group', chatId: asId<ChatId>('general'), senderId, body });

interface Options extends Omit<NonNullable<Parameters<typeof setUpRouter>[0]>, 'process'> {
  /** Between the question and the rest. */
  readonly afterAsking?: (id: ApprovalId) => Promise<void>;
  /** What becomes of messages over which nobody has to decide. */
  readonly answer?: (run: Run) => Promise<ProcessOutcome>;
}

/**
 * A router whose pipeline puts a question to a person over every message that begins with "Buy", the first time it
 * sees it; all others it answers.
 */
const setUp = async ({ afterAsking, answer = async () => DONE, ...special }: Options = {}) => {
  const { storage } = await sqliteStorage();
  const store = createApprovalStore(storage);
  const turns = createTurns(storage);
  const questions: ApprovalId[] = [];
  const seen = new Set<InboxId>();
  const ask = async ({ ctx }: Run): Promise<ApprovalId> => {
    const id = newId<ApprovalId>();
    questions.push(id);
    const { inboxId, sessionKey, senderId } = ctx;
    const turn = await turns.open({ id: newId<TurnId>(), inboxId, sessionKey, senderId }, AT);
    await store.request({
      id,
      inboxId,
      turnId: turn.id,
      callId: 'call-1',
      sessionKey,
      channelId: ctx.channelId,
      askedBy: senderId,
      requesterName: undefined,
      toolName: 'buy_stock',
      inputHash: 'a1b2',
      summary: ctx.rawBody,
      reason: 'It cannot be undone',
      locale: 'en',
      target: replyTargetOf(ctx),
      createdAt: AT,
      expiresAt: AT.add({ minutes: 10 }),
    });
    await turns.suspend(turn.id);
    return id;
  };
  const base = await setUpRouter({
    storage,
    giveUp: async (sessionKey, { by, ...which }) => (await store.giveUp(sessionKey, which, by, AT)).length,
    process: async (run) => {
      const { rawBody: body, inboxId } = run.ctx;
      if (!body.startsWith('Buy') || seen.has(inboxId)) return answer(run);
      seen.add(inboxId);
      const question = await ask(run);
      await afterAsking?.(question);
      return SUSPENDED;
    },
    ...special,
  });
  const decide = async (id: ApprovalId | undefined): Promise<void> => {
    if (id) await store.decide(id, 'approved', 'console:me', AT);
  };
  const statuses = async () => (await base.rows()).map(({ status }) => status);
  return { ...base, store, questions, decide, statuses };
};

describe('a message over which a person has to decide', () => {
  it('rests, and its person is asked only then, when no place to run is taken any more', async () => {
    const whenAsked: unknown[] = [];
    const all = await setUp({
      onAsk: async () => void whenAsked.push(await all.statuses(), all.activeRuns()),
    });
    await all.workOff(inboundMessage({ body: 'Buy' }));
    expect(all.asked).toEqual([all.runs[0]?.ctx.inboxId]);
    expect(whenAsked).toEqual([['suspended'], 0]);
    expect(await all.rows()).toMatchObject([{ status: 'suspended', settled_at: null }]);
  });

  it('counts as worked off for who waits for it once the question was put', async () => {
    const asking = Promise.withResolvers<void>();
    const { router } = await setUp({ onAsk: () => asking.promise });
    const receipt = await router.receive(inboundMessage({ body: 'Buy' }));
    let isSettled = false;
    const settled = workedOff([receipt]).then(() => (isSettled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    asking.resolve();
    await settled;
  });

  it('does not keep the next one waiting', async () => {
    const { workOff, bodies, statuses } = await setUp();
    await workOff(inGroup(MINA, 'Buy'));
    await workOff(inGroup(JUN, 'How is Apple?'));
    expect(bodies()).toEqual(['Buy', 'How is Apple?']);
    expect(await statuses()).toEqual(['suspended', 'done']);
  });

  it('is not taken up by a restart before the decision', async () => {
    const { workOff, storage } = await setUp();
    await workOff(inboundMessage({ body: 'Buy' }));
    const next = await setUpRouter({ storage });
    await next.router.recover(() => true);
    expect([next.runs, next.emitted]).toEqual([[], []]);
  });

  it('goes on at once where the decision fell before it came to rest, and nobody is asked', async () => {
    const all = await setUp({
      afterAsking: async () => {
        await all.storage.write((tx) => tx.updateTable('approvals').set({ status: 'denied' }).execute());
      },
    });
    await all.workOff(inboundMessage({ body: 'Buy' }));
    await expect.poll(all.statuses, { interval: 1, timeout: 30_000 }).toEqual(['done']);
    expect(all.bodies()).toEqual(['Buy', 'Buy']);
    expect(all.asked).toEqual([]);
  });
});

describe('MessageRouter.resume', () => {
  it('takes the message up again, as it was, and resolves when it has been worked off', async () => {
    const { workOff, questions, decide, router, runs, rows, givenUp } = await setUp();
    await workOff(inboundMessage({ body: 'Buy', senderId: MINA }));
    await decide(questions[0]);
    const [first] = runs as [Run];
    await router.resume(first.ctx.inboxId);
    expect(runs).toHaveLength(2);
    const { timestamp, isFirstAttempt, ...ctx } = first.ctx;
    expect([isFirstAttempt, runs[1]?.ctx.isFirstAttempt]).toEqual([true, false]);
    expect(runs[1]).toMatchObject({ ctx, match: first.match });
    expect(runs[1]?.ctx.timestamp.equals(timestamp)).toBe(true);
    expect(await rows()).toMatchObject([{ status: 'done', attempts: 1 }]);
    // What was asked after it stays open: its person has written nothing new.
    expect(givenUp.map(([, { before }]) => before)).toEqual([first.ctx.inboxId]);
  });

  it('waits behind what runs in the same conversation, also where its queue is full', async () => {
    const other = held();
    const { router, workOff, questions, decide, runs, bodies } = await setUp({
      maxPerSession: 1,
      answer: (run) => (run.ctx.rawBody === 'Buy' ? Promise.resolve(DONE) : other.process(run)),
    });
    await workOff(inGroup(MINA, 'Buy'));
    const receipt = await router.receive(inGroup(JUN, 'How is Apple?'));
    await other.started;
    await decide(questions[0]);
    const [first] = runs as [Run];
    const resumed = router.resume(first.ctx.inboxId);
    await new Promise((resolve) => setImmediate(resolve));
    expect(bodies()).toEqual(['Buy', 'How is Apple?']);
    other.end();
    await workedOff([receipt]);
    await resumed;
    expect(bodies()).toEqual(['Buy', 'How is Apple?', 'Buy']);
  });

  it('does nothing for a message that has been worked off, or still rests', async () => {
    const { router, workOff, runs, rows } = await setUp();
    await workOff(inGroup(MINA, 'How is Apple?'));
    await workOff(inGroup(JUN, 'Buy'));
    const before = await rows();
    for (const { ctx } of runs.slice()) await router.resume(ctx.inboxId);
    expect(runs).toHaveLength(2);
    expect(await rows()).toEqual(before);
  });

  it('does nothing for an id that nobody knows', async () => {
    const { router, runs, logged, queue } = await setUp();
    await router.resume(newId<InboxId>());
    expect([runs, logged, queue.sessionCount]).toEqual([[], [], 0]);
  });

  it('logs, and does not reject, when the message cannot be read', async () => {
    const { router, logged } = await setUp({
      wrapInbox: (inbox) => ({ ...inbox, get: () => Promise.reject(new Error('disk gone')) }),
    });
    await router.resume(newId<InboxId>());
    expect(logged).toEqual([expect.stringContaining('disk gone')]);
  });
});

describe('a question that its person goes past', () => {
  it('is given up before their next message is worked on', async () => {
    const seen: (readonly string[])[] = [];
    const all = await setUp({
      answer: async () => {
        seen.push(await all.statuses());
        return DONE;
      },
    });
    await all.workOff(inGroup(MINA, 'Buy'));
    await all.workOff(inGroup(MINA, 'How is Apple?'));
    expect(seen).toEqual([['done', 'pending']]);
    expect(await all.store.pending()).toEqual([]);
    const [, next] = all.runs as [Run, Run];
    const { sessionKey, inboxId } = next.ctx;
    expect(all.givenUp.at(-1)).toEqual([sessionKey, { by: MINA, askedBy: MINA, before: inboxId }]);
  });

  it('is still open after a command of theirs', async () => {
    const { workOff, statuses, store, givenUp } = await setUp();
    await workOff(inGroup(MINA, 'Buy'));
    await workOff(inGroup(MINA, '/usage'));
    expect(await statuses()).toEqual(['suspended', 'done']);
    expect([(await store.pending()).length, givenUp.length]).toEqual([1, 0]);
  });

  it('is still open after a message of somebody else in the same chat', async () => {
    const { workOff, statuses, store } = await setUp();
    await workOff(inGroup(MINA, 'Buy'));
    await workOff(inGroup(JUN, 'How is Apple?'));
    expect(await statuses()).toEqual(['suspended', 'done']);
    expect(await store.pending()).toMatchObject([{ askedBy: MINA }]);
  });

  it('is still open after a message of theirs in another chat', async () => {
    const { workOff, store } = await setUp();
    await workOff(inGroup(MINA, 'Buy'));
    await workOff(inboundMessage({ senderId: MINA, body: 'How is Apple?' }));
    expect(await store.pending()).toHaveLength(1);
  });

  it('that cannot be given up for long leaves the next message for a later start', async () => {
    const { workOff, bodies, statuses, logged, activeRuns, clock } = await setUp({
      giveUp: () => Promise.reject(new Error('disk gone')),
    });
    await workOff(inGroup(MINA, 'Buy'));
    const worked = workOff(inGroup(MINA, 'How is Apple?'));
    await expect.poll(() => clock.advance(5_000).then(activeRuns), { interval: 1 }).toBe(0);
    await worked;
    expect([bodies(), await statuses()]).toEqual([['Buy'], ['suspended', 'pending']]);
    expect(logged.at(-1)).toContain('disk gone');
  });
});

describe('what the sender of a message set for themselves', () => {
  it('goes before the language they write in and the time zone of the bot', async () => {
    const askedFor: string[] = [];
    const { workOff, runs } = await setUp({
      profileOf: async (channelId, userId) => {
        askedFor.push(`${channelId}:${userId}`);
        return { locale: 'ko', timeZone: 'America/New_York', riskTolerance: 'aggressive' };
      },
    });
    await workOff(inboundMessage({ body: 'How is Apple?', senderId: MINA }));
    expect(runs).toMatchObject([{ ctx: { locale: 'ko', timeZone: 'America/New_York' } }]);
    expect(runs[0]?.ctx).not.toHaveProperty('riskTolerance');
    expect(askedFor).toEqual(['console:mina']);
  });

  it('leaves the rest as it is', async () => {
    const { workOff, runs } = await setUp({ profileOf: async () => ({ timeZone: 'Asia/Tokyo' }) });
    await workOff(inboundMessage({ body: '애플 얼마야?' }));
    expect(runs).toMatchObject([{ ctx: { locale: 'ko', timeZone: 'Asia/Tokyo' } }]);
  });

  it('counts as it is when the message is worked on, not when it came', async () => {
    const first = held();
    let timeZone = 'Asia/Tokyo';
    const { router, runs } = await setUp({
      profileOf: async () => ({ timeZone }),
      answer: (run) => (run.ctx.rawBody === 'one' ? first.process(run) : Promise.resolve(DONE)),
    });
    const receipts = [
      await router.receive(inboundMessage({ body: 'one' })),
      await router.receive(inboundMessage({ body: 'two' })),
    ];
    await first.started;
    timeZone = 'Europe/Berlin';
    first.end();
    await workedOff(receipts);
    expect(runs.map(({ ctx }) => ctx.timeZone)).toEqual(['Asia/Tokyo', 'Europe/Berlin']);
  });
});
