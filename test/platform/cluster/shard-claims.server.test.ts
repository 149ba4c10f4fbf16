import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { ReceivedShard } from '#src/kernel/channel/host.ts';
import { type AccountId, asId, type ChannelId } from '#src/kernel/ids.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { type Cluster, openCluster } from '#src/platform/cluster/cluster.ts';
import { createProcessBus } from '#src/platform/cluster/process-bus.ts';
import { recordingLogger } from '#test/support/context.ts';
import { openStorage, type PostgresServer, startPostgres } from '#test/support/database.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** Each test has a database of its own: most of its time is waiting, and so they wait at the same time. */
interface Database {
  readonly url: string;
  readonly admin: Client;
  readonly open: () => Promise<Cluster>;
  readonly receive: (shards: number, onEnd?: () => Promise<void>) => Promise<Receiver>;
}

interface Receiver {
  readonly cluster: Cluster;
  readonly shards: ReadonlyMap<number, ReceivedShard>;
  readonly held: () => readonly number[];
  readonly stop: () => Promise<void>;
}

const openOn = async (databaseUrl: string): Promise<Cluster> => {
  const channels = { channelIds: ['discord'], undividedIds: ['discord'] };
  const { logger } = recordingLogger();
  const self = { version: '1', role: 'gateway' } as const;
  const deps = { databaseUrl, ...self, clock: systemClock, logger };
  const cluster = await openCluster({ ...deps, ...channels });
  let closed: Promise<void> | undefined;
  return { ...cluster, close: () => (closed ??= cluster.close()) };
};

const receiveFrom = async (
  cluster: Cluster,
  shards: number,
  onEnd?: () => Promise<void>,
): Promise<Receiver> => {
  const held = new Map<number, ReceivedShard>();
  const of = { channelId: asId<ChannelId>('discord'), accountId: asId<AccountId>('1'), shards };
  const { stop } = await cluster.receiveInShards(of, {
    begin: (shard) => void held.set(shard.shard, shard),
    end: async (shard) => {
      await onEnd?.();
      held.delete(shard);
    },
  });
  return { cluster, shards: held, held: () => [...held.keys()].toSorted((a, b) => a - b), stop };
};

const it = test.extend<{ readonly database: Database }>({
  database: async ({ onTestFinished }, use) => {
    const url = await server.createDatabase();
    await (await openStorage({ dataDir: tmpdir(), databaseUrl: url })).close();
    const admin = new Client({ connectionString: url });
    await admin.connect();
    onTestFinished(() => admin.end());
    const open = async (): Promise<Cluster> => {
      const cluster = await openOn(url);
      onTestFinished(cluster.close);
      return cluster;
    };
    const receive: Database['receive'] = async (shards, onEnd) => receiveFrom(await open(), shards, onEnd);
    await use({ url, admin, open, receive });
  },
});

