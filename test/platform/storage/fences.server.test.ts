import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { type Fence, SessionLostError } from '#src/platform/storage/fences.ts';
import { createSessionHolders } from '#src/chat/store/session-holders.ts';
import { createSharedInbox } from '#src/chat/store/shared-inbox.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import { openStorage, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { AT } from './contract-fixture.ts';

/** What is written twice is there twice; a name with `slow` takes its time to commit. */
const TALLY = `
  create table tally (name text not null);
  create table named (name text primary key);
  create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
  create constraint trigger slow after insert on tally deferrable initially deferred
    for each row when (new.name like '%slow%') execute function slowly();`;

let server: PostgresServer;
let databaseUrl: string;
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.createDatabase();
  const client = await connectClient();
  await client.query(TALLY);
  await client.end();
});
afterAll(() => server.stop());

const connectClient = async (): Promise<Client> => {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

let names = 0;

/** A process on the database, in a test that has a session and a name of its own. */
const setUp = async () => {
  const admin = await connectClient();
  onTestFinished(() => admin.end());
  const openProcess = async (url = databaseUrl) => {
    const storage = await openStorage({ dataDir: temporaryDir(), databaseUrl: url });
    onTestFinished(() => storage.close());
    const { take } = createSessionHolders(storage);
    return { ...storage, take: () => take(sessionKey, 'process', AT) };
  };
  names += 1;
  const name = `name-${names}`;
  const sessionKey = asId<SessionKey>(`session-${names}`);
  const fenceOf = (epoch: number) => {
    let state: 'held' | 'lost' | 'released' = 'held';
    let losses = 0;
    const fence: Fence = {
      sessionKey,
      epoch,
      isHeld: () => state === 'held',
      isReleased: () => state === 'released',
      lose: () => {
        losses += 1;
        state = 'lost';
      },
    };
    return { fence, losses: () => losses, set: (next: typeof state) => void (state = next) };
  };
  const add = (tx: Transaction<Database>, added = name) =>
    sql`insert into tally (name) values (${added})`.execute(tx);
  const counted = async (added = name): Promise<number> => {
    const { rows } = await admin.query<{ readonly count: number }>(
      'select count(*)::int as count from tally where name = $1',
      [added],
    );
    return rows[0]?.count ?? 0;
  };
  /** Ends the connection of a transaction, and resolves when the server has rolled it back. */
  const kill = async (tx: Transaction<Database>): Promise<void> => {
    const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await admin.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
  };
  return { admin, name, sessionKey, process: await openProcess(), openProcess, fenceOf, add, counted, kill };
};

/** A process whose hold on the session is current. */
const setUpHolder = async () => {
  const opened = await setUp();
  const { fence, ...own } = opened.fenceOf(await opened.process.take());
  const write = <T>(work: (tx: Transaction<Database>) => Promise<T>, by: OpenedStorage = opened.process) =>
    by.fences.run(fence, () => by.write(work));
  return { ...opened, ...own, fence, write };
};

describe('a write inside a fence', () => {
  it('is made while the session is held', async () => {
    const { write, add, counted, losses } = await setUpHolder();
    await write((tx) => add(tx));
    await write((tx) => add(tx));
    expect(await counted()).toBe(2);
    expect(losses()).toBe(0);
  });

  it('fails without a change when another process has taken the session, and says that it is lost', async () => {
    const { write, add, counted, losses, openProcess } = await setUpHolder();
    await (await openProcess()).take();
    const lost = write((tx) => add(tx));
    await expect(lost).rejects.toBeInstanceOf(SessionLostError);
    await expect(lost).rejects.toMatchObject({ code: 'SESSION_LOST' });
    expect(losses()).toBe(1);
    await expect(write((tx) => add(tx))).rejects.toBeInstanceOf(SessionLostError);
    expect(await counted()).toBe(0);
  });

  it('that hangs keeps its session from others for eight seconds at most, and is not made', async () => {
    const { write, add, counted, openProcess } = await setUpHolder();
    const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>();
    const hung = write(async (tx) => {
      await add(tx);
      await hanging;
    });
    const other = await openProcess();
    await expect(other.take()).rejects.toThrow(/lock timeout/);
    await vi.waitFor(other.take, { timeout: 30_000, interval: 100 });
    goOn();
    await expect(hung).rejects.toThrow();
    expect(await counted()).toBe(0);
  });

  it('fails when the row of the session is gone', async () => {
    const { write, add, counted, losses, admin, sessionKey } = await setUpHolder();
    await admin.query('delete from session_holders where session_key = $1', [sessionKey]);
    await expect(write((tx) => add(tx))).rejects.toBeInstanceOf(SessionLostError);
    expect([losses(), await counted()]).toEqual([1, 0]);
  });

  it('fails once the hold may be over, although nobody else has the session yet', async () => {
    const { write, add, counted, set } = await setUpHolder();
    set('lost');
    await expect(write((tx) => add(tx))).rejects.toBeInstanceOf(SessionLostError);
    set('held');
    await write((tx) => add(tx));
    expect(await counted()).toBe(1);
  });

  it('is not checked after the session was given back', async () => {
    const { write, add, counted, losses, set, openProcess } = await setUpHolder();
    await (await openProcess()).take();
    set('released');
    await write((tx) => add(tx));
    expect([losses(), await counted()]).toEqual([0, 1]);
  });

  it('is checked wherever the work makes it, and is not once the work is over', async () => {
    const { process, fence, add, counted, openProcess } = await setUpHolder();
    await (await openProcess()).take();
    const inside = process.fences.run(fence, async () => {
      await sleep(1);
      await process.write((tx) => add(tx));
    });
    await expect(inside).rejects.toBeInstanceOf(SessionLostError);
    await process.write((tx) => add(tx));
    expect(await counted()).toBe(1);
  });

  it('keeps others from taking the session until it has ended', async () => {
    const { write, add, counted, openProcess, admin, fence } = await setUpHolder();
    const other = await openProcess();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const order: string[] = [];
    const writing = write(async (tx) => {
      await add(tx);
      begin();
      await mayGoOn;
      order.push('written');
    });
    await begun;
    const taking = other.take().then((epoch) => {
      order.push('taken');
      return epoch;
    });
    const waiting = 'select 1 from pg_locks where not granted';
    await vi.waitUntil(async () => (await admin.query(waiting)).rowCount !== 0, { timeout: 30_000 });
    goOn();
    await writing;
    expect(await taking).toBeGreaterThan(fence.epoch);
    expect(order).toEqual(['written', 'taken']);
    expect(await counted()).toBe(1);
  });
});

describe('the epoch of a session', () => {
  it('is another one for every holder, also when several take the session at once', async () => {
    const { process, openProcess } = await setUp();
    const other = await openProcess();
    const taken = await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? other : process).take()));
    expect(new Set(taken).size).toBe(40);
  });

  it('does not come again after its row was deleted', async () => {
    const { process, admin, sessionKey } = await setUp();
    const taken: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      taken.push(await process.take());
      await admin.query('delete from session_holders where session_key = $1', [sessionKey]);
      // An epoch is a time in milliseconds, and a row is deleted a day later.
      await sleep(2);
    }
    expect(new Set(taken).size).toBe(20);
    expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  });
});

