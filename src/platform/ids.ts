import { randomBytes } from 'node:crypto';
import { asId, type Brand } from '#src/kernel/ids.ts';

/** Random bytes are fetched in bulk, because a system call for every id would cost more than all the rest. */
const POOL_BYTES = 4_096;
const ID_BYTES = 8;
let pool = Buffer.alloc(0);
let used = 0;

const nextRandomBytes = (): Buffer => {
  if (used + ID_BYTES > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
};

let lastMs = 0;
let sequence = 0;

/**
 * A UUIDv7 whose 12 bits after the time count up within a millisecond. Node's own `randomUUIDv7` fills them with random
 * bits, so that ids of one millisecond would not sort in the order of acceptance.
 */
export const newId = <Id extends Brand<string, string>>(): Id => {
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (sequence === 0xfff) {
    lastMs += 1;
    sequence = 0;
  } else {
    sequence += 1;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const random = nextRandomBytes();
  random.writeUInt8((random.readUInt8(0) & 0x3f) | 0x80, 0);
  const tail = random.toString('hex');
  const counter = sequence.toString(16).padStart(3, '0');
  return asId<Id>(`${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`);
};

/** An id that a person can read out to an operator, who finds it in the log. */
export const newErrorId = (): string => randomBytes(4).toString('hex');
