import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConcurrencyLaneManager,
  type LaneConfig,
  type LaneHandle,
} from '#src/platform/concurrency/concurrency-lane.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = (main: Partial<LaneConfig> = {}) => {
  const clock = new ManualClock();
  const lanes = new ConcurrencyLaneManager(clock, { main });
  const started: string[] = [];
  const { signal } = new AbortController();
  /** Asks for a slot and notes when it is granted. */
  const ask = async (key: string, name = key, owner = key): Promise<LaneHandle> => {
    const handle = await lanes.acquire('main', { key, owner }, signal);
    started.push(name);
    return handle;
  };
  const settle = (): Promise<void> => clock.advance(0);
  const counts = () => lanes.status().map(({ laneId, active, queued }) => ({ laneId, active, queued }))[0];
  return { clock, lanes, started, signal, ask, settle, counts };
};

describe('ConcurrencyLaneManager', () => {
  it('runs as many keys at once as the lane allows, and the next when one ends', async () => {
    const { ask, started, settle } = setUp({ maxConcurrency: 2 });
    const first = await ask('a');
    await ask('b');
    const third = ask('c');
    await settle();
    expect(started).toEqual(['a', 'b']);
    first.release();
    await third;
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('runs one at a time for a key even when the lane has room', async () => {
    const { ask, started, settle } = setUp({ maxConcurrency: 10 });
    const first = await ask('a', 'a1');
    const second = ask('a', 'a2');
    await settle();
    expect(started).toEqual(['a1']);
    first.release();
    await second;
    expect(started).toEqual(['a1', 'a2']);
  });

  it('starts those who wait in the order in which they came', async () => {
    const { ask, started } = setUp({ maxConcurrency: 1 });
    const names = ['one', 'two', 'three', 'four'];
    const handles = names.map((name) => ask(name));
    for (const handle of handles) (await handle).release();
    expect(started).toEqual(names);
  });

  it('keeps the order of a key when other keys wait in between', async () => {
    const { ask, started } = setUp({ maxConcurrency: 1 });
    const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('b', 'b1'), ask('a', 'a3')];
    await Promise.all(asked.map(async (handle) => (await handle).release()));
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('gives an owner no more slots than their share, and lets others pass while the lane has room', async () => {
    const { ask, started, settle, counts } = setUp({ maxConcurrency: 10, maxPerOwner: 2 });
    const first = await ask('a1', 'a1', 'ann');
    await ask('a2', 'a2', 'ann');
    const third = ask('a3', 'a3', 'ann');
    await ask('b1', 'b1', 'bob');
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    expect(counts()).toEqual({ laneId: 'main', active: 3, queued: 1 });
    first.release();
    await third;
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('lets owners take turns when the lane is full, each in their own order', async () => {
    const { ask, started } = setUp({ maxConcurrency: 1, maxPerOwner: 1 });
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((key) => ask(key, key, key.slice(0, 1)));
    await Promise.all(asked.map(async (handle) => (await handle).release()));
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('starts who waits for a key when the one before them, who was at the end of their share, leaves', async () => {
    const { lanes, ask, started } = setUp({ maxConcurrency: 10, maxPerOwner: 1 });
    await ask('a1', 'a1', 'ann');
    const controller = new AbortController();
    const leaving = lanes.acquire('main', { key: 'shared', owner: 'ann' }, controller.signal);
    const bob = ask('shared', 'bob', 'bob');
    controller.abort(new Error('stopped'));
    await expect(leaving).rejects.toThrow('stopped');
    await bob;
    expect(started).toEqual(['a1', 'bob']);
  });

  it('tells a wait behind the runs of the same owner from a wait for a full lane', async () => {
    const { clock, ask } = setUp({ maxConcurrency: 2, maxPerOwner: 1, timeoutMs: 5_000 });
    await ask('a1', 'a1', 'ann');
    await ask('b1', 'b1', 'bob');
    const own = expect(ask('a2', 'a2', 'ann')).rejects.toMatchObject({ code: 'LANE_SHARE_TIMEOUT' });
    const full = expect(ask('c1', 'c1', 'cem')).rejects.toMatchObject({ code: 'LANE_TIMEOUT' });
    await clock.advance(5_000);
    await Promise.all([own, full]);
  });

  it('lets other keys pass a waiter whose key is busy', async () => {
    const { ask, started, settle } = setUp({ maxConcurrency: 2 });
    await ask('a', 'a1');
    const b = await ask('b');
    void ask('a', 'a2');
    const c = ask('c');
    b.release();
    await c;
    await settle();
    expect(started).toEqual(['a1', 'b', 'c']);
    (await c).release();
    await ask('d');
    expect(started).toEqual(['a1', 'b', 'c', 'd']);
  });

  it('keeps lanes apart: a full one and a busy key do not matter to another', async () => {
    const clock = new ManualClock();
    const lanes = new ConcurrencyLaneManager(clock, { main: { maxConcurrency: 1 } });
    const { signal } = new AbortController();
    await lanes.acquire('main', { key: 'a' }, signal);
    await lanes.acquire('cron', { key: 'a' }, signal);
    expect(lanes.status().map((lane) => lane.active)).toEqual([1, 1]);
  });

  it('refuses with LANE_QUEUE_FULL when as many wait as may, and takes more after one has started', async () => {
    const { ask, counts } = setUp({ maxConcurrency: 1, maxQueueSize: 2 });
    const first = await ask('a');
    const second = ask('b');
    void ask('c');
    await expect(ask('d')).rejects.toMatchObject({ code: 'LANE_QUEUE_FULL', statusCode: 503 });
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 2 });
    first.release();
    await second;
    void ask('e');
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 2 });
  });

  it('gives up with LANE_TIMEOUT after the waiting time and not before, and leaves the queue', async () => {
    const { clock, ask, counts } = setUp({ maxConcurrency: 1, timeoutMs: 5_000 });
    await ask('a');
    const rejected = expect(ask('b')).rejects.toMatchObject({ code: 'LANE_TIMEOUT', statusCode: 503 });
    await clock.advance(4_999);
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 1 });
    await clock.advance(1);
    await rejected;
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 0 });
  });

  it('leaves no timer and no listener behind for one that has started', async () => {
    const { clock, signal, ask, counts } = setUp({ maxConcurrency: 1, timeoutMs: 5_000 });
    const first = await ask('a');
    const second = ask('b');
    first.release();
    await second;
    expect(clock.pendingTimers).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await clock.advance(10_000);
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 0 });
  });

  it('does not give a slot to one that has timed out', async () => {
    const { clock, ask, started } = setUp({ maxConcurrency: 1, timeoutMs: 5_000 });
    const first = await ask('a');
    const rejected = expect(ask('gone')).rejects.toMatchObject({ code: 'LANE_TIMEOUT' });
    await clock.advance(4_000);
    const third = ask('c');
    await clock.advance(1_000);
    await rejected;
    first.release();
    await third;
    expect(started).toEqual(['a', 'c']);
  });

  it("rejects with the signal's reason when it aborts while waiting, and gives the slot to the next", async () => {
    const { clock, lanes, ask, started, counts } = setUp({ maxConcurrency: 1 });
    const first = await ask('a');
    const controller = new AbortController();
    const reason = new Error('the person stopped it');
    const waiting = lanes.acquire('main', { key: 'b' }, controller.signal);
    const third = ask('c');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 1 });
    expect(clock.pendingTimers).toBe(1);
    first.release();
    await third;
    expect(started).toEqual(['a', 'c']);
  });

  it('rejects at once, and takes no slot, when the signal had aborted before', async () => {
    const { lanes, counts } = setUp();
    const reason = new Error('too late');
    await expect(lanes.acquire('main', { key: 'a' }, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(counts()).toEqual({ laneId: 'main', active: 0, queued: 0 });
  });

  it('keeps the slot of one whose signal aborts after it has started, until it is released', async () => {
    const { lanes, counts } = setUp();
    const controller = new AbortController();
    const handle = await lanes.acquire('main', { key: 'a' }, controller.signal);
    controller.abort();
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 0 });
    handle.release();
    expect(counts()).toEqual({ laneId: 'main', active: 0, queued: 0 });
  });

  it('frees one slot only when a handle is released twice', async () => {
    const { ask, started, settle, counts } = setUp({ maxConcurrency: 1 });
    const first = await ask('a');
    const second = ask('b');
    void ask('c');
    first.release();
    first.release();
    await second;
    await settle();
    expect(started).toEqual(['a', 'b']);
    expect(counts()).toEqual({ laneId: 'main', active: 1, queued: 1 });
  });

  it('a second release does not free the key of the run that came after', async () => {
    const { ask, started, settle } = setUp();
    const first = await ask('a', 'a1');
    const second = ask('a', 'a2');
    void ask('a', 'a3');
    first.release();
    await second;
    first.release();
    await settle();
    expect(started).toEqual(['a1', 'a2']);
  });

  it('reports active, queued and cap of every lane', async () => {
    const { lanes, ask } = setUp({ maxConcurrency: 3 });
    await ask('a');
    void ask('a');
    void ask('a');
    expect(lanes.status()).toEqual([
      { laneId: 'main', active: 1, queued: 2, maxConcurrency: 3 },
      { laneId: 'cron', active: 0, queued: 0, maxConcurrency: 4 },
    ]);
  });
});

