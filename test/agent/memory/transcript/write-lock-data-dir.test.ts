import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockDataDir } from '#src/agent/memory/transcript/write-lock.ts';
import { recordingEvents } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';

const setUp = () => {
  const dataDir = temporaryDir();
  const recorded = recordingEvents();
  /** Given back at the end of the test, if it was not before. */
  const lock = async (directory = dataDir): Promise<() => Promise<void>> => {
    const release = await lockDataDir(directory, recorded.events);
    onTestFinished(release);
    return release;
  };
  return { dataDir, lockPath: join(dataDir, 'finclaw.lock'), lock, ...recorded };
};

const OTHER_PROCESS = `
  import { lockDataDir } from '#src/agent/memory/transcript/write-lock.ts';
  import { createEvents } from '#src/platform/events.ts';
  await lockDataDir(process.argv[1], createEvents(() => undefined));
  process.stdout.write('held');
  setInterval(() => undefined, 60_000);
`;

/** Another process that runs on this directory. */
const startOther = async (dataDir: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', OTHER_PROCESS, dataDir], {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { pid: child.pid ?? 0, kill };
};

describe('the lock of a data directory', () => {
  it('is refused to a second holder, who is told which process has it and what to do', async () => {
    const { lock, dataDir, lockPath } = setUp();
    await lock();
    const refused = lock();
    await expect(refused).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await expect(refused).rejects.toThrow(`(process ${process.pid}) is running on ${dataDir}`);
    await expect(refused).rejects.toThrow(`remove ${lockPath}`);
  });

  it('is refused while another process lives that holds it, and given at once when that was killed', async () => {
    const { lock, dataDir, payloads } = setUp();
    const other = await startOther(dataDir);
    await expect(lock()).rejects.toThrow(`process ${other.pid}`);
    await other.kill();
    await lock();
    expect(payloads('session:lock:stale')).toEqual([{ sessionKey: 'finclaw', stalePid: other.pid }]);
  });

  it('is free again once it was released', async () => {
    const { lock, lockPath, names } = setUp();
    const release = await lock();
    expect(existsSync(lockPath)).toBe(true);
    await release();
    expect(existsSync(lockPath)).toBe(false);
    await (
      await lock()
    )();
    expect(names()).toEqual([
      'session:lock:acquire',
      'session:lock:release',
      'session:lock:acquire',
      'session:lock:release',
    ]);
  });

  it('does not pass on with age: a holder of many days is a holder', async () => {
    const { lock, lockPath } = setUp();
    // A process of that number lives; that it is the same one nobody wrote down.
    writeFileSync(
      lockPath,
      JSON.stringify({ pid: process.ppid, timestamp: '2020-01-01T00:00:00Z', token: 't' }),
    );
    await expect(lock()).rejects.toThrow(`process ${process.ppid}`);
  });

  it('of a copy is another one: what was copied with it holds nothing', async () => {
    const { lock, dataDir, lockPath } = setUp();
    await lock();
    const copy = join(temporaryDir(), 'copy');
    cpSync(dataDir, copy, { recursive: true });
    expect(existsSync(join(copy, 'finclaw.lock'))).toBe(true);
    const release = await lock(copy);
    await release();
    expect(existsSync(lockPath)).toBe(true);
    await expect(lock()).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  });

  it('is not had where there is no such directory', async () => {
    const { lock, dataDir } = setUp();
    await expect(lock(join(dataDir, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