/** Ends the connection of a process to the others, as if it were killed or its network failed. */
const cut = (admin: Client): Promise<unknown> =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'finclaw link' and datname = current_database()`,
  );

/** When the bus was last used. */
const lastAsked = async (admin: Client): Promise<unknown> => {
  const { rows } = await admin.query(
    `select query_start::text from pg_stat_activity
     where application_name = 'finclaw link' and datname = current_database()`,
  );
  return rows;
};

const SOON = { timeout: 20_000 };

describe.concurrent('the shards of what a platform sends', () => {
  it('are all received by a process that is alone, and shared with those that come and go', async ({
    database: { receive },
    expect,
  }) => {
    const first = await receive(4);
    expect(first.held()).toEqual([0, 1, 2, 3]);
    const second = await receive(4);
    await expect
      .poll(() => [first.held(), second.held()], SOON)
      .toEqual([
        [0, 1],
        [2, 3],
      ]);
    const third = await receive(4);
    await third.stop();
    await second.stop();
    await expect.poll(first.held, SOON).toEqual([0, 1, 2, 3]);
    expect(second.held()).toEqual([]);
  });

  it('have one receiver at a time', async ({ database: { receive }, expect }) => {
    const first = await receive(2);
    let isEnding = false;
    const ended = Promise.withResolvers<void>();
    const slow = await receive(2, async () => {
      isEnding = true;
      await ended.promise;
    });
    await expect.poll(slow.held, SOON).toEqual([1]);
    expect(slow.shards.get(1)).toMatchObject({ shard: 1, shards: 2 });
    const shard = slow.shards.get(1);
    const stopped = slow.stop();
    await expect.poll(() => isEnding, SOON).toBe(true);
    // What has arrived is stored before others go on.
    expect(await shard?.confirm()).toBe(true);
    await sleep(2_500);
    expect(first.held()).toEqual([0]);
    ended.resolve();
    await stopped;
    expect(await shard?.confirm()).toBe(false);
    await expect.poll(first.held, SOON).toEqual([0, 1]);
  });

  it('are received by others within seconds after a process has died', async ({
    database: { receive },
    expect,
  }) => {
    const [first, second] = [await receive(4), await receive(4)];
    await expect.poll(second.held, SOON).toEqual([2, 3]);
    // Nothing of the process is left but its row, which others see for 15 seconds.
    await first.cluster.bus.stop();
    await expect.poll(second.held, { timeout: 30_000 }).toEqual([0, 1, 2, 3]);
  });

  it('stay where they are when the connection to the database is back at once', async ({
    database: { admin, receive },
    expect,
  }) => {
    const process = await receive(2);
    const before = [...process.shards.values()];
    await cut(admin);
    await sleep(6_000);
    expect([...process.shards.values()]).toEqual(before);
  });

  it('begin anew where another process had them while the connection was lost', async ({
    database: { admin, receive },
    expect,
  }) => {
    const process = await receive(2);
    const [kept, taken] = [process.shards.get(0), process.shards.get(1)];
    await admin.query(`update received_shards set process_id = 'other' where shard = 1`);
    await cut(admin);
    await expect
      .poll(() => process.shards.get(1) !== undefined && process.shards.get(1) !== taken, SOON)
      .toBe(true);
    const confirmed = [kept, taken, process.shards.get(1)].map(async (shard) => shard?.confirm());
    expect(await Promise.all(confirmed)).toEqual([true, false, true]);
    expect(process.shards.get(0)).toBe(kept);
  });

  it('are no longer received by a process that cannot reach the database', async ({
    database: { admin, url, receive },
    expect,
  }) => {
    const process = await receive(2);
    const before = process.shards.get(0);
    expect(await before?.confirm()).toBe(true);
    await server.refuseConnections(url, true);
    await cut(admin);
    await expect.poll(process.held, SOON).toEqual([]);
    expect(await before?.confirm()).toBe(false);
    await server.refuseConnections(url, false);
    await expect.poll(process.held, SOON).toEqual([0, 1]);
  });

  it('are received again by a process that was giving them up when the database came back', async ({
    database: { admin, url, receive },
    expect,
  }) => {
    const ended = Promise.withResolvers<void>();
    let isEnding = false;
    const process = await receive(1, () => {
      isEnding = true;
      return ended.promise;
    });
    await server.refuseConnections(url, true);
    await cut(admin);
    await expect.poll(() => isEnding, SOON).toBe(true);
    const back = Promise.withResolvers<void>();
    process.cluster.bus.onConnected(back.resolve);
    await server.refuseConnections(url, false);
    await back.promise;
    ended.resolve();
    await expect.poll(process.held, SOON).toEqual([0]);
    expect(await process.shards.get(0)?.confirm()).toBe(true);
  });

  it('are as many as the first process says, until all have ended', async ({
    database: { receive },
    expect,
  }) => {
    const first = await receive(2);
    const second = await receive(3);
    await expect.poll(second.held, SOON).toEqual([1]);
    expect(second.shards.get(1)?.shards).toBe(2);
    await Promise.all([first.cluster.close(), second.cluster.close()]);
    const third = await receive(3);
    expect(third.held()).toEqual([0, 1, 2]);
    expect(third.shards.get(0)).toMatchObject({ shards: 3 });
  });
});

describe.concurrent('processes on one database', () => {
  it('ask whether the link is still connected after they may have been suspended, alone or with the machine', async ({
    database: { admin, url },
    expect,
    onTestFinished,
  }) => {
    let suspendedMs = 0;
    const clock = { ...systemClock, now: () => Temporal.Now.instant().add({ milliseconds: suspendedMs }) };
    const { logger } = recordingLogger();
    const bus = createProcessBus({ connectionString: url, pool: new Pool(), clock, logger });
    await bus.start();
    onTestFinished(bus.stop);
    const before = await lastAsked(admin);
    expect([await bus.isStillConnected(), await lastAsked(admin)]).toEqual([true, before]);
    suspendedMs = 60_000;
    expect(await bus.isStillConnected()).toBe(true);
    expect(await lastAsked(admin)).not.toEqual(before);
    await cut(admin);
    suspendedMs += 60_000;
    expect(await bus.isStillConnected()).toBe(false);
  });

  it('wait for their turn with what all of them together may do only so often', async ({
    database: { open },
    expect,
  }) => {
    const clusters = [await open(), await open()];
    const at: number[] = [];
    const turns = [...clusters, ...clusters].map(async ({ takeTurn }) => {
      await takeTurn('identify', 300, NEVER_ABORTED);
      at.push(performance.now());
    });
    await Promise.all(turns);
    const gaps = at.slice(1).map((ms, index) => ms - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(290);
    const other = clusters[0]?.takeTurn('something else', 300, NEVER_ABORTED);
    await expect(other).resolves.toBeUndefined();
    const stopped = new AbortController();
    const waiting = clusters[1]?.takeTurn('something else', 300, stopped.signal);
    stopped.abort(new Error('not any more'));
    await expect(waiting).rejects.toThrow('not any more');
  });
});
