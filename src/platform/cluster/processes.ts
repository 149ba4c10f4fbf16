import type { Pool } from 'pg';
import type { Role } from '#src/kernel/operations/status.ts';
import { isNewerBuild } from '../build.ts';
import { createPollingLoop } from '../concurrency/polling-loop.ts';
import { toStoredTime } from '../storage/schema.ts';
import type { ProcessBus } from './process-bus.ts';
import type { Uses } from '../services.ts';

const SEEN_EVERY_MS = 5_000;
/** A process that was not seen for so long has ended, or cannot reach the database. */
export const GONE_SECONDS = 15;
const FORGOTTEN_SECONDS = 3_600;

/** A process on the database, as all see it. */
export interface ProcessInfo {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  readonly channels: readonly string[];
  /** The sessions that it works on. */
  readonly sessions: number;
  readonly startedAt: string;
}

/** The processes on one database. The clock of the database says which of them live, because clocks of machines differ. */
export type Processes = ReturnType<typeof createProcesses>;

interface ProcessesDeps extends Uses<'clock' | 'logger.warn'> {
  readonly self: Pick<ProcessInfo, 'id' | 'role' | 'version' | 'channels'>;
  /** The platforms whose chats arrive at one process each. */
  readonly undivided: ReadonlySet<string>;
  /** The number of sessions that this process works on. */
  readonly sessions: () => number;
  readonly pool: Pick<Pool, 'query'>;
  readonly bus: Pick<ProcessBus, 'listen' | 'publish'>;
}

interface ProcessRow {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  readonly channels: string;
  readonly sessions: number;
  readonly started_at: string;
}

/** A moment of the database's clock, some seconds ago, as times are stored. */
export const ago = (seconds: number): string =>
  `to_char((clock_timestamp() - interval '${seconds} seconds') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const REPORT = `
  insert into processes (id, role, version, channels, held, started_at, seen_at)
  values ($1, $2, $3, $4, $5, $6, ${ago(0)})
  on conflict (id) do update set held = excluded.held, seen_at = excluded.seen_at`;
const LIST = `
  select id, role, version, channels, held as sessions, started_at from processes
  where seen_at > ${ago(GONE_SECONDS)} order by started_at, id`;
const FORGET = `delete from processes where id = $1 or seen_at < ${ago(FORGOTTEN_SECONDS)}`;

export const createProcesses = (deps: ProcessesDeps) => {
  const { self, pool, bus, clock, logger } = deps;
  const startedAt = toStoredTime(clock.now());
  let known: readonly ProcessInfo[] = [];
  const joined: (() => void)[] = [];

  const readAll = async (): Promise<readonly ProcessInfo[]> => {
    const { rows } = await pool.query<ProcessRow>(LIST);
    return rows.map(({ started_at, channels, ...row }) => ({
      ...row,
      channels: channels.split(','),
      startedAt: started_at,
    }));
  };

  const look = async (): Promise<number> => {
    try {
      const { id: own, role, version, channels } = self;
      const names = channels.join(',');
      await pool.query(REPORT, [own, role, version, names, deps.sessions(), startedAt]);
      const before = new Set(known.map(({ id }) => id));
      known = await readAll();
      const isNew = ({ id, role: its }: ProcessInfo): boolean =>
        id !== self.id && its !== 'worker' && !before.has(id);
      if (known.some(isNew)) for (const listener of joined) listener();
    } catch (error) {
      logger.warn('The list of processes could not be read; reading it again', { error });
    }
    return SEEN_EVERY_MS;
  };
  const isReceivedBySeveral = (channelId: string): boolean =>
    known.filter(({ role, channels }) => role !== 'worker' && channels.includes(channelId)).length > 1;

  const loop = createPollingLoop(look, clock);
  const toldBy = (id: string): void => {
    if (id !== self.id) loop.wake();
  };
  bus.listen('processes', { told: toldBy, gap: loop.wake });

  return {
    start: async () => {
      await loop.start();
      await bus.publish('processes', self.id);
    },
    stop: async () => {
      await loop.stop();
      try {
        await pool.query(FORGET, [self.id]);
        await bus.publish('processes', self.id);
      } catch (error) {
        logger.warn('This process could not be taken off the list', { error });
      }
    },
    /** All that live, this one included, the oldest first. */
    list: (): readonly ProcessInfo[] => known,
    /** One that lives and has a newer version than this one, as the database knows at this moment. */
    findNewer: async (): Promise<ProcessInfo | undefined> =>
      (await readAll()).find(({ version }) => isNewerBuild(version, self.version)),
    /** Whether several processes receive messages of the same chats of this platform. */
    isShared: (channelId: string): boolean =>
      !deps.undivided.has(channelId) && isReceivedBySeveral(channelId),
    /** Whether several processes receive messages of this platform. */
    isReceivedBySeveral,
    /** Called when another process has come that receives messages. */
    onJoined: (listener: () => void) => void joined.push(listener),
  };
};
