import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Gate, PASS } from '#src/chat/gates/gate.ts';
import { asId, type ChatId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, type Run, setUpRouter, workedOff } from './router-fixture.ts';

const dropping = (reply?: string): Gate => ({
  name: 'closed',
  check: () => ({ verdict: 'drop', reason: 'not-today', ...(reply ? { reply } : {}) }),
});

const inThread = (thread: string, body: string) =>
  inboundMessage({ chatType: 'channel', threadId: asId<ThreadId>(thread), body });

/** A database that is slow with one message, until it is let go. */
const slowWith = async (first: MsgContext) => {
  const answered = Promise.withResolvers<void>();
  const router = await setUpRouter({
    wrapInbox: (inbox) => ({
      ...inbox,
      isKnown: async (event) => {
        if (event.id === first.id) await answered.promise;
        return inbox.isKnown(event);
      },
    }),
  });
  return { ...router, answered };
};

const countingGate = () => {
  const asked: string[] = [];
  const gate: Gate = {
    name: 'counting',
    check: (message) => {
      asked.push(message.body);
      return PASS;
    },
  };
  return { gate, asked };
};

/** Every such statement on the inbox fails from now on, as on a full disk. */
const breakStorage = async (
  storage: Storage,
  statement: 'insert' | 'update',
): Promise<() => Promise<unknown>> => {
  await sql
    .raw(`create trigger broken before ${statement} on inbox begin select raise(abort, 'disk full'); end`)
    .execute(storage.db);
  return () => sql`drop trigger broken`.execute(storage.db);
};

