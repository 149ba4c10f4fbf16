import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { createFences } from '#src/platform/storage/fences.ts';
import { createGroupCommit, type Write } from '#src/platform/storage/group-commit.ts';
import { createPostgresWrite } from '#src/platform/storage/postgres.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import { openSqlite } from '#src/platform/storage/sqlite.ts';
import { openStorage, temporaryDir } from '#test/support/database.ts';

const insert = (tx: Kysely<Database>, id: string) =>
  tx.insertInto('health').values({ id, checked_at: 'now' }).execute();

const idsOf = async (db: Kysely<Database>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('health').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/** A database whose commits are counted; `failing` makes the next ones fail. */
const setUp = async (dataDir = temporaryDir()) => {
  const disk = { commits: 0, isFull: false };
  const storage: OpenedStorage = await openStorage({
    dataDir,
    beforeCommit: () => {
      if (disk.isFull) throw new Error('disk is full');
      disk.commits += 1;
    },
  });
  onTestFinished(storage.close);
  disk.commits = 0;
  return { ...storage, disk, dataDir, ids: () => idsOf(storage.db) };
};

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** What a full disk does to a transaction, done by a row that is there already. */
const rollBackAll = (tx: Transaction<Database>, id: string) =>
  sql`insert or rollback into health (id, checked_at) values (${id}, 'again')`.execute(tx);

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const moduleUrl = (path: string): string => new URL(`../../../src/${path}`, import.meta.url).href;

describe('writes at the same time', () => {
  it('share their commits', async () => {
    const { write, ids, disk } = await setUp();
    await Promise.all(numbers(200).map((index) => write((tx) => insert(tx, `row ${index}`))));
    expect(disk.commits).toBe(1);
    expect(await ids()).toHaveLength(200);
  });

  it('share them also when each comes from an event of its own', async () => {
    const { write, ids, disk } = await setUp();
    const writer = async (name: number): Promise<void> => {
      for (const round of numbers(10)) {
        await nextTurn();
        await write((tx) => insert(tx, `${name} ${round}`));
      }
    };
    await Promise.all(numbers(20).map(writer));
    expect(await ids()).toHaveLength(200);
    expect(disk.commits).toBeLessThanOrEqual(20);
  });

  it('share one commit as long as each turn of the event loop brings another', async () => {
    const { write, ids, disk } = await setUp();
    let tries = 0;
    const commits = async (): Promise<number> => {
      tries += 1;
      disk.commits = 0;
      const written = [write((tx) => insert(tx, `first ${tries}`))];
      for (const turn of numbers(5)) {
        written.push(write((tx) => insert(tx, `turn ${turn} ${tries}`)));
        await nextTurn();
      }
      await Promise.all(written);
      return disk.commits;
    };
    // Gathering ends after some milliseconds, so a machine that is held up tries again.
    await expect.poll(commits).toBe(1);
    expect(await ids()).toHaveLength(6 * tries);
  });

  it('are not held up for ever by those that keep coming', async () => {
    const { write } = await setUp();
    const first = { isDone: false };
    void write((tx) => insert(tx, 'first')).then(() => {
      first.isDone = true;
    });
    const others = [write((tx) => insert(tx, 'second'))];
    const startedAtMs = performance.now();
    while (!first.isDone && performance.now() - startedAtMs < 4_000) {
      const id = `other ${others.length}`;
      others.push(write((tx) => insert(tx, id)));
      await nextTurn();
    }
    expect(first.isDone).toBe(true);
    await Promise.all(others);
  });

  it('do not keep those that read from their turn for ever', async () => {
    const { write, db, disk } = await setUp();
    const all = Promise.all(numbers(600).map((index) => write((tx) => insert(tx, `row ${index}`))));
    await nextTurn();
    const seen = (await idsOf(db)).length;
    expect(seen).toBeLessThan(600);
    await all;
    expect(disk.commits).toBe(3);
  });

  it('are done in the order in which they came, one after the other', async () => {
    const { write } = await setUp();
    const steps: string[] = [];
    const step = (name: string) =>
      write(async (tx) => {
        steps.push(`${name} begins`);
        await insert(tx, name);
        steps.push(`${name} ends`);
        return name;
      });
    const joining = async (): Promise<string> => {
      await nextTurn();
      return step('c');
    };
    const joined = joining();
    expect(await Promise.all([step('b'), step('a'), joined])).toEqual(['b', 'a', 'c']);
    expect(steps).toEqual(['b begins', 'b ends', 'a begins', 'a ends', 'c begins', 'c ends']);
  });

  it('see what those before them wrote', async () => {
    const { write } = await setUp();
    const first = write((tx) => insert(tx, 'first'));
    const second = write((tx) => idsOf(tx));
    await first;
    expect(await second).toEqual(['first']);
  });
});

describe('a write that throws', () => {
  it.each([0, 1, 2])('is undone alone, also as number %d of three', async (failing) => {
    const { write, ids, disk } = await setUp();
    const outcomes = await Promise.allSettled(
      numbers(3).map((index) =>
        write(async (tx) => {
          await insert(tx, `row ${index}`);
          if (index === failing) throw new Error('changed its mind');
          return index;
        }),
      ),
    );
    expect(outcomes[failing]).toMatchObject({ status: 'rejected', reason: { message: 'changed its mind' } });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const kept = [0, 1, 2].filter((index) => index !== failing);
    expect(await ids()).toEqual(kept.map((index) => `row ${index}`));
    expect(disk.commits).toBe(1);
  });

  it('may have been refused by the database, or have thrown before it began', async () => {
    const { write, ids } = await setUp();
    const outcomes = await Promise.allSettled([
      write((tx) => insert(tx, 'same')),
      write((tx) => insert(tx, 'same')),
      write(() => {
        throw new Error('at once');
      }),
      write((tx) => insert(tx, 'other')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await ids()).toEqual(['other', 'same']);
  });

  it('is undone alone also when the database gives up the whole transaction', async () => {
    const { write, ids } = await setUp();
    const outcomes = await Promise.allSettled([
      write((tx) => insert(tx, 'first')),
      write((tx) => rollBackAll(tx, 'first')),
      write((tx) => insert(tx, 'last')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { message: expect.stringContaining('UNIQUE') } });
    expect(await ids()).toEqual(['first', 'last']);
  });

  it('is undone alone also when it hides that the database gave up', async () => {
    const { write, ids } = await setUp();
    await write((tx) => insert(tx, 'there'));
    const outcomes = await Promise.allSettled([
      write((tx) => insert(tx, 'first')),
      write(async (tx) => {
        await rollBackAll(tx, 'there').catch(() => undefined);
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await ids()).toEqual(['first', 'there']);
  });

  it('lets nobody behind it write without a transaction, also as the first', async () => {
    const { write, ids, disk } = await setUp();
    await write((tx) => insert(tx, 'there'));
    disk.commits = 0;
    const outcomes = await Promise.allSettled([
      write(async (tx) => {
        await rollBackAll(tx, 'there').catch(() => undefined);
      }),
      write((tx) => insert(tx, 'behind it')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await ids()).toEqual(['behind it', 'there']);
    expect(disk.commits).toBe(1);
  });
});

describe('a commit that fails', () => {
  it('is told to all whose work was in it, and the next one succeeds', async () => {
    const { write, ids, disk } = await setUp();
    disk.isFull = true;
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => write((tx) => insert(tx, id))));
    expect(outcomes).toEqual(
      outcomes.map(() => ({
        status: 'rejected',
        reason: expect.objectContaining({ message: 'disk is full' }),
      })),
    );
    expect(await ids()).toEqual([]);
    disk.isFull = false;
    await write((tx) => insert(tx, 'd'));
    expect(await ids()).toEqual(['d']);
  });

  it('is told after the close, to those who write then', async () => {
    const { write, close } = await setUp();
    await close();
    const late = Promise.allSettled([write((tx) => insert(tx, 'a')), write((tx) => insert(tx, 'b'))]);
    expect((await late).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a write inside of a write', () => {
  it('is refused instead of waiting for itself', async () => {
    const { write, ids } = await setUp();
    const nested = write(async (tx) => {
      await insert(tx, 'outer');
      await write((other) => insert(other, 'inner'));
    });
    await expect(nested).rejects.toThrow('A write inside of a write would wait for itself');
    expect(await ids()).toEqual([]);
  });

  it('is none when it was only set off by one that has ended', async () => {
    const { write, ids } = await setUp();
    let later = Promise.resolve<unknown>(undefined);
    await write(async (tx) => {
      later = nextTurn()
        .then(nextTurn)
        .then(() => write((tx) => insert(tx, 'later')));
      await insert(tx, 'first');
    });
    await later;
    expect(await ids()).toEqual(['first', 'later']);
  });
});

describe('a write that has resolved', () => {
  it('is committed', async () => {
    const { write, disk } = await setUp();
    const commits: number[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map(async (id) => {
        await write((tx) => insert(tx, id));
        commits.push(disk.commits);
      }),
    );
    expect(commits).toEqual([1, 1, 1]);
  });

  it('is there after kill -9', async () => {
    const dataDir = temporaryDir();
    const script = `
      import { openStorage } from '${moduleUrl('platform/storage/database.ts')}';
      import { SCHEMA } from '${moduleUrl('wiring/schema.ts')}';
      const { write } = await openStorage({ dataDir: process.argv[1], schema: SCHEMA });
      const insert = (id) => write((tx) => tx.insertInto('health').values({ id, checked_at: 'now' }).execute());
      await Promise.all(Array.from({ length: 50 }, (_, index) => insert('row ' + index)));
      process.stdout.write('written');
      process.kill(process.pid, 'SIGKILL');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = once(child.stdout, 'data');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(String((await said)[0])).toBe('written');
    expect(await (await setUp(dataDir)).ids()).toHaveLength(50);
  });

  it('was not lost by a close right behind it', async () => {
    const dataDir = temporaryDir();
    const { write, close } = await setUp(dataDir);
    const written = write((tx) => insert(tx, 'last'));
    await close();
    await written;
    expect(await (await setUp(dataDir)).ids()).toEqual(['last']);
  });
});

describe('a lone write', () => {
  it('waits for no others to come', async () => {
    const { write } = await setUp();
    const alone = { isDone: false, turns: 0 };
    void write((tx) => insert(tx, 'alone'), 'committed').then(() => {
      alone.isDone = true;
    });
    while (!alone.isDone) {
      await nextTurn();
      alone.turns += 1;
    }
    expect(alone.turns).toBeLessThan(10);
  });

  it.each<[string, (db: Kysely<Database>, session: ReturnType<typeof openSqlite>['session']) => Write]>([
    [
      'together with others',
      (db, session) => createGroupCommit(db, session, { flush: async () => undefined }),
    ],
    ['for itself', (db) => createPostgresWrite(db, createFences())],
  ])('costs one transaction and nothing else where writes are %s', async (_how, create) => {
    const path = join(temporaryDir(), 'x.sqlite');
    const { dialect, session } = openSqlite(path);
    const statements: string[] = [];
    const db = new Kysely<Database>({ dialect, log: ({ query }) => void statements.push(query.sql) });
    onTestFinished(() => db.destroy());
    await sql`create table health (id text primary key, checked_at text)`.execute(db);
    statements.length = 0;
    await create(db, session)((tx) => insert(tx, 'alone'));
    expect(statements).toEqual([
      'begin immediate',
      'insert into "health" ("id", "checked_at") values (?, ?)',
      'commit',
    ]);
  });
});

describe('the announcement of a commit', () => {
  it('is made also for a write outside of transactions, and for no reading', async () => {
    const { db, ids, disk } = await setUp();
    await insert(db, 'by itself');
    expect(disk.commits).toBe(1);
    await ids();
    expect(disk.commits).toBe(1);
    await db
      .updateTable('health')
      .set({ checked_at: 'later' })
      .where('id', '=', 'by itself')
      .returning('id')
      .execute();
    expect(disk.commits).toBe(2);
    await db.transaction().execute(async (tx) => {
      await insert(tx, 'a');
      await insert(tx, 'b');
    });
    expect(disk.commits).toBe(3);
  });
});
