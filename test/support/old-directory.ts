import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretBox } from '#src/platform/files/secret-box.ts';
import { openFile } from '#src/platform/storage/database.ts';
import { createMigrations } from '#src/platform/storage/migrate.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { temporaryDir } from './database.ts';
import { secretKeyOf } from './secret-keys.ts';

const AT = '2026-11-12T06:30:00.000Z';

/** The key of Claude that somebody saved in an old directory, and what it is sealed with. */
export const OLD_API_KEY = 'geheim-claude-alt-7777';
export const OLD_SECRET_KEY = secretKeyOf(15);

/** The steps of an older version, which lacks the newest. */
export const oldSteps = () =>
  Object.fromEntries(
    Object.entries(SCHEMA.known)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, -1),
  );

/** The data directory of a stopped bot of an older version: an older schema, and a saved key. */
export const oldDirectory = async (): Promise<string> => {
  const dataDir = temporaryDir();
  const { db } = openFile({ dataDir });
  await createMigrations(db, oldSteps(), { isPostgres: false }).run();
  await db
    .insertInto('auth_profiles')
    .values({
      id: 'key-1',
      provider: 'anthropic',
      name: 'at home',
      sealed_key: createSecretBox([OLD_SECRET_KEY]).seal('key-1', OLD_API_KEY),
      is_active: 1,
      priority: 0,
      created_at: AT,
      last_used_at: null,
      failure_count: 0,
      cooldown_until: null,
    })
    .execute();
  await db.destroy();
  writeFileSync(join(dataDir, 'person-codes.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  mkdirSync(join(dataDir, 'charts'));
  writeFileSync(join(dataDir, 'charts', 'a.png'), 'picture');
  return dataDir;
};

/** Everything in a directory: the hash of each file, and who may open what. */
export const fingerprint = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => {
        const path = join(directory, name);
        const facts = lstatSync(path);
        const content = facts.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
        return [name, `${(facts.mode & 0o777).toString(8)} ${content}`];
      }),
  );
