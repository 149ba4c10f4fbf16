import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '#src/kernel/operations/status.ts';
import { systemClock as clock } from '#src/platform/concurrency/clock.ts';
import { type Cluster, openCluster } from '#src/platform/cluster/cluster.ts';
import { recordingLogger } from '#test/support/context.ts';
import { openStorage, type PostgresServer, startPostgres } from '#test/support/database.ts';

let server: PostgresServer;
let databaseUrl: string;
const opened: Cluster[] = [];
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.createDatabase();
  const storage = await openStorage({ dataDir: tmpdir(), databaseUrl });
  await storage.close();
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await server.stop();
});

const open = async (role: Role): Promise<Cluster> => {
  const cluster = await openCluster({
    version: '1',
    role,
    channelIds: ['slack', 'discord'],
    undividedIds: ['discord'],
    databaseUrl,
    clock,
    ...recordingLogger(),
  });
  if (role !== 'all') opened.push(cluster);
  return cluster;
};

it('a process that receives beside others is missed as soon as its connection is gone, though another comes at once', async () => {
  const [first, worker] = [await open('gateway'), await open('worker')];
  const second = await open('all');
  await expect.poll(() => first.processes.isShared('slack')).toBe(true);
  const before = clock.now();
  expect(await first.lostSince('slack')).toBeUndefined();
  await second.close();
  const third = await open('gateway');
  const lost = await first.lostSince('slack');
  expect(lost && Temporal.Instant.compare(lost, before)).toBeGreaterThanOrEqual(0);
  expect([await third.lostSince('slack'), await first.lostSince('discord')]).toEqual([undefined, undefined]);
  expect(await worker.lostSince('slack')).toBeUndefined();
  expect(await first.lostSince('slack')).toBe(lost);
});
