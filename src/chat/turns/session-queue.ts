import PQueue from 'p-queue';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { InboxId, UserId } from '#src/kernel/ids.ts';
import type { QueueMode } from '#src/kernel/ports.ts';
import { sleepWithAbort } from '#src/platform/retry.ts';
import type { Clock } from '#src/platform/clock.ts';

/** A message as the queue sees it. */
export interface QueuedMessage {
  readonly id: InboxId;
  readonly senderId: UserId;
  /** When it was written: platforms deliver some late. */
  readonly saidAtMs: number;
  /** The higher goes first; among equals the order of arrival counts. */
  readonly priority: number;
  /** Characters, as it reads now: so many fit into one turn. */
  readonly size: () => number;
  /** Words only: what came with it (a picture) would need a turn of its own. */
  readonly canSteer: boolean;
  /** Asked when it matters: it may be changed while the message waits. */
  readonly mode: () => QueueMode;
}

/** A turn as its work sees it. */
export interface QueueTurn {
  /** Messages of the same sender that wait right behind it and may become part of the turn. */
  readonly candidates: () => readonly InboxId[];
  /** They are part of the turn now: no turn of their own. */
  readonly take: (ids: readonly InboxId[]) => void;
}

export type TurnWork = (turn: QueueTurn, signal: AbortSignal) => Promise<void>;

interface Item extends QueuedMessage {
  readonly work: TurnWork;
  readonly end: () => void;
  /** Something else ran or waited when it came. */
  readonly isFollowUp: boolean;
  /** The message whose turn ran then. */
  readonly cameDuring: InboxId | undefined;
  /** The lower goes first. Within a round, the order of arrival counts. */
  readonly round: number;
  isTaken: boolean;
}

interface Running {
  readonly item: Item;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Ends with the turn. */
  readonly taken: Item[];
}

/** Somebody who is still typing is let finish, but a busy chat does not hold a turn up for ever. */
const QUIET_MS = 500;
const MAX_QUIET_WAIT_MS = 5_000;

/**
 * So many turns of one person keep their place in the conversation. What they wrote beyond that lets others go first: nobody
 * waits for more than this many waiting turns of each other person.
 */
const MAX_TURNS_PER_ROUND = 3;

const waitsForQuiet: ReadonlySet<QueueMode> = new Set(['followup', 'steer-backlog']);
/** In `steer`, what came too late for the turn is one turn of its own. */
const collects: ReadonlySet<QueueMode> = new Set(['collect', 'steer']);
const steers: ReadonlySet<QueueMode> = new Set(['steer', 'steer-backlog']);

export interface SessionQueueDeps {
  readonly maxTurnChars: number;
  readonly clock: Clock;
  /** Aborted when nothing more may begin. */
  readonly closing: AbortSignal;
}

/** What runs and what waits in one conversation: one turn at a time, each with one principal. */
export class SessionQueue {
  /** Places held, also by messages that are still being stored. */
  reserved = 0;
  /** How many of them each person holds. */
  readonly heldBy = new Map<string, number>();
  readonly #deps: SessionQueueDeps;
  readonly #tasks = new PQueue({ concurrency: 1 });
  #waiting: Item[] = [];
  /** Of the turn that began last. */
  #round = 0;
  #running: Running | undefined;
  #lastArrivalMs = 0;
  /** Resolves when nobody holds the queue any more. */
  #released: Promise<unknown> = Promise.resolve();
  /** Being made part of a turn: they are not to be moved. */
  #claimed: ReadonlySet<InboxId> = new Set();

  constructor(deps: SessionQueueDeps) {
    this.#deps = deps;
  }

