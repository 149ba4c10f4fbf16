import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#src/platform/config/config.ts';
import { CHANNELS } from '#channels/index.ts';
import { askControl } from '#src/platform/net/control-socket.ts';
import { keysOfBackup, readBackupKeys } from '#src/platform/backup/backup-key.ts';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { copyDatabaseTo, temporaryDir } from '#test/support/database.ts';
import { startEngineApp } from '#test/support/engine-app.ts';
import { oldDirectory } from '#test/support/old-directory.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { startAsMain } from '#test/support/start-as-main.ts';

const KEYS: Readonly<Record<string, string>> = { A: secretKeyOf(1), B: secretKeyOf(2) };
const { A } = KEYS;
const SCRIPT = join(import.meta.dirname, '../../scripts/backup.ts');

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const runScript = (words: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SCRIPT, ...words],
      { cwd, env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, ...env } },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });

const isEncrypted = (path: string): boolean => readFileSync(path).subarray(0, 2_000).includes('"salt"');

/** The backups of a directory: whether each is encrypted. */
const made = (directory: string): readonly boolean[] => {
  try {
    return readdirSync(directory).map((name) => isEncrypted(join(directory, name)));
  } catch {
    return [];
  }
};

/** The variable with these keys; `none`: no key. */
const valueOf = (names: string): string | undefined =>
  names === 'none' ? undefined : names.replaceAll(/\w/g, (name) => KEYS[name] ?? name);

const idOf = (names: string): string | undefined => readBackupKeys(valueOf(names)?.split(',') ?? [])[0]?.id;

const NONE = /The running bot has no FINCLAW_BACKUP_KEY: restart it first, or pass --plain\./;
const OTHER =
  /The running bot has another FINCLAW_BACKUP_KEY: restart it first, or give this command the key/;

describe('a running bot that is asked for a backup', () => {
  it.each<[bot: string, asker: string, isPlain: boolean, isEncrypted: boolean | RegExp]>([
    ['none', 'none', false, false],
    ['none', 'A', false, NONE],
    ['none', 'A', true, false],
    ['A', 'none', false, true],
    ['A', 'A', false, true],
    ['A,B', 'A', false, true],
    ['A', 'B', false, OTHER],
    ['A,B', 'B', false, OTHER],
    ['A', 'B', true, false],
    ['A', 'none', true, false],
  ])('and has the key %s, by somebody with %s, plain: %s', async (bot, asker, isPlain, outcome) => {
    const dataDir = temporaryDir();
    await copyDatabaseTo(dataDir);
    const key = valueOf(bot);
    const env = { FINCLAW_DATA_DIR: dataDir, ...(key !== undefined && { FINCLAW_BACKUP_KEY: key }) };
    const app = await startAsMain(env, temporaryDir());
    const reply = await askControl(dataDir, { ask: 'backup', keyId: idOf(asker), isPlain });
    await app.stop();
    const backups = made(join(dataDir, 'backups'));
    if (typeof outcome === 'boolean') expect(backups).toEqual([outcome]);
    else {
      expect(backups).toEqual([]);
      expect(reply).toMatchObject({ answer: { status: 'failed', reason: expect.stringMatching(outcome) } });
    }
  });

  it('makes none that is not encrypted once its .env has a key: not by /backup, nor for a script', async () => {
    const app = await startEngineApp();
    expect((await app.ask('boss', '/backup')).join()).toContain('It is not encrypted');
    writeFileSync(join(app.dataDir, '.env'), `FINCLAW_BACKUP_KEY=${A}\n`);
    const [refused] = await app.ask('boss', '/backup');
    expect(refused).toContain(
      '/.env has a FINCLAW_BACKUP_KEY that is not used: it was added after the start',
    );
    expect(await askControl(app.dataDir, { ask: 'backup' })).toMatchObject({
      answer: { status: 'failed', reason: expect.stringContaining('Restart the bot') },
    });
    expect(made(join(app.dataDir, 'backups'))).toEqual([false]);
  });
});

describe('npm run backup', () => {
  it('stops where the running bot has another key, and says what protects what it made', async () => {
    const dataDir = temporaryDir();
    await copyDatabaseTo(dataDir);
    const cwd = temporaryDir();
    const app = await startAsMain({ FINCLAW_DATA_DIR: dataDir }, cwd);
    const env = { FINCLAW_DATA_DIR: dataDir };
    writeFileSync(join(cwd, '.env'), `FINCLAW_BACKUP_KEY=${A}\n`);
    const refused = await runScript([], env, cwd);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toMatch(NONE);
    expect(refused.errors).toMatch(/^[^\n]+\n$/);
    const plain = await runScript(['--plain'], env, cwd);
    expect(plain).toMatchObject({ code: 0, errors: '', output: expect.stringMatching(/NOT encrypted\n$/) });
    await app.stop();
    const closed = await runScript([], env, cwd);
    expect(closed).toMatchObject({ code: 0, errors: '', output: expect.stringMatching(/, encrypted\n$/) });
    const hidden = await runScript([], { ...env, FINCLAW_BACKUP_KEY: '' }, cwd);
    expect(hidden).toMatchObject({ code: 1, output: '' });
    expect(hidden.errors).toMatch(
      /an empty FINCLAW_BACKUP_KEY in the environment hides it\. .* npm run backup -- --plain /,
    );
    expect(made(join(dataDir, 'backups'))).toEqual([false, true]);
  });
});

it('the backup before an upgrade is encrypted, or the start is refused where an empty variable hides the key', async () => {
  const dataDir = await oldDirectory();
  const cwd = temporaryDir();
  writeFileSync(join(cwd, '.env'), `FINCLAW_BACKUP_KEY=${A}\n`);
  const env = { FINCLAW_DATA_DIR: dataDir };
  await expect(startAsMain({ ...env, FINCLAW_BACKUP_KEY: '' }, cwd)).rejects.toMatchObject({
    code: 'BACKUP_KEY_UNUSED',
    isOperational: true,
  });
  expect(made(join(dataDir, 'backups'))).toEqual([]);
  await (await startAsMain({ ...env, FINCLAW_BACKUP_KEY: A }, cwd)).stop();
  expect(made(join(dataDir, 'backups'))).toEqual([true]);
});

it('a .env that is no file of settings hides nothing', () => {
  const cwd = temporaryDir();
  mkdirSync(join(cwd, '.env'));
  const { backup } = loadConfig({}, cwd, CHANNELS);
  expect(keysOfBackup(backup)).toEqual([]);
});
