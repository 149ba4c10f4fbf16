import { describe, expect, it } from 'vitest';
import { asId, type InboxId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { commandKey, MessageQueue, type QueueSlot } from '#src/chat/queue/message-queue.ts';
import type { QueuedMessage } from '#src/chat/queue/session-queue.ts';
import { newId } from '#src/platform/ids.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const A = asId<SessionKey>('session-a');
const B = asId<SessionKey>('session-b');
const MINA = asId<UserId>('mina');

/** All promise chains that were set off have run by then. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A message that is a turn by itself. */
const queued = (senderId: UserId): QueuedMessage => ({
  id: newId<InboxId>(),
  senderId,
  priority: 0,
  size: () => 10,
  saidAtMs: 0,
  canSteer: true,
  mode: () => 'queue',
});

const setUp = (maxPerSession = 10, maxPerPerson = 100) => {
  const limits = { maxPerSession, maxPerPerson, maxTurnChars: 20_000 };
  const queue = new MessageQueue(limits, new ManualClock());
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const reserve = (session: SessionKey, person: string = MINA): QueueSlot => {
    const reservation = queue.reserve(session, person);
    if (reservation.outcome !== 'reserved') throw new Error(reservation.outcome);
    return reservation.slot;
  };
  /** Queues a task that notes its start and its end, and ends when the test says so. */
  const start = (session: SessionKey, name: string, slot = reserve(session), startedBy = MINA) => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    let signal: AbortSignal | undefined;
    const done = slot.run(queued(startedBy), async (_turn, given) => {
      signal = given;
      log.push(`${name} begins`);
      await gate.promise;
      log.push(`${name} ends`);
    });
    return { done, end: () => gate.resolve(), signal: () => signal };
  };
  const endAll = (): void => gates.forEach((gate) => gate.resolve());
  return { queue, log, reserve, start, endAll };
};

describe('MessageQueue', () => {
  it('runs the tasks of a session one after the other, in order', async () => {
    const { log, start } = setUp();
    const tasks = ['1', '2', '3'].map((name) => start(A, name));
    await settle();
    expect(log).toEqual(['1 begins']);
    for (const task of tasks) {
      task.end();
      await task.done;
    }
    expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
  });

  it('runs sessions beside each other', async () => {
    const { log, start } = setUp();
    start(A, 'a');
    const b = start(B, 'b');
    await settle();
    expect(log).toEqual(['a begins', 'b begins']);
    b.end();
    await b.done;
    expect(log).toEqual(['a begins', 'b begins', 'b ends']);
  });

  it('goes on after a task that failed, and does not reject', async () => {
    const { log, reserve, start } = setUp();
    const failing = reserve(A).run(queued(MINA), () => Promise.reject(new Error('broken')));
    const throwing = reserve(A).run(queued(MINA), () => {
      throw new Error('broken at once');
    });
    const next = start(A, 'next');
    next.end();
    await expect(Promise.all([failing, throwing, next.done])).resolves.toBeDefined();
    expect(log).toEqual(['next begins', 'next ends']);
  });

  it('refuses a place when running and waiting fill the session, and gives it when one has ended', async () => {
    const { queue, start } = setUp(2);
    const first = start(A, '1');
    start(A, '2');
    expect(queue.reserve(A, MINA)).toEqual({ outcome: 'session-full', limit: 2 });
    expect(queue.reserve(B, MINA)).toMatchObject({ outcome: 'reserved' });
    first.end();
    await first.done;
    expect(queue.reserve(A, MINA)).toMatchObject({ outcome: 'reserved' });
  });

  it('takes one message of somebody who has none waiting, however many of another person fill the session', () => {
    const { queue, reserve } = setUp(2);
    reserve(A);
    reserve(A);
    const slot = reserve(A, 'jun');
    expect(queue.reserve(A, 'jun')).toEqual({ outcome: 'session-full', limit: 2 });
    slot.cancel();
    expect(queue.reserve(A, 'jun')).toMatchObject({ outcome: 'reserved' });
  });

  it('refuses a person who has as many messages waiting in all sessions together as they may, and nobody else', async () => {
    const { queue, reserve, start, endAll } = setUp(10, 2);
    const done = [start(A, '1').done, start(B, '2').done];
    expect(queue.reserve(A, MINA)).toEqual({ outcome: 'person-full', limit: 2 });
    expect(reserve(A, 'jun')).toBeDefined();
    endAll();
    await Promise.all(done);
    expect(queue.reserve(A, MINA)).toMatchObject({ outcome: 'reserved' });
  });

  it('counts a place that is held for a message still being stored, and frees it when cancelled', () => {
    const { queue, reserve } = setUp(1);
    const slot = reserve(A);
    expect(queue.reserve(A, MINA)).toMatchObject({ outcome: 'session-full' });
    slot.cancel();
    expect(queue.reserve(A, MINA)).toMatchObject({ outcome: 'reserved' });
  });

  it('takes what was accepted before a restart also beyond the bound', async () => {
    const { queue, log, start, endAll } = setUp(1, 1);
    const tasks = ['1', '2', '3'].map((name) => start(A, name, queue.place(A, MINA)));
    expect(queue.reserve(A, MINA)).toMatchObject({ outcome: 'session-full' });
    endAll();
    await Promise.all(tasks.map((task) => task.done));
    expect(log.filter((line) => line.endsWith('ends'))).toEqual(['1 ends', '2 ends', '3 ends']);
  });

  it('forgets a session that has nothing left to do', async () => {
    const { queue, reserve, start, endAll } = setUp();
    const tasks = [start(A, '1'), start(A, '2'), start(B, '3')];
    reserve(asId<SessionKey>('cancelled')).cancel();
    expect(queue.sessionCount).toBe(2);
    endAll();
    await Promise.all(tasks.map((task) => task.done));
    expect(queue.sessionCount).toBe(0);
  });

  it('tells what runs and how many wait', async () => {
    const { queue, start, endAll } = setUp();
    expect(queue.status(A)).toEqual({ isRunning: false, waiting: 0 });
    const tasks = ['1', '2', '3'].map((name) => start(A, name));
    await settle();
    expect(queue.status(A)).toEqual({ isRunning: true, waiting: 2, startedBy: MINA });
    expect(queue.status(B)).toEqual({ isRunning: false, waiting: 0 });
    endAll();
    await Promise.all(tasks.map((task) => task.done));
    expect(queue.status(A)).toEqual({ isRunning: false, waiting: 0 });
  });
});

