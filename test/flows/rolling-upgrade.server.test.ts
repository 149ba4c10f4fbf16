import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '#test/support/database.ts';
import { startProcesses, written } from '#test/support/processes.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** What a newer version writes down when it has changed the schema. */
const changeBy = async (databaseUrl: string, step: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`insert into kysely_migration (name, timestamp) values ($1, '')`, [step]);
  await client.end();
};

it('a process goes on when a newer version has added to the database', { timeout: 60_000 }, async () => {
  const databaseUrl = await postgres.createDatabase();
  const { sent, join } = await startProcesses({ databaseUrl, count: 1 });
  await changeBy(databaseUrl, '0998-more');
  const late = await join();
  await late.channel.receive(written('ann', '/price AAPL'));
  await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(1);
});
