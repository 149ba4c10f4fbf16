import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, queueIsEmpty, setUpRouter, workedOff } from './router-fixture.ts';

/** Messages that an earlier process accepted and did not finish. */
const leaveBehind = async (storage: Storage, messages: readonly MsgContext[]): Promise<void> => {
  const { workOff } = await setUpRouter({ storage, process: async () => ({ outcome: 'parked' }) });
  for (const message of messages) await workOff(message);
};

describe('MessageRouter and the lane', () => {
  const ELSEWHERE = asId<UserId>('somebody-else');

  it('hands a message that found no place to the pipeline with an aborted signal, so that it is answered', async () => {
    const run = held();
    const { router, workOff, runs, rows, activeRuns } = await setUpRouter({
      lane: { maxConcurrency: 1, maxQueueSize: 0 },
      process: (current) => (current.ctx.rawBody === 'long' ? run.process(current) : Promise.resolve(DONE)),
    });
    const long = await router.receive(inboundMessage({ body: 'long' }));
    await run.started;
    await workOff(inboundMessage({ body: 'no room', senderId: ELSEWHERE }));
    expect(runs[1]).toMatchObject({ ctx: { rawBody: 'no room' }, signal: { aborted: true } });
    expect(runs[1]?.signal.reason).toMatchObject({ code: 'LANE_QUEUE_FULL' });
    expect((await rows()).map(({ status }) => status)).toEqual(['pending', 'done']);
    expect(activeRuns()).toBe(1);
    run.end();
    await workedOff([long]);
    expect(activeRuns()).toBe(0);
  });

  it('does the same for one that waited too long, and for one that was stopped while it waited', async () => {
    const run = held();
    const { router, queue, clock, runs } = await setUpRouter({
      lane: { maxConcurrency: 1, timeoutMs: 1_000 },
      process: (current) => (current.ctx.rawBody === 'long' ? run.process(current) : Promise.resolve(DONE)),
    });
    const long = await router.receive(inboundMessage({ body: 'long' }));
    await run.started;
    const stopped = await router.receive(inboundMessage({ body: 'stopped', senderId: ELSEWHERE }));
    if (stopped.outcome !== 'accepted') throw new Error('it was not accepted');
    await clock.advance(500);
    expect(await queue.stop(stopped.sessionKey)).toBe('stopped');
    const late = await router.receive(inboundMessage({ body: 'late', senderId: ELSEWHERE }));
    await clock.advance(1_000);
    await workedOff([late]);
    const reasons = runs.map(({ ctx, signal }) => [ctx.rawBody, signal.reason?.kind ?? signal.reason?.code]);
    expect(reasons).toEqual([
      ['long', undefined],
      ['stopped', 'stopped'],
      ['late', 'LANE_TIMEOUT'],
    ]);
    run.end();
    await workedOff([long]);
  });
});

