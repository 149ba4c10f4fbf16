import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeArchive } from '#src/platform/backup/archive.ts';
import { withSealedFile } from '#src/platform/backup/sealed-file.ts';
import { temporaryDir } from '#test/support/database.ts';
import { backUp, furnishedDirectory, onDirectory, restoreTo, SECRET_TABLES } from './fixture.ts';

const newKey = (): string => randomBytes(32).toString('base64');

/** Into a new directory. Gives it, or the code of the refusal. */
const restore = async (path: string, options: Parameters<typeof restoreTo>[2]): Promise<string> => {
  const directory = temporaryDir();
  try {
    await restoreTo({ kind: 'sqlite', directory }, path, options);
    return directory;
  } catch (error) {
    expect(readdirSync(directory)).toEqual([]);
    return String((error as { readonly code?: unknown }).code);
  }
};

const secretsIn = (dataDir: string): number =>
  onDirectory(dataDir, (database) =>
    SECRET_TABLES.reduce(
      (sum, table) => sum + Number(database.prepare(`select count(*) as n from ${table}`).get()?.['n']),
      0,
    ),
  );

const zeros = async function* (): AsyncGenerator<Buffer> {
  for (let megabyte = 0; megabyte < 70; megabyte += 1) yield Buffer.alloc(1_024 * 1_024);
};
const bombs = async function* () {
  yield { name: 'skills/bomb', content: zeros() };
};
const nothing = () => ({ rows: {}, missingFiles: 0 });

describe('a backup that somebody else may have made', () => {
  it('is refused unencrypted where a key is set, also in an .env that the process does not use', async () => {
    const dataDir = await furnishedDirectory();
    const { path } = await backUp(dataDir);
    const envFile = join(temporaryDir(), '.env');
    writeFileSync(envFile, `FINCLAW_BACKUP_KEY=${newKey()}\n`);
    const keys = [newKey()];
    expect(await restore(path, { keys })).toBe('BACKUP_NOT_ENCRYPTED');
    expect(await restore(path, { envFile })).toBe('BACKUP_NOT_ENCRYPTED');
    for (const options of [{}, { keys, isPlain: true }, { envFile, isPlain: true }])
      expect(readdirSync(await restore(path, options))).toContain('finclaw.sqlite');
    const sealed = await backUp(dataDir, { keys, directory: temporaryDir() });
    expect(readdirSync(await restore(sealed.path, { keys: [newKey(), ...keys] }))).toContain(
      'finclaw.sqlite',
    );
  });

  it('brings no session and no code along, whether it is encrypted or not', async () => {
    const dataDir = await furnishedDirectory();
    const keys = [newKey()];
    expect(secretsIn(dataDir)).toBeGreaterThan(0);
    for (const used of [[], keys]) {
      const { path } = await backUp(dataDir, { keys: used, directory: temporaryDir() });
      for (const isContinued of [true, false])
        expect(secretsIn(await restore(path, { keys: used, isContinued }))).toBe(0);
    }
  });

  it('fills no disk with a few bytes', async () => {
    const { path } = await backUp(await furnishedDirectory());
    const { header } = await withSealedFile(path, [], async (file) => file);
    const bomb = join(temporaryDir(), 'bomb.fcb');
    const { signal } = new AbortController();
    await writeArchive(bomb, header, bombs(), nothing, { key: undefined, signal });
    expect(await restore(bomb, {})).toBe('BACKUP_DAMAGED');
  });
});

it('a backup follows no link below the skills', async () => {
  const dataDir = await furnishedDirectory();
  const elsewhere = temporaryDir();
  writeFileSync(join(elsewhere, 'shadow'), 'root');
  mkdirSync(join(dataDir, 'skills', 'deep', 'er'), { recursive: true });
  copyFileSync(join(elsewhere, 'shadow'), join(dataDir, 'skills', 'deep', 'er', 'own.md'));
  symlinkSync(elsewhere, join(dataDir, 'skills', 'deep', 'link'));
  symlinkSync(join(elsewhere, 'shadow'), join(dataDir, 'skills', 'file'));
  const { path } = await backUp(dataDir);
  const directory = await restore(path, {});
  expect(new Set(readdirSync(join(directory, 'skills'), { recursive: true }).map(String))).toEqual(
    new Set(['deep', 'deep/er', 'deep/er/own.md', 'own.md'].map((name) => join(name))),
  );
});
