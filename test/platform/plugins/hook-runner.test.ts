import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createHookRunner, createHooks } from '#src/platform/plugins/hook-runner.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

interface Payload {
  readonly text: string;
  readonly count?: number;
  readonly isSkipped?: boolean;
}

const setUp = () => {
  const { logger, records } = recordingLogger();
  const clock = new ManualClock();
  const deps = { logger, clock };
  return {
    logger,
    records,
    clock,
    modifying: createHookRunner<Payload, 'modifying'>('beforeTest', 'modifying', deps),
    observing: createHookRunner<Payload, 'void'>('afterTest', 'void', deps),
  };
};

const by = (plugin: string, priority?: number) => ({ plugin, priority });

const suffix = (letter: string) => (payload: Payload) => ({ text: payload.text + letter });

const fail = () => {
  throw new Error('broken');
};

describe('a modifying hook', () => {
  it('gives the very payload back where nobody listens or nobody changes anything', async () => {
    const runner = setUp().modifying;
    const payload = { text: 'a' };
    expect(await runner.fire(payload)).toBe(payload);
    runner.on(() => undefined, by('p'));
    runner.on(() => ({}), by('p'));
    expect(await runner.fire(payload)).toBe(payload);
  });

  it('runs in order of priority, equal ones in order of registration, each on what the last one made', async () => {
    const runner = setUp().modifying;
    runner.on(suffix('3'), by('p'));
    runner.on(suffix('5'), by('p', -1));
    runner.on(suffix('1'), by('p', 10));
    runner.on(suffix('4'), by('p', 0));
    runner.on(suffix('2'), by('p', 10));
    expect(await runner.fire({ text: '' })).toEqual({ text: '12345' });
  });

  it('merges what is returned over the payload, and touches neither the payload nor what is left out', async () => {
    const runner = setUp().modifying;
    const payload: Payload = Object.freeze({ text: 'a', count: 1 });
    runner.on(() => ({ isSkipped: true }), by('p'));
    runner.on(() => ({ count: 2, text: undefined }) as unknown as Partial<Payload>, by('p'));
    expect(await runner.fire(payload)).toEqual({ text: 'a', count: 2, isSkipped: true });
    expect(payload).toEqual({ text: 'a', count: 1 });
  });

  it('skips a handler that throws, and says which hook and whose it was', async () => {
    const all = setUp();
    const runner = all.modifying;
    runner.on(suffix('1'), by('first'));
    runner.on(fail, by('bad-plugin'));
    runner.on(suffix('2'), by('last'));
    expect(await runner.fire({ text: '' })).toEqual({ text: '12' });
    expect(all.records()).toMatchObject([
      {
        level: 'error',
        message: expect.stringContaining('bad-plugin'),
        hook: 'beforeTest',
        plugin: 'bad-plugin',
        error: { message: 'broken' },
      },
    ]);
  });

  it.each([['text'], [7], [['list']], [true]])(
    'does not take %j for a change, and says so',
    async (answer) => {
      const all = setUp();
      all.modifying.on((() => answer) as unknown as () => undefined, by('odd'));
      const payload = { text: 'a' };
      expect(await all.modifying.fire(payload)).toBe(payload);
      expect(all.records()).toMatchObject([{ level: 'error', plugin: 'odd' }]);
    },
  );

  it('waits for a handler that takes its time', async () => {
    const { modifying, clock, records } = setUp();
    modifying.on(async (payload) => {
      await new Promise<void>((resolve) => void clock.after(4_999, resolve));
      return { text: `${payload.text}1` };
    }, by('slow'));
    modifying.on(suffix('2'), by('quick'));
    const fired = modifying.fire({ text: '' });
    await clock.advance(4_999);
    expect(await fired).toEqual({ text: '12' });
    expect(records()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('goes on after five seconds without one that hangs, and does not hear it afterwards', async () => {
    const { modifying, clock, records } = setUp();
    const { promise, reject } = Promise.withResolvers<Payload>();
    modifying.on(() => promise, by('hanging'));
    modifying.on(suffix('2'), by('last'));
    const fired = modifying.fire({ text: '' });
    await clock.advance(5_000);
    expect(await fired).toEqual({ text: '2' });
    expect(records()).toMatchObject([{ plugin: 'hanging', error: { message: 'It took longer than 5 s' } }]);
    reject(new Error('too late'));
    await clock.advance(1);
    expect(records()).toHaveLength(1);
  });

  it('skips a handler that rejects', async () => {
    const { modifying, records } = setUp();
    modifying.on(() => Promise.reject(new Error('broken')), by('bad'));
    modifying.on(suffix('2'), by('last'));
    expect(await modifying.fire({ text: '' })).toEqual({ text: '2' });
    expect(records()).toMatchObject([{ plugin: 'bad', error: { message: 'broken' } }]);
  });

  it('waits for promises of any make, and for none of them longer', async () => {
    const { modifying, clock, records } = setUp();
    const [quick, hanging] = runInNewContext(
      `[Promise.resolve({ text: 'from afar' }), new Promise(() => {})]`,
    ) as readonly Promise<Payload>[];
    expect(quick).not.toBeInstanceOf(Promise);
    modifying.on(() => quick, by('quick'));
    modifying.on(() => hanging, by('hanging'));
    const fired = modifying.fire({ text: '' });
    await clock.advance(5_000);
    expect(await fired).toEqual({ text: 'from afar' });
    expect(records()).toMatchObject([{ plugin: 'hanging' }]);
  });

  it('does not run a handler that is registered while it runs', async () => {
    const { modifying } = setUp();
    modifying.on(() => modifying.on(suffix('late'), by('p')), by('p'));
    expect(await modifying.fire({ text: '' })).toEqual({ text: '' });
  });
});

describe('a void hook', () => {
  it('starts all handlers at once and ends with the last of them', async () => {
    const { observing, clock } = setUp();
    const seen: string[] = [];
    const handler = (name: string, ms: number) => async () => {
      seen.push(`${name} begins`);
      await new Promise<void>((resolve) => void clock.after(ms, resolve));
      seen.push(`${name} ends`);
    };
    observing.on(handler('slow', 300), by('p'));
    observing.on(handler('quick', 100), by('p', 1));
    let isDone = false;
    const fired = observing.fire({ text: 'a' }).then(() => {
      isDone = true;
    });
    await clock.advance(299);
    expect(seen).toEqual(['quick begins', 'slow begins', 'quick ends']);
    expect(isDone).toBe(false);
    await clock.advance(1);
    await fired;
    expect(seen.at(-1)).toBe('slow ends');
  });

  it('ignores what handlers return, and reports those that throw, reject or hang without hurting the others', async () => {
    const { observing, clock, records } = setUp();
    const seen: Payload[] = [];
    observing.on(fail, by('throws'));
    observing.on(() => Promise.reject(new Error('no')), by('rejects'));
    observing.on(() => new Promise(() => undefined), by('hangs'));
    observing.on(() => ({ text: 'changed' }), by('changes'));
    observing.on((payload) => void seen.push(payload), by('last'));
    const fired = observing.fire({ text: 'a' });
    await clock.advance(5_000);
    expect(await fired).toBeUndefined();
    expect(seen).toEqual([{ text: 'a' }]);
    expect(records().map(({ plugin }) => plugin)).toEqual(['throws', 'rejects', 'hangs']);
  });

  it('ends at once where nobody listens', async () => {
    const { observing, clock } = setUp();
    await observing.fire({ text: 'a' });
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('createHooks', () => {
  it('gives every hook a runner: what comes before, and after a tool, may be changed; the rest is watched', async () => {
    const { logger } = recordingLogger();
    const hooks = createHooks(logger, new ManualClock());
    const ctx = msgContext();
    hooks.beforeMessageProcess.on(({ body }) => ({ body: `${body}!` }), by('p'));
    hooks.afterMessageProcess.on(() => ({ durationMs: 0 }), by('p'));
    expect(await hooks.beforeMessageProcess.fire({ ctx, body: 'hi' })).toEqual({ ctx, body: 'hi!' });
    const after = await hooks.afterMessageProcess.fire({ ctx, outcome: 'done', durationMs: 5 });
    expect(after).toBeUndefined();
    expect(Object.keys(hooks).toSorted()).toEqual([
      'afterAgentRun',
      'afterMessageProcess',
      'afterToolExecute',
      'beforeAgentRun',
      'beforeMessageProcess',
      'beforeToolExecute',
    ]);
  });
});
