import type { Client, Pool, QueryResult, QueryResultRow } from 'pg';
import { FinClawError } from '#src/kernel/errors.ts';
import { type Clock, type Moment, momentOf, sinceMs } from '../concurrency/clock.ts';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import { LET_GO_OF_THE_DEAD } from '../storage/postgres.ts';
import type { Uses } from '../services.ts';

const CHANNEL = 'finclaw';
/** Sets the locks of FinClaw apart from others in the database. */
const LOCKS = 4_627_114;
const CONNECT_TIMEOUT_MS = 5_000;
const RETRY_MS = { first: 250, longest: 5_000 };
/** A connection that is dropped silently is noticed within this time plus `ANSWER_MS`. */
const CHECK_MS = 2_000;
const ANSWER_MS = 5_000;
/** A process whose last question is older may have been suspended, and have lost its locks in the meantime. */
const CERTAIN_MS = 3_000;
/** The machine of a suspended process still acknowledges packets, so PostgreSQL ends a connection that has been idle for this long. */
const SUSPENDED_MS = 15_000;

/** PostgreSQL lists the second key of a lock as an unsigned number. */
const COUNT_HOLDERS = `
  select count(pg_locks.pid)::int as holders
  from unnest($2::text[]) with ordinality as asked (name, position)
  left join pg_locks on locktype = 'advisory' and granted and classid::bigint = $1::bigint
    and database = (select oid from pg_database where datname = current_database())
    and objid::bigint = (hashtext(name)::bigint & 4294967295)
  group by position order by position`;

const OTHER_HOLDERS = `
  select pid from pg_locks
  where locktype = 'advisory' and granted and classid::bigint = $1::bigint and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())
    and objid::bigint = (hashtext($2)::bigint & 4294967295)`;

/** Whether some process has the lock. */
export const isLockHeld = async (pool: Pick<Pool, 'query'>, name: string): Promise<boolean> => {
  const { rows } = await pool.query<{ readonly holders: number }>(COUNT_HOLDERS, [LOCKS, [name]]);
  return (rows[0]?.holders ?? 0) > 0;
};

/**
 * The messages between processes. `free`: nobody works on a session that has a message. `wake`: a session has another
 * message for its holder. `stop`: the running turn of a session is to be stopped. `ended`: the turn of a message has ended.
 * `settings`: something that every process has a copy of was changed. `processes`: one has come or gone. `parts`: a process
 * begins to receive, or gives up a part of what it receives.
 */
export type BusTopic = 'free' | 'wake' | 'stop' | 'ended' | 'settings' | 'processes' | 'shards';

/**
 * The connection of this process to the others on the same PostgreSQL database. A signal may be lost with the connection,
 * so it only makes things faster: each of its listeners must also look from time to time.
 */
export interface ProcessBus {
  /** Rejects if the database cannot be reached. Later the connection is made again by itself. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Tells every process, this one included. Never rejects. */
  readonly publish: (topic: BusTopic, what: string) => Promise<void>;
  /** `gap` is called when signals may have been missed. */
  readonly listen: (
    topic: BusTopic,
    on: { readonly told: (what: string) => void; readonly gap?: () => void },
  ) => void;
  /** Tries to get an advisory lock that lasts as long as the connection. Several processes may share one. */
  readonly tryLock: (name: string, how?: 'alone' | 'shared') => Promise<boolean>;
  /** Gives a lock back. Does nothing if it is lost already. Never rejects. */
  readonly unlock: (name: string, how?: 'alone' | 'shared') => Promise<void>;
  /** Runs a query on the connection that has the locks, so it fails if they are lost. */
  readonly query: <Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ) => Promise<readonly Row[]>;
  /** How many processes have each of these locks. */
  readonly countHolders: (names: readonly string[]) => Promise<readonly number[]>;
  /** The connections of the other processes that have the lock. */
  readonly otherHolders: (name: string) => Promise<readonly number[]>;
  /** Whether the connection, and every lock with it, is still there. Asks the database unless it was asked recently. */
  readonly isStillConnected: () => Promise<boolean>;
  /** Called when the connection is there, at first and after every loss. */
  readonly onConnected: (listener: () => void) => void;
  /** Called when the connection, and every lock with it, is lost. */
  readonly onLost: (listener: () => void) => void;
}

interface ProcessBusDeps extends Uses<'clock' | 'logger.info' | 'logger.warn'> {
  readonly connectionString: string;
  readonly pool: Pick<Pool, 'query'>;
}

/** Rejects when the server does not answer in time: the connection may be dead. */
const inTime = async <T>(answer: Promise<T>, clock: Clock): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(ANSWER_MS, () => reject(new Error('PostgreSQL does not answer')));
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
};

