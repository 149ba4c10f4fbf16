import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureDataDir } from '#src/platform/storage/database.ts';
import { canBeOtherUser, OTHER_USER } from '#test/support/other-user.ts';
import { openStorage, sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { rowsOf } from './rows-fixture.ts';

const modeOf = (...path: string[]): string => (statSync(join(...path)).mode & 0o777).toString(8);

describe('the files of the data directory', () => {
  it('are made for this user alone: the database, its log, the key of the codes', async () => {
    const before = process.umask(0o022);
    try {
      const dataDir = temporaryDir();
      const { storage } = await sqliteStorage(dataDir);
      await storage.checkWritable();
      for (const name of ['finclaw.sqlite', 'finclaw.sqlite-wal', 'person-codes.key'])
        expect([name, modeOf(dataDir, name)]).toEqual([name, '600']);
    } finally {
      process.umask(before);
    }
  });

  it('are closed to others at the start where an earlier version or a copy left them open', () => {
    const dataDir = temporaryDir();
    const outside = join(temporaryDir(), 'theirs.txt');
    writeFileSync(outside, '');
    mkdirSync(join(dataDir, 'sessions', 'old'), { recursive: true });
    const open = [
      'finclaw.sqlite',
      'finclaw.sqlite-wal',
      join('sessions', 'a.jsonl'),
      join('sessions', 'old', 'run.sh'),
    ];
    for (const name of open) writeFileSync(join(dataDir, name), '');
    for (const name of [...open, 'sessions', join('sessions', 'old')]) chmodSync(join(dataDir, name), 0o755);
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(dataDir, 'link'));
    ensureDataDir(dataDir);
    for (const name of [...open, 'sessions', join('sessions', 'old'), ''])
      expect([name, modeOf(dataDir, name)]).toEqual([name, '700']);
    expect(modeOf(outside)).toBe('644');
  });

  it.runIf(canBeOtherUser)('may be in a volume of another user, if this one may write there', () => {
    const dataDir = temporaryDir();
    const module = join(import.meta.dirname, '../../../src/platform/storage/database.ts');
    const open = () =>
      spawnSync(
        process.execPath,
        [
          '-e',
          `import(${JSON.stringify(module)}).then(({ ensureDataDir }) => ensureDataDir(${JSON.stringify(dataDir)}))`,
        ],
        { ...OTHER_USER, cwd: join(import.meta.dirname, '../../..'), encoding: 'utf8' },
      );
    chmodSync(dataDir, 0o777);
    expect(open()).toMatchObject({ status: 0, stderr: '' });
    chmodSync(dataDir, 0o755);
    expect(open().stderr).toMatch(/The data directory .* cannot be used \(EACCES/);
  });

  it('hold a key of the codes that a damaged copy does not silently replace', async () => {
    const dataDir = temporaryDir();
    const { storage } = await sqliteStorage(dataDir);
    await storage.close();
    writeFileSync(join(dataDir, 'person-codes.key'), 'half');
    await expect(openStorage({ dataDir })).rejects.toMatchObject({
      code: 'CODE_KEY_DAMAGED',
      isOperational: true,
    });
  });
});

describe('the log of SQLite', () => {
  it('holds nothing of what was deleted, right after the deletion', async () => {
    const dataDir = temporaryDir();
    const { storage } = await sqliteStorage(dataDir);
    const held = (name: string): boolean => readFileSync(join(dataDir, name)).includes('canary-7f3a');
    const id = await rowsOf(storage).inbox({ message: '{"body":"canary-7f3a"}' });
    expect(held('finclaw.sqlite-wal')).toBe(true);
    await storage.write((tx) => tx.deleteFrom('inbox').where('id', '=', id).execute());
    expect(held('finclaw.sqlite-wal')).toBe(true);
    // Also while others write.
    const writes = Array.from({ length: 20 }, () => storage.checkWritable());
    await Promise.all([storage.truncateLog(), ...writes]);
    expect([held('finclaw.sqlite-wal'), held('finclaw.sqlite')]).toEqual([false, false]);
  });
});