describe('MessageQueue.status', () => {
  it('names whose message runs, and not whose waits behind it', async () => {
    const { queue, reserve, start } = setUp();
    const first = start(A, 'first', reserve(A), asId<UserId>('jun'));
    const second = start(A, 'second', reserve(A), MINA);
    await settle();
    expect(queue.status(A).startedBy).toBe('jun');
    first.end();
    await first.done;
    await settle();
    expect(queue.status(A).startedBy).toBe('mina');
    second.end();
    await second.done;
  });
});

describe('MessageQueue.stop', () => {
  it('says that nothing runs, and leaves other sessions alone', async () => {
    const { queue, start } = setUp();
    const task = start(B, 'b');
    await settle();
    expect(await queue.stop(A)).toBe('idle');
    expect(task.signal()?.aborted).toBe(false);
    task.end();
    await task.done;
    expect(await queue.stop(B)).toBe('idle');
  });

  it('tells the running task that a person stopped it, and resolves when it has ended, not before', async () => {
    const { queue, log, start } = setUp();
    const task = start(A, 'long');
    await settle();
    const stopping = queue.stop(A).then((outcome) => log.push(outcome));
    await settle();
    expect(task.signal()?.reason).toMatchObject({ name: 'RunAbortedError', kind: 'stopped' });
    expect(log).toEqual(['long begins']);
    task.end();
    await stopping;
    expect(log).toEqual(['long begins', 'long ends', 'stopped']);
  });

  it('stops what runs and not what waits behind it', async () => {
    const { queue, log, start } = setUp();
    const running = start(A, 'running');
    const waiting = start(A, 'waiting');
    await settle();
    const stopping = queue.stop(A);
    running.end();
    expect(await stopping).toBe('stopped');
    await settle();
    expect(log.at(-1)).toBe('waiting begins');
    expect(waiting.signal()?.aborted).toBe(false);
    waiting.end();
    await waiting.done;
  });
});

