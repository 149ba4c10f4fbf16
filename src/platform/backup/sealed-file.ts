import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { SecretKey } from '../files/secret-box.ts';

/** What a backup says of itself before its contents, in the open. It cannot be changed unnoticed. */
export interface FileHeader {
  /** The version of FinClaw that made it. */
  readonly version: string;
  readonly madeAt: string;
  readonly database: 'sqlite' | 'postgres';
  /** The names of the schema's migrations. */
  readonly migrations: readonly string[];
  /** Which key encrypted the contents. Undefined: they are not encrypted. */
  readonly key?: { readonly id: string; readonly salt: string } | undefined;
}

export const damaged = (path: string, what: string): FinClawError =>
  new FinClawError(
    `The backup ${path} is damaged or not complete: ${what}. Use another one.`,
    'BACKUP_DAMAGED',
  );

const MAGIC = Buffer.from('FINCLAW BACKUP 1\n');
const CHUNK_BYTES = 256 * 1_024;
const MAX_HEADER_BYTES = 1_024 * 1_024;
const LENGTH_BYTES = 4;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const SALT_BYTES = 32;
/** Set in the length of the last chunk, so that a file that was cut off is recognized. */
const LAST = 0x8000_0000;
const CIPHER = 'aes-256-gcm';

interface Chunk {
  readonly index: number;
  readonly isLast: boolean;
  readonly bytes: Buffer;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Binds a chunk to its file, its place and the end of the file. */
const placeOf = (header: Buffer, { index, isLast }: Chunk): Buffer =>
  Buffer.concat([header, uint32(index), Buffer.of(isLast ? 1 : 0)]);

/** Each file has its own key, so a counter is a nonce that is never used twice. */
const nonceOf = (index: number): Buffer =>
  Buffer.concat([Buffer.alloc(NONCE_BYTES - LENGTH_BYTES), uint32(index)]);

/** The tag of a chunk that is not encrypted: it reveals damage, not forgery. */
const checksum = (place: Buffer, bytes: Buffer): Buffer =>
  createHash('sha256').update(place).update(bytes).digest().subarray(0, TAG_BYTES);

const fileKey = ({ bytes }: SecretKey, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', bytes, salt, 'finclaw backup', bytes.length));

const seal = (chunk: Chunk, header: Buffer, key: Buffer | undefined): Buffer => {
  const { bytes, index, isLast } = chunk;
  const place = placeOf(header, chunk);
  const length = uint32(isLast ? bytes.length + LAST : bytes.length);
  if (!key) return Buffer.concat([length, bytes, checksum(place, bytes)]);
  const cipher = createCipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
  cipher.setAAD(place);
  const sealed = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([length, ...sealed, cipher.getAuthTag()]);
};

/** Undefined for a chunk that was changed. */
const unseal = (chunk: Chunk, tag: Buffer, header: Buffer, key: Buffer | undefined): Buffer | undefined => {
  const { bytes, index } = chunk;
  const place = placeOf(header, chunk);
  if (!key) return checksum(place, bytes).equals(tag) ? bytes : undefined;
  const decipher = createDecipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
  decipher.setAAD(place);
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch {
    return undefined;
  }
};

/** The bytes of a file: the header, and the contents in chunks that are encrypted where there is a key. */
export async function* sealed(
  contents: AsyncIterable<Buffer>,
  facts: Omit<FileHeader, 'key'>,
  secret: SecretKey | undefined,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const key = secret && { id: secret.id, salt: salt.toString('base64') };
  const text = Buffer.from(JSON.stringify({ ...facts, ...(key && { key }) }));
  const header = createHash('sha256').update(text).digest();
  const secretBytes = secret && fileKey(secret, salt);
  yield Buffer.concat([MAGIC, uint32(text.length), text, header]);
  let index = 0;
  let waiting = Buffer.alloc(0);
  for await (const bytes of contents) {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length > CHUNK_BYTES) {
      yield seal({ index, isLast: false, bytes: waiting.subarray(0, CHUNK_BYTES) }, header, secretBytes);
      waiting = waiting.subarray(CHUNK_BYTES);
      index += 1;
    }
  }
  yield seal({ index, isLast: true, bytes: waiting }, header, secretBytes);
}

const unreadable =
  (path: string) =>
  (error: unknown): never => {
    throw new FinClawError(`The backup ${path} cannot be read: ${errorMessage(error)}`, 'BACKUP_UNREADABLE', {
      cause: error,
    });
  };

/** Reads a file from its beginning, exactly as many bytes as asked for. */
const createReader = (file: FileHandle, path: string) => ({
  take: async (length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(length);
    let have = 0;
    while (have < length) {
      const { bytesRead } = await file.read(bytes, have, length - have).catch(unreadable(path));
      if (bytesRead === 0) throw damaged(path, 'it ends too early');
      have += bytesRead;
    }
    return bytes;
  },
  isAtEnd: async (): Promise<boolean> => (await file.read(Buffer.alloc(1), 0, 1)).bytesRead === 0,
});

const parseHeader = (text: Buffer, path: string): FileHeader => {
  try {
    return JSON.parse(text.toString()) as FileHeader;
  } catch {
    throw damaged(path, 'its header cannot be read');
  }
};

export const notEncrypted = (path: string): FinClawError =>
  new FinClawError(
    `The backup ${path} is not encrypted although FINCLAW_BACKUP_KEY is set, so somebody else may have made it. If you made it yourself without the key, pass --plain.`,
    'BACKUP_NOT_ENCRYPTED',
  );

/** Where there are keys, one is demanded: whoever can write to the disk of the backups could put another one there. */
const keyFor = ({ key }: FileHeader, secrets: readonly SecretKey[], path: string): Buffer | undefined => {
  if (!key && secrets.length > 0) throw notEncrypted(path);
  if (!key) return undefined;
  const secret = secrets.find(({ id }) => id === key.id);
  if (secret) return fileKey(secret, Buffer.from(key.salt, 'base64'));
  throw new FinClawError(
    secrets.length === 0
      ? `The backup ${path} is encrypted. Set FINCLAW_BACKUP_KEY to the key that it was made with.`
      : `The backup ${path} was encrypted with another key. Set FINCLAW_BACKUP_KEY to that one, or put it behind the new one, separated by a comma.`,
    'BACKUP_KEY_WRONG',
  );
};

export interface SealedFile {
  readonly header: FileHeader;
  /** The contents, to be read once. Throws `BACKUP_DAMAGED` where they were changed or cut off. */
  readonly contents: AsyncIterable<Buffer>;
}

async function* unsealed(
  reader: ReturnType<typeof createReader>,
  header: Buffer,
  key: Buffer | undefined,
  path: string,
): AsyncGenerator<Buffer> {
  for (let index = 0; ; index += 1) {
    const length = (await reader.take(LENGTH_BYTES)).readUInt32BE();
    const isLast = length >= LAST;
    const size = isLast ? length - LAST : length;
    if (size > CHUNK_BYTES) throw damaged(path, 'a part has an impossible length');
    const bytes = await reader.take(size);
    const plain = unseal({ index, isLast, bytes }, await reader.take(TAG_BYTES), header, key);
    if (!plain) throw damaged(path, 'its contents were changed');
    yield plain;
    if (!isLast) continue;
    if (!(await reader.isAtEnd())) throw damaged(path, 'more data follows its end');
    return;
  }
}

/** Opens a file for one reading. Throws where it is no backup, or where the keys do not open it. */
export const withSealedFile = async <T>(
  path: string,
  secrets: readonly SecretKey[],
  read: (file: SealedFile) => Promise<T>,
): Promise<T> => {
  const file = await open(path, 'r').catch(unreadable(path));
  try {
    const reader = createReader(file, path);
    const isOurs = (await reader.take(MAGIC.length)).equals(MAGIC);
    if (!isOurs) throw damaged(path, 'it does not begin like a backup');
    const length = (await reader.take(LENGTH_BYTES)).readUInt32BE();
    if (length > MAX_HEADER_BYTES) throw damaged(path, 'its header has an impossible length');
    const text = await reader.take(length);
    const digest = createHash('sha256').update(text).digest();
    if (!(await reader.take(digest.length)).equals(digest)) throw damaged(path, 'its header was changed');
    const header = parseHeader(text, path);
    const key = keyFor(header, secrets, path);
    return await read({ header, contents: unsealed(reader, digest, key, path) });
  } finally {
    await file.close();
  }
};