describe('MessageRouter.receive', () => {
  it('has the message on disk before it is worked on, and done after', async () => {
    const seen: unknown[] = [];
    const { rows, workOff } = await setUpRouter({
      process: async () => {
        seen.push(...(await rows()).map(({ status }) => status));
        return DONE;
      },
    });
    expect(await workOff(inboundMessage())).toMatchObject({ outcome: 'accepted' });
    expect(seen).toEqual(['pending']);
    expect(await rows()).toMatchObject([
      { status: 'done', attempts: 1, error_id: null, settled_at: '2026-11-13T06:30:00.000Z' },
    ]);
  });

  it('resolves once the message is durable, without waiting for the answer', async () => {
    const run = held();
    const { rows, router } = await setUpRouter({ process: run.process });
    const receipt = await router.receive(inboundMessage());
    await run.started;
    expect(await rows()).toMatchObject([{ status: 'pending' }]);
    run.end();
    await workedOff([receipt]);
    expect(await rows()).toMatchObject([{ status: 'done' }]);
  });

  it('hands on the message, its agent and its conversation', async () => {
    const { runs, emitted, workOff } = await setUpRouter();
    const receipt = await workOff(
      inboundMessage({ body: '삼성전자 얼마야?', senderId: asId<UserId>('kim') }),
    );
    const sessionKey = 'agent:main:console:local:direct:kim';
    expect(receipt).toMatchObject({ sessionKey });
    expect(runs).toMatchObject([
      {
        ctx: { rawBody: '삼성전자 얼마야?', sessionKey, locale: 'ko', timeZone: 'UTC', isAdmin: true },
        match: { agentId: 'main', matchedBy: 'default' },
        signal: { aborted: false },
      },
    ]);
    const [{ ctx }] = runs as [Run];
    expect(emitted).toEqual([
      ['inbox:accept', { inboxId: ctx.inboxId, sessionKey, channelId: 'console', chatType: 'direct' }],
    ]);
  });

  it('keeps the error id of a message that failed', async () => {
    const { rows, workOff } = await setUpRouter({
      process: async () => ({ outcome: 'failed', errorId: 'deadbeef' }),
    });
    await workOff(inboundMessage());
    expect(await rows()).toMatchObject([{ status: 'failed', error_id: 'deadbeef' }]);
  });

  it('leaves a message that was parked by a shutdown for the next start, and does not hold it against it', async () => {
    const { rows, workOff } = await setUpRouter({ process: async () => ({ outcome: 'parked' }) });
    await workOff(inboundMessage());
    expect(await rows()).toMatchObject([{ status: 'pending', settled_at: null, attempts: 0 }]);
  });

  it('works off the messages of a conversation in order, and conversations beside each other', async () => {
    const first = held();
    const { router, bodies } = await setUpRouter({
      process: (run) => (run.ctx.rawBody === 'a1' ? first.process(run) : Promise.resolve(DONE)),
    });
    const settled: Promise<void>[] = [];
    for (const [body, sender] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
      ['a3', 'a'],
    ] as const) {
      const receipt = await router.receive(inboundMessage({ body, senderId: asId<UserId>(sender) }));
      if (receipt.outcome === 'accepted') settled.push(receipt.settled);
    }
    await settled[2];
    expect(bodies()).toEqual(['a1', 'b1']);
    first.end();
    await Promise.all(settled);
    expect(bodies()).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('keeps the order of a conversation also where the database is slower with the earlier message', async () => {
    const first = inboundMessage({ body: 'first' });
    const { router, bodies, workOff, answered } = await slowWith(first);
    const receipts = Promise.all([router.receive(first), router.receive(inboundMessage({ body: 'second' }))]);
    const elsewhere = inboundMessage({
      body: 'elsewhere',
      chatId: asId<ChatId>('c2'),
      senderId: asId<UserId>('b'),
    });
    await workOff(elsewhere);
    expect(bodies()).toEqual(['elsewhere']);
    answered.resolve();
    await workedOff(await receipts);
    expect(bodies()).toEqual(['elsewhere', 'first', 'second']);
  });

  it('accepts a message of another thread of the chat meanwhile, but no edit of the same message', async () => {
    const first = inThread('t1', 'first');
    const { router, bodies, workOff, answered } = await slowWith(first);
    const ended: string[] = [];
    const receipt = router.receive(first).finally(() => ended.push('received'));
    const { channelId, accountId, chatId, messageId } = first;
    const edit = { channelId, accountId, chatId, messageId, kind: 'edited', body: 'edited' } as const;
    const revised = router.revise(edit).finally(() => ended.push('revised'));
    await workOff(inThread('t2', 'second'));
    expect([bodies(), ended]).toEqual([['second'], []]);
    answered.resolve();
    await workedOff([await receipt]);
    await revised;
    expect(ended).toEqual(['received', 'revised']);
  });
});

describe('MessageRouter and the same event twice', () => {
  it('ends a known event before the gates, and answers once', async () => {
    const { gate, asked } = countingGate();
    const { bodies, emitted, workOff } = await setUpRouter({ gates: [gate] });
    const message = inboundMessage({ body: 'once' });
    await workOff(message);
    expect(await workOff(message)).toEqual({ outcome: 'duplicate' });
    expect([asked, bodies()]).toEqual([['once'], ['once']]);
    expect(emitted.at(-1)).toEqual(['inbox:duplicate', { eventId: message.id, channelId: 'console' }]);
  });

  it('knows a recent event without asking the database', async () => {
    const { storage, workOff } = await setUpRouter();
    const message = inboundMessage();
    await workOff(message);
    await storage.close();
    expect(await workOff(message)).toEqual({ outcome: 'duplicate' });
  });

  it('knows an event that another process accepted, before the gates too', async () => {
    const { storage } = await sqliteStorage();
    const message = inboundMessage();
    await (await setUpRouter({ storage })).workOff(message);
    const { gate, asked } = countingGate();
    const afterRestart = await setUpRouter({ storage, gates: [gate] });
    expect(await afterRestart.workOff(message)).toEqual({ outcome: 'duplicate' });
    expect([asked, afterRestart.bodies()]).toEqual([[], []]);
  });

  it('answers once when the same event arrives four times at once, and holds no place for the others', async () => {
    const { router, queue, runs, rows } = await setUpRouter();
    const message = inboundMessage();
    const receipts = await Promise.all([1, 2, 3, 4].map(() => router.receive(message)));
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual([
      'accepted',
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
    await workedOff(receipts);
    expect([runs.length, (await rows()).length, queue.sessionCount]).toEqual([1, 1, 0]);
  });

  it('does not tell the sender of the same event twice that it was not taken, also where one place is left', async () => {
    const { router, notices } = await setUpRouter({ maxPerSession: 1 });
    const message = inboundMessage();
    const receipts = await Promise.all([router.receive(message), router.receive(message)]);
    await workedOff(receipts);
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'duplicate']);
    expect(notices).toEqual([]);
  });

  it('takes nothing for an event that another process stored in the meantime, and holds no place for it', async () => {
    const { storage } = await sqliteStorage();
    const message = inboundMessage();
    await (await setUpRouter({ storage })).workOff(message);
    const { queue, runs, workOff } = await setUpRouter({
      storage,
      wrapInbox: (inbox) => ({ ...inbox, isKnown: async () => false }),
    });
    expect(await workOff(message)).toEqual({ outcome: 'duplicate' });
    expect([runs, queue.sessionCount]).toEqual([[], 0]);
  });

  it('takes the same event id in another chat for another message', async () => {
    const { workOff, runs } = await setUpRouter();
    const message = inboundMessage({ chatType: 'channel' });
    await workOff(message);
    expect(await workOff({ ...message, chatId: asId<ChatId>('elsewhere') })).toMatchObject({
      outcome: 'accepted',
    });
    expect(runs).toHaveLength(2);
  });
});

describe('MessageRouter and refused messages', () => {
  it('tells the sender what the gate has to say, and stores nothing', async () => {
    const { workOff, notices, emitted, rows, runs } = await setUpRouter({
      gates: [dropping('Not today, sorry.')],
    });
    const message = inboundMessage();
    expect(await workOff(message)).toEqual({ outcome: 'dropped', reason: 'not-today', isTold: true });
    expect(notices).toEqual([
      [
        expect.objectContaining({ replyToMessageId: message.messageId, recipientId: 'me' }),
        'Not today, sorry.',
      ],
    ]);
    expect(emitted).toEqual([['gate:drop', { gate: 'closed', reason: 'not-today', channelId: 'console' }]]);
    expect([runs, await rows()]).toEqual([[], []]);
  });

  it('is silent to the sender where the gate is', async () => {
    const { workOff, notices, emitted } = await setUpRouter({ gates: [dropping()] });
    expect(await workOff(inboundMessage())).toEqual({ outcome: 'dropped', reason: 'not-today' });
    expect(notices).toEqual([]);
    expect(emitted).toHaveLength(1);
  });

  it('asks the gates anew when a dropped event is sent again', async () => {
    let isOpen = false;
    const door: Gate = { name: 'door', check: () => (isOpen ? PASS : dropping().check(message)) };
    const message = inboundMessage();
    const { workOff } = await setUpRouter({ gates: [door] });
    expect(await workOff(message)).toMatchObject({ outcome: 'dropped' });
    isOpen = true;
    expect(await workOff(message)).toMatchObject({ outcome: 'accepted' });
  });

  it('tells the sender in their language when the queue is full, stores nothing, and takes it later', async () => {
    const run = held();
    const { router, workOff, notices, emitted, rows } = await setUpRouter({
      maxPerSession: 1,
      process: run.process,
    });
    const first = await router.receive(inboundMessage());
    const second = inboundMessage({ body: '삼성전자 얼마야?' });
    expect(await router.receive(second)).toEqual({ outcome: 'dropped', reason: 'queue-full', isTold: true });
    expect(notices).toEqual([
      [expect.objectContaining({ replyToMessageId: second.messageId }), expect.stringMatching(/1.*[가-힣]/)],
    ]);
    expect(emitted.at(-1)).toEqual([
      'gate:drop',
      { gate: 'queue', reason: 'queue-full', channelId: 'console' },
    ]);
    expect(await rows()).toHaveLength(1);
    run.end();
    await workedOff([first]);
    expect(await workOff(second)).toMatchObject({ outcome: 'accepted' });
    expect(await rows()).toHaveLength(2);
  });
});

describe('MessageRouter when storage fails', () => {
  it('rejects what it could not store, and takes the same event once it can again', async () => {
    const { storage, router, queue, workOff, runs, emitted } = await setUpRouter({ maxPerSession: 1 });
    const mend = await breakStorage(storage, 'insert');
    const message = inboundMessage();
    await expect(router.receive(message)).rejects.toThrow('disk full');
    await expect(router.receive(message)).rejects.toThrow('disk full');
    expect([queue.sessionCount, runs, emitted]).toEqual([0, [], []]);
    await mend();
    expect(await workOff(message)).toMatchObject({ outcome: 'accepted' });
    expect(runs).toHaveLength(1);
  });

  it('rejects when it cannot even look up whether it knows the event', async () => {
    const { storage, router, queue } = await setUpRouter();
    await storage.close();
    await expect(router.receive(inboundMessage())).rejects.toThrow();
    expect(queue.sessionCount).toBe(0);
  });

  it('keeps an answered message pending when it cannot record that for long, reports it, and goes on', async () => {
    const { storage, workOff, rows, logged, queue, activeRuns, clock } = await setUpRouter({
      process: async ({ ctx }) => {
        if (ctx.rawBody === 'unlucky') await breakStorage(storage, 'update');
        return DONE;
      },
    });
    const worked = workOff(inboundMessage({ body: 'unlucky' }));
    await expect.poll(() => clock.advance(5_000).then(() => queue.sessionCount), { interval: 1 }).toBe(0);
    await expect(worked).resolves.toMatchObject({ outcome: 'accepted' });
    expect(await rows()).toMatchObject([{ status: 'pending' }]);
    expect(logged.at(-1)).toContain('disk full');
    expect([queue.sessionCount, activeRuns()]).toEqual([0, 0]);
  });
});

describe('MessageRouter and commands', () => {
  it('runs a command at once beside the busy conversation it acts on', async () => {
    const run = held();
    const { router, workOff, bodies, runs } = await setUpRouter({
      maxPerSession: 1,
      process: (current) => (current.ctx.rawBody === 'long' ? run.process(current) : Promise.resolve(DONE)),
    });
    const long = await router.receive(inboundMessage({ body: 'long' }));
    await run.started;
    expect(await workOff(inboundMessage({ body: '/status' }))).toMatchObject({ outcome: 'accepted' });
    expect(bodies()).toEqual(['long', '/status']);
    expect(new Set(runs.map(({ ctx }) => ctx.sessionKey)).size).toBe(1);
    run.end();
    await workedOff([long]);
  });

  it('lets a command stop the running turn and not itself', async () => {
    const { router, queue, workOff, runs } = await setUpRouter({
      process: async ({ ctx, signal }) => {
        if (ctx.rawBody === '/stop') await queue.stop(ctx.sessionKey);
        else await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return DONE;
      },
    });
    const long = await router.receive(inboundMessage({ body: 'long' }));
    await workOff(inboundMessage({ body: '/stop' }));
    await workedOff([long]);
    expect(runs.map(({ ctx, signal }) => [ctx.rawBody, signal.aborted])).toEqual([
      ['long', true],
      ['/stop', false],
    ]);
  });
});
