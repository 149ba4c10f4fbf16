import { sql } from 'kysely';
import { afterAll, beforeAll, it } from 'vitest';
import { type PostgresServer, startPostgres } from '#test/support/database.ts';
import { expectRecorded } from './record.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

it('the tables are the recorded ones on PostgreSQL', async () => {
  const { storage } = await server.storage();
  const { db } = storage;
  const { rows: columns } = await sql<{ readonly line: string }>`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(' ' || column_default, '') as line
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`.execute(
    db,
  );
  const { rows: indexes } = await sql<{ readonly line: string }>`
    select indexdef as line from pg_indexes where schemaname = 'public' order by indexname`.execute(db);
  await expectRecorded('program/postgres', [...columns, ...indexes].map(({ line }) => line).join('\n'));
});
