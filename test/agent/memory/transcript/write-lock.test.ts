import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  acquireWriteLock,
  type LockOptions,
  type LockResult,
} from '#src/agent/memory/transcript/write-lock.ts';
import type { Clock } from '#src/platform/clock.ts';
import { recordingEvents } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = () => {
  const sessionDir = temporaryDir();
  const clock = new ManualClock();
  const acquire = (special: Partial<LockOptions> = {}): Promise<LockResult> =>
    acquireWriteLock({ sessionDir, sessionId: 's1', clock, ...special });
  const lockPath = join(sessionDir, 's1.lock');
  /** The token of who holds it. */
  const holder = (): unknown => (JSON.parse(readFileSync(lockPath, 'utf8')) as { token: unknown }).token;
  return { sessionDir, clock, acquire, lockPath, holder };
};

const held = async (result: Promise<LockResult>): Promise<() => Promise<void>> => {
  const lock = await result;
  if (!lock.acquired) throw new Error(`Not acquired; held by ${lock.heldBy}`);
  return lock.release;
};

/** A lock of a process that lives, but of which nothing else is known. */
const foreign = (timestamp: string): string =>
  JSON.stringify({ pid: process.ppid, timestamp, token: 'theirs' });

describe('acquireWriteLock', () => {
  it('leaves a file that says who holds the lock, and no file once it is released', async () => {
    const { acquire, lockPath, sessionDir } = setUp();
    const lock = await acquire();
    expect(lock).toMatchObject({ acquired: true });
    expect(readdirSync(sessionDir)).toEqual(['s1.lock']);
    expect(JSON.parse(readFileSync(lockPath, 'utf8'))).toMatchObject({
      pid: process.pid,
      timestamp: '2026-11-13T06:30:00.000Z',
      token: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    });
    if (lock.acquired) await lock.release();
    expect(readdirSync(sessionDir)).toEqual([]);
  });

  it('gives locks of different sessions side by side', async () => {
    const { acquire } = setUp();
    const first = await held(acquire({ sessionId: 'a', timeoutMs: 0 }));
    const second = await held(acquire({ sessionId: 'b', timeoutMs: 0 }));
    await Promise.all([first(), second()]);
  });

  it.each(['../../outside', '/etc/passwd', 'a:b/c', '..', 'x'.repeat(300), ''])(
    'keeps the lock of session %j inside the directory',
    async (sessionId) => {
      const { acquire, sessionDir } = setUp();
      const release = await held(acquire({ sessionId }));
      expect(readdirSync(sessionDir)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.lock$/)]);
      await release();
    },
  );

  it('rejects where there is no directory, and is not stuck after that', async () => {
    const { acquire, sessionDir } = setUp();
    const missing = join(sessionDir, 'not-yet');
    await expect(acquire({ sessionDir: missing })).rejects.toMatchObject({ code: 'ENOENT' });
    mkdirSync(missing);
    await (
      await held(acquire({ sessionDir: missing, timeoutMs: 0 }))
    )();
  });

  it('tells of it by the name of the session', async () => {
    const { acquire, lockPath } = setUp();
    const { events, names, payloads } = recordingEvents();
    writeFileSync(lockPath, JSON.stringify({ pid: 99_999_999, timestamp: 'then', token: 't' }));
    await (
      await held(acquire({ events }))
    )();
    await (
      await held(acquire({ events, sessionKey: 'agent:main' }))
    )();
    expect(names()).toEqual([
      'session:lock:stale',
      'session:lock:acquire',
      'session:lock:release',
      'session:lock:acquire',
      'session:lock:release',
    ]);
    expect(payloads('session:lock:stale')).toEqual([{ sessionKey: 's1', stalePid: 99_999_999 }]);
    expect(payloads('session:lock:acquire')).toEqual([
      { sessionKey: 's1', pid: process.pid },
      { sessionKey: 'agent:main', pid: process.pid },
    ]);
    expect(payloads('session:lock:release')).toEqual([{ sessionKey: 's1' }, { sessionKey: 'agent:main' }]);
  });

  it('sees the same lock behind another name of the directory', async () => {
    const { acquire, sessionDir } = setUp();
    const alias = join(temporaryDir(), 'alias');
    symlinkSync(sessionDir, alias);
    const release = await held(acquire());
    await expect(acquire({ sessionDir: alias, timeoutMs: 0 })).resolves.toMatchObject({ acquired: false });
    await release();
    await (
      await held(acquire({ sessionDir: alias, timeoutMs: 0 }))
    )();
  });
});

describe('who waits in the same process', () => {
  it('gets the lock in order of arrival, the moment it is free', async () => {
    const { acquire, clock } = setUp();
    const order: string[] = [];
    const release = await held(acquire());
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      const next = await held(acquire());
      order.push(name);
      await next();
    });
    // One limit each, and nobody who asks again and again.
    expect(clock.pendingTimers).toBe(3);
    await release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('gives up when its time is over, and takes nothing after that', async () => {
    const { acquire, clock, lockPath } = setUp();
    const release = await held(acquire());
    const late = acquire({ timeoutMs: 1_000 });
    const patient = acquire({ timeoutMs: 2_000 });
    await clock.advance(999);
    const state = await Promise.race([late, Promise.resolve('waits')]);
    expect(state).toBe('waits');
    await clock.advance(1);
    await expect(late).resolves.toEqual({ acquired: false, lockPath, heldBy: process.pid });
    await release();
    await (
      await held(patient)
    )();
    expect(existsSync(lockPath)).toBe(false);
  });

  it('waits five seconds unless told otherwise', async () => {
    const { acquire, clock } = setUp();
    const release = await held(acquire());
    const late = acquire();
    await clock.advance(4_999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    await expect(late).resolves.toMatchObject({ acquired: false });
    await release();
  });

  it('shares the time between waiting here and waiting for another process', async () => {
    const { acquire, clock, lockPath } = setUp();
    const release = await held(acquire());
    const late = acquire({ timeoutMs: 1_000 });
    await clock.advance(900);
    writeFileSync(lockPath, foreign('2026-11-13T06:30:00Z'));
    await release();
    await clock.advance(99);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    await expect(late).resolves.toMatchObject({ acquired: false, heldBy: process.ppid });
  });
});

describe('who waits for another process', () => {
  it('asks again, ever more seldom, and gets the lock once it is gone', async () => {
    const { acquire, clock, lockPath } = setUp();
    writeFileSync(lockPath, foreign('2026-11-13T06:30:00Z'));
    const delays: number[] = [];
    const counted: Clock = {
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      after: (delayMs, callback) => {
        delays.push(delayMs);
        return clock.after(delayMs, callback);
      },
    };
    const waiting = acquire({ clock: counted });
    await clock.advance(400);
    expect(delays).toEqual([5, 10, 20, 40, 80, 100, 100, 100]);
    rmSync(lockPath);
    await clock.advance(100);
    await (
      await held(waiting)
    )();
  });

  it.each([0, 250])('gives up after %i ms, and says who has it', async (timeoutMs) => {
    const { acquire, clock, lockPath } = setUp();
    writeFileSync(lockPath, foreign('2026-11-13T06:30:00Z'));
    const late = acquire({ timeoutMs });
    await clock.advance(timeoutMs);
    await expect(late).resolves.toEqual({ acquired: false, lockPath, heldBy: process.ppid });
    expect(readFileSync(lockPath, 'utf8')).toContain('theirs');
  });
});
