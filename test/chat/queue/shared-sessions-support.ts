import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import { expect } from 'vitest';
import { type AgentId, asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { Role } from '#src/kernel/operations/status.ts';
import type { RunAbortedError } from '#src/kernel/errors.ts';
import { commandKey, MessageQueue } from '#src/chat/queue/message-queue.ts';
import type { TurnWork } from '#src/chat/queue/session-queue.ts';
import { SharedSessions, type SharedSessionsDeps } from '#src/chat/queue/shared-sessions.ts';
import type { ProcessBus, BusTopic } from '#src/platform/cluster/process-bus.ts';
import type { SessionJob, SessionJobs } from '#src/platform/cluster/session-jobs.ts';
import { newId } from '#src/platform/ids.ts';
import { createFences } from '#src/platform/storage/fences.ts';
import type { PendingEntry } from '#src/chat/store/shared-inbox.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';

export const A = asId<SessionKey>('a');
export const B = asId<SessionKey>('b');
export const C = asId<SessionKey>('c');
const LIMITS = { maxPerSession: 100, maxPerPerson: 100, maxTurnChars: 20_000 };
const MATCH = { agentId: asId<AgentId>('main'), matchedBy: 'default' } as const;

const isCommand: SharedSessionsDeps['isCommand'] = ({ message }) => message.body.startsWith('/');
const writtenMs = ({ message }: PendingEntry): number => message.timestamp.epochMilliseconds;
export const fail = (): Promise<never> => Promise.reject(new Error('no connection'));

/** A transaction in which the database knows no other holder. */
const tx = {
  getExecutor: () => ({
    transformQuery: (node: unknown) => node,
    compileQuery: (query: unknown) => ({ query }),
    executeQuery: async () => ({ rows: [{ transaction: 'fenced' }] }),
  }),
} as unknown as Transaction<Database>;

/** `check` begins a transaction in its context. */
interface Turn {
  readonly signal: AbortSignal;
  readonly end: (how?: 'answered' | 'pending') => Promise<void>;
  readonly check: () => Promise<string | undefined>;
}

/** Processes on one database, all in memory. */
export const setUp = () => {
  const clock = new ManualClock();
  /** What a test changes. */
  const world = {
    isShared: false,
    onRead: async (): Promise<void> => undefined,
    onTake: async (): Promise<void> => undefined,
    onEnd: async (): Promise<void> => undefined,
    onRenew: async (jobs: readonly SessionJob[]) => jobs,
    sweep: async () => 0,
  };
  const log: string[] = [];
  const inbox = new Map<InboxId, PendingEntry>();
  const requested = new Map<SessionKey, { job: SessionJob; isUrgent: boolean; isClaimed: boolean }>();
  const listeners: (Parameters<ProcessBus['listen']>[1] & { readonly topic: BusTopic })[] = [];

  /** Stores a message that was written at this moment of the test. */
  const store = (sessionKey: SessionKey, body: string, atMs = inbox.size) => {
    const message = inboundMessage({ body, timestamp: Temporal.Instant.fromEpochMilliseconds(atMs) });
    const id = newId<InboxId>();
    const entry = { id, message, match: MATCH, sessionKey, isResumed: false, wasBegun: false, isNew: true };
    inbox.set(id, entry);
    return entry;
  };
  const storedIn = (key?: SessionKey) => [...inbox.values()].filter(({ sessionKey }) => sessionKey === key);
  const request: SessionJobs['request'] = async ({ sessionKey, channelId, isUrgent = false }) => {
    log.push(`request ${sessionKey}`);
    const job = { id: newId(), sessionKey, channelId, retryCount: 0 };
    const isNew = !requested.has(sessionKey);
    if (isNew) requested.set(sessionKey, { job, isUrgent, isClaimed: false });
    return isNew;
  };
  const cluster = {
    jobs: {
      request,
      claim: async (_channelId, count, { isUrgentOnly = false } = {}) => {
        const free = [...requested.values()].filter((each) => !each.isClaimed);
        const claimed = free.filter(({ isUrgent }) => isUrgent || !isUrgentOnly).slice(0, count);
        for (const each of claimed) each.isClaimed = true;
        log.push(...claimed.map(({ job }) => `claim ${job.sessionKey}`));
        return claimed.map(({ job }) => job);
      },
      renew: async (jobs) => new Set(await world.onRenew(jobs)),
      end: async ({ sessionKey }) => {
        log.push(`end ${sessionKey}`);
        await world.onEnd();
        requested.delete(sessionKey);
      },
      sweep: () => world.sweep(),
    } satisfies Partial<SessionJobs>,
    bus: {
      listen: (topic, on) => void listeners.push({ topic, ...on }),
      publish: async (topic, what) => {
        log.push(`publish ${topic} ${what}`);
        for (const each of listeners) if (each.topic === topic) each.told(what);
      },
    } satisfies Partial<ProcessBus>,
    processes: { isShared: () => world.isShared },
    countSessions: () => undefined,
  };

  const open = (role: Role = 'all', capacity = 10) => {
    const turns = new Map<string, Turn>();
    const queue = new MessageQueue(LIMITS, clock);
    const fences = createFences();
    const work = async (entry: PendingEntry, signal: AbortSignal): Promise<void> => {
      const { promise: ended, resolve } = Promise.withResolvers<'answered' | 'pending'>();
      const inTurn = AsyncLocalStorage.snapshot();
      const check = () => inTurn(() => fences.check(tx));
      const end: Turn['end'] = (how = 'answered') => {
        resolve(how);
        return clock.advance(0);
      };
      const isStopped = (): boolean => (signal.reason as RunAbortedError).kind === 'stopped';
      signal.addEventListener('abort', () => resolve(isStopped() ? 'answered' : 'pending'));
      log.push(`begin ${entry.message.body}`);
      inbox.set(entry.id, { ...entry, wasBegun: true });
      turns.set(entry.message.body, { signal, end, check });
      if ((await ended) === 'answered') inbox.delete(entry.id);
    };
    const sessions: SharedSessions = new SharedSessions({
      cluster: { ...cluster, role, processId: newId() } as unknown as SharedSessionsDeps['cluster'],
      holders: { take: () => world.onTake().then(() => 1) },
      inbox: {
        pendingIn: async (key) => {
          log.push(`read ${key}`);
          await world.onRead();
          return storedIn(key).toSorted((a, b) => writtenMs(a) - writtenMs(b));
        },
        begun: async (key) => storedIn(key).filter(({ wasBegun }) => wasBegun),
        settledOf: async () => [],
      },
      queue,
      fences,
      channelIds: ['console'],
      capacity,
      enqueue: (entry) => {
        const { id, sessionKey } = entry;
        const { senderId } = entry.message;
        const key = isCommand(entry) ? commandKey(sessionKey, id) : sessionKey;
        const queued = { id, senderId, saidAtMs: 0, priority: 0, size: () => 1, canSteer: false };
        const run: TurnWork = (_turn, signal) => sessions.run(sessionKey, () => work(entry, signal));
        return queue.place(key).run({ ...queued, mode: () => 'queue' }, run);
      },
      recover: async () => undefined,
      isCommand,
      clock,
      logger: recordingLogger().logger,
    });
    const turn = (body: string): Turn => turns.get(body) as Turn;
    return { sessions, queue, control: sessions.controlOf(queue), turn };
  };

  const lose = (): void => listeners.forEach(({ gap }) => gap?.());
  /** What happened since this was last asked. */
  const happened = (what: RegExp): readonly string[] => log.splice(0).filter((line) => what.test(line));
  const { advance, standStill } = clock;
  return { world, inbox, store, request, ...cluster.bus, lose, open, happened, advance, standStill };
};

/** A process that has begun the turn of a message in session A. */
export const setUpTurn = async (...bodies: readonly string[]) => {
  const given = setUp();
  const process = given.open();
  const one = given.store(A, 'one');
  for (const body of bodies) given.store(A, body);
  await process.sessions.wake(one, false);
  await process.sessions.start();
  await given.advance(0);
  expect(given.happened(/begin/)[0]).toBe('begin one');
  return { ...given, ...process, one };
};
