import { describe, expect, it, vi } from 'vitest';
import type { RunAbortedError } from '#src/kernel/errors.ts';
import { asId, type ChatId, type DeliveryId, type InboxId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import type { ProcessOutcome } from '#src/kernel/chat/stage.ts';
import { createLiveMessages } from '#src/chat/store/live-messages.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, queueIsEmpty, type Run, setUpRouter, workedOff } from './router-fixture.ts';

const MINA = asId<UserId>('mina');
const JUN = asId<UserId>('jun');

const inGroup = (senderId: UserId, body: string, more: Partial<MsgContext> = {}): MsgContext =>
  inboundMessage({ chatType: 'group', chatId: asId<ChatId>('team'), senderId, body, ...more });

/** As the pipeline ends a run that is aborted. */
const onAbort = ({ signal }: Run): Promise<ProcessOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      const { reason } = signal as { readonly reason: RunAbortedError };
      resolve(reason.kind === 'superseded' ? { outcome: 'superseded' } : DONE);
    });
  });

/** A router whose first run is under way and ends when the test says so; an abort ends it as the pipeline would. */
const busy = async (mode: () => QueueMode, options: Parameters<typeof setUpRouter>[0] = {}) => {
  const gate = Promise.withResolvers<ProcessOutcome>();
  const started = Promise.withResolvers<Run>();
  const fixture = await setUpRouter({
    mode,
    ...options,
    process: (run) => {
      if (fixture.runs.length > 1) return Promise.resolve(DONE);
      started.resolve(run);
      return Promise.race([gate.promise, onAbort(run)]);
    },
  });
  const receipts = [await fixture.router.receive(inGroup(MINA, 'first'))];
  await started.promise;
  const say = async (senderId: UserId, body: string, more: Partial<MsgContext> = {}) => {
    const receipt = await fixture.router.receive(inGroup(senderId, body, more));
    receipts.push(receipt);
    return receipt;
  };
  const finish = async () => {
    gate.resolve(DONE);
    await workedOff(receipts);
  };
  /** Body and status of every message, in the order of acceptance. */
  const ends = async () =>
    (await fixture.rows()).map(({ message, status }) => [
      (JSON.parse(message) as { readonly body: string }).body,
      status,
    ]);
  return { ...fixture, say, finish, ends, first: await started.promise };
};

describe('MessageRouter in mode queue', () => {
  it('answers each message by itself, in order', async () => {
    const { say, finish, bodies, ends } = await busy(() => 'queue');
    await say(MINA, 'second');
    await say(MINA, 'third');
    await finish();
    expect(bodies()).toEqual(['first', 'second', 'third']);
    expect((await ends()).map(([, status]) => status)).toEqual(['done', 'done', 'done']);
  });
});

describe('MessageRouter in mode followup', () => {
  it('waits with the next turn until nobody has written for half a second', async () => {
    const { say, finish, bodies, clock, queue } = await busy(() => 'followup');
    const finished = (async () => {
      await say(MINA, 'second');
      await finish();
    })();
    await expect.poll(() => queue.load().running, { interval: 1 }).toBe(0);
    await clock.advance(499);
    expect(bodies()).toEqual(['first']);
    await clock.advance(1);
    await finished;
    expect(bodies()).toEqual(['first', 'second']);
  });
});

