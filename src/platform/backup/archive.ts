import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { SecretKey } from '../files/secret-box.ts';
import { damaged, type FileHeader, sealed, withSealedFile } from './sealed-file.ts';

/** A file within a backup. */
export interface Part {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

interface PartFacts {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The last part of a backup: what must be in it. */
export interface Manifest {
  /** The number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Files of unsent messages that were gone before the backup was made. */
  readonly missingFiles: number;
  readonly parts: readonly PartFacts[];
}

const MANIFEST = 'manifest.json';
const NAME_BYTES = 2;
const LENGTH_BYTES = 4;
const MAX_BLOCK_BYTES = 1_024 * 1_024;

const blocksOf = function* (bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += MAX_BLOCK_BYTES) {
    const block = bytes.subarray(from, from + MAX_BLOCK_BYTES);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(block.length);
    yield length;
    yield block;
  }
};

const nameBlock = (name: string): Buffer => {
  const text = Buffer.from(name);
  const length = Buffer.alloc(NAME_BYTES);
  length.writeUInt16BE(text.length);
  return Buffer.concat([length, text]);
};

const END_OF_PART = Buffer.alloc(LENGTH_BYTES);
const END = Buffer.alloc(NAME_BYTES);

async function* encode(
  parts: AsyncIterable<Part>,
  summary: () => Pick<Manifest, 'rows' | 'missingFiles'>,
): AsyncGenerator<Buffer> {
  const facts: PartFacts[] = [];
  for await (const { name, content } of parts) {
    const hash = createHash('sha256');
    let bytes = 0;
    yield nameBlock(name);
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      yield* blocksOf(piece);
    }
    yield END_OF_PART;
    facts.push({ name, bytes, sha256: hash.digest('hex') });
  }
  const manifest: Manifest = { ...summary(), parts: facts };
  yield nameBlock(MANIFEST);
  yield* blocksOf(Buffer.from(JSON.stringify(manifest)));
  yield END_OF_PART;
  yield END;
}

/**
 * Writes a backup into a new file. It is on disk when this resolves. `summary` is asked when all parts are written.
 */
export const writeArchive = (
  path: string,
  header: Omit<FileHeader, 'key'>,
  parts: AsyncIterable<Part>,
  summary: () => Pick<Manifest, 'rows' | 'missingFiles'>,
  { key, signal }: { readonly key: SecretKey | undefined; readonly signal: AbortSignal },
): Promise<void> =>
  pipeline(
    encode(parts, summary),
    createZstdCompress(),
    (compressed: AsyncIterable<Buffer>) => sealed(compressed, header, key),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );

/** Takes exactly as many bytes as asked for from a stream of pieces. */
class Bytes {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #path: string;
  #left: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>, path: string) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#path = path;
  }

  async take(length: number): Promise<Buffer> {
    const found: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#left.length === 0) {
        const next = await this.#pieces.next();
        if (next.done) throw damaged(this.#path, 'its contents end too early');
        this.#left = next.value;
      }
      const piece = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(piece.length);
      missing -= piece.length;
      found.push(piece);
    }
    return Buffer.concat(found);
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#left.length === 0) {
      const next = await this.#pieces.next();
      if (next.done) return true;
      this.#left = next.value;
    }
    return false;
  }
}

async function* contentOf(bytes: Bytes, path: string): AsyncGenerator<Buffer> {
  for (;;) {
    const length = (await bytes.take(LENGTH_BYTES)).readUInt32BE();
    if (length === 0) return;
    if (length > MAX_BLOCK_BYTES) throw damaged(path, 'a block has an impossible length');
    yield await bytes.take(length);
  }
}

async function* hashed(
  content: AsyncIterable<Buffer>,
  hash: Hash,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    hash.update(piece);
    count(piece.length);
    yield piece;
  }
}

const parseManifest = (text: string, path: string): Manifest => {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    throw damaged(path, 'its list of contents cannot be read');
  }
};

/** Texts in a backup are short. A few bytes of a forged one could unpack to more than fits into memory. */
const MAX_TEXT_BYTES = 64 * 1_024 * 1_024;

export const readText = async (content: AsyncIterable<Buffer>, path: string): Promise<string> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > MAX_TEXT_BYTES) throw damaged(path, 'a text in it is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

/** More than a database ever shrinks: a forged backup of a few bytes would fill the disk before it is checked. */
const MAX_RATIO = 200;
const MIN_UNPACKED_BYTES = 64 * 1_024 * 1_024;

async function* atMost(pieces: AsyncIterable<Buffer>, limit: number, path: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > limit) throw damaged(path, 'it unpacks to far more than a backup of its size holds');
    yield piece;
  }
}

const decode = async (
  bytes: Bytes,
  path: string,
  onPart: (part: Part) => Promise<void>,
  signal: AbortSignal,
): Promise<Manifest> => {
  const found: PartFacts[] = [];
  let manifest: Manifest | undefined;
  for (;;) {
    const nameLength = (await bytes.take(NAME_BYTES)).readUInt16BE();
    if (nameLength === 0) break;
    const name = (await bytes.take(nameLength)).toString();
    if (name === MANIFEST) {
      manifest = parseManifest(await readText(contentOf(bytes, path), path), path);
      continue;
    }
    const hash = createHash('sha256');
    let size = 0;
    const content = hashed(contentOf(bytes, path), hash, (length) => {
      signal.throwIfAborted();
      size += length;
    });
    await onPart({ name, content });
    // A part that nobody wanted is read all the same.
    for await (const piece of content) void piece;
    found.push({ name, bytes: size, sha256: hash.digest('hex') });
  }
  if (!(await bytes.isAtEnd())) throw damaged(path, 'more data follows its contents');
  if (!manifest || JSON.stringify(manifest.parts) !== JSON.stringify(found))
    throw damaged(path, 'it does not hold what its list of contents says');
  return manifest;
};

/**
 * Reads a whole backup. `onPart` gets its files one after the other, and reads each to its end or not at all. Only when
 * this resolves is it certain that all of it is as it was written.
 */
export const readArchive = (
  path: string,
  keys: readonly SecretKey[],
  onPart: (part: Part) => Promise<void>,
  signal: AbortSignal,
): Promise<{ readonly header: FileHeader; readonly manifest: Manifest }> =>
  withSealedFile(path, keys, async ({ header, contents }) => {
    const plain = Readable.from(contents, { objectMode: false }).compose(createZstdDecompress());
    // Only somebody with the key can have made an encrypted one.
    const limit = header.key ? Infinity : MIN_UNPACKED_BYTES + (await stat(path)).size * MAX_RATIO;
    const bytes = new Bytes(atMost(plain as AsyncIterable<Buffer>, limit, path), path);
    try {
      const manifest = await decode(bytes, path, onPart, signal);
      return { header, manifest };
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      throw typeof code === 'string' && code.startsWith('ZSTD_')
        ? damaged(path, 'its contents cannot be unpacked')
        : error;
    }
  });
