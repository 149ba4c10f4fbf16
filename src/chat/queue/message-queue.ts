import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { QueueControl, QueueLoad, QueueStatus, RunningTurn } from '#src/kernel/chat/queue.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { isThreadOfSameChat } from '../context/session-key.ts';
import { type QueuedMessage, SessionQueue, type TurnWork } from './session-queue.ts';

export interface QueueLimits {
  readonly maxPerSession: number;
  /** Messages of one person in all sessions together. */
  readonly maxPerPerson: number;
  /** Total length of the messages in one turn. */
  readonly maxTurnChars: number;
}

/** A reserved place in a session's queue, held while the message is being stored. */
export interface QueueSlot {
  /** Queues the message. Resolves (never rejects) when its turn has ended, or at a shutdown. */
  readonly run: (message: QueuedMessage, work: TurnWork) => Promise<void>;
  readonly cancel: () => void;
}

export type QueueReservation =
  | { readonly outcome: 'reserved'; readonly slot: QueueSlot }
  | { readonly outcome: 'session-full' | 'person-full'; readonly limit: number };

/** Each command gets a queue of its own, so that it does not wait for the conversation. */
export const commandKey = (sessionKey: SessionKey, id: InboxId): SessionKey =>
  asId<SessionKey>(`${sessionKey}#${id}`);

const isCommandKey = (key: SessionKey): boolean => /#[0-9a-f-]{36}$/.test(key);

const count = (counts: Map<string, number>, person: string, change: 1 | -1): void => {
  const held = (counts.get(person) ?? 0) + change;
  if (held === 0) counts.delete(person);
  else counts.set(person, held);
};

/** The queues of all conversations, which run in parallel. Empty queues are removed. */
export class MessageQueue implements QueueControl {
  readonly #sessions = new Map<SessionKey, SessionQueue>();
  /** Reserved places per person, in all sessions. */
  readonly #heldBy = new Map<string, number>();
  readonly #limits: QueueLimits;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(limits: QueueLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Reserves a place. A full session still accepts a message of a person who has none in it, so that nobody can block a
   * shared conversation.
   */
  reserve(sessionKey: SessionKey, person: string): QueueReservation {
    const { maxPerSession, maxPerPerson } = this.#limits;
    const session = this.#sessions.get(sessionKey);
    if (session && session.reserved >= maxPerSession && session.heldBy.has(person))
      return { outcome: 'session-full', limit: maxPerSession };
    if ((this.#heldBy.get(person) ?? 0) >= maxPerPerson)
      return { outcome: 'person-full', limit: maxPerPerson };
    return { outcome: 'reserved', slot: this.place(sessionKey, person) };
  }

  /** A place without limits, for commands and for messages that were accepted before. */
  place(sessionKey: SessionKey, person?: string): QueueSlot {
    const session = this.#openSession(sessionKey);
    session.reserved += 1;
    if (person !== undefined) for (const counts of [session.heldBy, this.#heldBy]) count(counts, person, 1);
    const free = (): void => {
      if (person !== undefined)
        for (const counts of [session.heldBy, this.#heldBy]) count(counts, person, -1);
      this.#free(sessionKey, session);
    };
    return { cancel: free, run: (message, work) => session.add(message, work).finally(free) };
  }

  readonly stop = async (sessionKey: SessionKey): Promise<'stopped' | 'idle'> =>
    (await this.#sessions.get(sessionKey)?.abort('stopped')) ? 'stopped' : 'idle';

  readonly whileStopped = async <T>(sessionKey: SessionKey, work: () => Promise<T>): Promise<T> => {
    const session = this.#openSession(sessionKey);
    // Keeps the queue alive: otherwise a message that arrives meanwhile would start in a new queue.
    session.reserved += 1;
    try {
      return await session.whileStopped(work);
    } finally {
      this.#free(sessionKey, session);
    }
  };

  readonly status = (sessionKey: SessionKey): QueueStatus => {
    const session = this.#sessions.get(sessionKey);
    const waiting = session?.waitingCount ?? 0;
    const startedBy = session?.runningFor;
    return startedBy === undefined ? { isRunning: false, waiting } : { isRunning: true, waiting, startedBy };
  };

  readonly runningInThreads = async (sessionKey: SessionKey): Promise<readonly RunningTurn[]> =>
    [...this.#sessions].flatMap(([key, { runningFor: startedBy }]) =>
      startedBy !== undefined &&
      key !== sessionKey &&
      !isCommandKey(key) &&
      isThreadOfSameChat(key, sessionKey)
        ? [{ sessionKey: key, startedBy }]
        : [],
    );

  /** Counts conversations, not commands. */
  readonly load = (): QueueLoad => {
    const sessions = [...this.#sessions].flatMap(([key, session]) => (isCommandKey(key) ? [] : session));
    return {
      sessions: sessions.length,
      running: sessions.filter(({ runningFor }) => runningFor !== undefined).length,
      waiting: sessions.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    };
  };

  /** The queue of a conversation; undefined if nothing runs or waits in it. */
  session(sessionKey: SessionKey): SessionQueue | undefined {
    return this.#sessions.get(sessionKey);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Starts no more turns. Resolves when all running turns have ended by themselves. */
  async drain(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#sessions.values()].map((session) => session.onIdle()));
  }

  /** Aborts the running turns without an answer. Their messages stay in the inbox for the next start. */
  async abortAll(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#sessions.values()].map((session) => session.abort('shutdown')));
  }

  /** Drops everything of a session, commands included. Its messages stay in the inbox for another process. */
  abandon(sessionKey: SessionKey): void {
    for (const [key, session] of this.#sessions)
      if (key === sessionKey || (isCommandKey(key) && key.startsWith(`${sessionKey}#`))) session.abandon();
  }

  #free(sessionKey: SessionKey, session: SessionQueue): void {
    session.reserved -= 1;
    if (session.reserved === 0) this.#sessions.delete(sessionKey);
  }

  #openSession(sessionKey: SessionKey): SessionQueue {
    const known = this.#sessions.get(sessionKey);
    if (known) return known;
    const { maxTurnChars } = this.#limits;
    const created = new SessionQueue({ maxTurnChars, clock: this.#clock, closing: this.#closing.signal });
    this.#sessions.set(sessionKey, created);
    return created;
  }
}
