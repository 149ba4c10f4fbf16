import { FinClawError } from '#src/kernel/errors.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { SessionKey, InboxId } from '#src/kernel/ids.ts';
import type { QueueControl } from '#src/kernel/chat/queue.ts';
import { type Moment, momentOf, sinceMs } from '#src/platform/concurrency/clock.ts';
import type { Cluster } from '#src/platform/cluster/cluster.ts';
import { type SessionJob, CLAIM_SECONDS } from '#src/platform/cluster/session-jobs.ts';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import type { Fence, Fences } from '#src/platform/storage/fences.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SessionHolders } from '../store/session-holders.ts';
import type { PendingEntry, SharedInbox } from '../store/shared-inbox.ts';
import { createMessageEnds, type MessageEnds } from './message-ends.ts';
import type { MessageQueue } from './message-queue.ts';
import { isThreadOfSameChat } from '../context/session-key.ts';

/** Signals can be lost, so every process also looks by itself. */
const LOOK_MS = 1_000;
const RENEW_MS = 2_000;
/** Messages of one chat that several processes receive arrive within so long of each other. */
const SETTLE_MS = 150;
/** After connections to the database were lost, storing a message may have to be repeated, and takes longer for a while. */
const SETTLE_AFTER_LOSS_MS = 1_000;
const UNSETTLED_MS = 10_000;
const SWEEP_MS = 5_000;
/** A message that is accepted at this moment is just being requested. */
const FRESH_MS = 3_000;
/** How long another process may take to stop a turn. */
const STOP_LIMIT_MS = 5_000;
const STOP_LOOK_MS = 100;

export interface SharedSessionsDeps extends Uses<'clock' | 'logger'> {
  readonly cluster: Pick<Cluster, 'processId' | 'role' | 'jobs' | 'bus' | 'processes' | 'countSessions'>;
  readonly holders: SessionHolders;
  readonly inbox: Pick<SharedInbox, 'pendingIn' | 'begun' | 'settledOf'>;
  readonly queue: Pick<MessageQueue, 'abandon' | 'session' | 'stop'>;
  readonly fences: Pick<Fences, 'run'>;
  /** The platforms that this process can answer on. */
  readonly channelIds: readonly string[];
  /** How many sessions this process takes up on its own account. */
  readonly capacity: number;
  /** Queues a message. Resolves (never rejects) when its turn has ended. */
  readonly enqueue: (entry: PendingEntry) => Promise<void>;
  /** Takes care of what a holder that died has left. Never rejects. */
  readonly recover: (sessionKey: SessionKey) => Promise<void>;
  readonly isCommand: (entry: InboxEntry) => boolean;
}

/**
 * The sessions of several processes on one database. Each session has one holder at a time, and all its messages wait in
 * the holder's queue, commands included. So a conversation goes on as in a single process, whoever received a message.
 */
export class SharedSessions {
  readonly whenEnded: MessageEnds['whenEnded'];
  readonly #deps: SharedSessionsDeps;
  readonly #held = new Map<SessionKey, HeldSession>();
  /** Every hold until it is given back. */
  readonly #holding = new Set<Promise<void>>();
  readonly #claims;
  readonly #renewals;
  readonly #sweeps;
  readonly #ends: MessageEnds;
  #isStarted = false;
  #isStopped = false;
  #unsettledUntilMs = -Infinity;

