import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Transaction } from 'kysely';
import { FinClawError } from '#src/kernel/errors.ts';
import { createSecretBox } from '../secret-box.ts';
import type { Write } from './group-commit.ts';
import { keyOldCodes } from './person-codes.ts';
import type { Database } from './schema.ts';

const KEY_BYTES = 32;
const FILE_NAME = 'person-codes.key';

const readKey = (text: string): Buffer | undefined => {
  const key = Buffer.from(text.trim(), 'base64');
  return key.length === KEY_BYTES ? key : undefined;
};

const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Of SQLite: a file beside the database, so that a copy of the database alone tells nobody. It has its name once the
 * old codes are keyed with it; a start that died before that goes on with the same key.
 */
export const openKeyFile = async (dataDir: string, write: Write): Promise<Buffer> => {
  const path = join(dataDir, FILE_NAME);
  if (existsSync(path)) {
    const key = readKey(readFileSync(path, 'utf8'));
    if (key) return key;
    throw new FinClawError(
      `${path} is damaged: it must hold 32 bytes in base64. Put it back from a backup, or delete it: then what was noted about deleted data can no longer be matched with people.`,
      'CODE_KEY_DAMAGED',
    );
  }
  const draft = `${path}.new`;
  const begun = existsSync(draft) ? readKey(readFileSync(draft, 'utf8')) : undefined;
  const key = begun ?? randomBytes(KEY_BYTES);
  if (!begun) writeDurably(draft, `${key.toString('base64')}\n`);
  await write((tx) => keyOldCodes(tx, key));
  renameSync(draft, path);
  return key;
};

const ROW_ID = 'person-codes';
const OPEN = 'open:';

const openRow = (value: string, secretKeys: readonly string[]) => {
  if (value.startsWith(OPEN)) return { text: value.slice(OPEN.length), isCurrent: secretKeys.length === 0 };
  if (secretKeys.length === 0)
    throw new FinClawError(
      'This database was used with a FINCLAW_SECRET_KEY, and none is set. Set the same one as the other processes.',
      'SECRET_KEY_MISSING',
    );
  const { plaintext, isCurrent } = createSecretBox(secretKeys).open(ROW_ID, value);
  return { text: plaintext, isCurrent };
};

/**
 * Of PostgreSQL: a row, for all processes need the same key. It is sealed with the secret key where there is one, and
 * sealed anew when that changes.
 */
export const openKeyRow = (write: Write, secretKeys: readonly string[]): Promise<Buffer> => {
  const sealed = (text: string): string =>
    secretKeys.length === 0 ? `${OPEN}${text}` : createSecretBox(secretKeys).seal(ROW_ID, text);
  return write(async (tx: Transaction<Database>) => {
    const fresh = randomBytes(KEY_BYTES);
    // Of several processes that start at once, one inserts and the others wait for its row.
    const inserted = await tx
      .insertInto('instance_keys')
      .values({ id: ROW_ID, value: sealed(fresh.toString('base64')) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    if (inserted.numInsertedOrUpdatedRows === 1n) {
      await keyOldCodes(tx, fresh);
      return fresh;
    }
    const row = tx.selectFrom('instance_keys').select('value').where('id', '=', ROW_ID);
    const { text, isCurrent } = openRow((await row.executeTakeFirstOrThrow()).value, secretKeys);
    if (!isCurrent)
      await tx
        .updateTable('instance_keys')
        .set({ value: sealed(text) })
        .where('id', '=', ROW_ID)
        .execute();
    const key = readKey(text);
    if (!key) throw new FinClawError('The row person-codes in instance_keys is damaged', 'CODE_KEY_DAMAGED');
    return key;
  });
};
