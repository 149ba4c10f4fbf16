import PQueue from 'p-queue';
import { RunAbortedError } from '#src/core/errors.ts';
import type { SessionKey, UserId } from '#src/core/ids.ts';
import type { QueueControl, QueueMode, QueueStatus } from '#src/core/ports.ts';

type Task = (signal: AbortSignal) => Promise<void>;

/** A place in a session's queue, held while the message is being stored. */
export interface QueueSlot {
  /** Runs the task in its turn; resolves when it ended or was set aside by a shutdown. Never rejects. */
  readonly run: (task: Task, startedBy: UserId) => Promise<void>;
  readonly cancel: () => void;
}

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  readonly startedBy: UserId;
}

interface SessionQueue {
  readonly tasks: PQueue;
  reserved: number;
  running: Running | undefined;
}

/** One turn at a time in each session, in the order of arrival; sessions run beside each other. */
export class MessageQueue implements QueueControl {
  readonly #sessions = new Map<SessionKey, SessionQueue>();
  readonly #maxPerSession: number;
  #isClosing = false;

  constructor(maxPerSession: number) {
    this.#maxPerSession = maxPerSession;
  }

  /** Undefined when the session's queue is full. `force` is for messages that were accepted before a restart. */
  reserve(sessionKey: SessionKey, force = false): QueueSlot | undefined {
    const session = this.#session(sessionKey);
    if (!force && session.reserved >= this.#maxPerSession) return undefined;
    session.reserved += 1;
    const free = (): void => {
      session.reserved -= 1;
      if (session.reserved === 0) this.#sessions.delete(sessionKey);
    };
    return {
      cancel: free,
      run: (task, startedBy) =>
        session.tasks
          .add(() => (this.#isClosing ? undefined : this.#runTask(session, task, startedBy)))
          .catch(() => undefined)
          .finally(free),
    };
  }

  readonly stop = async (sessionKey: SessionKey): Promise<'stopped' | 'idle'> => {
    const running = this.#sessions.get(sessionKey)?.running;
    if (!running) return 'idle';
    running.controller.abort(new RunAbortedError('stopped'));
    await running.ended;
    return 'stopped';
  };

  readonly status = (sessionKey: SessionKey): QueueStatus => {
    const session = this.#sessions.get(sessionKey);
    const running = session?.running;
    const waiting = (session?.reserved ?? 0) - (running ? 1 : 0);
    return running
      ? { isRunning: true, waiting, startedBy: running.startedBy }
      : { isRunning: false, waiting };
  };

  /** Each message is a turn of its own, in order. */
  readonly mode = (): QueueMode => 'queue';

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Starts nothing more; resolves when all that runs has ended by itself. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.tasks.onIdle()));
  }

  /** Ends what still runs, without an answer: it stays in the inbox and is taken up again at the next start. */
  async abortAll(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#sessions.values()].flatMap((session) => session.running ?? []);
    for (const run of running) run.controller.abort(new RunAbortedError('shutdown'));
    await Promise.all(running.map((run) => run.ended));
  }

  async #runTask(session: SessionQueue, task: Task, startedBy: UserId): Promise<void> {
    const controller = new AbortController();
    const ended = task(controller.signal).catch(() => undefined);
    session.running = { controller, ended, startedBy };
    await ended;
    session.running = undefined;
  }

  #session(sessionKey: SessionKey): SessionQueue {
    const known = this.#sessions.get(sessionKey);
    if (known) return known;
    const created: SessionQueue = { tasks: new PQueue({ concurrency: 1 }), reserved: 0, running: undefined };
    this.#sessions.set(sessionKey, created);
    return created;
  }
}
