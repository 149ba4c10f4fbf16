import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asId, type ChannelId, type SessionKey } from '#src/kernel/ids.ts';
import type { Role } from '#src/kernel/operations/status.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { openCluster, createShareSettings } from '#src/platform/cluster/cluster.ts';
import { createLease } from '#src/platform/cluster/lease.ts';
import { createProcessBus, type ProcessBus } from '#src/platform/cluster/process-bus.ts';
import { createProcesses } from '#src/platform/cluster/processes.ts';
import { openSessionJobs, type SessionJob } from '#src/platform/cluster/session-jobs.ts';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { openPool } from '#src/platform/storage/postgres.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { recordingLogger } from '#test/support/context.ts';
import { freePort, openStorage, type PostgresServer, startPostgres } from '#test/support/database.ts';
import { AT, entryOf, LATER } from '../storage/contract-fixture.ts';

const SELF = {
  version: '1',
  role: 'all',
  channelIds: ['slack'],
  undividedIds: [],
} as const;

let server: PostgresServer;
let databaseUrl: string;
let admin: Client;
let storage: OpenedStorage;
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.createDatabase();
  admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  storage = await openStorage({ dataDir: tmpdir(), databaseUrl });
});
afterAll(async () => {
  await Promise.all([admin.end(), storage.close()]);
  await server.stop();
});

const clock = systemClock;

const openProcess = async () => {
  const pool = await openPool(databaseUrl);
  onTestFinished(() => pool.end());
  return { pool, clock, ...recordingLogger() };
};

const openJobs = async (...channelIds: readonly string[]) => {
  const { pool, logger } = await openProcess();
  const jobs = await openSessionJobs({ pool, logger });
  await jobs.start(channelIds);
  onTestFinished(jobs.stop);
  return jobs;
};

const openBus = async () => {
  const process = await openProcess();
  const bus = createProcessBus({ connectionString: databaseUrl, ...process });
  await bus.start();
  onTestFinished(bus.stop);
  return { ...process, bus };
};