  /** Also those that are still being stored. */
  get waitingCount(): number {
    return this.reserved - (this.#running ? 1 + this.#running.taken.length : 0);
  }

  get runningFor(): UserId | undefined {
    return this.#running?.item.senderId;
  }

  /** Resolves, and never rejects, when its turn (its own, or the one it became part of) has ended or never will. */
  add(message: QueuedMessage, work: TurnWork): Promise<void> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const isFollowUp = this.#running !== undefined || this.#waiting.length > 0;
    const cameDuring = this.#running?.item.id;
    const round = this.#roundFor(message);
    const item: Item = { ...message, work, end, isFollowUp, cameDuring, round, isTaken: false };
    const behind = this.#waiting.findIndex(
      (other) => other.priority < item.priority || (other.priority === item.priority && other.round > round),
    );
    this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, item);
    this.#lastArrivalMs = this.#deps.clock.monotonicMs();
    void this.#tasks.add(() => this.#turn());
    return promise;
  }

  #roundFor(message: QueuedMessage): number {
    const own = this.#waiting.filter(
      ({ senderId, priority }) => senderId === message.senderId && priority === message.priority,
    );
    const round = Math.max(own.at(-1)?.round ?? 0, this.#round);
    let turns = 0;
    let size = Infinity;
    for (const each of [...own.filter((item) => item.round === round), message]) {
      size += each.size();
      // What will be one turn counts as one: a thought in ten short messages is not torn apart.
      if (collects.has(each.mode()) && size <= this.#deps.maxTurnChars) continue;
      turns += 1;
      size = each.size();
    }
    return turns > MAX_TURNS_PER_ROUND ? round + 1 : round;
  }

  /** Aborts what runs; resolves when it has ended. False when nothing ran. */
  async abort(kind: RunAbortedError['kind']): Promise<boolean> {
    const running = this.#running;
    if (!running) return false;
    running.controller.abort(new RunAbortedError(kind));
    await running.ended;
    return true;
  }

  /** Aborts what runs, and begins nothing more until the work is done. */
  async whileStopped<T>(work: () => Promise<T>): Promise<T> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#released = Promise.all([this.#released, done]);
    try {
      await this.abort('stopped');
      return await work();
    } finally {
      resolve();
    }
  }

  /** What the running turn of this message may take up now. `take` has to follow, also where nothing was taken. */
  steerable(leader: InboxId): readonly InboxId[] {
    const running = this.#running;
    if (running?.item.id !== leader || !steers.has(running.item.mode())) return [];
    // With a backlog, what came too late for one turn has a turn of its own, and is no steering of the next.
    const isForAnyTurn = running.item.mode() === 'steer';
    return this.#following(
      running.item,
      ({ canSteer, cameDuring }) => canSteer && (isForAnyTurn || cameDuring === leader),
    );
  }

  /** Makes waiting messages part of the running turn. */
  take(ids: readonly InboxId[]): void {
    this.#claimed = new Set();
    const taken = this.#remove(ids);
    if (this.#running) this.#running.taken.push(...taken);
    else for (const item of taken) item.end();
  }

  /** It is not to be worked off here any more. False where it does not wait, or is just being taken into a turn. */
  drop(id: InboxId): boolean {
    if (this.#claimed.has(id)) return false;
    const [item] = this.#remove([id]);
    item?.end();
    return item !== undefined;
  }

  /** The older messages of its sender whose place a new one takes: the running one, and those that wait. */
  replaceableBy({ id, senderId, saidAtMs }: QueuedMessage): readonly InboxId[] {
    const items = [...(this.#running ? [this.#running.item] : []), ...this.#waiting];
    const isOlder = (item: QueuedMessage): boolean => item.id < id && item.saidAtMs <= saidAtMs;
    return items.filter((item) => item.senderId === senderId && isOlder(item)).map((item) => item.id);
  }

  /** They have been given up: what waits goes, what runs is aborted. */
  supersede(ids: readonly InboxId[]): void {
    for (const item of this.#remove(ids)) item.end();
    const running = this.#running;
    if (running && ids.includes(running.item.id)) running.controller.abort(new RunAbortedError('superseded'));
  }

  onIdle(): Promise<void> {
    return this.#tasks.onIdle();
  }

  /** The messages right behind, as long as they are of the same sender, fit, and are such. */
  #following(leader: Item, isSuch: (item: Item) => boolean = () => true): readonly InboxId[] {
    const ids: InboxId[] = [];
    let size = leader.size();
    for (const item of this.#waiting) {
      size += item.size();
      if (item.senderId !== leader.senderId || size > this.#deps.maxTurnChars || !isSuch(item)) break;
      ids.push(item.id);
    }
    this.#claimed = new Set(ids);
    return ids;
  }

  #remove(ids: readonly InboxId[]): readonly Item[] {
    const removed = this.#waiting.filter(({ id }) => ids.includes(id));
    this.#waiting = this.#waiting.filter((item) => !removed.includes(item));
    for (const item of removed) item.isTaken = true;
    return removed;
  }

  /** There is one for each message. Those of messages that became part of another turn find nothing to do. */
  async #turn(): Promise<void> {
    const [item] = this.#waiting;
    if (!item) return;
    if (item.isFollowUp && waitsForQuiet.has(item.mode())) await this.#quiet(item);
    for (let held: unknown; held !== this.#released; await held) held = this.#released;
    if (item.isTaken) return;
    this.#remove([item.id]);
    this.#round = Math.max(this.#round, item.round);
    if (this.#deps.closing.aborted) {
      item.end();
      return;
    }
    const controller = new AbortController();
    const turn: QueueTurn = {
      candidates: () => (collects.has(item.mode()) ? this.#following(item) : []),
      take: (ids) => this.take(ids),
    };
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    const running: Running = { item, controller, ended, taken: [] };
    this.#running = running;
    try {
      await item.work(turn, controller.signal);
    } catch {
      // What failed has told so; the ones behind it must not wait for it.
    } finally {
      this.#running = undefined;
      this.#claimed = new Set();
      onEnded();
      for (const each of [item, ...running.taken]) each.end();
    }
  }

  /** Until nobody has written for a moment. */
  async #quiet(item: Item): Promise<void> {
    const { clock, closing } = this.#deps;
    const latestMs = clock.monotonicMs() + MAX_QUIET_WAIT_MS;
    for (;;) {
      const leftMs = Math.min(this.#lastArrivalMs + QUIET_MS, latestMs) - clock.monotonicMs();
      if (leftMs <= 0 || item.isTaken || closing.aborted) return;
      await sleepWithAbort(leftMs, clock, closing).catch(() => undefined);
    }
  }
}