/** Passes everything on to the server, until it is told to cut the connection that commits next. */
const startProxy = async (): Promise<{
  readonly url: string;
  readonly cut: (when: 'committing' | 'committed') => void;
}> => {
  let cutting: 'committing' | 'committed' | undefined;
  const proxy = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    let isCut = false;
    upstream.on('data', (bytes) => (isCut ? client.destroy() : client.write(bytes)));
    client.on('data', (bytes) => {
      upstream.write(bytes);
      if (!cutting || !bytes.includes('commit')) return;
      isCut = true;
      if (cutting === 'committing') client.destroy();
      cutting = undefined;
    });
    client.on('end', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  return {
    url: databaseUrl.replace(`:${server.port}/`, `:${port}/`),
    cut: (when) => {
      cutting = when;
    },
  };
};

describe('a transaction whose connection is lost', () => {
  it.each(['inside', 'outside'])('in the middle is repeated and made once, %s of a fence', async (where) => {
    const { process, write, add, counted, kill } = await setUpHolder();
    let tries = 0;
    const work = async (tx: Transaction<Database>): Promise<string> => {
      tries += 1;
      await add(tx);
      if (tries === 1) await kill(tx);
      await add(tx);
      return `try ${tries}`;
    };
    expect(await (where === 'inside' ? write(work) : process.write(work))).toBe('try 2');
    expect(await counted()).toBe(2);
  });

  it('is not repeated when another process has taken the session meanwhile', async () => {
    const { write, add, counted, kill, losses, openProcess } = await setUpHolder();
    const other = await openProcess();
    const lost = write(async (tx) => {
      await add(tx);
      await kill(tx);
      await other.take();
      await add(tx);
    });
    await expect(lost).rejects.toBeInstanceOf(SessionLostError);
    expect([losses(), await counted()]).toEqual([1, 0]);
  });

  it('before the commit is repeated inside a fence, because the database says that it was rolled back', async () => {
    const { write, add, counted, kill } = await setUpHolder();
    let tries = 0;
    await write(async (tx) => {
      tries += 1;
      await add(tx);
      if (tries === 1) await kill(tx);
    });
    expect([tries, await counted()]).toEqual([2, 1]);
  });

  it('by the server during the commit is made once inside a fence', async () => {
    const { write, add, counted, admin } = await setUpHolder();
    const sleeping =
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where wait_event = 'PgSleep'";
    let tries = 0;
    const writing = write((tx) => {
      tries += 1;
      return add(tx, 'server-slow');
    });
    await vi.waitUntil(async () => (await admin.query(sleeping)).rowCount === 1, { timeout: 30_000 });
    await writing;
    expect([tries, await counted('server-slow')]).toEqual([2, 1]);
  });

  it('after the commit, before its answer, is made once and gives its result inside a fence', async () => {
    const { write, add, counted, openProcess } = await setUpHolder();
    const proxy = await startProxy();
    const process = await openProcess(proxy.url);
    let tries = 0;
    const work = async (tx: Transaction<Database>): Promise<string> => {
      tries += 1;
      await add(tx);
      return `try ${tries}`;
    };
    proxy.cut('committed');
    expect(await write(work, process)).toBe('try 1');
    expect(await counted()).toBe(1);
  });

  it('on the way while the server still commits is made once and gives its result inside a fence', async () => {
    const { write, add, counted, openProcess } = await setUpHolder();
    const proxy = await startProxy();
    const process = await openProcess(proxy.url);
    proxy.cut('committing');
    let tries = 0;
    await write((tx) => {
      tries += 1;
      return add(tx, 'way-slow');
    }, process);
    expect([tries, await counted('way-slow')]).toEqual([1, 1]);
  });

  it('during the commit is not repeated outside of a fence, because nobody knows what became of it', async () => {
    const { add, counted, openProcess } = await setUp();
    const proxy = await startProxy();
    const process = await openProcess(proxy.url);
    proxy.cut('committed');
    await expect(process.write((tx) => add(tx))).rejects.toThrow(/connection/i);
    expect(await counted()).toBe(1);
  });
});

describe('an error that is no loss of the connection', () => {
  it('of a write is thrown at once', async () => {
    const { process, name } = await setUp();
    let tries = 0;
    const insert = () =>
      process.write(async (tx) => {
        tries += 1;
        await sql`insert into named (name) values (${name})`.execute(tx);
      });
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505' });
    await expect(process.write(() => Promise.reject(new Error('no reason')))).rejects.toThrow('no reason');
    expect(tries).toBe(2);
  });

  it('of a read is thrown at once', async () => {
    const { process } = await setUp();
    const beganMs = performance.now();
    const misread = process.db
      .selectFrom('missing' as 'health')
      .selectAll()
      .execute();
    await expect(misread).rejects.toMatchObject({ code: '42P01' });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
  });
});

describe('a restart of the database', () => {
  it('does not fail the reads and the writes that are made meanwhile', async () => {
    const { process, write, add, sessionKey, openProcess } = await setUpHolder();
    const shared = createSharedInbox(process);
    const end = new AbortController();
    let made = 0;
    const busy = async (): Promise<void> => {
      while (!end.signal.aborted) {
        await process.db.selectFrom('health').selectAll().execute();
        await shared.pendingIn(sessionKey);
        await write((tx) => add(tx, 'restart'));
        made += 1;
      }
    };
    const working = Promise.all([busy(), busy(), busy()]);
    await server.restart(300);
    const before = made;
    await vi.waitUntil(() => made > before + 10, { timeout: 30_000 });
    end.abort();
    await working;
    const { rows } = await sql<{ readonly count: number }>`
      select count(*)::int as count from tally where name = 'restart'`.execute((await openProcess()).db);
    expect(rows[0]?.count).toBe(made);
  });
});
