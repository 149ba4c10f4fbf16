import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Fences } from './fences.ts';
import type { Write } from './group-commit.ts';
import type { Database } from './schema.ts';

/** A restart of the database, or of a proxy before it, takes less. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = { first: 50, longest: 1_000 };

const MAX_CONNECTIONS = 10;

/**
 * A process that hangs in the middle of a transaction, or whose host is gone, must not keep its locks: others wait for them
 * to take over its sessions. No transaction waits for anything but the database.
 */
export const LET_GO_OF_THE_DEAD =
  'set idle_in_transaction_session_timeout = 8000; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** A connection was refused, cut or ended by the server; or the server is starting or stopping. */
const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  // Too many connections.
  '53300',
  // The connection was idle in a transaction for too long: the process had been stopped.
  '25P03',
  '08000',
  '08001',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
]);

/** The client reports some losses without a code. */
const LOST_WORDS = /^Connection terminated|^timeout exceeded when trying to connect|not queryable/;

const isConnectionLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  const { code } = error as { readonly code?: unknown };
  return (typeof code === 'string' && LOST_CODES.has(code)) || LOST_WORDS.test(error.message);
};

/** Repeats the work while the connection is lost, as long as `mayRepeat` allows it. */
export const patiently = async <T>(
  work: () => Promise<T>,
  mayRepeat: () => Promise<boolean> = async () => true,
): Promise<T> => {
  const latestMs = performance.now() + PATIENCE_MS;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() + pauseMs > latestMs || !(await mayRepeat()))
        throw error;
      await sleep(pauseMs);
    }
  }
};

/** Repeats queries outside of transactions, if they only read. */
export const repeatReads = (db: Kysely<Database>): void => {
  const executor = db.getExecutor();
  const executeQuery = executor.executeQuery.bind(executor);
  Object.assign(executor, {
    executeQuery: <Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> =>
      query.query.kind === 'SelectQueryNode' ? patiently(() => executeQuery(query)) : executeQuery(query),
  });
};

/**
 * Each write has a transaction of its own, and PostgreSQL groups their commits itself. A transaction whose connection is
 * lost is repeated. If it was just being committed, the database is asked first what became of it; a write outside of a
 * session is then not repeated, because nothing tells it from another one.
 */
export const createPostgresWrite =
  (db: Kysely<Database>, fences: Pick<Fences, 'check'>): Write =>
  async <T>(work: Parameters<Write>[0]) => {
    let committing: { readonly value: T; readonly transaction: string | undefined } | undefined;
    let isCommitted = false;

    const transact = async (): Promise<T> => {
      if (committing && isCommitted) return committing.value;
      committing = undefined;
      return db.transaction().execute(async (tx) => {
        const transaction = await fences.check(tx);
        const value = (await work(tx)) as T;
        committing = { value, transaction };
        return value;
      });
    };
    const statusOf = async (transaction: string): Promise<string | null | undefined> => {
      const { rows } = await patiently(() =>
        sql<{
          readonly status: string | null;
        }>`select pg_xact_status(${transaction}::xid8) as status`.execute(db),
      );
      return rows[0]?.status;
    };
    const mayRepeat = async (): Promise<boolean> => {
      if (!committing) return true;
      const { transaction } = committing;
      if (transaction === undefined) return false;
      const latestMs = performance.now() + PATIENCE_MS;
      let status = await statusOf(transaction);
      // The server may not have noticed yet that nobody waits for the commit.
      while (status === 'in progress' && performance.now() < latestMs) {
        await sleep(PAUSE_MS.first);
        status = await statusOf(transaction);
      }
      isCommitted = status === 'committed';
      return isCommitted || status === 'aborted';
    };
    return patiently(transact, mayRepeat);
  };

/** Runs before a new connection is given out. */
const prepareConnection = async (client: ClientBase, done: (error?: Error) => void): Promise<void> => {
  // Without a listener, a connection that breaks while it is in use would end the process.
  client.on('error', () => undefined);
  try {
    await client.query(LET_GO_OF_THE_DEAD);
    done();
  } catch (error) {
    done(error as Error);
  }
};

interface PoolOptions {
  readonly max?: number;
  /** For short queries. A server that is gone without a word would keep them waiting for minutes. */
  readonly queryTimeoutMs?: number;
}

/** Loads PostgreSQL's client only where it is used, because it costs start-up time and memory. */
export const openPool = async (
  connectionString: string,
  { max = MAX_CONNECTIONS, queryTimeoutMs }: PoolOptions = {},
): Promise<Pool> => {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 5_000,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    verify: (client, done) => void prepareConnection(client, done),
  });
  // The same for one that breaks while it is idle. It is replaced on next use.
  pool.on('error', () => undefined);
  return pool;
};

export interface PostgresReport {
  /** As the server writes it: `16.2`. */
  readonly version: string;
  readonly isTooOld: boolean;
  /** The round trip of a query. */
  readonly latencyMs: number;
  /** How far the clock of this machine is ahead of that of the database. */
  readonly clockAheadMs: number;
}

/** The first version with `idle_session_timeout`, which frees the locks of a process that hangs. */
const OLDEST_VERSION = 140_000;

/** Throws a sentence for the operator if the server is too old. */
export const requireVersion = async (pool: Pick<Pool, 'query'>): Promise<void> => {
  const { rows } = await pool.query<{ readonly version: string; readonly number: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num') as number`,
  );
  if (Number(rows[0]?.number) >= OLDEST_VERSION) return;
  throw new FinClawError(
    `PostgreSQL ${rows[0]?.version} is too old; FinClaw needs version ${OLDEST_VERSION / 10_000} or later.`,
    'DATABASE_TOO_OLD',
  );
};
const QUERIES = 5;

/** Measures what a process depends on: the version, the way to the server and its clock. */
export const inspectPostgres = async (db: Kysely<Database>): Promise<PostgresReport> => {
  const { rows } = await sql<{ readonly version: string; readonly number: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number`.execute(
    db,
  );
  const samples: { readonly latencyMs: number; readonly clockAheadMs: number }[] = [];
  for (let index = 0; index < QUERIES; index += 1) {
    const startedMs = performance.now();
    const asked = await sql<{ readonly ms: string }>`
      select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
    const latencyMs = performance.now() - startedMs;
    // The server looked at its clock about half-way.
    samples.push({ latencyMs, clockAheadMs: Date.now() - latencyMs / 2 - Number(asked.rows[0]?.ms) });
  }
  const [best] = samples.toSorted((a, b) => a.latencyMs - b.latencyMs);
  return {
    version: rows[0]?.version ?? '',
    isTooOld: Number(rows[0]?.number) < OLDEST_VERSION,
    latencyMs: best?.latencyMs ?? Number.NaN,
    clockAheadMs: best?.clockAheadMs ?? Number.NaN,
  };
};
