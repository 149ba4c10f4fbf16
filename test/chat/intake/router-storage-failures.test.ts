import { describe, expect, it } from 'vitest';
import type { Receipt } from '#src/kernel/channel/host.ts';
import type { Inbox } from '#src/chat/store/inbox.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { held, setUpRouter, workedOff } from './router-fixture.ts';

type Write = 'begin' | 'merge' | 'settle';
type Fixture = Awaited<ReturnType<typeof setUpRouter>>;

/** Longer than the router goes on trying. */
const LONG_MS = 60_000;

const refuse = (): Promise<never> => Promise.reject(new Error('database is locked'));

/** An inbox of which one kind of write fails so often, and then works again. */
const failing =
  (write: Write, times = Infinity) =>
  (inbox: Inbox): Inbox => {
    let left = times;
    const outOfReach = (): boolean => (left -= 1) >= 0;
    return {
      ...inbox,
      begin: (...given) => (write === 'begin' && outOfReach() ? refuse() : inbox.begin(...given)),
      merge: (...given) => (write === 'merge' && outOfReach() ? refuse() : inbox.merge(...given)),
      settle: (...given) => (write === 'settle' && outOfReach() ? refuse() : inbox.settle(...given)),
    };
  };

const workedOffInTime = async ({ clock, queue }: Fixture, ...receipts: readonly Receipt[]): Promise<void> => {
  await expect.poll(() => clock.advance(LONG_MS).then(() => queue.load().sessions), { interval: 1 }).toBe(0);
  await workedOff(receipts);
};

const statusesOf = async ({ rows }: Fixture) => (await rows()).map(({ status }) => status);

describe('a database that is out of reach for a moment', () => {
  it('when a message is begun costs it neither its answer nor its place', async () => {
    const fixture = await setUpRouter({ wrapInbox: failing('begin', 2) });
    const { router, bodies } = fixture;
    const one = await router.receive(inboundMessage({ body: 'one' }));
    const two = await router.receive(inboundMessage({ body: 'two' }));
    await workedOffInTime(fixture, one, two);
    expect(bodies()).toEqual(['one', 'two']);
    expect(await statusesOf(fixture)).toEqual(['done', 'done']);
    expect((await fixture.rows()).map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it('when a message is settled does not let it be answered again, and the next one waits for it', async () => {
    const fixture = await setUpRouter({ wrapInbox: failing('settle', 2) });
    const { router, bodies, clock } = fixture;
    const one = await router.receive(inboundMessage({ body: 'one' }));
    const two = await router.receive(inboundMessage({ body: 'two' }));
    await clock.advance(0);
    expect(bodies()).toEqual(['one']);
    await workedOffInTime(fixture, one, two);
    expect(bodies()).toEqual(['one', 'two']);
    expect(await statusesOf(fixture)).toEqual(['done', 'done']);
  });

  it('when messages are collected makes one turn of them all the same', async () => {
    const run = held();
    let isDown = false;
    const fixture = await setUpRouter({
      mode: () => 'collect',
      wrapInbox: (inbox) => {
        const flaky = failing('begin', 1)(inbox);
        return { ...inbox, begin: (...given) => (isDown ? flaky : inbox).begin(...given) };
      },
      process: (current) =>
        current.ctx.rawBody === 'one' ? run.process(current) : Promise.resolve({ outcome: 'done' }),
    });
    const receipts = [await fixture.router.receive(inboundMessage({ body: 'one' }))];
    await run.started;
    for (const body of ['two', 'three'])
      receipts.push(await fixture.router.receive(inboundMessage({ body })));
    isDown = true;
    run.end();
    await workedOffInTime(fixture, ...receipts);
    expect(fixture.bodies()).toEqual(['one', 'two\n\nthree']);
    expect(await statusesOf(fixture)).toEqual(['done', 'done', 'merged']);
  });

  it('when the running turn would take a message up leaves that message a turn of its own', async () => {
    const run = held();
    const fixture = await setUpRouter({
      mode: () => 'steer',
      wrapInbox: failing('merge'),
      process: (current) =>
        current.ctx.rawBody === 'one' ? run.process(current) : Promise.resolve({ outcome: 'done' }),
    });
    const { router, bodies } = fixture;
    const one = await router.receive(inboundMessage({ body: 'one' }));
    const { ctx } = await run.started;
    const two = await router.receive(inboundMessage({ body: 'two' }));
    expect(await router.steering.take(ctx.sessionKey, ctx.inboxId)).toEqual([]);
    run.end();
    await workedOff([one, two]);
    expect(bodies()).toEqual(['one', 'two']);
    expect(await statusesOf(fixture)).toEqual(['done', 'done']);
  });

  it('when a profile is read leaves the answer in the language of the message', async () => {
    const { workOff, runs, logged } = await setUpRouter({
      profileOf: () => Promise.reject(new Error('connection lost')),
    });
    await workOff(inboundMessage({ body: '애플 얼마야?' }));
    expect(runs).toMatchObject([{ ctx: { rawBody: '애플 얼마야?', locale: 'ko' } }]);
    expect(logged.join('')).toContain('connection lost');
  });
});

describe('a database that stays out of reach', () => {
  it('leaves the message for the next start, which answers it, and holds no place for it', async () => {
    const fixture = await setUpRouter({ wrapInbox: failing('begin') });
    const one = await fixture.router.receive(inboundMessage({ body: 'one' }));
    await workedOffInTime(fixture, one);
    expect(fixture.bodies()).toEqual([]);
    expect(await fixture.rows()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(fixture.activeRuns()).toBe(0);
    const next = await setUpRouter({ storage: fixture.storage });
    await next.router.recover(() => true);
    await workedOffInTime(next);
    expect(next.bodies()).toEqual(['one']);
  });

  it('does not keep the process from going down', async () => {
    const fixture = await setUpRouter({ wrapInbox: failing('begin') });
    const one = await fixture.router.receive(inboundMessage({ body: 'one' }));
    await fixture.clock.advance(0);
    await fixture.queue.abortAll();
    await workedOff([one]);
    expect(fixture.clock.pendingTimers).toBe(0);
    expect(await statusesOf(fixture)).toEqual(['pending']);
  });
});
