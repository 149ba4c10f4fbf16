import { describe, expect, it } from 'vitest';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { createLifecycle, type LifecycleDeps } from '#src/wiring/lifecycle.ts';
import { TestChannel } from '#test/support/channel.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const NOTHING = async (): Promise<void> => undefined;

const failing = (id: string, text: string): ChannelPlugin =>
  Object.assign(new TestChannel({ id }), {
    start: () => Promise.reject(new FinClawError(text, 'CHANNEL_MISCONFIGURED')),
  });

const setUp = (channels: readonly ChannelPlugin[], more: Partial<LifecycleDeps> = {}) => {
  const steps: string[] = [];
  const { logger, records } = recordingLogger();
  const app = createLifecycle({
    channels,
    host: {} as LifecycleDeps['host'],
    startHealth: async () => undefined,
    recover: async () => void steps.push('recover'),
    onReady: (isReady) => steps.push(`ready ${isReady}`),
    services: [
      {
        name: 'notifier',
        start: () => void steps.push('notifier on'),
        stop: () => void steps.push('notifier off'),
      },
    ],
    queue: { drain: NOTHING, abortAll: NOTHING },
    dispose: async () => void steps.push('data closed'),
    storageFailure: new Promise(() => undefined),
    clock: new ManualClock(),
    logger,
    ...more,
  });
  return { app, steps, records };
};

const gaveUp = () => Promise.reject(new Error('the bot is stopping'));
const never = () => new Promise<void>(() => undefined);

describe('the start', () => {
  it('takes up what was left, receives, and only then lets answers out', async () => {
    const { app, steps } = setUp([new TestChannel()]);
    await app.start();
    expect(steps).toEqual(['recover', 'ready true', 'notifier on']);
  });

  it('goes on with the other platforms where one cannot be used, and says which and why', async () => {
    const well = new TestChannel();
    const { app, steps, records } = setUp([failing('discord', 'The token is wrong.'), well]);
    await app.start();
    expect(well.isConnected()).toBe(true);
    expect(steps).toContain('ready true');
    expect(records()).toMatchObject([
      { level: 'error', message: expect.stringContaining('discord could not be started') },
    ]);
    expect(records()[0]?.message).toContain('The token is wrong.');
  });

  it('fails with the words of every platform where none can be used, and closes all again', async () => {
    const { app, steps } = setUp([failing('discord', 'The one is wrong.'), failing('slack', 'So is this.')]);
    await expect(app.start()).rejects.toMatchObject({
      message: 'The one is wrong.\nSo is this.',
      isOperational: true,
    });
    expect(steps.at(-1)).toBe('data closed');
    await app.stopped;
  });

  it('fails with the very error of the only platform', async () => {
    const { app } = setUp([failing('discord', 'The token is wrong.')]);
    await expect(app.start()).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' });
  });

  it('that is stopped while a platform cannot be reached begins nothing more, and fails with nothing', async () => {
    for (const then of [NOTHING, gaveUp]) {
      const hanging = Promise.withResolvers<void>();
      const start = (): Promise<void> => hanging.promise.then(then);
      const { app, steps, records } = setUp([Object.assign(new TestChannel(), { start })]);
      const started = app.start();
      await expect.poll(() => steps).toContain('recover');
      await app.stop();
      hanging.resolve();
      expect(await started).toBe(false);
      expect(await app.stopped).toBe(0);
      expect(steps).toEqual(['recover', 'ready false', 'notifier off', 'data closed']);
      expect(records()).toEqual([]);
    }
  });
});

describe('the end', () => {
  it('closes the rest where one part cannot be closed', async () => {
    const broken = Object.assign(new TestChannel(), { stop: () => Promise.reject(new Error('stuck')) });
    const { app, steps, records } = setUp([broken]);
    await app.start();
    await app.stop();
    expect(await app.stopped).toBe(0);
    expect(steps.slice(-2)).toEqual(['notifier off', 'data closed']);
    expect(records()).toMatchObject([{ level: 'error', message: 'test could not be closed' }]);
  });

  it('comes without a part that does not stop or close', async () => {
    const clock = new ManualClock();
    const stuck = Object.assign(new TestChannel(), { stop: never, close: never });
    const { app, steps, records } = setUp([stuck], { clock });
    await app.start();
    const stopping = app.stop();
    await clock.advance(23_999);
    expect(steps).not.toContain('data closed');
    await clock.advance(1);
    await stopping;
    expect(steps.at(-1)).toBe('data closed');
    const warning = { level: 'warn', message: expect.stringContaining('did not stop') };
    expect(records()).toMatchObject([warning, warning]);
  });
});

describe('a disk that fails to store data', () => {
  it('is logged once with its cause, and ends the program in order with an exit code of 1', async () => {
    const failed = Promise.withResolvers<Error>();
    const { app, steps, records } = setUp([new TestChannel()], {
      storageFailure: failed.promise,
      // It cannot store that the messages stay.
      queue: { drain: NOTHING, abortAll: () => Promise.reject(new Error('refused')) },
    });
    await app.start();
    failed.resolve(new Error('The disk failed to store data', { cause: new Error('EIO') }));
    expect(await app.stopped).toBe(1);
    expect(steps.slice(-2)).toEqual(['notifier off', 'data closed']);
    expect(records()).toMatchObject([
      {
        level: 'error',
        message: 'The disk failed to store data. FinClaw stops, so that a restart can recover.',
        error: { cause: { message: 'EIO' } },
      },
      { level: 'error', message: 'The queue could not be closed' },
    ]);
  });
});
