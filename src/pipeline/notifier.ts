import { createHash } from 'node:crypto';
import type { ChannelPlugin } from '#src/core/channel.ts';
import { errorMessage, FinClawError, RunAbortedError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import { asId, type ChannelId, type DeliveryId } from '#src/core/ids.ts';
import type { OutboundMessage, ReplyTarget } from '#src/core/message.ts';
import type { Notifier } from '#src/core/ports.ts';
import { raceAbort, withDeadline } from '#src/infra/abort.ts';
import { computeBackoff } from '#src/infra/backoff.ts';
import type { Clock } from '#src/infra/clock.ts';
import { newId } from '#src/infra/ids.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { retry } from '#src/infra/retry.ts';
import { Semaphore } from '#src/infra/semaphore.ts';
import type { Notification, NotificationStore } from '#src/storage/notifications.ts';
import { splitMessage } from './response-formatter.ts';

export interface NotifierDeps {
  readonly store: NotificationStore;
  /** Throws for a channel that is not there. */
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
  readonly maxPendingPerUser?: number;
}

export interface RunningNotifier extends Notifier {
  /** From here on what is due is sent. What a crash left half-way is sent again. */
  readonly start: () => Promise<void>;
  /** Waits for what is being sent, but not for ever; what is left goes out after the next start. */
  readonly stop: () => Promise<void>;
}

/** Below the limit of the system's timers, and short enough to notice a clock that was set. */
const MAX_SLEEP_MS = 3_600_000;
const AFTER_STORAGE_FAILURE_MS = 60_000;
const CLAIM_BATCH = 100;
const SENDS_PER_CHANNEL = 16;
const SEND_LIMIT_MS = 30_000;
/** For a send that does not hear that it was given up. */
const DEAF_GRACE_MS = 1_000;
const STOP_GRACE_MS = 3_000;
/** One series of tries, for what passes in seconds. */
const SERIES = { maxAttempts: 3, minDelayMs: 500, maxDelayMs: 5_000 };
/** Between series, for what takes longer: from a minute up to an hour, for most of a day. */
const BETWEEN_SERIES = { minDelayMs: 60_000, maxDelayMs: 3_600_000, jitter: false };
const MAX_SERIES = 24;

const targetKey = ({ channelId, accountId, chatId, threadId }: ReplyTarget): string =>
  JSON.stringify([channelId, accountId, chatId, threadId]);

/** The same id for the same part, however often it is sent: platforms that look at it show the part once. */
const partId = (id: DeliveryId, index: number): DeliveryId => {
  if (index === 0) return id;
  const hex = createHash('sha256').update(`${id} ${index}`).digest('hex');
  return asId<DeliveryId>(hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
};

/** Attachments go with the last part. */
const partsOf = ({ id, target, payload }: Notification, maxLength: number): readonly OutboundMessage[] => {
  const { media, ...rest } = payload;
  const texts = splitMessage(payload.text, maxLength);
  return texts.map((text, index) => ({
    deliveryId: partId(id, index),
    target,
    payload: { ...rest, text, ...(media && index === texts.length - 1 ? { media } : {}) },
  }));
};

/**
 * Messages that are not answers, durable before they are sent. Each arrives at least once: after a crash, or
 * a send whose outcome is not known, it is sent again. To one chat they go in order, to all others beside it.
 * A channel that is not there counts as a failed series: it may be back after a restart with other settings.
 */
export const createNotifier = ({
  store,
  channelOf,
  clock,
  events,
  logger,
  maxPendingPerUser = 50,
}: NotifierDeps): RunningNotifier => {
  const stopping = new AbortController();
  const slots = new Map<ChannelId, Semaphore>();
  /** What is under way, by chat: the next to the same chat waits for it. */
  const chains = new Map<string, Promise<void>>();
  /** Parts that arrived before a later one failed, so that another series does not repeat them. */
  const arrived = new Map<DeliveryId, number>();
  let isRunning = false;
  let cancelTimer: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let isToLookAgain = false;

  const slotOf = (channelId: ChannelId): Semaphore => {
    const slot = slots.get(channelId) ?? new Semaphore(SENDS_PER_CHANNEL);
    slots.set(channelId, slot);
    return slot;
  };

  const sendPart = async (channel: ChannelPlugin, part: OutboundMessage): Promise<void> => {
    const late = (): Error =>
      new FinClawError(`No answer of ${channel.id} within ${SEND_LIMIT_MS} ms`, 'TIMEOUT');
    const { signal, clear } = withDeadline(stopping.signal, SEND_LIMIT_MS, clock, late);
    try {
      await raceAbort(channel.send(part, signal), signal, clock, DEAF_GRACE_MS);
    } finally {
      clear();
    }
  };

  const sendSeries = async (notification: Notification): Promise<void> => {
    const { id, target, attempts } = notification;
    const channel = channelOf(target.channelId);
    const parts = partsOf(notification, channel.capabilities.maxMessageLength);
    const done = arrived.get(id) ?? 0;
    for (const [index, part] of parts.entries()) {
      if (index < done) continue;
      await retry(
        (attempt) => {
          // It was begun before, here or by a process that did not live to see the end of it.
          const isInDoubt = attempt > 1 || attempts > 1;
          return sendPart(channel, isInDoubt ? { ...part, inDoubtSince: notification.dueAt } : part);
        },
        { ...SERIES, clock },
        stopping.signal,
      );
      arrived.set(id, index + 1);
    }
  };

  const onFailure = async ({ id, target, attempts }: Notification, error: unknown): Promise<void> => {
    const { channelId } = target;
    if (attempts < MAX_SERIES) {
      const delayMs = computeBackoff(attempts, BETWEEN_SERIES);
      await store.release(id, clock.now().add({ milliseconds: delayMs }));
      const cause = errorMessage(error);
      logger.warn('A notification could not be sent yet', { id, channelId, attempts, delayMs, cause });
      look();
      return;
    }
    await store.markFailed(id);
    arrived.delete(id);
    logger.error('A notification was given up', { id, channelId, attempts, error });
    events.emit('delivery:failed', { deliveryId: id, channelId, error });
  };

  const deliver = async (notification: Notification): Promise<void> => {
    const { id, target, attempts } = notification;
    try {
      const free = await slotOf(target.channelId).acquire(stopping.signal);
      try {
        await sendSeries(notification);
      } finally {
        free();
      }
    } catch (error) {
      // An end of the program is no verdict: it stays taken, and the next start sends it.
      if (!stopping.signal.aborted) await onFailure(notification, error);
      return;
    }
    await store.markSent(id, clock.now());
    arrived.delete(id);
    events.emit('delivery:sent', { deliveryId: id, channelId: target.channelId, attempts });
  };

  /** Behind what goes to the same chat; nobody else waits for it. */
  const enqueue = (notification: Notification): void => {
    const key = targetKey(notification.target);
    const before = chains.get(key) ?? Promise.resolve();
    const chain = before.then(async () => {
      try {
        // What has not begun when the program ends is left to the next start.
        if (isRunning) await deliver(notification);
      } catch (error) {
        logger.error('What became of a notification could not be stored', { id: notification.id, error });
      }
      if (chains.get(key) === chain) chains.delete(key);
    });
    chains.set(key, chain);
  };

  /** Nothing at all where more is due than was taken. */
  const sleepMs = async (): Promise<number | undefined> => {
    const next = await store.nextDueAt();
    return next && Math.min(MAX_SLEEP_MS, Math.max(0, clock.now().until(next).total('milliseconds')));
  };

  const setTimer = (delayMs: number | undefined): void => {
    cancelTimer?.();
    cancelTimer = isRunning && delayMs !== undefined ? clock.after(delayMs, () => look()) : undefined;
  };

  const lookOnce = async (): Promise<void> => {
    try {
      const due = await store.claimDue(clock.now(), CLAIM_BATCH);
      due.forEach(enqueue);
      setTimer(await sleepMs());
    } catch (error) {
      logger.error('Notifications could not be read', { error });
      setTimer(AFTER_STORAGE_FAILURE_MS);
    }
  };

  const lookAndAgain = async (): Promise<void> => {
    isToLookAgain = false;
    await lookOnce();
    looking = undefined;
    if (isToLookAgain) look();
  };

  /** Takes what is due and sets the one timer for what is next. One look at a time. */
  const look = (): void => {
    if (!isRunning) return;
    if (looking) isToLookAgain = true;
    else looking = lookAndAgain();
  };

  return {
    notify: async (target, payload, at) => {
      const now = clock.now();
      const waiting = await store.pendingOf(target.channelId, target.recipientId);
      if (waiting.length >= maxPendingPerUser) return 'full';
      await store.add({ id: newId<DeliveryId>(), target, payload, dueAt: at ?? now }, now);
      look();
      return 'stored';
    },
    start: async () => {
      const stuck = await store.releaseStuck();
      if (stuck > 0)
        logger.info('Notifications that an earlier process left half-way are sent again', { stuck });
      isRunning = true;
      look();
      await looking;
    },
    stop: async () => {
      isRunning = false;
      cancelTimer?.();
      const cancelGrace = clock.after(STOP_GRACE_MS, () => stopping.abort(new RunAbortedError('shutdown')));
      await looking;
      await Promise.all(chains.values());
      cancelGrace();
    },
  };
};