interface Run {
  readonly key: string;
  readonly owner: string;
  readonly controller: AbortController;
  state: 'waiting' | 'running' | 'over';
  handle?: LaneHandle;
}

const isInGroup = (key: string): boolean => 'ab'.includes(key);

const keyArbitrary = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const stepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('acquire' as const),
      key: keyArbitrary,
      owner: fc.constantFrom('ann', 'bob'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('release' as const), pick: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('abort' as const), pick: fc.nat(50) }) },
);

describe('ConcurrencyLaneManager under any sequence of calls', () => {
  it('never runs more than the cap of the lane, of an owner or of a group, never two of a key, and leaves no slot idle that a waiter could have', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(stepArbitrary, { maxLength: 60 }),
        async (maxConcurrency, maxPerOwner, maxOfGroup, steps) => {
          const lanes = new ConcurrencyLaneManager(new ManualClock(), {
            main: { maxConcurrency, maxPerOwner },
            groups: {
              of: (key) => (isInGroup(key) ? 'desk' : 'other'),
              maxConcurrency: { desk: maxOfGroup },
            },
          });
          const runs: Run[] = [];
          const inState = (state: Run['state']): readonly Run[] => runs.filter((run) => run.state === state);

          const acquire = (key: string, owner: string): void => {
            const run: Run = { key, owner, controller: new AbortController(), state: 'waiting' };
            runs.push(run);
            const onGranted = (handle: LaneHandle): void => {
              run.handle = handle;
              run.state = 'running';
            };
            void lanes.acquire('main', { key, owner }, run.controller.signal).then(onGranted, () => {
              run.state = 'over';
            });
          };
          const take = (step: (typeof steps)[number]): void => {
            if (step.type === 'acquire') {
              acquire(step.key, step.owner);
            } else if (step.type === 'release') {
              // Any handle, also one that was released before.
              const granted = runs.filter((run) => run.handle);
              const run = granted[step.pick % Math.max(1, granted.length)];
              run?.handle?.release();
              if (run) run.state = 'over';
            } else {
              runs[step.pick % Math.max(1, runs.length)]?.controller.abort();
            }
          };

          for (const step of steps) {
            take(step);
            await new Promise((resolve) => setImmediate(resolve));
            const running = inState('running').map((run) => run.key);
            const waiting = inState('waiting');
            expect(running.length).toBeLessThanOrEqual(maxConcurrency);
            expect(new Set(running).size).toBe(running.length);
            const heldBy = (owner: string): number =>
              inState('running').filter((run) => run.owner === owner).length;
            expect(Math.max(heldBy('ann'), heldBy('bob'))).toBeLessThanOrEqual(maxPerOwner);
            const ofGroup = running.filter(isInGroup).length;
            expect(ofGroup).toBeLessThanOrEqual(maxOfGroup);
            // Of those who wait for one key only the first could run.
            const firsts = [...Map.groupBy(waiting, ({ key }) => key).values()].flatMap(
              ([first]) => first ?? [],
            );
            const couldRun = firsts.filter(
              ({ key, owner }) =>
                running.length < maxConcurrency &&
                !running.includes(key) &&
                heldBy(owner) < maxPerOwner &&
                (!isInGroup(key) || ofGroup < maxOfGroup),
            );
            expect(couldRun).toEqual([]);
            expect(lanes.status().slice(0, 2)).toMatchObject([
              { active: running.length, queued: waiting.length },
              { active: ofGroup, queued: waiting.filter(({ key }) => isInGroup(key)).length },
            ]);
          }
        },
      ),
    );
  });
});