describe('MessageRouter in mode collect', () => {
  it('makes one turn of what its sender wrote meanwhile', async () => {
    const { say, finish, runs, ends, rows } = await busy(() => 'collect');
    await say(MINA, 'second');
    await say(MINA, 'third');
    await finish();
    expect(runs.map(({ ctx }) => ctx.rawBody)).toEqual(['first', 'second\n\nthird']);
    const [, second, third] = await rows();
    expect(runs[1]?.ctx).toMatchObject({
      inboxId: second?.id,
      messageId: second?.message_id,
      merged: [{ inboxId: third?.id, messageId: third?.message_id, body: 'third' }],
    });
    expect(await ends()).toEqual([
      ['first', 'done'],
      ['second', 'done'],
      ['third', 'merged'],
    ]);
    expect(third?.taken_by).toBe(second?.id);
  });

  it('never merges what two people wrote, and keeps the order', async () => {
    const { say, finish, bodies } = await busy(() => 'collect');
    await say(MINA, 'second');
    await say(JUN, 'mine');
    await say(JUN, 'and this');
    await say(MINA, 'third');
    await finish();
    expect(bodies()).toEqual(['first', 'second', 'mine\n\nand this', 'third']);
  });

  it('leaves for the next turn what would be too long for one', async () => {
    const { say, finish, runs } = await busy(() => 'collect');
    await say(MINA, 'x'.repeat(600));
    await say(MINA, 'y'.repeat(399));
    await say(MINA, 'zz');
    await finish();
    expect(runs.map(({ ctx }) => ctx.merged.length)).toEqual([0, 1, 0]);
  });

  it('takes what came with any of the messages', async () => {
    const picture = { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'a.png' } as const;
    const { say, finish, runs } = await busy(() => 'collect');
    await say(MINA, 'look', { media: [picture] });
    await say(MINA, 'at this', { media: [{ ...picture, name: 'b.png' }] });
    await finish();
    expect(runs[1]?.ctx.media?.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
  });

  it('puts the same turn together again when the process went down in the middle of it', async () => {
    const { storage } = await sqliteStorage();
    const first = await busy(() => 'collect', { storage });
    await first.say(MINA, 'second');
    await first.say(MINA, 'third');
    const parked = await setUpRouter({
      storage,
      mode: () => 'collect',
      process: async () => ({ outcome: 'parked' }),
    });
    await parked.router.recover(() => true);
    await queueIsEmpty(parked.queue);
    const after = await setUpRouter({ storage, mode: () => 'collect' });
    await after.router.recover(() => true);
    await queueIsEmpty(after.queue);
    expect(after.runs.map(({ ctx }) => ctx.rawBody)).toEqual(parked.runs.map(({ ctx }) => ctx.rawBody));
    expect(after.bodies()).toEqual(['first', 'second\n\nthird']);
    expect((await after.rows()).map(({ status }) => status)).toEqual(['done', 'done', 'merged']);
  });

  it('lets a command act at once and never takes it into a turn', async () => {
    const { say, finish, bodies } = await busy(() => 'collect');
    await say(MINA, 'second');
    await say(MINA, '/stop');
    await say(MINA, 'third');
    await finish();
    expect(bodies()).toEqual(['first', '/stop', 'second\n\nthird']);
  });
});

describe.each(['steer', 'steer-backlog'] as const)('MessageRouter in mode %s', (mode) => {
  it('hands what its sender writes to the running turn, for good', async () => {
    const { router, say, finish, first, bodies, ends, emitted } = await busy(() => mode);
    const { sessionKey, inboxId } = first.ctx;
    expect(await router.steering.take(sessionKey, inboxId)).toEqual([]);
    await say(MINA, 'no, Tesla');
    await say(MINA, ' and in won ');
    expect(await router.steering.take(sessionKey, inboxId)).toMatchObject([
      { body: 'no, Tesla' },
      { body: 'and in won' },
    ]);
    expect(await router.steering.take(sessionKey, inboxId)).toEqual([]);
    await finish();
    expect(bodies()).toEqual(['first']);
    expect((await ends()).map(([, status]) => status)).toEqual(['done', 'merged', 'merged']);
    expect(emitted.filter(([name]) => name === 'inbox:merge')).toHaveLength(2);
  });

  it('steers by the words of its own sender alone', async () => {
    const { router, say, finish, first, bodies, clock } = await busy(() => mode);
    await say(JUN, 'me too');
    await say(MINA, 'no, Tesla');
    expect(await router.steering.take(first.ctx.sessionKey, first.ctx.inboxId)).toEqual([]);
    const finished = finish();
    await expect.poll(() => clock.advance(500).then(() => bodies().length), { interval: 1 }).toBe(3);
    await finished;
    expect(bodies()).toEqual(['first', 'me too', 'no, Tesla']);
  });

  it('leaves pictures for a turn of their own', async () => {
    const { router, say, first } = await busy(() => mode);
    await say(MINA, 'look', {
      media: [{ kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'a.png' }],
    });
    await say(MINA, 'at this');
    expect(await router.steering.take(first.ctx.sessionKey, first.ctx.inboxId)).toEqual([]);
  });
});

describe('MessageRouter, when the turn ended before it could be steered', () => {
  it('answers what is left together in mode steer', async () => {
    const { say, finish, bodies } = await busy(() => 'steer');
    await say(MINA, 'second');
    await say(MINA, 'third');
    await finish();
    expect(bodies()).toEqual(['first', 'second\n\nthird']);
  });

  it('answers each by itself, after a quiet moment, in mode steer-backlog', async () => {
    const { say, finish, bodies, clock } = await busy(() => 'steer-backlog');
    await say(MINA, 'second');
    await say(MINA, 'third');
    const finished = finish();
    await expect.poll(() => clock.advance(500).then(() => bodies().length), { interval: 1 }).toBe(3);
    await finished;
    expect(bodies()).toEqual(['first', 'second', 'third']);
  });
});

describe('MessageRouter in mode interrupt', () => {
  it('ends the running turn of the same sender and answers the newest message only', async () => {
    const { say, finish, first, bodies, ends, rows } = await busy(() => 'interrupt');
    await say(MINA, 'second');
    expect(first.signal.reason).toMatchObject({ kind: 'superseded' });
    await finish();
    expect(bodies()).toEqual(['first', 'second']);
    expect(await ends()).toEqual([
      ['first', 'superseded'],
      ['second', 'done'],
    ]);
    const [older, newer] = await rows();
    expect(older?.taken_by).toBe(newer?.id);
  });

  it('does not let one person end the turn of another, but replaces what that person has waiting', async () => {
    const { say, finish, first, bodies, ends } = await busy(() => 'interrupt');
    await say(JUN, 'one');
    await say(JUN, 'two');
    expect(first.signal.aborted).toBe(false);
    await finish();
    expect(bodies()).toEqual(['first', 'two']);
    expect((await ends()).map(([, status]) => status)).toEqual(['done', 'superseded', 'done']);
  });

  it('lets an answer through that is on its way already', async () => {
    const { say, finish, first, storage, bodies } = await busy(() => 'interrupt');
    await storage.write((tx) =>
      tx
        .insertInto('outbox')
        .values({
          id: 'part',
          inbox_id: first.ctx.inboxId,
          part_index: 0,
          target: '{}',
          payload: '{}',
          status: 'pending',
          attempts: 0,
          created_at: '2026-11-13T06:30:00.000Z',
        })
        .execute(),
    );
    await say(MINA, 'second');
    expect(first.signal.aborted).toBe(false);
    await finish();
    expect(bodies()).toEqual(['first', 'second']);
  });

  it('removes after a restart the live message that the earlier process had no time to remove', async () => {
    const { storage } = await sqliteStorage();
    const before = await setUpRouter({ storage, process: async () => ({ outcome: 'parked' }) });
    for (const body of ['one', 'two']) await before.workOff(inGroup(MINA, body));
    const [one, two] = (await before.rows()).map(({ id }) => asId<InboxId>(id));
    if (!one || !two) expect.fail('They were not stored');
    const { changes } = before;
    expect(await changes.supersede([one], two, Temporal.Now.instant())).toEqual([one]);
    await createLiveMessages(storage).open(one, asId<DeliveryId>('d-1'), Temporal.Now.instant());
    const after = await setUpRouter({ storage, mode: () => 'interrupt' });
    await after.router.recover(() => true);
    await expect.poll(() => after.runs.length, { interval: 1 }).toBe(2);
    const gone = after.runs.find(({ ctx }) => ctx.rawBody === 'one');
    expect(gone).toMatchObject({ signal: { reason: { kind: 'superseded' } } });
    await queueIsEmpty(after.queue);
    expect((await after.rows()).map(({ status }) => status)).toEqual(['superseded', 'done']);
  });

  it('does after a restart what the earlier process had no time for', async () => {
    const { storage } = await sqliteStorage();
    const parked = await setUpRouter({ storage, process: async () => ({ outcome: 'parked' }) });
    for (const body of ['one', 'two']) await parked.workOff(inGroup(MINA, body));
    const { promise: whenReady, resolve: onReady } = Promise.withResolvers<boolean>();
    const after = await setUpRouter({ storage, mode: () => 'interrupt', whenReady });
    await after.router.recover(() => true);
    onReady(true);
    await queueIsEmpty(after.queue);
    await expect.poll(() => after.runs.length, { interval: 1 }).toBe(2);
    const [gone, answered] = after.runs.toSorted((a, b) => (a.ctx.rawBody < b.ctx.rawBody ? -1 : 1));
    expect(gone).toMatchObject({ ctx: { rawBody: 'one' }, signal: { reason: { kind: 'superseded' } } });
    expect(answered).toMatchObject({ ctx: { rawBody: 'two' }, signal: { aborted: false } });
    expect((await after.rows()).map(({ status }) => status)).toEqual(['superseded', 'done']);
  });

  it('is not set off by a command', async () => {
    const { say, finish, first } = await busy(() => 'interrupt');
    await say(MINA, '/help');
    expect(first.signal.aborted).toBe(false);
    await finish();
  });
});

describe('MessageRouter, when the mode changes while messages wait', () => {
  it('treats them by the mode of the moment', async () => {
    let mode: QueueMode = 'queue';
    const { say, finish, bodies } = await busy(() => mode);
    await say(MINA, 'second');
    await say(MINA, 'third');
    mode = 'collect';
    await finish();
    expect(bodies()).toEqual(['first', 'second\n\nthird']);
  });
});

describe('priorities', () => {
  it('lets people go before bots', async () => {
    const { say, finish, bodies } = await busy(() => 'queue');
    await say(asId<UserId>('ticker-bot'), 'from a bot', { isFromBot: true });
    await say(JUN, 'from a person');
    await finish();
    expect(bodies()).toEqual(['first', 'from a person', 'from a bot']);
  });
});

it('a message that is stopped while the database is out of reach is over, also after a restart', async () => {
  let failures = 1;
  const { router, queue, clock, rows } = await setUpRouter({
    wrapInbox: (inbox) => ({
      ...inbox,
      begin: (...given) =>
        (failures -= 1) >= 0 ? Promise.reject(new Error('database is locked')) : inbox.begin(...given),
    }),
  });
  const receipt = await router.receive(inboundMessage({ body: 'one' }));
  await clock.advance(0);
  if (receipt.outcome !== 'accepted') throw new Error('not accepted');
  await vi.waitUntil(() => failures === 0, { timeout: 30_000 });
  const stopping = queue.stop(receipt.sessionKey);
  await clock.advance(60_000);
  expect(await stopping).toBe('stopped');
  await workedOff([receipt]);
  expect((await rows()).map(({ status }) => status)).toEqual(['done']);
});
