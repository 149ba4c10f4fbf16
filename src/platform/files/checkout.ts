import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { constants, inflateSync } from 'node:zlib';

const COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/;
const REF = 'ref: ';
const GIT_FILE = 'gitdir: ';
/** What is read of a commit: its time stands near the beginning. */
const COMMIT_BYTES = 4_096;
const INDEX_HEADER_BYTES = 8;
const FANOUT_BYTES = 1_024;
const NUMBER_BYTES = 4;
const CHECKSUM_BYTES = 4;
const KIND_COMMIT = 1;
const KIND_DELTA = 6;
/** A delta that names no length copies so much. */
const WHOLE_COPY_BYTES = 0x1_0000;

/** Errors would cost more time than all the rest. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const readText = (path: string): string | undefined =>
  isFile(path) ? readFileSync(path, 'utf8').trim() : undefined;

/** Fewer bytes at the end of the file. */
const readBytes = (path: string, from: number, length: number): Buffer => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, from));
  } finally {
    closeSync(file);
  }
};

/** Its beginning, if the end is missing. */
const inflate = (bytes: Buffer): Buffer => inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

/** Where the pack of this index has a commit. The index has sorted hashes, then their checksums, then their places. */
const findInPack = (index: string, hash: Buffer): number | undefined => {
  const counts = readBytes(index, INDEX_HEADER_BYTES, FANOUT_BYTES);
  const countUpTo = (byte: number): number => (byte < 0 ? 0 : counts.readUInt32BE(byte * NUMBER_BYTES));
  const [byte = 0] = hash;
  const begin = countUpTo(byte - 1);
  const hashesAt = INDEX_HEADER_BYTES + FANOUT_BYTES;
  const hashes = readBytes(index, hashesAt + begin * hash.length, (countUpTo(byte) - begin) * hash.length);
  for (let at = 0; at < hashes.length; at += hash.length) {
    if (!hash.equals(hashes.subarray(at, at + hash.length))) continue;
    const placesAt = hashesAt + countUpTo(0xff) * (hash.length + CHECKSUM_BYTES);
    const number = begin + at / hash.length;
    return readBytes(index, placesAt + number * NUMBER_BYTES, NUMBER_BYTES).readUInt32BE();
  }
  return undefined;
};

const createReader = (bytes: Buffer) => {
  let at = 0;
  const next = (): number => bytes[at++] ?? 0;
  return {
    next,
    hasMore: () => at < bytes.length,
    take: (length: number) => bytes.subarray(at, (at += length)),
    rest: () => bytes.subarray(at),
    /** A length of any size ends with the first byte below 0x80. */
    skipLength: () => {
      while (next() >= 0x80);
    },
  };
};

/** The commit that a delta makes of another one: pieces of that, and new ones between them. */
const applyDelta = (base: Buffer, delta: Buffer): Buffer => {
  const { next, hasMore, take, skipLength } = createReader(delta);
  skipLength();
  skipLength();
  const pieces: Buffer[] = [];
  while (hasMore()) {
    const code = next();
    if (code < 0x80) {
      pieces.push(take(code));
      continue;
    }
    // Each bit stands for a byte that follows: four of the place, three of the length.
    const numberIn = (bits: readonly number[]): number =>
      bits.reduce((sum, bit, byte) => sum + (code & (1 << bit) ? next() * 256 ** byte : 0), 0);
    const from = numberIn([0, 1, 2, 3]);
    const length = numberIn([4, 5, 6]) || WHOLE_COPY_BYTES;
    pieces.push(base.subarray(from, from + length));
  }
  return Buffer.concat(pieces);
};

/** Undefined for what is neither a commit nor a delta of one. */
const readPacked = (pack: string, place: number): Buffer | undefined => {
  const { next, rest } = createReader(readBytes(pack, place, COMMIT_BYTES));
  let byte = next();
  const kind = (byte >> 4) & 7;
  while (byte >= 0x80) byte = next();
  if (kind === KIND_COMMIT) return inflate(rest());
  if (kind !== KIND_DELTA) return undefined;
  byte = next();
  let back = byte & 0x7f;
  while (byte >= 0x80) {
    byte = next();
    back = (back + 1) * 0x80 + (byte & 0x7f);
  }
  const base = readPacked(pack, place - back);
  return base && applyDelta(base, inflate(rest()));
};

const readCommit = (objects: string, commit: string): Buffer | undefined => {
  const loose = join(objects, commit.slice(0, 2), commit.slice(2));
  if (isFile(loose)) return inflate(readFileSync(loose));
  const packs = join(objects, 'pack');
  const hash = Buffer.from(commit, 'hex');
  for (const name of readdirSync(packs)) {
    const place = name.endsWith('.idx') ? findInPack(join(packs, name), hash) : undefined;
    if (place !== undefined) return readPacked(join(packs, name.replace(/idx$/, 'pack')), place);
  }
  return undefined;
};

/** `committer Name <address> SECONDS ZONE`. */
const timeOf = (commit: Buffer | undefined): number | undefined => {
  const lines = commit?.toString().split('\n') ?? [];
  const line = lines.find((each) => each.startsWith('committer '));
  return line === undefined ? undefined : Number(line.split(' ').at(-2)) * 1_000;
};

interface Found {
  readonly commit: string;
  /** Where the commits are. */
  readonly objects: string;
}

const findCommit = (root: string): Found | undefined => {
  const place = join(root, '.git');
  // In a worktree it is a file, and branches and commits are where the first checkout has them.
  const file = readText(place);
  const own = file?.startsWith(GIT_FILE) ? resolve(root, file.slice(GIT_FILE.length)) : place;
  const common = resolve(own, readText(join(own, 'commondir')) ?? '.');
  const head = readText(join(own, 'HEAD')) ?? '';
  const branch = head.startsWith(REF) ? head.slice(REF.length) : undefined;
  const packed = (): string | undefined =>
    readText(join(common, 'packed-refs'))
      ?.split('\n')
      .find((line) => line.endsWith(` ${branch}`))
      ?.split(' ', 1)[0];
  const commit = branch === undefined ? head : (readText(join(common, branch)) ?? packed() ?? '');
  return COMMIT.test(commit) ? { commit, objects: join(common, 'objects') } : undefined;
};

/** Undefined where the files belong to somebody else, or are damaged. */
const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/**
 * The commit that is checked out in a folder, and its time, as far as the files of git say them: running git would hold up
 * the start.
 */
export const readCheckout = (
  root: string,
): { readonly commit?: string; readonly committedAtMs?: number | undefined } => {
  const found = attempt(() => findCommit(root));
  if (!found) return {};
  const { commit, objects } = found;
  return { commit, committedAtMs: attempt(() => timeOf(readCommit(objects, commit))) };
};
