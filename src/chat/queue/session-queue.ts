import PQueue from 'p-queue';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { InboxId, UserId } from '#src/kernel/ids.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';

/** A message as the queue sees it. */
export interface QueuedMessage {
  readonly id: InboxId;
  readonly senderId: UserId;
  /** When it was written, because platforms deliver some messages late. */
  readonly saidAtMs: number;
  /** Higher first; among equals in order of arrival. */
  readonly priority: number;
  /** The message goes before later ones of the same person that arrived earlier, because several processes receive. */
  readonly goesByTime?: boolean;
  /** Its current length in characters; an edit may change it. */
  readonly size: () => number;
  /** Text only: attachments and forwards need their own turn. */
  readonly canSteer: boolean;
  /** Read when needed, because the mode may change while the message waits. */
  readonly mode: () => QueueMode;
}

export interface QueueTurn {
  /** The next waiting messages of the same sender, which may be merged into the turn. */
  readonly candidates: () => readonly InboxId[];
  /** Merges them into the turn, so that they get no turn of their own. */
  readonly take: (ids: readonly InboxId[]) => void;
}

export type TurnWork = (turn: QueueTurn, signal: AbortSignal) => Promise<void>;

interface Item extends QueuedMessage {
  readonly work: TurnWork;
  readonly end: () => void;
  /** Something else ran or waited when it arrived. */
  readonly isFollowUp: boolean;
  /** The message whose turn ran when it arrived. */
  readonly cameDuring: InboxId | undefined;
  /** Lower first; within a round in order of arrival. */
  readonly round: number;
  isTaken: boolean;
}

interface Running {
  readonly item: Item;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Merged messages, which end with the turn. */
  readonly taken: Item[];
}

/** Waits for a pause in the conversation, but not forever in a busy chat. */
const QUIET_MS = 500;
const MAX_QUIET_WAIT_MS = 5_000;

/**
 * Fairness: this many turns of one person keep their place. Further turns let other people go first, so nobody waits for
 * more than this many turns of each other person.
 */
const MAX_TURNS_PER_ROUND = 3;

const waitsForQuiet: ReadonlySet<QueueMode> = new Set(['followup', 'steer-backlog']);
/** In `steer`, messages that came too late for the turn become one turn together. */
const collects: ReadonlySet<QueueMode> = new Set(['collect', 'steer']);
const steers: ReadonlySet<QueueMode> = new Set(['steer', 'steer-backlog']);

interface SessionQueueDeps extends Uses<'clock'> {
  readonly maxTurnChars: number;
  /** Aborted when no more turns may begin. */
  readonly closing: AbortSignal;
}

/** The running and the waiting turns of one conversation: one turn at a time, each of one person. */
export class SessionQueue {
  /** Reserved places, including messages that are still being stored. */
  reserved = 0;
  /** Reserved places per person. */
  readonly heldBy = new Map<string, number>();
  readonly #deps: SessionQueueDeps;
  readonly #tasks = new PQueue({ concurrency: 1 });
  #waiting: Item[] = [];
  /** The round of the turn that began last. */
  #round = 0;
  #running: Running | undefined;
  #lastArrivalMs = 0;
  /** Resolves when no `whileStopped` is active. */
  #released: Promise<unknown> = Promise.resolve();
  /** Messages that are being merged into a turn and must not be dropped. */
  #claimed: ReadonlySet<InboxId> = new Set();

  constructor(deps: SessionQueueDeps) {
    this.#deps = deps;
  }

  /** Includes messages that are still being stored. */
  get waitingCount(): number {
    return this.reserved - (this.#running ? 1 + this.#running.taken.length : 0);
  }

  get runningId(): InboxId | undefined {
    return this.#running?.item.id;
  }

  get runningFor(): UserId | undefined {
    return this.#running?.item.senderId;
  }

  /** Resolves (never rejects) when the message's turn, or the turn it was merged into, has ended or is cancelled. */
  add(message: QueuedMessage, work: TurnWork): Promise<void> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const isFollowUp = this.#running !== undefined || this.#waiting.length > 0;
    const cameDuring = this.#running?.item.id;
    const round = this.#roundFor(message);
    const item: Item = { ...message, work, end, isFollowUp, cameDuring, round, isTaken: false };
    const isBehind = (other: Item): boolean => {
      if (other.priority !== item.priority) return other.priority < item.priority;
      const isLater = other.senderId === item.senderId && other.saidAtMs > item.saidAtMs;
      return other.round > round || (item.goesByTime === true && isLater);
    };
    const behind = this.#waiting.findIndex(isBehind);
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
      // Messages that will be collected into one turn count as one.
      if (collects.has(each.mode()) && size <= this.#deps.maxTurnChars) continue;
      turns += 1;
      size = each.size();
    }
    return turns > MAX_TURNS_PER_ROUND ? round + 1 : round;
  }

  /** Aborts the running turn and resolves when it has ended. False if none ran. */
  async abort(kind: RunAbortedError['kind']): Promise<boolean> {
    const running = this.#running;
    if (!running) return false;
    running.controller.abort(new RunAbortedError(kind));
    await running.ended;
    return true;
  }

  /** Drops the waiting messages and aborts the running one, as at a shutdown. */
  abandon(): void {
    for (const item of this.#remove(this.#waiting.map(({ id }) => id))) item.end();
    void this.abort('shutdown');
  }

  /** Aborts the running turn and begins no other one until the work is done. */
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

  /** The messages that may be merged into the running turn now. `take` must follow, even with an empty list. */
  steerable(leader: InboxId): readonly InboxId[] {
    const running = this.#running;
    if (running?.item.id !== leader || !steers.has(running.item.mode())) return [];
    // In `steer-backlog`, a message that came too late for its turn gets its own turn and does not steer the next one.
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

  /** Removes a waiting message. False if it does not wait or is being merged into a turn. */
  drop(id: InboxId): boolean {
    if (this.#claimed.has(id)) return false;
    const [item] = this.#remove([id]);
    item?.end();
    return item !== undefined;
  }

  /** The sender's older messages, running or waiting, which a new one replaces. */
  replaceableBy({ id, senderId, saidAtMs }: QueuedMessage): readonly InboxId[] {
    const items = [...(this.#running ? [this.#running.item] : []), ...this.#waiting];
    const isOlder = (item: QueuedMessage): boolean => item.id < id && item.saidAtMs <= saidAtMs;
    return items.filter((item) => item.senderId === senderId && isOlder(item)).map((item) => item.id);
  }

  /** Removes superseded messages and aborts the running one among them. */
  supersede(ids: readonly InboxId[]): void {
    for (const item of this.#remove(ids)) item.end();
    const running = this.#running;
    if (running && ids.includes(running.item.id)) running.controller.abort(new RunAbortedError('superseded'));
  }

  onIdle(): Promise<void> {
    return this.#tasks.onIdle();
  }

  /** The next waiting messages, as long as they are of the same sender, fit into the turn and match. */
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

  /** Runs once per message. For a message that was merged into another turn there is nothing left to do. */
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
      // The work reports its own failures; the next turn must run in any case.
    } finally {
      this.#running = undefined;
      this.#claimed = new Set();
      onEnded();
      for (const each of [item, ...running.taken]) each.end();
    }
  }

  /** Waits until nobody has written for a moment. */
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
