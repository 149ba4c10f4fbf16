import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStorage, temporaryDir } from '#test/support/database.ts';

const signal = new AbortController().signal;
const MEGABYTE = 1_024 * 1_024;

it('a copy is taken while the database is in use, of what was committed by then', async () => {
  const dataDir = temporaryDir();
  const storage = await openStorage({ dataDir });
  const add = (id: string) =>
    storage.write((tx) => tx.insertInto('health').values({ id, checked_at: id }).execute());
  await add('before');
  const over = new AbortController();
  const writing = (async () => {
    for (let index = 0; !over.signal.aborted; index += 1) await add(`during-${index}`);
  })();
  const copy = join(dataDir, 'copy.sqlite');
  await storage.copyTo?.(copy, signal);
  await storage.truncateLog();
  over.abort();
  await writing;
  const live = await storage.db.selectFrom('health').select('id').execute();
  await storage.close();
  const copied = new DatabaseSync(copy);
  const ids = copied
    .prepare('select id from health')
    .all()
    .map(({ id }) => String(id));
  expect(copied.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  copied.close();
  expect(ids).toContain('before');
  expect(ids.length).toBeLessThan(live.length);
  // In the order of writing, without a gap.
  expect(ids.filter((id) => id !== 'before')).toEqual(
    Array.from({ length: ids.length - 1 }, (_, index) => `during-${index}`),
  );
});

it('a copy is of one moment, whatever is written while it is taken', async () => {
  const dataDir = temporaryDir();
  const storage = await openStorage({ dataDir });
  const add = (id: string) =>
    storage.write((tx) =>
      tx
        .insertInto('health')
        .values({ id, checked_at: 'x'.repeat(MEGABYTE) })
        .execute(),
    );
  for (let index = 0; index < 8; index += 1) await add(`before-${index}`);
  await storage.truncateLog();
  const [path, copy] = [join(dataDir, 'finclaw.sqlite'), join(dataDir, 'copy.sqlite')];
  const whole = readFileSync(path);
  const copying = storage.copyTo?.(copy, signal);
  const limit = await sql<object>`pragma wal_autocheckpoint`.execute(storage.db);
  expect(limit.rows).toEqual([{ wal_autocheckpoint: 0 }]);
  while (!existsSync(copy)) await new Promise((resolve) => setImmediate(resolve));
  await add('during');
  await storage.truncateLog();
  await copying;
  expect(readFileSync(copy).equals(whole)).toBe(true);
  await storage.close();
});

it('a copy keeps a second process out while it is taken and afterwards', async () => {
  const dataDir = temporaryDir();
  const storage = await openStorage({ dataDir });
  await storage.copyTo?.(join(dataDir, 'copy.sqlite'), signal);
  const script = `import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(process.argv[1]).exec('begin immediate')`;
  const other = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    script,
    join(dataDir, 'finclaw.sqlite'),
  ]);
  expect(String(other.stderr)).toContain('database is locked');
  await storage.close();
});
