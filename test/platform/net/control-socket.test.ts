import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askControl, controlSocketPath, listenForControl } from '#src/platform/net/control-socket.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

it('is reached in a data directory that is a link, as systemd makes one', async () => {
  const dir = temporaryDir();
  mkdirSync(join(dir, 'private'));
  symlinkSync('private', join(dir, 'data'));
  const server = await listenForControl(join(dir, 'data'), async (request) => [request]);
  onTestFinished(server.close);
  expect(await askControl(join(dir, 'data'), 'backup')).toEqual({ status: 'answered', answer: ['backup'] });
});

/** It accepts, and never says a word. */
const startDeaf = async (): Promise<string> => {
  const dir = temporaryDir();
  const server = createServer(() => undefined).listen(controlSocketPath(dir));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return dir;
};

describe('asking a process that does not answer', () => {
  it('ends after five seconds, and says what to do', async () => {
    const clock = new ManualClock();
    const asking = askControl(await startDeaf(), {}, { clock });
    await clock.advance(5_000);
    expect(await asking).toEqual({ status: 'failed', reason: expect.stringContaining('does not answer') });
  });

  it('ends at once with a signal, also if it has been heard', async () => {
    const stopping = new AbortController();
    const dir = temporaryDir();
    const server = await listenForControl(dir, () => {
      stopping.abort(new Error('Stopped'));
      return new Promise(() => undefined);
    });
    onTestFinished(server.close);
    await expect(askControl(dir, {}, { signal: stopping.signal })).rejects.toThrow('Stopped');
  });

  it('waits for as long as it takes once it has been heard', async () => {
    const clock = new ManualClock();
    const { promise, resolve } = Promise.withResolvers<string>();
    const dir = temporaryDir();
    const server = await listenForControl(dir, () => promise);
    onTestFinished(server.close);
    const asking = askControl(dir, {}, { clock });
    await expect.poll(() => clock.pendingTimers).toBe(0);
    await clock.advance(600_000);
    resolve('made');
    expect(await asking).toEqual({ status: 'answered', answer: 'made' });
  });
});

const STRANGER = { uid: 61_234, gid: 61_234, encoding: 'utf8' } as const;
const isOpenToStrangers =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--version'], STRANGER).status === 0;

it.runIf(isOpenToStrangers)('is opened by a user without a name, as in a container', () => {
  const dir = temporaryDir();
  chmodSync(dir, 0o777);
  const program = `
    import { listenForControl } from '#src/platform/net/control-socket.ts';
    const server = await listenForControl(process.argv[1], async () => 0);
    await server.close();
    console.log('opened');`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program, join(dir, 'data')],
    STRANGER,
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'opened\n', stderr: '' });
});
