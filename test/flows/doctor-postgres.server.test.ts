import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { runDoctor } from '#test/support/run-doctor.ts';
import { openPool } from '#src/platform/storage/postgres.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const tablesIn = async (databaseUrl: string): Promise<readonly string[]> => {
  const pool = await openPool(databaseUrl);
  try {
    const { rows } = await pool.query<{ readonly name: string }>(
      `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await pool.end();
  }
};

const NO_BACKUPS = /^• Backups: there are no automatic ones .*backup\.everyHours.*docs\/operations\.md/m;

describe('npm run doctor with PostgreSQL', () => {
  it('makes no table and no file for a database that is empty, and says that the first start does', async () => {
    const databaseUrl = await postgres.createDatabase();
    const dataDir = temporaryDir();
    const env = { DATABASE_URL: databaseUrl, FINCLAW_DATA_DIR: dataDir };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(output).toMatch(/^✔ Database: PostgreSQL is empty; the first start makes the tables$/m);
    expect(output).toMatch(/^✔ PostgreSQL \d+\.\d+ answers in/m);
    expect(output).toContain('• FINCLAW_SECRET_KEY is not set');
    expect(output).toContain('• Model: offline');
    expect(await tablesIn(databaseUrl)).toEqual([]);
    expect(readdirSync(dataDir)).toEqual([]);
    expect(code).toBe(0);
  });

  it('says when this user may not make the tables', async () => {
    const databaseUrl = await postgres.createDatabase();
    const pool = await openPool(databaseUrl);
    const name = new URL(databaseUrl).pathname.slice(1);
    await pool.query(`alter database "${name}" set default_transaction_read_only = on`);
    await pool.end();
    const env = { DATABASE_URL: databaseUrl, FINCLAW_DATA_DIR: temporaryDir() };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(output).toMatch(/^✖ Database: .* may not make tables in PostgreSQL/m);
    expect(code).toBe(1);
  });

  it('opens one that has tables', async () => {
    const databaseUrl = await postgres.createDatabase();
    const storage = await openStorage({ dataDir: temporaryDir(), databaseUrl });
    await sql`select 1`.execute(storage.db);
    await storage.close();
    const env = { DATABASE_URL: databaseUrl, FINCLAW_DATA_DIR: join(temporaryDir(), 'none') };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(output).toContain('✔ Database: PostgreSQL is writable and up to date');
    expect(code).toBe(0);
  });

  it('warns that nobody makes backups, unless that is as the configuration wants it', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), FINCLAW_DATA_DIR: temporaryDir() };
    const withBackups = async (backup: object): Promise<string> => {
      const cwd = temporaryDir();
      writeFileSync(join(cwd, 'finclaw.config.json'), JSON.stringify({ backup }), { mode: 0o600 });
      return (await runDoctor(env, cwd)).output;
    };
    expect(await withBackups({})).toMatch(NO_BACKUPS);
    expect(await withBackups({ keep: 3 })).toMatch(NO_BACKUPS);
    expect(await withBackups({ everyHours: 0 })).not.toContain('Backups:');
    expect(await withBackups({ everyHours: 24 })).not.toContain('no automatic ones');
  });
});