export const createProcessBus = ({ connectionString, pool, clock, logger }: ProcessBusDeps): ProcessBus => {
  const { listeners, connected, lost, onSignal } = createListeners();
  let client: Client | undefined;
  let queries = new SerialQueue();
  let isStopped = false;
  let cancelTimer: (() => void) | undefined;
  let pauseMs = RETRY_MS.first;
  let answered: Moment = momentOf(clock);
  let asking: Promise<boolean> | undefined;

  /** One at a time: the client takes no other one before the last is answered. */
  const query = <Row extends QueryResultRow>(
    asked: Client,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<Row>> => queries.run('', () => asked.query<Row>(text, [...values]));

  const isCertain = (): boolean => sinceMs(answered, clock) < CERTAIN_MS;

  const queryLocked = async <Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> => {
    if (!client) throw new FinClawError('There is no connection to the other processes', 'NOT_CONNECTED');
    return (await query<Row>(client, text, values)).rows;
  };

  const connect = async (): Promise<void> => {
    const opened = await openClient(connectionString, onSignal);
    if (isStopped) {
      await opened.end();
      return;
    }
    client = opened;
    queries = new SerialQueue();
    asking = undefined;
    answered = momentOf(clock);
    pauseMs = RETRY_MS.first;
    opened.once('end', () => onEnd(opened));
    check();
    for (const { gap } of [...listeners.values()].flat()) gap?.();
    for (const listener of connected) listener();
  };

  const ask = async (asked: Client): Promise<boolean> => {
    const askedAt = momentOf(clock);
    try {
      await inTime(query(asked, 'select 1'), clock);
      answered = askedAt;
    } catch {
      void asked.end().catch(() => undefined);
      onEnd(asked);
    }
    return client === asked;
  };
  const askOnce = (asked: Client): Promise<boolean> =>
    (asking ??= ask(asked).finally(() => {
      asking = undefined;
    }));

  /** Asks from time to time, because a connection may be dropped silently. */
  const check = (): void => {
    cancelTimer = clock.after(CHECK_MS, () => {
      if (client) void askOnce(client).then((isThere) => isThere && check());
    });
  };

  const onEnd = (ended: Client): void => {
    if (client !== ended) return;
    client = undefined;
    cancelTimer?.();
    for (const listener of lost) listener();
    if (isStopped) return;
    logger.warn('The connection to the other processes was lost; connecting again');
    retryLater();
  };

  const retryLater = (): void => {
    cancelTimer = clock.after(pauseMs, () => {
      pauseMs = Math.min(pauseMs * 2, RETRY_MS.longest);
      connect().then(
        () => logger.info('The connection to the other processes is back'),
        () => {
          if (!isStopped) retryLater();
        },
      );
    });
  };

  return {
    start: connect,
    stop: async () => {
      isStopped = true;
      cancelTimer?.();
      const ended = client;
      client = undefined;
      await ended?.end();
    },
    publish: async (topic, what) => {
      try {
        await pool.query('select pg_notify($1, $2)', [CHANNEL, `${topic} ${what}`]);
      } catch (error) {
        logger.warn('The other processes could not be told; they will see it later', { topic, error });
      }
    },
    listen: (topic, on) => void listeners.set(topic, [...(listeners.get(topic) ?? []), on]),
    ...createLocks(() => client, query, queryLocked, logger),
    query: queryLocked,
    isStillConnected: async () => {
      if (!client) return false;
      if (isCertain()) return true;
      // The question may have been under way before the process was suspended: its answer proves nothing.
      return (await askOnce(client)) && (isCertain() || (client !== undefined && askOnce(client)));
    },
    onConnected: (listener) => void connected.push(listener),
    onLost: (listener) => void lost.push(listener),
  };
};

/** Connects, and listens to the signals of other processes. */
const openClient = async (connectionString: string, onSignal: (payload: string) => void): Promise<Client> => {
  const { default: pg } = await import('pg');
  const opened = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'finclaw link',
  });
  // Without a listener the error would end the process; `end` follows it.
  opened.on('error', () => undefined);
  opened.on('notification', ({ payload = '' }) => onSignal(payload));
  try {
    await opened.connect();
    await opened.query(LET_GO_OF_THE_DEAD);
    await opened.query(`set idle_session_timeout = ${SUSPENDED_MS}`);
    await opened.query(`listen ${CHANNEL}`);
  } catch (error) {
    void opened.end().catch(() => undefined);
    throw error;
  }
  return opened;
};

/** Advisory locks, which last as long as the connection. */
const createLocks = (
  connected: () => Client | undefined,
  query: <Row extends QueryResultRow>(
    asked: Client,
    text: string,
    values: readonly unknown[],
  ) => Promise<QueryResult<Row>>,
  queryLocked: ProcessBus['query'],
  logger: ProcessBusDeps['logger'],
): Pick<ProcessBus, 'tryLock' | 'unlock' | 'countHolders' | 'otherHolders'> => ({
  tryLock: async (name, how = 'alone') => {
    const asked = connected();
    if (!asked) return false;
    const lock = how === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
    const { rows } = await query<{ readonly is_held: boolean }>(
      asked,
      `select ${lock}($1, hashtext($2)) as is_held`,
      [LOCKS, name],
    );
    return connected() === asked && rows[0]?.is_held === true;
  },
  unlock: async (name, how = 'alone') => {
    const unlock = how === 'shared' ? 'pg_advisory_unlock_shared' : 'pg_advisory_unlock';
    try {
      const client = connected();
      if (client) await query(client, `select ${unlock}($1, hashtext($2))`, [LOCKS, name]);
    } catch (error) {
      logger.warn('A lock could not be given back; it is free when the connection ends', { name, error });
    }
  },
  countHolders: async (names) => {
    const rows = await queryLocked<{ readonly holders: number }>(COUNT_HOLDERS, [LOCKS, names]);
    return rows.map(({ holders }) => holders);
  },
  otherHolders: async (name) => {
    const rows = await queryLocked<{ readonly pid: number }>(OTHER_HOLDERS, [LOCKS, name]);
    return rows.map(({ pid }) => pid);
  },
});

/** Those who listen to signals, and to the connection itself. */
const createListeners = () => {
  const listeners = new Map<
    BusTopic,
    { readonly told: (what: string) => void; readonly gap?: () => void }[]
  >();

  const connected: (() => void)[] = [];
  const lost: (() => void)[] = [];

  const onSignal = (payload: string): void => {
    const space = payload.indexOf(' ');
    const topic = payload.slice(0, space) as BusTopic;
    for (const { told } of listeners.get(topic) ?? []) told(payload.slice(space + 1));
  };

  return { listeners, connected, lost, onSignal };
};