/** Ends the connections of links that hold this lock; those of all without a name. */
const cutLinks = async (lock?: string): Promise<void> => {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where application_name = 'finclaw link' and ($1::text is null or pid in (
       select pid from pg_locks where locktype = 'advisory' and objid::bigint = hashtext($1)::bigint & 4294967295))`,
    [lock],
  );
  expect(rowCount).toBeGreaterThan(0);
};

let names = 0;
/** A name that no other test uses: all have one database. */
const newName = (kind: string): string => `${kind}-${(names += 1)}`;

const sessionOf = (name: string): SessionKey => asId<SessionKey>(name);
const keysOf = (jobs: readonly SessionJob[]): readonly string[] =>
  jobs.map(({ sessionKey }) => sessionKey).toSorted();

const setUpJobs = async () => {
  const channelId = newName('channel');
  const [first, second] = await Promise.all([openJobs(channelId), openJobs(channelId)]);
  const request = (name: string, options: { readonly isUrgent?: boolean } = {}) =>
    first.request({ sessionKey: sessionOf(name), channelId, ...options });
  const claimOne = async (by = first): Promise<SessionJob> => {
    const [job, ...others] = await by.claim(channelId, 10);
    if (!job || others.length > 0) throw new Error(`${others.length} other sessions were claimed`);
    return job;
  };
  return { channelId, first, second, request, claimOne };
};

describe('the jobs of sessions', () => {
  it('are one for each session, however often and by whomever it is requested', async () => {
    const { channelId, first, second } = await setUpJobs();
    const requested = await Promise.all(
      [first, second, first, second, first, second].map((by) =>
        by.request({ sessionKey: sessionOf('a'), channelId }),
      ),
    );
    expect(requested.filter(Boolean)).toHaveLength(1);
    expect(await second.claim(channelId, 10)).toEqual([
      { id: expect.any(String), sessionKey: 'a', channelId, retryCount: 0 },
    ]);
  });

  it('are given to one process until it ends them, and can then be requested again', async () => {
    const { channelId, first, second, request, claimOne } = await setUpJobs();
    await request('a');
    const job = await claimOne();
    expect(await second.claim(channelId, 10)).toEqual([]);
    expect(await request('a')).toBe(false);
    expect(await second.claim(channelId, 10)).toEqual([]);
    expect(await first.renew([job])).toEqual(new Set([job]));
    await first.end(job);
    expect(await first.renew([job])).toEqual(new Set());
    expect(await second.claim(channelId, 10)).toEqual([]);
    expect(await request('a')).toBe(true);
    expect(await claimOne(second)).toMatchObject({ sessionKey: 'a', retryCount: 0 });
  });

  it('go to another process when they are not renewed, and their former holder cannot change that', async () => {
    const { channelId, first, second, request, claimOne } = await setUpJobs();
    await request('renewed');
    const renewed = await claimOne();
    await request('left');
    const beganMs = clock.monotonicMs();
    const left = await claimOne();
    let taken: readonly SessionJob[] = [];
    while (taken.length === 0 && clock.monotonicMs() - beganMs < 18_000) {
      await sleep(250);
      expect(await first.renew([renewed])).toEqual(new Set([renewed]));
      taken = await second.claim(channelId, 10);
    }
    const tookMs = clock.monotonicMs() - beganMs;
    expect(taken).toMatchObject([{ sessionKey: 'left', retryCount: 1 }]);
    expect(tookMs > 9_500 && tookMs < 14_000).toBe(true);
    expect(await first.renew([left, renewed])).toEqual(new Set([renewed]));
    await first.end(left);
    expect(await second.renew(taken)).toEqual(new Set(taken));
    expect(await request('left')).toBe(false);
  });

  it('that are urgent are claimed first, and by who claims no others', async () => {
    const { channelId, first, second, request } = await setUpJobs();
    await request('a');
    await request('b');
    await request('c', { isUrgent: true });
    await request('d', { isUrgent: true });
    expect(keysOf(await first.claim(channelId, 1))).toEqual(['c']);
    expect(keysOf(await second.claim(channelId, 10, { isUrgentOnly: true }))).toEqual(['d']);
    expect(await second.claim(channelId, 10, { isUrgentOnly: true })).toEqual([]);
    expect(keysOf(await second.claim(channelId, 10))).toEqual(['a', 'b']);
  });

  it('become urgent when they are requested so later, and stay with their holder', async () => {
    const { channelId, first, second, request, claimOne } = await setUpJobs();
    await request('a');
    await request('b');
    expect(await request('a', { isUrgent: true })).toBe(false);
    const claimed = await first.claim(channelId, 10, { isUrgentOnly: true });
    expect(keysOf(claimed)).toEqual(['a']);
    expect(await request('a', { isUrgent: true })).toBe(false);
    expect(await second.claim(channelId, 10, { isUrgentOnly: true })).toEqual([]);
    expect(await first.renew(claimed)).toEqual(new Set(claimed));
    expect(await claimOne(second)).toMatchObject({ sessionKey: 'b' });
  });

  it('are claimed for one platform at a time', async () => {
    const [slack, discord] = [newName('slack'), newName('discord')];
    const [both, one] = [await openJobs(slack, discord), await openJobs(discord)];
    await both.request({ sessionKey: sessionOf('same'), channelId: slack });
    expect(await one.claim(discord, 10)).toEqual([]);
    expect(await both.request({ sessionKey: sessionOf('same'), channelId: discord })).toBe(true);
    const claimed = [...(await one.claim(discord, 10)), ...(await both.claim(slack, 10))];
    expect(claimed.map(({ channelId }) => channelId)).toEqual([discord, slack]);
    expect(await both.renew(claimed)).toEqual(new Set(claimed));
  });

  it('go to one of several that ask at once, and those held keep nobody from claiming others', async () => {
    const { channelId, first, second, request } = await setUpJobs();
    const all = Array.from({ length: 300 }, (_, at) => `session-${at}`);
    await Promise.all(all.map((name) => request(name)));
    const claims = await Promise.all([first, second, first, second].map((by) => by.claim(channelId, 50)));
    const held = claims.flat();
    expect([held.length, new Set(keysOf(held)).size]).toEqual([200, 200]);
    await Promise.all(all.map((name) => request(name)));
    expect(await second.claim(channelId, 200)).toHaveLength(100);
    await request('another');
    expect(keysOf(await second.claim(channelId, 1))).toEqual(['another']);
    expect((await first.renew(held)).size).toBe(200);
  });

  it('are made by a sweep for waiting messages that have none', async () => {
    const { channelId, first, second, request, claimOne } = await setUpJobs();
    const inbox = createInbox(storage);
    const accept = async (name: string, { at = AT, channel = channelId } = {}) => {
      const entry = { ...entryOf({ channelId: asId<ChannelId>(channel) }), sessionKey: sessionOf(name) };
      await inbox.accept(entry, at);
      return entry;
    };
    await request('held');
    const held = await claimOne();
    await request('requested');
    for (const name of ['held', 'requested', 'forgotten', 'forgotten']) await accept(name);
    const answered = await accept('answered');
    await inbox.settle(answered.id, 'done', AT);
    await accept('fresh', { at: LATER });
    await accept('elsewhere', { channel: newName('channel') });
    expect(await second.sweep(toStoredTime(LATER))).toBe(1);
    expect(await second.sweep(toStoredTime(LATER))).toBe(0);
    expect(keysOf(await second.claim(channelId, 10))).toEqual(['forgotten', 'requested']);
    await first.end(held);
    expect(await second.sweep(toStoredTime(LATER.add({ seconds: 1 })))).toBe(2);
    expect(keysOf(await second.claim(channelId, 10))).toEqual(['fresh', 'held']);
  });
});

const hear = (bus: ProcessBus) => {
  const heard: string[] = [];
  bus.listen('wake', { told: (what) => heard.push(what), gap: () => heard.push('(gap)') });
  return heard;
};

describe('the bus between processes', () => {
  it('carries a signal to all processes, the own one included', async () => {
    const [first, second] = [await openBus(), await openBus()];
    const [here, there] = [hear(first.bus), hear(second.bus)];
    await first.bus.publish('ended', 'of another topic');
    await first.bus.publish('wake', 'what has spaces');
    await expect.poll(() => [here, there]).toEqual([['what has spaces'], ['what has spaces']]);
  });

  it('is made again by itself when it was cut, and says that signals may have been missed', async () => {
    const [first, second] = [await openBus(), await openBus()];
    const heard = hear(first.bus);
    first.bus.onLost(() => heard.push('(lost)'));
    for (const _time of ['once', 'twice']) {
      await cutLinks();
      await expect.poll(() => heard).toEqual(['(lost)', '(gap)']);
      await second.bus.publish('wake', 'again');
      await expect.poll(() => heard.splice(0)).toContain('again');
    }
  });

  it('loses its locks with the connection, so that another process can have them', async () => {
    const [first, second] = [await openBus(), await openBus()];
    const lock = newName('lock');
    expect([await first.bus.tryLock(lock), await second.bus.tryLock(lock)]).toEqual([true, false]);
    expect(await second.bus.tryLock(newName('lock'))).toBe(true);
    let isLost = false;
    first.bus.onLost(() => (isLost = true));
    await cutLinks(lock);
    await expect.poll(() => isLost).toBe(true);
    expect([await second.bus.tryLock(lock), await first.bus.tryLock(lock)]).toEqual([true, false]);
    await second.bus.stop();
    await expect.poll(() => first.bus.tryLock(lock)).toBe(true);
  });

  it('cannot be made without the database, and a signal that cannot be sent is only logged', async () => {
    const { logger, records } = await openProcess();
    const connectionString = `postgres://postgres@127.0.0.1:${await freePort()}/none`;
    const away = await openPool(connectionString);
    const bus = createProcessBus({ connectionString, pool: away, clock, logger });
    await expect(bus.start()).rejects.toThrow('ECONNREFUSED');
    expect(await bus.tryLock('any')).toBe(false);
    await away.end();
    await bus.publish('wake', 'nobody');
    expect(records()).toMatchObject([{ level: 'warn', topic: 'wake' }]);
    const missing = openCluster({ ...SELF, logger, clock, databaseUrl: `${databaseUrl}_missing` });
    await expect(missing).rejects.toThrow('does not exist');
  });
});