describe('MessageRouter.recover', () => {
  it('takes up what was left, in the order of acceptance, also beyond the bound', async () => {
    const { storage } = await sqliteStorage();
    const left = ['1', '2', '3'].map((body) => inboundMessage({ body }));
    await leaveBehind(storage, left);
    const { router, queue, bodies, emitted, rows, workOff } = await setUpRouter({
      storage,
      maxPerSession: 1,
    });
    await router.recover(() => true);
    await queueIsEmpty(queue);
    expect(bodies()).toEqual(['1', '2', '3']);
    expect((await rows()).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(emitted).toEqual([['inbox:recover', { count: 3 }]]);
    expect(await workOff(left[0] ?? inboundMessage())).toEqual({ outcome: 'duplicate' });
  });

  it('goes before what arrives after the start, in the same conversation', async () => {
    const { storage } = await sqliteStorage();
    await leaveBehind(storage, [inboundMessage({ body: 'old' })]);
    const { router, bodies, workOff } = await setUpRouter({ storage });
    await router.recover(() => true);
    await workOff(inboundMessage({ body: 'new' }));
    expect(bodies()).toEqual(['old', 'new']);
  });

  it('leaves the messages of a platform that is not there for a later start', async () => {
    const { storage } = await sqliteStorage();
    await leaveBehind(storage, [
      inboundMessage({ body: 'on slack', channelId: asId<ChannelId>('slack') }),
      inboundMessage({ body: 'on the console' }),
    ]);
    const { router, queue, bodies, emitted, rows } = await setUpRouter({ storage });
    await router.recover((message) => message.channelId === 'console');
    await queueIsEmpty(queue);
    expect(bodies()).toEqual(['on the console']);
    expect((await rows()).map(({ status }) => status)).toEqual(['pending', 'done']);
    expect(emitted).toEqual([['inbox:recover', { count: 1 }]]);
  });

  it('waits until answers can be sent', async () => {
    const { storage } = await sqliteStorage();
    await leaveBehind(storage, [inboundMessage({ body: 'left' })]);
    const ready = Promise.withResolvers<boolean>();
    const { router, queue, clock, bodies } = await setUpRouter({ storage, whenReady: ready.promise });
    await router.recover(() => true);
    await clock.advance(1_000);
    expect(bodies()).toEqual([]);
    ready.resolve(true);
    await queueIsEmpty(queue);
    expect(bodies()).toEqual(['left']);
  });

  it('leaves everything for the next start when this one fails', async () => {
    const { storage } = await sqliteStorage();
    await leaveBehind(storage, [inboundMessage({ body: 'left' })]);
    const { router, queue, bodies, rows } = await setUpRouter({ storage, whenReady: Promise.resolve(false) });
    await router.recover(() => true);
    await queueIsEmpty(queue);
    expect(bodies()).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0 }]);
  });

  it.each([
    [2, undefined],
    [3, 'TOO_MANY_ATTEMPTS'],
  ])(
    'after %i runs that the process did not survive, the reason to give up is %s',
    async (attempts, reason) => {
      const { storage } = await sqliteStorage();
      await leaveBehind(storage, [inboundMessage()]);
      await storage.db.updateTable('inbox').set({ attempts }).execute();
      const { router, queue, runs, rows } = await setUpRouter({
        storage,
        process: async ({ signal }) => (signal.aborted ? { outcome: 'failed', errorId: 'e1' } : DONE),
      });
      await router.recover(() => true);
      await queueIsEmpty(queue);
      expect(runs.map(({ signal }) => signal.reason?.code)).toEqual([reason]);
      expect(await rows()).toMatchObject([{ status: reason ? 'failed' : 'done' }]);
    },
  );

  it('gives up without a word what ends the process even while its sender is told', async () => {
    const { storage } = await sqliteStorage();
    await leaveBehind(storage, [inboundMessage()]);
    await storage.db.updateTable('inbox').set({ attempts: 6 }).execute();
    const { router, queue, runs, rows, dead, logged } = await setUpRouter({ storage });
    await router.recover(() => true);
    await queueIsEmpty(queue);
    expect(runs).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'failed', error_id: expect.any(String) }]);
    expect(dead).toMatchObject([{ attempts: 6 }]);
    expect(logged.join('')).toContain('could not be told');
  });

  it('says nothing when nothing was left', async () => {
    const { router, workOff, emitted, bodies } = await setUpRouter();
    await workOff(inboundMessage());
    await router.recover(() => true);
    expect([emitted.map(([name]) => name), bodies().length]).toEqual([['inbox:accept'], 1]);
  });

  it('leaves what waits when the process goes down, and loses nothing', async () => {
    const { storage } = await sqliteStorage();
    const run = held();
    const before = await setUpRouter({ storage, process: run.process });
    await before.router.receive(inboundMessage({ body: 'running' }));
    await before.router.receive(inboundMessage({ body: 'waiting' }));
    await run.started;
    const draining = before.queue.drain();
    run.end();
    await draining;
    expect((await before.rows()).map(({ status }) => status)).toEqual(['done', 'pending']);
    const after = await setUpRouter({ storage });
    await after.router.recover(() => true);
    await queueIsEmpty(after.queue);
    expect([before.bodies(), after.bodies()]).toEqual([['running'], ['waiting']]);
  });
});
