import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  acquireWriteLock,
  type LockOptions,
  type LockResult,
} from '#src/agent/memory/transcript/write-lock.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { startHolder, startProcess } from './processes.ts';

/** Elsewhere nobody says when a process began. */
const onLinux = it.runIf(existsSync('/proc/self/stat'));

const setUp = () => {
  const directory = temporaryDir();
  const clock = new ManualClock();
  const lockPath = join(directory, 'shared.lock');
  /** Without waiting. */
  const tryLock = (special: Partial<LockOptions> = {}): Promise<LockResult> =>
    acquireWriteLock({ sessionDir: directory, sessionId: 'shared', timeoutMs: 0, clock, ...special });
  /** True if the lock could be had; it is given back, and nothing is left behind. */
  const isFree = async (special: Partial<LockOptions> = {}): Promise<boolean> => {
    const waiting = tryLock(special);
    await clock.advance(0);
    const lock = await waiting;
    if (!lock.acquired) return false;
    expect(JSON.parse(readFileSync(lockPath, 'utf8'))).toMatchObject({ pid: process.pid });
    await lock.release();
    expect(readdirSync(directory).filter((name) => name.startsWith('shared.lock'))).toEqual([]);
    return true;
  };
  const plant = (content: string): void => writeFileSync(lockPath, content);
  return { directory, clock, lockPath, tryLock, isFree, plant };
};

const NOW = '2026-11-13T06:30:00Z';

/** A process of this number lives; when it began is not said. */
const unknown = (timestamp: string): string =>
  JSON.stringify({ pid: process.ppid, timestamp, token: 'theirs' });

describe('a lock of a process that is gone', () => {
  it('is taken at once', async () => {
    const { plant, isFree } = setUp();
    plant(JSON.stringify({ pid: 99_999_999, timestamp: NOW, token: 't' }));
    await expect(isFree()).resolves.toBe(true);
  });

  it('is taken at once after kill -9, and not before', async () => {
    const { directory, isFree, tryLock, clock } = setUp();
    const { child, pid, ended } = await startHolder(directory);
    const refused = tryLock();
    await clock.advance(0);
    await expect(refused).resolves.toMatchObject({ acquired: false, heldBy: pid });
    child.kill('SIGKILL');
    await ended;
    await expect(isFree()).resolves.toBe(true);
  });

  onLinux('is taken at once when its parent has not noticed yet that it is gone', async () => {
    const { directory, tryLock } = setUp();
    const { child, pid } = await startHolder(directory);
    child.kill('SIGKILL');
    // Without a turn of the event loop nobody takes notice of it.
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    const lock = await tryLock();
    expect(lock.acquired).toBe(true);
    if (lock.acquired) await lock.release();
  });

  onLinux('is taken at once when another process has its number now', async () => {
    const { directory, lockPath, plant, isFree } = setUp();
    await startHolder(directory);
    const record = JSON.parse(readFileSync(lockPath, 'utf8')) as { readonly processStart: string };
    const [boot = '', tick = ''] = record.processStart.split('/');
    expect(boot).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    for (const processStart of [`${boot}/${Number(tick) - 1}`, `another-boot/${tick}`]) {
      plant(JSON.stringify({ ...record, processStart }));
      expect(await isFree(), processStart).toBe(true);
    }
  });

  it('is taken at once when it has our own number, and we do not hold it', async () => {
    const { directory, lockPath, plant, isFree, tryLock } = setUp();
    const lock = await tryLock();
    const ours = JSON.parse(readFileSync(lockPath, 'utf8')) as object;
    // A copy of the directory has a copy of the lock.
    const copy = temporaryDir();
    cpSync(directory, copy, { recursive: true });
    const inCopy = await tryLock({ sessionDir: copy });
    expect(inCopy.acquired).toBe(true);
    if (inCopy.acquired) await inCopy.release();
    if (lock.acquired) await lock.release();
    plant(JSON.stringify({ ...ours, token: 'of a predecessor' }));
    await expect(isFree()).resolves.toBe(true);
  });

  it.each([
    ['empty', ''],
    ['of blanks', '\u0000\u0000'],
    ['cut short', '{"pid": 12'],
    ['of something else', '"words"'],
    ['of null', 'null'],
    ['without a number', '{"timestamp":"now"}'],
    ['of all processes', `{"pid":-1,"timestamp":"${NOW}"}`],
    ['of our own group', `{"pid":0,"timestamp":"${NOW}"}`],
  ])('is taken at once when the file is %s', async (_what, content) => {
    const { plant, isFree } = setUp();
    plant(content);
    await expect(isFree()).resolves.toBe(true);
  });

  it('is left to another process that is just taking it, and taken once that one died', async () => {
    const { directory, lockPath, plant, isFree } = setUp();
    const dead = JSON.stringify({ pid: 99_999_999, timestamp: NOW, token: 't' });
    plant(dead);
    const taking = `${lockPath}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}.taking`;
    writeFileSync(taking, unknown(NOW));
    await expect(isFree()).resolves.toBe(false);
    expect(readFileSync(lockPath, 'utf8')).toBe(dead);
    writeFileSync(taking, dead);
    await expect(isFree()).resolves.toBe(true);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is taken by one at a time, however many find it stale at once', async () => {
    const { directory, plant } = setUp();
    plant('');
    writeFileSync(join(directory, 'number'), '0');
    const times = 40;
    const children = ['a', 'b', 'c'].map((name) => startProcess('count', directory, name, String(times)));
    const ended = await Promise.all(children.map((child) => once(child, 'exit')));
    expect(ended).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect(readFileSync(join(directory, 'number'), 'utf8')).toBe(String(3 * times));
    expect(readdirSync(directory).toSorted()).toEqual(['number', 'shared.lock']);
  });
});