const openLease = async (name: string) => {
  const process = await openBus();
  const lease = createLease({ name, ...process });
  await lease.start();
  onTestFinished(lease.stop);
  return { ...process, ...lease };
};

it('a lease is held by one process, and by another when the first is cut off for long or stops', async () => {
  const name = newName('task');
  const [first, second] = [await openLease(name), await openLease(name)];
  expect([first.isHeld(), second.isHeld()]).toEqual([true, false]);
  await admin.query('alter role postgres nologin');
  await cutLinks(name);
  await expect.poll(() => [first.isHeld(), second.isHeld()]).toEqual([false, true]);
  await admin.query('alter role postgres login');
  await Promise.all([second.stop(), second.bus.stop()]);
  await expect.poll(first.isHeld).toBe(true);
});

const openListed = async (id: string, role: Role, ...channels: readonly string[]) => {
  const process = await openBus();
  const self = { id, role, version: `version of ${id}`, channels };
  const listed = createProcesses({ self, undivided: new Set(['console']), sessions: () => 3, ...process });
  let joined = 0;
  listed.onJoined(() => (joined += 1));
  await listed.start();
  onTestFinished(listed.stop);
  const shared = (): readonly boolean[] => ['console', 'slack', 'discord'].map(listed.isShared);
  const several = (): readonly boolean[] => ['console', 'slack', 'discord'].map(listed.isReceivedBySeveral);
  return {
    ...listed,
    shared,
    several,
    joined: () => joined,
    ids: () => listed.list().map((each) => each.id),
  };
};