describe('MessageQueue, held while a conversation is set aside', () => {
  it('ends what runs, begins nothing until that is done, and then goes on', async () => {
    const { queue, log, start } = setUp();
    const first = start(A, '1');
    const second = start(A, '2');
    await settle();
    const { promise: work, resolve: finish } = Promise.withResolvers<string>();
    const held = queue.whileStopped(A, () => {
      log.push('set aside');
      return work;
    });
    expect(first.signal()?.reason).toMatchObject({ kind: 'stopped' });
    first.end();
    await first.done;
    const third = start(A, '3');
    await settle();
    expect(log).toEqual(['1 begins', '1 ends', 'set aside']);
    finish('done');
    expect(await held).toBe('done');
    second.end();
    third.end();
    await Promise.all([second.done, third.done]);
    expect(log.slice(3)).toEqual(['2 begins', '2 ends', '3 begins', '3 ends']);
    expect(queue.sessionCount).toBe(0);
  });

  it('goes on when the work failed, and only when all who hold it are done', async () => {
    const { queue, log, start } = setUp();
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    const failing = queue.whileStopped(A, () => Promise.reject(new Error('disk full')));
    const held = queue.whileStopped(A, () => work);
    const first = start(A, '1');
    await expect(failing).rejects.toThrow('disk full');
    await settle();
    expect(log).toEqual([]);
    finish();
    await held;
    first.end();
    await first.done;
    expect(log).toEqual(['1 begins', '1 ends']);
  });
});

const keyOf = (agent: string, chat: string, thread = ''): SessionKey =>
  asId<SessionKey>(`agent:${agent}:slack:T1:channel:${chat}${thread}`);

describe('MessageQueue of a chat with threads', () => {
  it('tells what runs in the threads of a chat, whichever agent answers, and nothing else', async () => {
    const { queue, start, endAll } = setUp();
    const chat = keyOf('main', 'C1');
    const inThread = keyOf('main', 'C1', ':17%3A1');
    const withOther = keyOf('desk', 'C1', ':18');
    start(chat, 'in the chat itself');
    start(inThread, 'in a thread');
    start(inThread, 'waiting in the thread');
    start(withOther, 'in a thread with another agent', undefined, asId<UserId>('jun'));
    start(keyOf('main', 'C12', ':17'), 'in a thread of another chat');
    start(commandKey(keyOf('main', 'C1', ':19'), newId<InboxId>()), 'a command in a thread');
    await settle();
    const running = [
      { sessionKey: inThread, startedBy: 'mina' },
      { sessionKey: withOther, startedBy: 'jun' },
    ];
    expect(await queue.runningInThreads(chat)).toEqual(running);
    expect(await queue.runningInThreads(inThread)).toEqual(running.slice(1));
    expect(await queue.runningInThreads(keyOf('main', 'C2'))).toEqual([]);
    endAll();
  });
});

describe('MessageQueue between two tasks', () => {
  it('has nothing to stop while the next message is still being stored', async () => {
    const { queue, reserve, start } = setUp();
    const task = start(A, 'done');
    reserve(A);
    task.end();
    await task.done;
    expect(queue.status(A)).toEqual({ isRunning: false, waiting: 1 });
    expect(await queue.stop(A)).toBe('idle');
  });
});

describe('MessageQueue when the process goes down', () => {
  it('starts nothing more when it drains, and waits for what runs', async () => {
    const { queue, log, start } = setUp();
    const running = start(A, 'running');
    const waiting = start(A, 'waiting');
    const other = start(B, 'other');
    await settle();
    const draining = queue.drain().then(() => log.push('drained'));
    running.end();
    await settle();
    expect(log).not.toContain('drained');
    expect(running.signal()?.aborted).toBe(false);
    other.end();
    await draining;
    await waiting.done;
    expect(log).toEqual(['running begins', 'other begins', 'running ends', 'other ends', 'drained']);
    expect(queue.sessionCount).toBe(0);
  });

  it('does not start what comes after it began to drain', async () => {
    const { queue, log, start } = setUp();
    await queue.drain();
    await start(A, 'late').done;
    expect(log).toEqual([]);
  });

  it('drains at once when nothing runs', async () => {
    await expect(setUp().queue.drain()).resolves.toBeUndefined();
  });

  it('aborts all that runs because of the shutdown, waits for its end, and starts nothing more', async () => {
    const { queue, log, start } = setUp();
    const running = [start(A, 'a'), start(B, 'b')];
    const waiting = start(A, 'waiting');
    await settle();
    const aborting = queue.abortAll().then(() => log.push('aborted'));
    await settle();
    for (const task of running) {
      expect(task.signal()?.reason).toMatchObject({ name: 'RunAbortedError', kind: 'shutdown' });
    }
    expect(log).toEqual(['a begins', 'b begins']);
    for (const task of running) task.end();
    await aborting;
    await waiting.done;
    expect(log).toEqual(['a begins', 'b begins', 'a ends', 'b ends', 'aborted']);
  });

  it('has nothing to abort when nothing runs', async () => {
    await expect(setUp().queue.abortAll()).resolves.toBeUndefined();
  });
});
