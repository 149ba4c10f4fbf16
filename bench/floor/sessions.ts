import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { runPostgres } from '#test/support/postgres-server.ts';
import { median } from '../statistics.ts';
import { type BotOptions, FINCLAW, freePort, openBot, openPlatform } from './processes.ts';
import { type Entrant, medianOf, race, type Round } from './rounds.ts';
import { QUESTION, type Setting } from './setting.ts';

const FEW = 1_000;
const MANY = 100_000;
/** A question and an answer each. */
const EXCHANGES = 5;

/** Everything that a conversation leaves in the database. */
const TABLES = [
  'inbox',
  'turns',
  'outbox',
  'transcript_entries',
  'usage',
  'profiles',
  'privacy_notes',
  'session_holders',
] as const;

/** Columns that name a conversation, a person or a message: each copy has its own. */
const NAMES: ReadonlySet<string> = new Set([
  'id',
  'inbox_id',
  'event_id',
  'session_key',
  'chat_id',
  'sender_id',
  'user_id',
  'message_id',
  'platform_message_id',
  'turn_id',
]);

/** Runs statements that both databases understand, and tells the columns of a table. */
interface Sql {
  readonly run: (statement: string) => Promise<void>;
  readonly columnsOf: (table: string) => Promise<readonly string[]>;
}

/** Copies the one conversation that is there: writing each as the program does would take hours. */
const multiply = async ({ run, columnsOf }: Sql, sessions: number): Promise<void> => {
  await run(`create table numbers as
    with recursive counting (n) as (select 1 union all select n + 1 from counting where n < ${sessions - 1})
    select n from counting`);
  for (const table of TABLES) {
    const columns = await columnsOf(table);
    const copied = columns.map((name) => (NAMES.has(name) ? `${name} || '-' || n` : name));
    await run(`create table originals as select * from ${table}`);
    await run(
      `insert into ${table} (${columns.join(', ')}) select ${copied.join(', ')} from originals cross join numbers`,
    );
    await run('drop table originals');
  }
  await run('drop table numbers');
};

const multiplyInSqlite = async (dataDir: string, sessions: number): Promise<void> => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  // Nobody minds losing it, so neither a log nor a small cache slows it down.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -2000000');
  await multiply(
    {
      run: async (statement) => database.exec(statement),
      columnsOf: async (table) =>
        database
          .prepare('select name from pragma_table_info(?)')
          .all(table)
          .map(({ name }) => String(name)),
    },
    sessions,
  );
  // The program never collects statistics for SQLite, so neither does this.
  database.close();
};

const multiplyInPostgres = async (databaseUrl: string, sessions: number): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await multiply(
    {
      run: async (statement) => void (await client.query(statement)),
      columnsOf: async (table) => {
        const { rows } = await client.query<{ readonly name: string }>(
          `select column_name as name from information_schema.columns where table_name = $1 and table_schema = 'public'`,
          [table],
        );
        return rows.map(({ name }) => name);
      },
    },
    sessions,
  );
  // PostgreSQL does so by itself a minute after so many rows.
  await client.query('vacuum analyze');
  await client.end();
};

/** One conversation, as the program writes it. */
const converse = async (setting: Setting, options: BotOptions): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const fake = await openPlatform({ platform: 'slack', places: 1, callDelayMs: 0 });
  opened.defer(fake.close);
  const bot = await openBot(FINCLAW, fake, setting.model, options);
  opened.defer(bot.stop);
  await fake.load({ questions: EXCHANGES, text: QUESTION });
};

const KINDS = { known: false, new: true } as const;

const compare = (what: string, entrants: readonly Entrant[]): void => {
  for (const name of ['SQLite', 'PostgreSQL']) {
    const [few, many] = entrants.filter(({ contestant }) => contestant.name.startsWith(name));
    if (!few || !many) continue;
    const show = (figure: keyof Round): string => {
      const ratios = many.rounds.map(
        (round, index) => round[figure] / (few.rounds[index]?.[figure] ?? Number.NaN),
      );
      return `${medianOf(few, figure).toFixed(1)} and ${medianOf(many, figure).toFixed(1)} ms, ${median(ratios).toFixed(2)}×`;
    };
    console.log(
      `growth, a mention in a ${what} conversation on ${name}, ${FEW} and ${MANY} sessions: CPU ${show('cpuMs')}; answered after ${show('p50Ms')}; aim at most 1.10×`,
    );
  }
};

/** What a mention costs among few and among many sessions, on both databases, one at a time. */
export const benchSessions = async (setting: Setting): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const postgres = await runPostgres(await freePort());
  opened.defer(postgres.stop);
  const options = new Map<string, BotOptions>();
  const startedAtMs = performance.now();
  for (const sessions of [FEW, MANY]) {
    const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-floor-'));
    opened.defer(() => rmSync(dataDir, { recursive: true, force: true }));
    await converse(setting, { dataDir });
    await multiplyInSqlite(dataDir, sessions);
    options.set(`SQLite, ${sessions}`, { dataDir });
    const databaseUrl = await postgres.createDatabase();
    await converse(setting, { env: { DATABASE_URL: databaseUrl } });
    await multiplyInPostgres(databaseUrl, sessions);
    options.set(`PostgreSQL, ${sessions}`, { env: { DATABASE_URL: databaseUrl } });
  }
  console.log(
    `growth: ${FEW} and ${MANY} sessions of ${2 * EXCHANGES} entries filled in ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`,
  );
  const contestants = [...options.keys()].map((name) => ({ ...FINCLAW, name }));
  for (const [what, isNew] of Object.entries(KINDS))
    await race(
      contestants,
      setting.model,
      {
        platform: 'slack',
        text: QUESTION,
        questions: 100,
        rounds: setting.isQuick ? 3 : 9,
        load: { atOnce: 1, isNew },
        botOptions: (contestant) => ({
          ...setting.botOptions(contestant),
          ...options.get(contestant.name),
        }),
      },
      (entrants) => compare(what, entrants),
    );
};