describe('the processes of a database', () => {
  it('see each other until they stop, and which platforms several of them receive from', async () => {
    const first = await openListed('1', 'all', 'console', 'slack');
    expect([first.ids(), first.shared(), first.joined()]).toEqual([['1'], [false, false, false], 0]);
    const worker = await openListed('2', 'worker', 'console', 'slack');
    await expect.poll(first.ids).toEqual(['1', '2']);
    const second = await openListed('3', 'gateway', 'console', 'slack', 'discord');
    await expect.poll(first.ids).toEqual(['1', '2', '3']);
    await expect.poll(worker.list).toEqual(first.list());
    expect(first.list()).toMatchObject([
      { role: 'all', version: 'version of 1', channels: ['console', 'slack'], sessions: 3 },
      { role: 'worker', version: 'version of 2' },
      { role: 'gateway', version: 'version of 3', channels: ['console', 'slack', 'discord'] },
    ]);
    for (const each of [first, worker, second])
      expect([each.shared(), each.several()]).toEqual([
        [false, true, false],
        [true, true, false],
      ]);
    // Not of the worker, which receives nothing.
    expect(first.joined()).toBe(1);
    await second.stop();
    await expect.poll(first.ids).toEqual(['1', '2']);
    expect([first.shared(), first.joined()]).toEqual([[false, false, false], 1]);
  });

  it('are not listed when they were not seen for a while', async () => {
    const away = await openListed('1', 'all', 'slack');
    await openListed('2', 'all', 'slack');
    await expect.poll(away.ids).toEqual(['1', '2']);
    for (const [id, seconds] of [
      ['1', 10],
      ['2', 20],
    ] as const) {
      const seenAt = toStoredTime(clock.now().subtract({ seconds }));
      await admin.query('update processes set seen_at = $2 where id = $1', [id, seenAt]);
    }
    expect((await openListed('3', 'all', 'slack')).ids()).toEqual(['1', '3']);
  });
});

it('settings that another process has changed are read again, and all of them after a gap', async () => {
  const [first, second] = [await openBus(), await openBus()];
  const read: string[] = [];
  const [here, there] = [first, second].map(({ bus, logger }) => createShareSettings(bus, logger));
  for (const kind of ['roles', 'modes'])
    there?.(kind).onChanged(async () => {
      read.push(kind);
      if (kind === 'modes') throw new Error('unreadable');
    });
  for (const kind of ['roles', 'others', 'roles']) await here?.(kind).changed();
  await expect.poll(() => read).toEqual(['roles', 'roles']);
  await cutLinks();
  await expect.poll(() => read).toEqual(['roles', 'roles', 'roles', 'modes']);
  expect(second.records()).toContainEqual(expect.objectContaining({ level: 'error', what: 'modes' }));
});

const openOne = async () => {
  return openCluster({ ...SELF, databaseUrl, ...(await openProcess()) });
};

it('one process of a cluster leads for all, and another one when it is closed', async () => {
  const [first, second] = [await openOne(), await openOne()];
  onTestFinished(second.close);
  expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
  await first.close();
  await expect.poll(second.isLeading).toBe(true);
  expect(first.isLeading()).toBe(false);
});
