import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askControl, listenForControl } from '#src/platform/control-socket.ts';
import { temporaryDir } from '#test/support/database.ts';

it('is reached in a data directory that is a link, as systemd makes one', async () => {
  const dir = temporaryDir();
  mkdirSync(join(dir, 'private'));
  symlinkSync('private', join(dir, 'data'));
  const server = await listenForControl(join(dir, 'data'), async (request) => [request]);
  onTestFinished(server.close);
  expect(await askControl(join(dir, 'data'), 'backup')).toEqual({ status: 'answered', answer: ['backup'] });
});

const STRANGER = { uid: 61_234, gid: 61_234, encoding: 'utf8' } as const;
const isOpenToStrangers =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--version'], STRANGER).status === 0;

it.runIf(isOpenToStrangers)('is opened by a user without a name, as in a container', () => {
  const dir = temporaryDir();
  chmodSync(dir, 0o777);
  const program = `
    import { listenForControl } from '#src/platform/control-socket.ts';
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
