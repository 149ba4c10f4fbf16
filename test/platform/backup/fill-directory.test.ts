import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import { claimDirectory, isAbandoned, removeLeftCopy } from '#src/platform/storage/directory-lock.ts';
import { fillDirectory } from '#src/platform/backup/fill-directory.ts';
import { moveDatabase } from '#src/platform/backup/move.ts';
import { openFile, SQLITE_FILE } from '#src/platform/storage/database.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { temporaryDir } from '#test/support/database.ts';

const INTERRUPTED = expect.objectContaining({
  code: 'RESTORE_INTERRUPTED',
  message: expect.stringContaining('was interrupted. Run it again, or remove '),
});

const restored = async (staging: string): Promise<void> =>
  writeFileSync(join(staging, SQLITE_FILE), 'restored');

describe('a directory that is being filled', () => {
  it('is refused to a bot and to a second restore, and holds the result at the end', async () => {
    const directory = temporaryDir();
    const refused = {
      code: 'DATA_DIR_IN_USE',
      message: expect.stringContaining('restore or move is running'),
    };
    await fillDirectory(directory, async (staging) => {
      expect(() => openFile({ dataDir: directory })).toThrow(expect.objectContaining(refused));
      await expect(fillDirectory(directory, restored)).rejects.toMatchObject(refused);
      await restored(staging);
    });
    expect(readdirSync(directory)).toEqual([SQLITE_FILE]);
    expect(readFileSync(join(directory, SQLITE_FILE), 'utf8')).toBe('restored');
  });

  it('is named when it has no room, by whatever error that shows', async () => {
    const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const wrapped = new FinClawError('A row of usage cannot be stored', 'TRANSFER_FAILED', { cause: full });
    for (const error of [noSpace, full, wrapped]) {
      const directory = temporaryDir();
      const filling = fillDirectory(directory, () => Promise.reject(error));
      await expect(filling).rejects.toMatchObject({
        code: 'NO_ROOM',
        message: `There is no room left in ${directory}. Free some space, or name another directory.`,
      });
      expect(readdirSync(directory)).toEqual([]);
    }
  });

  it('keeps a database that somebody else has put there meanwhile', async () => {
    const directory = temporaryDir();
    const path = join(directory, SQLITE_FILE);
    const filling = fillDirectory(directory, async (staging) => {
      await restored(staging);
      writeFileSync(path, 'somebody else');
    });
    await expect(filling).rejects.toMatchObject({ code: 'TARGET_NOT_EMPTY' });
    expect(readFileSync(path, 'utf8')).toBe('somebody else');
    expect(readdirSync(directory)).toEqual([SQLITE_FILE]);
  });

  it('is refused to a bot after a kill before the database was complete, and nothing changes', () => {
    const directory = temporaryDir();
    claimDirectory(directory).release();
    expect(() => openFile({ dataDir: directory })).toThrow(INTERRUPTED);
    expect(readdirSync(directory)).toEqual(['.restoring']);
    // Where there are no links, an empty file has the name for a moment.
    writeFileSync(join(directory, SQLITE_FILE), '');
    expect(() => openFile({ dataDir: directory })).toThrow(INTERRUPTED);
  });

  it('loses the copy that a kill left beside a complete database, but not while somebody fills it', async () => {
    const directory = temporaryDir();
    const claim = claimDirectory(directory);
    writeFileSync(join(directory, SQLITE_FILE), 'restored');
    await removeLeftCopy(directory);
    expect(readdirSync(directory)).toEqual(['.restoring', SQLITE_FILE]);
    claim.release();
    await removeLeftCopy(directory);
    expect(readdirSync(directory)).toEqual([SQLITE_FILE]);
  });

  it('is begun anew after a restore that was killed', async () => {
    const directory = temporaryDir();
    claimDirectory(directory).release();
    mkdirSync(join(directory, '.restoring', 'files'));
    writeFileSync(join(directory, '.restoring', 'files', 'half'), '');
    expect(isAbandoned(directory)).toBe(true);
    expect(() => openFile({ dataDir: directory })).toThrow(INTERRUPTED);
    await fillDirectory(directory, restored);
    expect(readdirSync(directory)).toEqual([SQLITE_FILE]);
  });

  it('counts as abandoned only if nobody works on it and a restore made it', () => {
    const [claimed, other] = [temporaryDir(), temporaryDir()];
    const claim = claimDirectory(claimed);
    expect([isAbandoned(claimed), isAbandoned(other), isAbandoned(join(other, 'none'))]).toEqual([
      false,
      false,
      false,
    ]);
    claim.release();
    expect(isAbandoned(claimed)).toBe(true);
  });
});

it('a move from a file that is no database says so in one sentence', async () => {
  const directory = temporaryDir();
  writeFileSync(join(directory, SQLITE_FILE), 'no database '.repeat(1_000));
  const moving = moveDatabase({
    from: { kind: 'sqlite', directory },
    to: { kind: 'sqlite', directory: temporaryDir() },
    schema: SCHEMA,
    secretKeys: [],
    signal: new AbortController().signal,
  });
  await expect(moving).rejects.toMatchObject({
    code: 'DATABASE_UNUSABLE',
    message: expect.stringMatching(/cannot be read \(file is not a database\)/),
  });
});
