import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Finding } from '#src/platform/channel-definition.ts';
import { unusableDatabase } from '#src/platform/storage/migrate.ts';
import { inspectPostgres, openPool } from '#src/platform/storage/postgres.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import { bad, note, ok } from './check.ts';

const SLOW_MS = 20;
const SKEWED_MS = 2_000;

/** Several processes agree on times and take turns over the database, so its clock and the way to it matter. */
export const checkPostgres = async (db: Kysely<Database>): Promise<readonly Finding[]> => {
  const { version, isTooOld, latencyMs, clockAheadMs } = await inspectPostgres(db);
  if (isTooOld) return [bad(`PostgreSQL ${version} is too old; FinClaw needs version 14 or later`)];
  const answers = `PostgreSQL ${version} answers in ${latencyMs.toFixed(1)} ms`;
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1);
  return [
    latencyMs > SLOW_MS
      ? note(`${answers}, and a message needs many answers; run it closer to the bot`)
      : ok(answers),
    Math.abs(clockAheadMs) > SKEWED_MS
      ? bad(
          `The clock of this machine is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of the database; synchronize both with NTP`,
        )
      : ok('The clocks of this machine and of the database agree'),
  ];
};

interface Facts {
  readonly can_create: boolean | null;
}

/** A start would make the tables, and then no backup could be restored there. */
export const checkEmptyPostgres = async (databaseUrl: string): Promise<readonly Finding[]> => {
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: await openPool(databaseUrl, { max: 1 }) }),
  });
  try {
    const { rows } = await sql<Facts>`
      select has_schema_privilege(current_schema(), 'create') and current_setting('transaction_read_only') = 'off' as can_create`.execute(
      db,
    );
    const [facts] = rows;
    const first = facts?.can_create
      ? ok('Database: PostgreSQL is empty; the first start makes the tables')
      : bad(
          'Database: the user of DATABASE_URL may not make tables in PostgreSQL',
          'Make that user the owner of the database.',
        );
    return [first, ...(await checkPostgres(db))];
  } catch (error) {
    throw unusableDatabase(error);
  } finally {
    await db.destroy();
  }
};
