import type { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '#src/platform/storage/schema.ts';
import { openStorage, temporaryDir } from '#test/support/database.ts';

const insert = (tx: Kysely<Database>, id: string) =>
  tx.insertInto('health').values({ id, checked_at: 'now' }).execute();

/** A database whose flushes wait for the test: each gate opens one. */
const setUp = async (onFailure?: (failure: Error) => void) => {
  const disk: { isGated: boolean; begun: number; gates: PromiseWithResolvers<void>[] } = {
    isGated: false,
    begun: 0,
    gates: [],
  };
  const storage = await openStorage({
    dataDir: temporaryDir(),
    onFailure,
    beforeFlush: async () => {
      disk.begun += 1;
      if (!disk.isGated) return;
      const gate = Promise.withResolvers<void>();
      disk.gates.push(gate);
      await gate.promise;
    },
  });
  onTestFinished(async () => {
    disk.isGated = false;
    for (const { resolve } of disk.gates) resolve();
    await storage.close();
  });
  Object.assign(disk, { isGated: true, begun: 0 });
  const resolved: string[] = [];
  /** Notes when the write resolves. */
  const write = async (id: string, durability?: 'durable' | 'committed'): Promise<void> => {
    await storage.write((tx) => insert(tx, id), durability);
    resolved.push(id);
  };
  const ids = async (): Promise<readonly string[]> =>
    (await storage.db.selectFrom('health').select('id').orderBy('id').execute()).map(({ id }) => id);
  /** Waits until this many flushes have begun, and all that could follow from it has happened. */
  const untilBegun = async (count: number): Promise<void> => {
    while (disk.begun < count) await new Promise((resolve) => void setImmediate(resolve));
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
  };
  return { storage, disk, resolved, write, ids, untilBegun };
};

describe('a durable write', () => {
  it('resolves only when a flush that began behind its commit has ended', async () => {
    const { disk, resolved, write, ids, untilBegun } = await setUp();
    const first = write('a');
    await untilBegun(1);
    expect([await ids(), resolved]).toEqual([['a'], []]);
    // Committed while the first flush runs, which may not cover it.
    const second = write('b');
    while ((await ids()).length < 2) await untilBegun(1);
    expect(disk.begun).toBe(1);
    disk.gates[0]?.resolve();
    await first;
    await untilBegun(2);
    expect(resolved).toEqual(['a']);
    disk.gates[1]?.resolve();
    await second;
    expect(resolved).toEqual(['a', 'b']);
  });

  it('shares the next flush with all that were committed during one', async () => {
    const { disk, resolved, write, ids, untilBegun } = await setUp();
    const first = write('first');
    await untilBegun(1);
    const others: Promise<void>[] = [];
    for (const id of ['a', 'b', 'c']) {
      others.push(write(id));
      // Each in a transaction of its own.
      const before = (await ids()).length;
      while ((await ids()).length === before) await untilBegun(1);
    }
    disk.gates[0]?.resolve();
    await untilBegun(2);
    disk.gates[1]?.resolve();
    await Promise.all([first, ...others]);
    expect(resolved.toSorted()).toEqual(['a', 'b', 'c', 'first']);
    expect(disk.begun).toBe(2);
  });
});

describe('a committed write', () => {
  it('resolves before any flush, can be read, and causes no flush', async () => {
    const { disk, resolved, write, ids, untilBegun } = await setUp();
    await write('a', 'committed');
    expect(await ids()).toEqual(['a']);
    await untilBegun(0);
    expect([resolved, disk.begun]).toEqual([['a'], 0]);
  });

  it('does not wait for the durable ones that share its transaction', async () => {
    const { disk, resolved, write, untilBegun } = await setUp();
    const durable = write('durable');
    await write('committed', 'committed');
    await untilBegun(1);
    expect(resolved).toEqual(['committed']);
    disk.gates[0]?.resolve();
    await durable;
  });
});

describe('a flush that fails', () => {
  const FAILED = { message: 'The disk failed to store data', cause: { message: 'EIO' } };

  it('is told to all that waited for it, and to all that are committed behind it', async () => {
    const { disk, write, ids, untilBegun } = await setUp();
    const first = expect(write('a')).rejects.toMatchObject(FAILED);
    await untilBegun(1);
    const second = expect(write('b')).rejects.toMatchObject(FAILED);
    while ((await ids()).length < 2) await untilBegun(1);
    disk.gates[0]?.reject(new Error('EIO'));
    await Promise.all([first, second]);
    // What the system reported once, a second flush would hide.
    expect(disk.begun).toBe(1);
  });

  it('is reported once, with its cause', async () => {
    const failures: Error[] = [];
    const { disk, write, ids, untilBegun } = await setUp((failure) => failures.push(failure));
    const first = expect(write('a')).rejects.toMatchObject(FAILED);
    await untilBegun(1);
    const second = expect(write('b')).rejects.toMatchObject(FAILED);
    while ((await ids()).length < 2) await untilBegun(1);
    expect(failures).toEqual([]);
    disk.gates[0]?.reject(new Error('EIO'));
    await Promise.all([first, second]);
    await expect(write('c')).rejects.toMatchObject(FAILED);
    expect(failures).toMatchObject([FAILED]);
  });

  it('makes the database refuse every later write, and is no longer ready', async () => {
    const { storage, disk, write, ids, untilBegun } = await setUp();
    const failed = expect(write('a')).rejects.toMatchObject(FAILED);
    await untilBegun(1);
    disk.gates[0]?.reject(new Error('EIO'));
    await failed;
    disk.isGated = false;
    await expect(write('b')).rejects.toMatchObject(FAILED);
    await expect(write('c', 'committed')).rejects.toMatchObject(FAILED);
    await expect(storage.checkWritable()).rejects.toMatchObject(FAILED);
    expect(await ids()).not.toContain('b');
    await expect(storage.close()).resolves.toBeUndefined();
  });
});
