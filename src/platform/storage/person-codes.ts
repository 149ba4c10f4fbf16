import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { FinClawError } from '#src/kernel/errors.ts';
import { asId, type ChannelId, type PersonRef, type UserId } from '#src/kernel/ids.ts';
import { createSecretBox } from '../files/secret-box.ts';
import type { Write } from './group-commit.ts';

/** The columns that identify an event of a platform. */
export interface EventColumns {
  readonly channel_id: string;
  readonly account_id: string;
  readonly chat_id: string;
  readonly event_id: string;
}

/**
 * Codes that replace platform ids; one id always gives the same code. Codes are keyed (HMAC) and the key is not in the
 * rows that hold them, so nobody can find out whose a code is, not even with a list of all ids.
 */
export type PersonCodes = ReturnType<typeof createPersonCodes>;

/** The session key of usage rows that are kept after a person's data was deleted. */
export const ERASED_SESSION = 'erased';

const PERSON_CHARS = 20;
const EVENT_CHARS = 40;

const ERASED = 'erased:';

/** Every model request of a person needs the same code. */
const MAX_KEPT_CODES = 1_000;

/** Whether a user id in the usage ledger is already a code. */
export const isErased = (userId: string): boolean => userId.startsWith(ERASED);

export const createPersonCodes = (key: Buffer) => {
  /** The use is part of the input, so codes of different tables cannot be matched with each other. */
  const keyed = (use: 'audit' | 'usage' | 'event', parts: readonly string[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([use, ...parts]))
      .digest('hex')
      .slice(0, use === 'event' ? EVENT_CHARS : PERSON_CHARS);
  const usageCodes = new LRUCache<string, UserId>({ max: MAX_KEPT_CODES });
  return {
    /** The code of a person in the audit trail. */
    person: ({ channelId, userId }: PersonRef): string => keyed('audit', [channelId, userId]),
    /** The code of a person in sums that are kept after their data was deleted. */
    erasedUserId: (channelId: ChannelId, userId: UserId): UserId => {
      const person = `${channelId}\0${userId}`;
      const known = usageCodes.get(person);
      if (known !== undefined) return known;
      const code = asId<UserId>(`${ERASED}${keyed('usage', [channelId, userId])}`);
      usageCodes.set(person, code);
      return code;
    },
    /** The code of an event whose message was deleted. */
    event: ({ channel_id, account_id, chat_id, event_id }: EventColumns): string =>
      keyed('event', [channel_id, account_id, chat_id, event_id]),
  };
};

const KEY_BYTES = 32;
const FILE_NAME = 'person-codes.key';

/** Undefined for a text that is no key. */
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

/** The key in a data directory. Undefined if there is none yet. Throws if it is damaged. */
export const keyFileIn = (dataDir: string): Buffer | undefined => {
  const path = join(dataDir, FILE_NAME);
  if (!existsSync(path)) return undefined;
  const key = readKey(readFileSync(path, 'utf8'));
  if (key) return key;
  throw new FinClawError(
    `${path} is damaged: it must hold 32 bytes in base64. Put it back from a backup, or delete it: then what was noted about deleted data can no longer be matched with people.`,
    'CODE_KEY_DAMAGED',
  );
};

/**
 * The key of the codes with SQLite: a file beside the database, so that a copy of the database alone reveals nobody. It
 * gets its name once it is whole.
 */
export const openKeyFile = (dataDir: string): Buffer => {
  const known = keyFileIn(dataDir);
  if (known) return known;
  const path = join(dataDir, FILE_NAME);
  const draft = `${path}.new`;
  const key = randomBytes(KEY_BYTES);
  writeDurably(draft, `${key.toString('base64')}\n`);
  renameSync(draft, path);
  return key;
};

/** The row of `instance_keys` with the key. */
export const CODE_KEY_ROW = 'person-codes';
/** The prefix of a key that is stored without a secret key. */
const OPEN = 'open:';

const openRow = (value: string, secretKeys: readonly string[]) => {
  if (value.startsWith(OPEN)) return { text: value.slice(OPEN.length), isCurrent: secretKeys.length === 0 };
  if (secretKeys.length === 0)
    throw new FinClawError(
      'This database was used with a FINCLAW_SECRET_KEY, and none is set. Set the same one as the other processes.',
      'SECRET_KEY_MISSING',
    );
  const { plaintext, isCurrent } = createSecretBox(secretKeys).open(CODE_KEY_ROW, value);
  return { text: plaintext, isCurrent };
};

/** The key in a row of PostgreSQL. Throws if it is damaged, or the secret keys do not open it. */
export const keyInRow = (value: string, secretKeys: readonly string[]) => {
  const { text, isCurrent } = openRow(value, secretKeys);
  const key = readKey(text);
  if (key) return { key, text, isCurrent };
  throw new FinClawError('The row person-codes in instance_keys is damaged', 'CODE_KEY_DAMAGED');
};

/** The key in a data directory as a row stores it, without a seal. Undefined if there is none yet. */
export const codeKeyIn = (dataDir: string): string | undefined => {
  const path = join(dataDir, FILE_NAME);
  return existsSync(path) ? `${OPEN}${readFileSync(path, 'utf8').trim()}` : undefined;
};

/** Puts a stored key into a data directory. Throws if it is sealed and the secret keys do not open it. */
export const putCodeKey = (dataDir: string, stored: string, secretKeys: readonly string[]): void =>
  writeDurably(join(dataDir, FILE_NAME), `${openRow(stored, secretKeys).text}\n`);

/** The same stored key, sealed where it was open and there is a secret key. */
export const sealedCodeKey = (stored: string, secretKeys: readonly string[]): string =>
  stored.startsWith(OPEN) && secretKeys.length > 0
    ? createSecretBox(secretKeys).seal(CODE_KEY_ROW, stored.slice(OPEN.length))
    : stored;

/**
 * The key of the codes with PostgreSQL: a row, because all processes need the same key. It is sealed with the secret key
 * where there is one, and sealed again when that changes.
 */
export const openKeyRow = (write: Write, secretKeys: readonly string[]): Promise<Buffer> => {
  const sealed = (text: string): string =>
    secretKeys.length === 0 ? `${OPEN}${text}` : createSecretBox(secretKeys).seal(CODE_KEY_ROW, text);
  return write(async (tx) => {
    const fresh = randomBytes(KEY_BYTES);
    // If several processes start at once, one inserts and the others wait for its row.
    const inserted = await tx
      .insertInto('instance_keys')
      .values({ id: CODE_KEY_ROW, value: sealed(fresh.toString('base64')) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    if (inserted.numInsertedOrUpdatedRows === 1n) return fresh;
    const row = tx.selectFrom('instance_keys').select('value').where('id', '=', CODE_KEY_ROW);
    const { key, text, isCurrent } = keyInRow((await row.executeTakeFirstOrThrow()).value, secretKeys);
    if (!isCurrent)
      await tx
        .updateTable('instance_keys')
        .set({ value: sealed(text) })
        .where('id', '=', CODE_KEY_ROW)
        .execute();
    return key;
  });
};
