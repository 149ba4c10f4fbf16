import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { askControl, controlSocketPath, listenForControl } from '#src/platform/net/control-socket.ts';
import { createBackups } from '#src/platform/backup/backups.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { createEvents } from '#src/platform/events.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const HOUR_MS = 3_600_000;

const backupsOf = async (everyHours: number, leads?: () => boolean) => {
  const dataDir = temporaryDir();
  const envFile = join(dataDir, '.env');
  const { storage } = await sqliteStorage(dataDir);
  const directory = join(dataDir, 'backups');
  const clock = new ManualClock();
  const events = createEvents(() => undefined);
  const seen: string[] = [];
  events.onAny((name) => void seen.push(name));
  const backups = createBackups({
    source: { dataDir, copyTo: storage.copyTo, ...SCHEMA, version: '0.1.0' },
    settings: { directory, keep: 2, keys: [], envFile, everyHours },
    leads,
    clock,
    events,
  });
  onTestFinished(backups.stop);
  return { backups, clock, directory, dataDir, envFile, seen };
};

it('a backup is made soon after the start and then as often as set, and the oldest goes', async () => {
  const { backups, clock, directory, seen } = await backupsOf(24);
  await backups.start();
  expect(seen).toEqual([]);
  const made = (): number => seen.filter((name) => name === 'backup:made').length;
  await clock.advance(5 * 60_000);
  await expect.poll(made, { timeout: 30_000 }).toBe(1);
  for (const count of [2, 3]) {
    await clock.advance(24 * HOUR_MS + 1);
    await expect.poll(made, { timeout: 30_000 }).toBe(count);
  }
  await backups.stop();
  expect(readdirSync(directory)).toHaveLength(2);
});

it('only the process that leads makes the automatic ones', async () => {
  let isLeading = false;
  const { backups, clock, seen } = await backupsOf(1, () => isLeading);
  await backups.start();
  await clock.advance(3 * HOUR_MS);
  expect(seen).toEqual([]);
  isLeading = true;
  await clock.advance(10 * 60_000);
  await expect.poll(() => seen, { timeout: 30_000 }).toContain('backup:made');
});

it('none is made on schedule that is not encrypted once .env has a key', async () => {
  const { backups, clock, directory, envFile, seen } = await backupsOf(24);
  writeFileSync(envFile, `FINCLAW_BACKUP_KEY=${secretKeyOf(1)}\n`);
  await backups.start();
  await clock.advance(5 * 60_000);
  await expect.poll(() => seen, { timeout: 30_000 }).toContain('backup:failed');
  expect(existsSync(directory)).toBe(false);
});

it('a long time between two is waited for in pieces, and one by a clock that was ahead does not count', async () => {
  const { backups, clock, directory, seen } = await backupsOf(8_760);
  mkdirSync(directory);
  writeFileSync(join(directory, 'finclaw-20990101T000000000Z-1.fcb'), '');
  const after = vi.spyOn(clock, 'after');
  await backups.start();
  await clock.advance(5 * 60_000);
  await expect.poll(() => seen, { timeout: 30_000 }).toContain('backup:made');
  await expect.poll(() => clock.pendingTimers).toBe(1);
  // Node takes a longer one for one of a millisecond.
  for (const [delayMs] of after.mock.calls) expect(delayMs).toBeLessThan(2 ** 31);
});

it('one is made at a time, and one that is given up leaves nothing', async () => {
  const { backups, directory, dataDir } = await backupsOf(0);
  const first = backups.make();
  expect(await backups.make()).toEqual({ status: 'running' });
  expect(await first).toMatchObject({ status: 'made', kept: 1 });
  const elsewhere = join(dataDir, 'elsewhere');
  const given = backups.makeFor({ to: elsewhere });
  await backups.stop();
  expect(await given).toEqual({ status: 'failed', reason: 'FinClaw is being stopped.' });
  expect(readdirSync(directory)).toHaveLength(1);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('a directory that cannot be written to is said in a sentence', async () => {
  const { backups, dataDir, seen } = await backupsOf(0);
  writeFileSync(join(dataDir, 'file'), '');
  expect(await backups.makeFor({ to: join(dataDir, 'file') })).toEqual({
    status: 'failed',
    reason: expect.stringContaining(`No backup could be made in ${join(dataDir, 'file')}`) as string,
  });
  expect(seen).toContain('backup:failed');
});

it('a running process answers on its socket, which only its user can open and a kill cannot block', async () => {
  const dataDir = temporaryDir();
  expect(await askControl(dataDir, {})).toEqual({ status: 'absent' });
  // What a killed process leaves.
  const killed = createServer();
  await new Promise<void>((resolve) => killed.listen(controlSocketPath(dataDir), resolve));
  const server = await listenForControl(dataDir, async (request) => {
    if (request === 'fail') throw new Error('No.');
    return { request };
  });
  expect(statSync(controlSocketPath(dataDir)).mode & 0o777).toBe(0o600);
  expect(await askControl(dataDir, { ask: 'x' })).toEqual({
    status: 'answered',
    answer: { request: { ask: 'x' } },
  });
  expect(await askControl(dataDir, 'fail')).toEqual({ status: 'failed', reason: 'No.' });
  await server.close();
  killed.close();
  expect(await askControl(dataDir, {})).toEqual({ status: 'absent' });
});

it('a path that is too long for a socket gets a short one', async () => {
  const dataDir = join(temporaryDir(), 'x'.repeat(120));
  mkdirSync(dataDir);
  expect(controlSocketPath(dataDir).length).toBeLessThanOrEqual(103);
  const server = await listenForControl(dataDir, async () => 'here');
  expect(await askControl(dataDir, {})).toEqual({ status: 'answered', answer: 'here' });
  await server.close();
});
