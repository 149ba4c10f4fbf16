import type { Pool } from 'pg';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { Uses } from '../services.ts';

/** The right to work on a session, as long as it is renewed in time. */
export interface SessionJob {
  readonly id: string;
  readonly sessionKey: SessionKey;
  /** The platform of the session. Only a process that is on it can answer there. */
  readonly channelId: string;
  /** Above zero, an earlier holder has ended without giving the session back. */
  readonly retryCount: number;
}

interface SessionRequest {
  readonly sessionKey: SessionKey;
  readonly channelId: string;
  /** A command: it is claimed even by a process that has enough to do. */
  readonly isUrgent?: boolean;
}

/**
 * The engine behind many processes: at most one job for each session waits or is being worked on. The inbox alone says
 * what there is to do; a job only says that somebody has to look. So it is requested after the message is committed.
 */
export type SessionJobs = Awaited<ReturnType<typeof openSessionJobs>>;

/** The least that pg-boss allows. A session whose holder has died is free after this time and one look of the monitor. */
export const CLAIM_SECONDS = 10;
const LOOK_SECONDS = 1;
/** A job that ends this late has been lost by pg-boss itself. */
const EXPIRES_SECONDS = 12 * 3_600;
const KEPT_SECONDS = 60;
const URGENT = 10;
const SCHEMA = 'pgboss';

const queueOf = (channelId: string): string => `sessions-${channelId}`;

interface JobData {
  readonly sessionKey: string;
  readonly channelId: string;
}

/** The types of pg-boss leave out the ids. */
interface Touched {
  readonly settled?: readonly string[];
}

interface SessionJobsDeps extends Uses<'logger.warn'> {
  readonly pool: Pick<Pool, 'query'>;
}

/** Loads pg-boss only where several processes can share a database. */
export const openSessionJobs = async ({ pool, logger }: SessionJobsDeps) => {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: SCHEMA,
    // Alerts and briefings have their own schedule.
    schedule: false,
    superviseIntervalSeconds: LOOK_SECONDS,
    monitorIntervalSeconds: LOOK_SECONDS,
    maintenanceIntervalSeconds: KEPT_SECONDS,
  });
  boss.on('error', (error) => logger.warn('pg-boss reported an error', { error }));
  const queues: string[] = [];

  return {
    start: async (channelIds: readonly string[]) => {
      await boss.start();
      for (const channelId of channelIds) {
        const name = queueOf(channelId);
        await boss.createQueue(name, {
          // One job for each session, waiting or active. With `stately`, a job that waits behind an active one of the same
          // session makes every claim fail, also of other sessions.
          policy: 'exclusive',
          heartbeatSeconds: CLAIM_SECONDS,
          expireInSeconds: EXPIRES_SECONDS,
          // A holder that dies is not the session's fault: the inbox counts the attempts of a message.
          retryLimit: 10_000,
          deleteAfterSeconds: KEPT_SECONDS,
        });
        queues.push(name);
      }
    },
    stop: (): Promise<void> => boss.stop({ graceful: false }),
    /** Makes sure that a process takes up the session. False if one does already, or is about to. */
    request: async ({ sessionKey, channelId, isUrgent = false }: SessionRequest): Promise<boolean> => {
      const options = { singletonKey: sessionKey, ...(isUrgent && { priority: URGENT }) };
      const data: JobData = { sessionKey, channelId };
      const id = await boss.send(queueOf(channelId), data, options);
      if (id === null && isUrgent)
        await boss.update(queueOf(channelId), data, { singletonKey: sessionKey, priority: URGENT });
      return id !== null;
    },
    /** Takes up sessions that nobody works on, urgent ones first. */
    claim: async (
      channelId: string,
      count: number,
      options?: { readonly isUrgentOnly?: boolean },
    ): Promise<readonly SessionJob[]> => {
      const which = options?.isUrgentOnly ? { minPriority: URGENT } : {};
      const jobs = await boss.fetch<JobData>(queueOf(channelId), { batchSize: count, ...which });
      return jobs.map(({ id, retryCount, data }) => ({
        id,
        retryCount,
        channelId: data.channelId,
        sessionKey: asId<SessionKey>(data.sessionKey),
      }));
    },
    /** Renews the claims. Gives those that this process still has. */
    renew: async (jobs: readonly SessionJob[]): Promise<ReadonlySet<SessionJob>> => {
      const held = new Set<SessionJob>();
      for (const [channelId, ofChannel] of Map.groupBy(jobs, (job) => job.channelId)) {
        const { settled = [] }: Touched = await boss.touch(queueOf(channelId), [...ofChannel]);
        for (const job of ofChannel) if (settled.includes(job.id)) held.add(job);
      }
      return held;
    },
    /** Gives the session back. */
    end: async (job: SessionJob) => {
      await boss.complete(queueOf(job.channelId), { id: job.id, retryCount: job.retryCount });
    },
    /** Requests every session with a waiting message that nobody works on: a process may end before it has requested one. */
    sweep: async (acceptedBefore: string): Promise<number> => {
      const { rows } = await pool.query<{ readonly session_key: string; readonly channel_id: string }>(
        `select distinct session_key, channel_id from inbox
         where status = 'pending' and accepted_at < $1 and 'sessions-' || channel_id = any($2)
           and not exists (select 1 from ${SCHEMA}.job
             where job.name = 'sessions-' || inbox.channel_id and job.singleton_key = inbox.session_key
               and job.state in ('created', 'retry', 'active'))
         limit 1000`,
        [acceptedBefore, queues],
      );
      for (const { session_key: key, channel_id: channelId } of rows)
        await boss.send(queueOf(channelId), { sessionKey: key, channelId } satisfies JobData, {
          singletonKey: key,
        });
      return rows.length;
    },
  };
};
