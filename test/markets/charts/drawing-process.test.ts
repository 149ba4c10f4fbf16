import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createDrawingProcess,
  type DrawingProcess,
  IDLE_MS,
  JOB_TIMEOUT_MS,
  MAX_WAITING,
  MAX_WAITING_PER_OWNER,
} from '#src/markets/charts/drawing-process.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import type { Order } from './scripted-drawer.ts';

const { signal } = new AbortController();
const started: DrawingProcess<Order>[] = [];

const setUp = () => {
  const clock = new ManualClock();
  const idle = new ManualClock();
  const script = new URL('./scripted-drawer.ts', import.meta.url);
  const drawer = createDrawingProcess<Order>({ script, clock, afterIdle: idle.after });
  started.push(drawer);
  const draw = async (order: Order, of = signal, owner = 'ann'): Promise<string> =>
    Buffer.from(await drawer.draw(order, owner, of)).toString();
  /** The outcome of a job, in one word. */
  const outcome = (order: Order, of = signal, owner = 'ann'): Promise<string> =>
    draw(order, of, owner).catch(
      (error: unknown) => (error as { readonly code?: string }).code ?? String(error),
    );
  /** This many jobs, each of another owner. */
  const jobsOfMany = (count: number): readonly Promise<string>[] =>
    Array.from({ length: count }, (_, index) => outcome('draw later', signal, `person ${index}`));
  return { clock, idle, drawer, draw, outcome, jobsOfMany };
};

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

describe('the drawing process', () => {
  it('starts with the first job and runs waiting jobs in order', async () => {
    const { drawer, draw, clock } = setUp();
    expect(drawer.isRunning()).toBe(false);
    const ended: string[] = [];
    const orders = ['draw 1', 'draw 2', 'draw 3'] as const;
    await Promise.all(orders.map(async (order) => ended.push(await draw(order))));
    expect(ended).toEqual(orders);
    expect(drawer.isRunning()).toBe(true);
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

  it('says why it ended, where it cannot even start', async () => {
    const script = new URL('./no-such-drawer.ts', import.meta.url);
    const drawer = createDrawingProcess<Order>({ script, clock: new ManualClock() });
    started.push(drawer);
    await expect(drawer.draw('draw 1', 'ann', signal)).rejects.toMatchObject({
      code: 'CHART_FAILED',
      cause: { message: expect.stringMatching(/^exit code 1: [^]*Cannot find module/) as string },
    });
  });

  it('abandons a stuck job after ten seconds and continues with a new process', async () => {
    const { clock, outcome } = setUp();
    const [stuck, next] = [outcome('hang'), outcome('draw next')];
    await clock.advance(JOB_TIMEOUT_MS - 1);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    expect(await stuck).toBe('CHART_TIMEOUT');
    expect(await next).toBe('draw next');
  });

  it('rejects jobs beyond forty waiting ones, and all jobs once stopped', async () => {
    const { drawer, outcome, jobsOfMany } = setUp();
    const running = outcome('hang');
    const waiting = jobsOfMany(MAX_WAITING);
    expect(await outcome('draw one more')).toBe('CHART_BUSY');
    await drawer.stop();
    expect(await running).toBe('CHART_STOPPED');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['CHART_STOPPED']));
    expect(await outcome('draw after')).toBe('CHART_STOPPED');
    expect(drawer.isRunning()).toBe(false);
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
    const { drawer, outcome, jobsOfMany } = setUp();
    const gone = new AbortController();
    const [running, waiting] = [outcome('hang', gone.signal), outcome('draw never', gone.signal)];
    const others = jobsOfMany(MAX_WAITING - 1);
    gone.abort('gone');
    expect(await Promise.all([running, waiting])).toEqual(['gone', 'gone']);
    const late = outcome('draw late');
    expect(await outcome('draw one more')).toBe('CHART_BUSY');
    await drawer.stop();
    expect(await Promise.all([...others, late])).not.toContain('CHART_BUSY');
  });

  it('draws on when it is told to end, which a service manager does to all processes', async () => {
    const { draw } = setUp();
    const pid = await draw('tell pid');
    process.kill(Number(pid), 'SIGTERM');
    expect(await draw('tell pid')).toBe(pid);
  });

  it('ends with the bot, even if that is killed', async () => {
    const note = join(mkdtempSync(join(tmpdir(), 'finclaw-test-')), 'note');
    const program = `
      const { createDrawingProcess } = await import('#src/markets/charts/drawing-process.ts');
      const { systemClock } = await import('#src/platform/concurrency/clock.ts');
      const [script, order] = process.argv.slice(1);
      const drawer = createDrawingProcess({ script: new URL(script), clock: systemClock });
      process.stdout.write(await drawer.draw(order, 'ann', new AbortController().signal));
      setInterval(() => undefined, 1_000);
    `;
    const script = new URL('./scripted-drawer.ts', import.meta.url).href;
    const order: Order = `note the end in ${note}`;
    const bot = spawn(process.execPath, ['--input-type=module', '--eval', program, script, order]);
    await once(bot.stdout, 'data');
    expect(existsSync(note)).toBe(false);
    bot.kill('SIGKILL');
    await expect.poll(() => existsSync(note)).toBe(true);
    rmSync(dirname(note), { recursive: true });
  });

  it('does not keep the bot alive', async () => {
    const program = `
      const { createDrawingProcess } = await import('#src/markets/charts/drawing-process.ts');
      const { systemClock } = await import('#src/platform/concurrency/clock.ts');
      const script = new URL(process.argv[1]);
      const drawer = createDrawingProcess({ script, clock: systemClock });
      console.log(Buffer.from(await drawer.draw('draw it', 'ann', new AbortController().signal)).toString());
    `;
    const script = new URL('./scripted-drawer.ts', import.meta.url).href;
    const args = ['--input-type=module', '--eval', program, script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stdout).toBe('draw it\n');
  });

  it('ends after an idle minute and restarts for the next job', async () => {
    const { idle, drawer, draw } = setUp();
    await draw('draw 1');
    await idle.advance(IDLE_MS - 1);
    await draw('draw 2');
    await idle.advance(IDLE_MS - 1);
    expect(drawer.isRunning()).toBe(true);
    await idle.advance(1);
    expect(drawer.isRunning()).toBe(false);
    expect(await draw('draw 3')).toBe('draw 3');
  });
});