  constructor(deps: SharedSessionsDeps) {
    this.#deps = deps;
    const { clock, cluster } = deps;
    this.#claims = createPollingLoop(() => this.#claim(), clock);
    this.#renewals = createPollingLoop(() => this.#renew(), clock);
    this.#sweeps = createPollingLoop(() => this.#sweep(), clock);
    this.#ends = createMessageEnds({ ...deps, bus: cluster.bus });
    this.whenEnded = this.#ends.whenEnded;
    cluster.countSessions(() => this.#held.size);
    cluster.bus.listen('free', { told: this.#claims.wake, gap: this.#claims.wake });
    cluster.bus.listen('wake', {
      told: (key) => this.#wakeHolder(key as SessionKey),
      gap: () => {
        this.#unsettledUntilMs = clock.monotonicMs() + UNSETTLED_MS;
        for (const key of this.#held.keys()) this.#wakeHolder(key);
      },
    });
    cluster.bus.listen('stop', { told: (what) => this.#stopIfRunning(what) });
  }

  /** Begins to take up sessions. A gateway takes up none. Safe to call twice, and after the stop. */
  async start(): Promise<void> {
    if (this.#isStarted || this.#isStopped) return;
    this.#isStarted = true;
    await this.#sweeps.start();
    if (this.#isStopped) return;
    const works = this.#deps.cluster.role !== 'gateway';
    await Promise.all([this.#ends.start(), works && this.#renewals.start(), works && this.#claims.start()]);
  }

  /** Takes up no more sessions. Those that are held go on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // Work that is cut off here is done by another process, and nobody here waits for it.
    await Promise.all([this.#claims.stop(), this.#sweeps.stop(), this.#ends.stop()]);
  }

  /** Resolves when every session is given back. Their turns must have ended, or been aborted. */
  async release(): Promise<void> {
    await Promise.all(this.#holding);
    await this.#renewals.stop();
  }

  /** Whether another process goes on with what is cut off here. */
  canHandOver(): boolean {
    const { processes, processId } = this.#deps.cluster;
    const { channelIds } = this.#deps;
    return processes
      .list()
      .some(
        ({ id, role, channels }) =>
          id !== processId && role !== 'gateway' && channelIds.every((own) => channels.includes(own)),
      );
  }

  isHolder(sessionKey: SessionKey): boolean {
    return this.#held.has(sessionKey);
  }

  /** Makes the holder of the session, or whoever takes it up, look for messages. Called after one is committed. */
  async wake({ sessionKey, message: { channelId } }: InboxEntry, isUrgent: boolean): Promise<void> {
    const { jobs, bus } = this.#deps.cluster;
    if (this.#held.has(sessionKey)) {
      this.#wakeHolder(sessionKey);
      return;
    }
    try {
      if (await jobs.request({ sessionKey, channelId, isUrgent })) await bus.publish('free', channelId);
      else await bus.publish('wake', sessionKey);
    } catch (error) {
      // The sweep finds it: the message is stored.
      this.#deps.logger.warn('A session could not be requested; it is swept up later', { error });
    }
  }

  /** Runs work on a session so that it changes nothing once the session is lost. */
  run<T>(sessionKey: SessionKey, work: () => Promise<T>): Promise<T> {
    const held = this.#held.get(sessionKey);
    if (!held)
      throw new FinClawError('Work on a session that is not held', 'SESSION_NOT_HELD', {
        isOperational: false,
      });
    return this.#fenced(held, work);
  }

  /**
   * Sees and stops the turns of all processes. A command runs where its session is held, so it asks the local queue for
   * the state of its own session.
   */
  controlOf(local: MessageQueue): QueueControl {
    const { cluster, holders, clock } = this.#deps;
    return {
      status: local.status,
      load: local.load,
      stop: (key) => (this.isHolder(key) ? local.stop(key) : this.#stopElsewhere(key)),
      whileStopped: async (key, work) => {
        if (!this.isHolder(key)) {
          await this.#stopElsewhere(key);
          // The holder begins no other turn: it finds that the session is no longer its own.
          await holders.take(key, cluster.processId, clock.now());
        }
        return local.whileStopped(key, work);
      },
      runningInThreads: async (key) => {
        const running = await this.#running();
        return running
          .filter(({ sessionKey }) => sessionKey !== key && isThreadOfSameChat(sessionKey, key))
          .map(({ sessionKey, message: { senderId: startedBy } }) => ({ sessionKey, startedBy }));
      },
    };
  }

  /** Whether a turn runs in the session, in whichever process. */
  async isRunning(sessionKey: SessionKey): Promise<boolean> {
    return (await this.#running(sessionKey)).length > 0;
  }

  async #running(sessionKey?: SessionKey): Promise<readonly InboxEntry[]> {
    const begun = await this.#deps.inbox.begun(sessionKey);
    return begun.filter((entry) => !this.#deps.isCommand(entry));
  }

  /** Stops the turns that run in the session now, and no later ones. */
  async #stopElsewhere(sessionKey: SessionKey): Promise<'stopped' | 'idle'> {
    const { cluster, clock } = this.#deps;
    const meant = new Set((await this.#running(sessionKey)).map(({ id }) => id));
    const latestMs = clock.monotonicMs() + STOP_LIMIT_MS;
    while (meant.size > 0 && clock.monotonicMs() < latestMs) {
      for (const id of meant) await cluster.bus.publish('stop', `${id} ${sessionKey}`);
      await this.#pause(STOP_LOOK_MS);
      const running = new Set((await this.#running(sessionKey)).map(({ id }) => id));
      if (![...meant].every((id) => running.has(id))) return 'stopped';
    }
    return 'idle';
  }

  #stopIfRunning(what: string): void {
    const space = what.indexOf(' ');
    const sessionKey = what.slice(space + 1) as SessionKey;
    const { queue } = this.#deps;
    if (this.#held.has(sessionKey) && queue.session(sessionKey)?.runningId === what.slice(0, space))
      void queue.stop(sessionKey);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#deps.clock.after(delayMs, resolve));
  }

  /** A background task that outlives the work is no longer fenced, unless the session was lost during the work. */
  #fenced<T>({ fence }: HeldSession, work: () => Promise<T>): Promise<T> {
    let isOver = false;
    const own: Fence = { ...fence, isReleased: () => isOver || fence.isReleased() };
    return this.#deps.fences.run(own, work).finally(() => {
      isOver = fence.isHeld();
    });
  }

  #wakeHolder(sessionKey: SessionKey): void {
    const held = this.#held.get(sessionKey);
    if (!held) return;
    held.isStale = true;
    held.changed();
  }

  /** Commands do not wait for room: one of them may be what ends a turn. */
  async #claim(): Promise<number> {
    const { cluster, channelIds, capacity, clock, logger } = this.#deps;
    try {
      for (const channelId of channelIds) {
        const room = capacity - this.#holding.size;
        const askedAt = momentOf(clock);
        const jobs =
          room > 0
            ? await cluster.jobs.claim(channelId, room)
            : await cluster.jobs.claim(channelId, capacity, { isUrgentOnly: true });
        for (const job of jobs) {
          const holding: Promise<void> = this.#hold(job, askedAt).finally(() => {
            this.#holding.delete(holding);
            this.#claims.wake();
          });
          this.#holding.add(holding);
        }
      }
    } catch (error) {
      logger.warn('No session could be taken up; trying again', { error });
    }
    return LOOK_MS;
  }

  /** Never rejects. */
  async #hold(job: SessionJob, claimedAt: Moment): Promise<void> {
    const { cluster, holders, inbox, logger, clock } = this.#deps;
    const { sessionKey } = job;
    let held: HeldSession;
    try {
      const epoch = await holders.take(sessionKey, cluster.processId, clock.now());
      held = openHeldSession({ job, epoch, claimedAt, clock, onLost: () => this.#onLost(held) });
    } catch (error) {
      // The claim expires by itself, and the session is taken up again after that.
      logger.warn('A session could not be taken up', { sessionKey, error });
      return;
    }
    this.#held.set(sessionKey, held);
    if (job.retryCount > 0) await this.#fenced(held, () => this.#deps.recover(sessionKey));
    await this.#work(held);
    if (this.#held.get(sessionKey) === held) this.#held.delete(sessionKey);
    if (!held.release()) return;
    try {
      await cluster.jobs.end(job);
      // A message that was stored just before the end may have found the session held. One whose turn could not end, because
      // the database failed, waits for the sweep.
      const left = (await inbox.pendingIn(sessionKey)).find(
        ({ id, isResumed }) => this.#isStopped || isResumed || !held.tried.has(id),
      );
      if (left) await this.wake(left, false);
    } catch (error) {
      logger.warn('A session could not be given back; it is free when its claim expires', {
        sessionKey,
        error,
      });
    }
  }

  #onLost(held: HeldSession): void {
    const { sessionKey } = held.job;
    this.#deps.logger.warn('A session was lost to another process', { sessionKey });
    // The session may have been released, and taken again since.
    if (this.#held.get(sessionKey) !== held) return;
    this.#held.delete(sessionKey);
    this.#deps.queue.abandon(sessionKey);
  }

  /** Queues the messages of the session until none is left, or the session is lost. Never rejects. */
  async #work(held: HeldSession): Promise<void> {
    for (;;) {
      const change = held.nextChange();
      if (held.isStale && !this.#isStopped) await this.#enqueueAll(held);
      if (held.state !== 'held') return;
      if (held.isStale && !this.#isStopped) continue;
      if (held.queued.size === 0) return;
      await change;
    }
  }

  async #enqueueAll(held: HeldSession): Promise<void> {
    held.isStale = false;
    try {
      for (const entry of await this.#settledOrder(held)) this.#enqueue(held, entry);
    } catch (error) {
      this.#deps.logger.warn('The messages of a session could not be read; reading them again', { error });
      held.isStale = true;
      await this.#pause(LOOK_MS);
    }
  }

  /**
   * The messages of the session, in order. If several processes receive messages of a platform, a message may be stored
   * before an earlier one that another process received. So a new message waits a moment for earlier ones; commands do not.
   */
  async #settledOrder(held: HeldSession): Promise<readonly PendingEntry[]> {
    const { inbox, cluster, clock, isCommand } = this.#deps;
    const { sessionKey, channelId } = held.job;
    let change = held.nextChange();
    let pending = await inbox.pendingIn(sessionKey);
    const isNew = (entry: PendingEntry): boolean =>
      !held.queued.has(entry.id) && !entry.wasBegun && !isCommand(entry);
    const seen = new Set(pending.filter(isNew).map(({ id }) => id));
    if (seen.size === 0 || !cluster.processes.isShared(channelId)) return pending;
    const isUnsettled = clock.monotonicMs() < this.#unsettledUntilMs;
    const settledAtMs = clock.monotonicMs() + (isUnsettled ? SETTLE_AFTER_LOSS_MS : SETTLE_MS);
    for (let leftMs = 1; leftMs > 0; leftMs = settledAtMs - clock.monotonicMs()) {
      for (const entry of pending) if (isCommand(entry)) this.#enqueue(held, entry);
      await Promise.race([this.#pause(settledAtMs - clock.monotonicMs()), change]);
      if (this.#isStopped || held.state !== 'held') return [];
      change = held.nextChange();
      pending = await inbox.pendingIn(sessionKey);
    }
    // Those that came meanwhile, and were written later, have not waited yet.
    const last = pending.findLastIndex(({ id }) => seen.has(id));
    if (pending.slice(last + 1).some(isNew)) held.isStale = true;
    return pending.filter((entry, index) => index <= last || !isNew(entry));
  }

  #enqueue(held: HeldSession, entry: PendingEntry): void {
    if (held.state !== 'held' || held.queued.has(entry.id)) return;
    held.queued.add(entry.id);
    void this.#fenced(held, () => this.#deps.enqueue(entry)).finally(() => {
      held.queued.delete(entry.id);
      held.tried.add(entry.id);
      held.changed();
      // Another process goes on with what was cut off, and tells its end.
      if (!this.#isStopped && held.fence.isHeld()) this.#ends.ended(entry.id);
    });
  }

  /** One query renews all claims. What could not be renewed in time is given up before others can have it. */
  async #renew(): Promise<number> {
    const { cluster, clock, logger } = this.#deps;
    const held = [...this.#held.values()];
    if (held.length === 0) return RENEW_MS;
    const askedAt = momentOf(clock);
    const renewing = cluster.jobs.renew(held.map(({ job }) => job)).then(
      (ours) => {
        for (const each of held) {
          if (ours.has(each.job)) each.renewed(askedAt);
          // A session that was given back meanwhile is not lost.
          else if (this.#held.get(each.job.sessionKey) === each) each.fence.lose();
        }
      },
      (error: unknown) => logger.warn('The claims of sessions could not be renewed; trying again', { error }),
    );
    await Promise.race([renewing, this.#pause(RENEW_MS)]);
    for (const each of this.#held.values()) if (!each.fence.isHeld()) each.fence.lose();
    return RENEW_MS;
  }

  async #sweep(): Promise<number> {
    const { cluster, clock, logger } = this.#deps;
    try {
      const before = toStoredTime(clock.now().subtract({ milliseconds: FRESH_MS }));
      if ((await cluster.jobs.sweep(before)) > 0) this.#claims.wake();
    } catch (error) {
      logger.warn('Waiting messages could not be looked for; trying again', { error });
    }
    return SWEEP_MS;
  }
}

/** A claim that was not renewed for so long counts as lost here, before another process can have it. */
const SAFE_MS = (CLAIM_SECONDS - 2) * 1_000;

/** A session that this process works on. */
interface HeldSession {
  readonly job: SessionJob;
  readonly fence: Fence;
  /** The queued messages. */
  readonly queued: Set<InboxId>;
  /** Messages whose turns have ended. */
  readonly tried: Set<InboxId>;
  state: 'held' | 'lost' | 'released';
  /** Messages may have come since they were last read. */
  isStale: boolean;
  /** Called when messages may have come, and when a turn has ended. */
  readonly changed: () => void;
  /** Resolves at the next change. */
  readonly nextChange: () => Promise<void>;
  /** Gives the session back. False if it is lost, or could be by now. */
  readonly release: () => boolean;
  /** The claim was renewed by a request that was sent at this moment. */
  readonly renewed: (sentAt: Moment) => void;
}

interface HeldSessionDeps extends Uses<'clock'> {
  readonly job: SessionJob;
  readonly epoch: number;
  /** When the request was sent by which the session was claimed. */
  readonly claimedAt: Moment;
  /** Called once. */
  readonly onLost: () => void;
}

export const openHeldSession = ({ job, epoch, claimedAt, onLost, clock }: HeldSessionDeps): HeldSession => {
  let renewedAt = claimedAt;
  let next = Promise.withResolvers<void>();
  const held: HeldSession = {
    job,
    queued: new Set(),
    tried: new Set(),
    state: 'held',
    isStale: true,
    changed: () => {
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    nextChange: () => next.promise,
    release: () => {
      // The process may have been suspended. What it began must stay fenced, because another one may hold the session by now.
      if (!held.fence.isHeld()) held.fence.lose();
      else held.state = 'released';
      return held.state === 'released';
    },
    renewed: (sentAt) => {
      // Answers may come out of order.
      if (sentAt.monotonicMs >= renewedAt.monotonicMs) renewedAt = sentAt;
    },
    fence: {
      sessionKey: job.sessionKey,
      epoch,
      isHeld: () => held.state === 'held' && sinceMs(renewedAt, clock) < SAFE_MS,
      isReleased: () => held.state === 'released',
      lose: () => {
        if (held.state !== 'held') return;
        held.state = 'lost';
        onLost();
        held.changed();
      },
    },
  };
  return held;
};
