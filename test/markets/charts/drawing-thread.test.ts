import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createDrawingThread,
  type DrawingThread,
  IDLE_MS,
  JOB_TIMEOUT_MS,
  MAX_WAITING,
  MAX_WAITING_PER_OWNER,
} from '#src/markets/charts/drawing-thread.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import type { Order } from './scripted-worker.ts';

const { signal } = new AbortController();
const started: DrawingThread<Order>[] = [];

const setUp = () => {
  const clock = new ManualClock();
  const idle = new ManualClock();
  const script = new URL('./scripted-worker.ts', import.meta.url);
  const thread = createDrawingThread<Order>({ script, clock, afterIdle: idle.after });
  started.push(thread);
  const draw = async (order: Order, of = signal, owner = 'ann'): Promise<string> =>
    Buffer.from(await thread.draw(order, owner, of)).toString();
  /** The outcome of a job, in one word. */
  const outcome = (order: Order, of = signal, owner = 'ann'): Promise<string> =>
    draw(order, of, owner).catch(
      (error: unknown) => (error as { readonly code?: string }).code ?? String(error),
    );
  /** This many jobs, each of another owner. */
  const jobsOfMany = (count: number): readonly Promise<string>[] =>
    Array.from({ length: count }, (_, index) => outcome('draw later', signal, `person ${index}`));
  return { clock, idle, thread, draw, outcome, jobsOfMany };
};

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

describe('the drawing thread', () => {
  it('starts with the first job and runs waiting jobs in order', async () => {
    const { thread, draw, clock } = setUp();
    expect(thread.isRunning()).toBe(false);
    const ended: string[] = [];
    const orders = ['draw 1', 'draw 2', 'draw 3'] as const;
    await Promise.all(orders.map(async (order) => ended.push(await draw(order))));
    expect(ended).toEqual(orders);
    expect(thread.isRunning()).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('fails only the job that throws or crashes', async () => {
    const { outcome } = setUp();
    const orders = ['fail', 'draw a', 'crash', 'draw b'] as const;
    expect(await Promise.all(orders.map((order) => outcome(order)))).toEqual([
      'CHART_FAILED',
      'draw a',
      'CHART_FAILED',
      'draw b',
    ]);
  });

  it('abandons a stuck job after ten seconds and continues with a new thread', async () => {
    const { clock, outcome } = setUp();
    const [stuck, next] = [outcome('hang'), outcome('draw next')];
    await clock.advance(JOB_TIMEOUT_MS - 1);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    expect(await stuck).toBe('CHART_TIMEOUT');
    expect(await next).toBe('draw next');
  });

  it('rejects jobs beyond forty waiting ones, and all jobs once stopped', async () => {
    const { thread, outcome, jobsOfMany } = setUp();
    const running = outcome('hang');
    const waiting = jobsOfMany(MAX_WAITING);
    expect(await outcome('draw one more')).toBe('CHART_BUSY');
    await thread.stop();
    expect(await running).toBe('CHART_STOPPED');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['CHART_STOPPED']));
    expect(await outcome('draw after')).toBe('CHART_STOPPED');
    expect(thread.isRunning()).toBe(false);
  });

  it('alternates between owners and rejects only those with too many waiting jobs', async () => {
    const { draw, outcome } = setUp();
    const ended: string[] = [];
    const drawn = async (order: Order, owner: string): Promise<void> =>
      void ended.push(await draw(order, signal, owner));
    const mine = Array.from({ length: MAX_WAITING_PER_OWNER + 1 }, (_, index) =>
      drawn(`draw ${index}`, 'ann'),
    );
    expect(await outcome('draw one more')).toBe('CHART_BUSY');
    const bob = drawn('draw for bob', 'bob');
    await Promise.all([...mine, bob]);
    expect(ended.indexOf('draw for bob')).toBe(2);
  });

  it('releases an aborted job and its place immediately', async () => {
    const { thread, outcome, jobsOfMany } = setUp();
    const gone = new AbortController();
    const [running, waiting] = [outcome('hang', gone.signal), outcome('draw never', gone.signal)];
    const others = jobsOfMany(MAX_WAITING - 1);
    gone.abort('gone');
    expect(await Promise.all([running, waiting])).toEqual(['gone', 'gone']);
    const late = outcome('draw late');
    expect(await outcome('draw one more')).toBe('CHART_BUSY');
    await thread.stop();
    expect(await Promise.all([...others, late])).not.toContain('CHART_BUSY');
  });

  it('does not keep the process alive', async () => {
    const program = `
      const { createDrawingThread } = await import('#src/markets/charts/drawing-thread.ts');
      const { systemClock } = await import('#src/platform/clock.ts');
      const script = new URL(process.argv[1]);
      const thread = createDrawingThread({ script, clock: systemClock });
      console.log(Buffer.from(await thread.draw('draw it', 'ann', new AbortController().signal)).toString());
    `;
    const script = new URL('./scripted-worker.ts', import.meta.url).href;
    const args = ['--input-type=module', '--eval', program, script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 });
    expect(stdout).toBe('draw it\n');
  });

  it('ends after an idle minute and restarts for the next job', async () => {
    const { idle, thread, draw } = setUp();
    await draw('draw 1');
    await idle.advance(IDLE_MS - 1);
    await draw('draw 2');
    await idle.advance(IDLE_MS - 1);
    expect(thread.isRunning()).toBe(true);
    await idle.advance(1);
    expect(thread.isRunning()).toBe(false);
    expect(await draw('draw 3')).toBe('draw 3');
  });
});
