import type { Client } from 'pg';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Clock } from '../clock.ts';
import type { FinClawLogger } from '../logger.ts';
import { unusableDatabase } from './database.ts';

/** Names FinClaw's lock among the advisory locks of the database. */
const LOCK_KEY = 4_627_113;
const CONNECT_TIMEOUT_MS = 5_000;
const RETRY_MS = 5_000;
const KEEP_ALIVE_MS = 30_000;

/** After a power cut here, the server notices within about a minute that nobody is there, and frees the lock. */
const NOTICE_A_LOST_HOST =
  'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3';

const inUse = (): FinClawError =>
  new FinClawError(
    'Another FinClaw is running on this PostgreSQL database. Stop it first, or give this one its own DATABASE_URL.',
    'DATA_DIR_IN_USE',
  );

/** A connection that holds the lock. Undefined if another session holds it. */
const takeLock = async (
  connectionString: string,
  onLost: (client: Client) => void,
): Promise<Client | undefined> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'finclaw lock',
  });
  // Without a listener the error would end the process; `end` follows it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(NOTICE_A_LOST_HOST);
    const { rows } = await client.query<{ readonly is_held: boolean }>(
      'select pg_try_advisory_lock($1) as is_held',
      [LOCK_KEY],
    );
    if (rows[0]?.is_held) {
      client.once('end', () => onLost(client));
      return client;
    }
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  await client.end();
  return undefined;
};

interface PostgresLockDeps {
  readonly clock: Clock;
  readonly logger: Pick<FinClawLogger, 'info' | 'error'>;
}

/**
 * Keeps a second process off the database. The server frees the lock when the connection ends, however the process ends.
 * If the connection is lost, the lock is taken again in the background, and another holder is logged once. Throws when
 * another process holds the lock at the start.
 */
export const holdPostgresLock = async (
  connectionString: string,
  { clock, logger }: PostgresLockDeps,
): Promise<{ readonly release: () => Promise<void> }> => {
  let held: Client | undefined;
  let isReleased = false;
  let cancelRetry: (() => void) | undefined;
  let retrying: Promise<void> | undefined;

  const retry = async (isReported: boolean): Promise<void> => {
    let isTaken = false;
    try {
      held = await takeLock(connectionString, onLost);
      isTaken = held === undefined;
    } catch {
      // The database is down. It is asked again.
    }
    if (held) {
      logger.info('The lock on the database is held again');
      return;
    }
    if (isTaken && !isReported)
      logger.error(
        'The lock on the database was lost, and another session holds it. If another FinClaw runs on this database, stop one of the two.',
      );
    retryLater(isReported || isTaken);
  };
  const retryLater = (isReported = false): void => {
    if (isReleased) return;
    cancelRetry = clock.after(RETRY_MS, () => {
      retrying = retry(isReported);
    });
  };
  const onLost = (client: Client): void => {
    if (client !== held) return;
    held = undefined;
    retryLater();
  };

  try {
    held = await takeLock(connectionString, onLost);
  } catch (error) {
    throw unusableDatabase(error);
  }
  if (!held) throw inUse();
  return {
    release: async () => {
      isReleased = true;
      cancelRetry?.();
      await retrying;
      await held?.end();
    },
  };
};
