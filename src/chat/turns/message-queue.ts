import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { QueueControl, QueueLoad, QueueStatus, RunningTurn } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import { isThreadOfSameChat } from './session-key.ts';
import { type QueuedMessage, SessionQueue, type TurnWork } from './session-queue.ts';

export interface QueueLimits {
  readonly maxPerSession: number;
  /** Messages of one person in all sessions together. */
  readonly maxPerPerson: number;
  /** What messages of one turn may have together. */
  readonly maxTurnChars: number;
}

/** A place in a session's queue, held while the message is being stored. */
export interface QueueSlot {
  /** Queues the message; resolves, and never rejects, when it has been worked off or set aside by a shutdown. */
  readonly run: (message: QueuedMessage, work: TurnWork) => Promise<void>;
  readonly cancel: () => void;
}

/** A place, or whose limit is reached. */
export type Reservation =
  | { readonly outcome: 'reserved'; readonly slot: QueueSlot }
  | { readonly outcome: 'session-full' | 'person-full'; readonly limit: number };

/** A command has a queue of its own, beside that of its conversation. */
export const commandKey = (sessionKey: SessionKey, id: InboxId): SessionKey =>
  asId<SessionKey>(`${sessionKey}#${id}`);

const isCommandKey = (key: SessionKey): boolean => /#[0-9a-f-]{36}$/.test(key);

const count = (counts: Map<string, number>, person: string, change: 1 | -1): void => {
  const held = (counts.get(person) ?? 0) + change;
  if (held === 0) counts.delete(person);
  else counts.set(person, held);
};

/** The queues of all conversations; they run beside each other, and one that is empty is forgotten. */
export class MessageQueue implements QueueControl {
  readonly #sessions = new Map<SessionKey, SessionQueue>();
  /** Places that each person holds in all sessions. */
  readonly #heldBy = new Map<string, number>();
  readonly #limits: QueueLimits;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(limits: QueueLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * A place for a message of this person. A full session still takes one of somebody who has none waiting in it: in a
   * shared conversation nobody can keep the others from being heard.
   */
  reserve(sessionKey: SessionKey, person: string): Reservation {
    const { maxPerSession, maxPerPerson } = this.#limits;
    const session = this.#sessions.get(sessionKey);
    if (session && session.reserved >= maxPerSession && session.heldBy.has(person))
      return { outcome: 'session-full', limit: maxPerSession };
    if ((this.#heldBy.get(person) ?? 0) >= maxPerPerson)
      return { outcome: 'person-full', limit: maxPerPerson };
    return { outcome: 'reserved', slot: this.place(sessionKey, person) };
  }

  /** A place beyond all limits: for commands, which count for nobody, and for what was accepted before. */
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
    // Held like a message, or what arrives meanwhile would begin in a queue of its own.
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

  readonly runningInThreads = (sessionKey: SessionKey): readonly RunningTurn[] =>
    [...this.#sessions].flatMap(([key, { runningFor: startedBy }]) =>
      startedBy !== undefined &&
      key !== sessionKey &&
      !isCommandKey(key) &&
      isThreadOfSameChat(key, sessionKey)
        ? [{ sessionKey: key, startedBy }]
        : [],
    );

  /** Of conversations: commands run beside them. */
  readonly load = (): QueueLoad => {
    const sessions = [...this.#sessions].flatMap(([key, session]) => (isCommandKey(key) ? [] : session));
    return {
      sessions: sessions.length,
      running: sessions.filter(({ runningFor }) => runningFor !== undefined).length,
      waiting: sessions.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    };
  };

  /** The queue of one conversation; undefined where nothing runs or waits in it. */
  session(sessionKey: SessionKey): SessionQueue | undefined {
    return this.#sessions.get(sessionKey);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Starts nothing more; resolves when all that runs has ended by itself. */
  async drain(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#sessions.values()].map((session) => session.onIdle()));
  }

  /** Ends what still runs, without an answer: it stays in the inbox and is taken up again at the next start. */
  async abortAll(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#sessions.values()].map((session) => session.abort('shutdown')));
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