describe('a lock of a process of which nobody can say whether it is the same', () => {
  it('is respected for five minutes', async () => {
    const { plant, isFree, clock } = setUp();
    plant(unknown(NOW));
    await clock.advance(300_000);
    await expect(isFree()).resolves.toBe(false);
    await clock.advance(1);
    await expect(isFree()).resolves.toBe(true);
  });

  it('is respected for as long as it is told', async () => {
    const { plant, isFree, clock } = setUp();
    plant(unknown(NOW));
    await clock.advance(1_000);
    await expect(isFree({ staleAfterMs: Infinity })).resolves.toBe(false);
    await expect(isFree({ staleAfterMs: 1_000 })).resolves.toBe(false);
    await expect(isFree({ staleAfterMs: 999 })).resolves.toBe(true);
  });

  it('is not respected when it does not say since when', async () => {
    const { plant, isFree } = setUp();
    plant(unknown('some time ago'));
    await expect(isFree()).resolves.toBe(true);
  });
});

describe('a lock of a process that lives', () => {
  onLinux('is respected, however old it is', async () => {
    const { directory, lockPath, plant, isFree } = setUp();
    await startHolder(directory);
    const record = JSON.parse(readFileSync(lockPath, 'utf8')) as object;
    plant(JSON.stringify({ ...record, timestamp: '2020-01-01T00:00:00Z' }));
    await expect(isFree()).resolves.toBe(false);
  });

  it('is not freed by one who had it before', async () => {
    const { lockPath, plant, tryLock } = setUp();
    const lock = await tryLock();
    plant(unknown(NOW));
    if (lock.acquired) await lock.release();
    expect(readFileSync(lockPath, 'utf8')).toBe(unknown(NOW));
  });
});

describe('a process that ends with a lock', () => {
  it('takes it away when it ends by itself', async () => {
    const { directory } = setUp();
    const { ended } = await startHolder(directory, 'end');
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('ends by a signal as it would without one', async () => {
    const { directory, isFree } = setUp();
    const { child, ended } = await startHolder(directory);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    await expect(isFree()).resolves.toBe(true);
  });

  it('listens for its end once, and only while it holds one', async () => {
    const { directory } = setUp();
    const child = startProcess('listen', directory);
    const [counts] = child.stdout ? await once(child.stdout, 'data') : [];
    expect(String(counts).trim()).toBe('0 1 1 1 0');
  });
});
