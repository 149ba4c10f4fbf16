import { createHash } from 'node:crypto';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { asId, type ChannelId, type DeliveryId } from '#src/kernel/ids.ts';
import type { OutboundMessage, ReplyTarget } from '#src/kernel/message.ts';
import type {
  NewNotification,
  Notification,
  NotificationStore,
} from '#src/platform/storage/messages/notifications.ts';
import { formatResponse } from './response-formatter.ts';
import { ChannelError, errorMessage, FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import { failureMessages } from './messages.ts';
import type { Notifier } from '#src/kernel/ports.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createPollingLoop } from '#src/platform/polling-loop.ts';
import { computeBackoff, retry } from '#src/platform/retry.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import { createClaims } from './claims.ts';

/** The same id for the same part, however often it is sent: platforms that look at it show the part once. */
const partId = (id: DeliveryId, index: number): DeliveryId => {
  if (index === 0) return id;
  const hex = createHash('sha256').update(`${id} ${index}`).digest('hex');
  return asId<DeliveryId>(hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
};

/** Characters that are reserved for the mention. */
const MENTION_ROOM = 40;

/** As an answer is shown there. Cards, attachments and what can be pressed go with the last part. */
export const notificationParts = (
  { id, target, payload, guess }: NewNotification,
  { capabilities, phrase }: Pick<ChannelPlugin, 'capabilities' | 'phrase'>,
): readonly OutboundMessage[] => {
  const { text, textWithCards, typed, cards, media, choices, mentions, ...flags } = guess?.payload ?? payload;
  const drawn = capabilities.supportsCards && cards?.length ? cards : undefined;
  const words = drawn ? (textWithCards ?? text) : text;
  const said = typed === undefined || capabilities.supportsChoices ? words : `${words}\n\n${typed}`;
  const phrased = phrase?.(said, flags.locale ?? detectLocale(said, undefined, 'auto')) ?? said;
  const maxLength = capabilities.maxMessageLength - (mentions === undefined ? 0 : MENTION_ROOM);
  const parts = formatResponse(phrased, { ...capabilities, maxLength });
  // Cards by themselves are a message too.
  const contents = parts.length > 0 ? parts : [''];
  const atTheEnd = { ...(drawn && { cards: drawn }), ...(media && { media }), ...(choices && { choices }) };
  return contents.map((content, index) => ({
    deliveryId: partId(id, index),
    target,
    payload: {
      ...flags,
      text: content,
      // Only the first part notifies the person.
      ...(index === 0 && mentions !== undefined && { mentions }),
      ...(index === contents.length - 1 ? atTheEnd : {}),
    },
  }));
};

export interface NotifierDeps {
  readonly store: NotificationStore;
  /** Throws for a channel that is not there. */
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  /** No other process sends from this database: what is half-way at the start was left by one that is gone. */
  readonly isExclusive: boolean;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
  readonly maxPendingPerUser?: number;
}

export interface RunningNotifier extends Notifier {
  /** From here on what is due is sent. What a crash left half-way is sent again: at once, or when its claim is over. */
  readonly start: () => Promise<void>;
  /** Something was stored that may be due: looks now. Returns at once; before the start it does nothing. */
  readonly wake: () => void;
  /** Waits for what is being sent, but not for ever; what is left goes out after the next start. */
  readonly stop: () => Promise<void>;
}

/** Below the limit of the system's timers, and short enough to notice a clock that was set. */
const MAX_SLEEP_MS = 3_600_000;
/** Beside others: what they stored and did not live to send is noticed so soon. */
const SHARED_SLEEP_MS = 30_000;
const AFTER_STORAGE_FAILURE_MS = 60_000;
const CLAIM_BATCH = 100;
const SENDS_PER_CHANNEL = 16;
const SEND_LIMIT_MS = 30_000;
/** For a send that does not hear that it was given up. */
const DEAF_GRACE_MS = 1_000;
const STOP_GRACE_MS = 3_000;
/** A try is only begun where it ends before anybody else may take it over, also where their clock is ahead. */
const CLOCKS_APART_MS = 30_000;
const CLAIM_NEEDED_MS = SEND_LIMIT_MS + DEAF_GRACE_MS + CLOCKS_APART_MS;
/** One series of tries, for what passes in seconds. */
const SERIES = { maxAttempts: 3, minDelayMs: 500, maxDelayMs: 5_000 };
/** Between series, for what takes longer: from a minute up to an hour, for most of a day. */
const BETWEEN_SERIES = { minDelayMs: 60_000, maxDelayMs: 3_600_000, jitter: false };
const MAX_SERIES = 24;

const targetKey = ({ channelId, accountId, chatId, threadId }: ReplyTarget): string =>
  JSON.stringify([channelId, accountId, chatId, threadId]);

class ClaimLost extends FinClawError {
  constructor() {
    super('It is not for this process to send any more', 'CLAIM_LOST');
  }
}

/**
 * Messages that are not answers, durable before they are sent. After a crash, or a send whose outcome is not known,
 * one is looked for before it is sent again; only where a channel cannot look can it come twice. To one chat they go in order, to all others beside it.
 * A channel that is not there counts as a failed series: it may be back after a restart with other settings.
 * Any number of processes may send from one database: each sends only what it has taken, and only while nobody
 * else may take it.
 */
export const createNotifier = ({
  store,
  channelOf,
  isExclusive,
  clock,
  events,
  logger,
  maxPendingPerUser = 50,
}: NotifierDeps): RunningNotifier => {
  const stopping = new AbortController();
  const claims = createClaims(store, clock, logger);
  const slots = new Map<ChannelId, Semaphore>();
  /** What is under way, by chat: the next to the same chat waits for it. */
  const byChat = new SerialQueue();
  /** Parts that arrived before a later one failed, so that another series does not repeat them. */
  const arrived = new Map<DeliveryId, number>();

  const slotOf = (channelId: ChannelId): Semaphore => {
    const slot = slots.get(channelId) ?? new Semaphore(SENDS_PER_CHANNEL);
    slots.set(channelId, slot);
    return slot;
  };

  const sendPart = async (channel: ChannelPlugin, part: OutboundMessage): Promise<void> => {
    const late = (): Error =>
      new FinClawError(`No answer of ${channel.id} within ${SEND_LIMIT_MS} ms`, 'TIMEOUT');
    using limit = withDeadline(stopping.signal, SEND_LIMIT_MS, clock, late);
    await raceAbort(channel.send(part, limit.signal), limit.signal, clock, DEAF_GRACE_MS);
  };

  /** A place that does not take it (the bot is not in it, or may not write there) is none: it goes to the person. */
  const sendThereOrPrivately = async (channel: ChannelPlugin, part: OutboundMessage): Promise<void> => {
    try {
      await sendPart(channel, part);
    } catch (error) {
      const isRefused = error instanceof ChannelError && error.failure === 'refused' && !part.target.isDirect;
      const privately = isRefused ? await channel.directTarget?.(part.target) : undefined;
      if (!privately) throw error;
      await sendPart(channel, { ...part, target: privately });
    }
  };

  const sendSeries = async (notification: Notification): Promise<void> => {
    const { id, target, attempts } = notification;
    const channel = channelOf(target.channelId);
    const parts = notificationParts(notification, channel);
    const done = arrived.get(id) ?? 0;
    for (const [index, part] of parts.entries()) {
      if (index < done) continue;
      await retry(
        async (attempt) => {
          // A person who has their data deleted, or an alert, is told nothing more of it.
          const isOurs = claims.isHeld(notification, CLAIM_NEEDED_MS) && (await store.holds(notification));
          if (!isOurs) throw new ClaimLost();
          // It was begun before, here or by a process that did not live to see the end of it.
          const isInDoubt = attempt > 1 || attempts > 1;
          await sendThereOrPrivately(
            channel,
            isInDoubt ? { ...part, inDoubtSince: notification.dueAt } : part,
          );
        },
        { ...SERIES, clock, shouldRetry: (error) => !(error instanceof ClaimLost) },
        stopping.signal,
      );
      arrived.set(id, index + 1);
    }
  };

  /** Says nothing of the message itself, since others read along. The message is retried in case the direct chat opens. */
  const tellDirectIsClosed = async ({ id, target, payload }: Notification): Promise<void> => {
    const { askedIn, isDirect: _direct, ...rest } = target;
    if (!askedIn) return;
    const { recipientId: mentions } = target;
    const locale = payload.locale ?? 'en';
    const note = {
      deliveryId: newId<DeliveryId>(),
      target: { ...rest, ...askedIn },
      payload: { text: failureMessages(locale).alertNotDelivered(), locale, mentions },
    };
    try {
      await sendPart(channelOf(target.channelId), note);
    } catch (error) {
      logger.warn('A person could not be told that their direct chat is closed', { id, error });
    }
  };

  const onFailure = async (notification: Notification, error: unknown): Promise<void> => {
    const { id, target, attempts } = notification;
    const { channelId } = target;
    if (attempts === 1 && target.isDirect && error instanceof ChannelError && error.failure === 'refused')
      await tellDirectIsClosed(notification);
    if (error instanceof ClaimLost) {
      logger.info('A notification was taken back, or is left to whoever takes it next', { id, channelId });
      return;
    }
    if (attempts < MAX_SERIES) {
      const delayMs = computeBackoff(attempts, BETWEEN_SERIES);
      await store.release(notification, clock.now().add({ milliseconds: delayMs }));
      const cause = errorMessage(error);
      logger.warn('A notification could not be sent yet', { id, channelId, attempts, delayMs, cause });
      loop.wake();
      return;
    }
    await store.markFailed(notification);
    arrived.delete(id);
    logger.error('A notification was given up', { id, channelId, attempts, error });
    events.emit('delivery:failed', { deliveryId: id, channelId, error });
  };

  const deliver = async (notification: Notification): Promise<void> => {
    const { id, target, attempts } = notification;
    try {
      const free = await slotOf(target.channelId).acquire(target.recipientId, stopping.signal);
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
  const enqueue = (notification: Notification, takenAt: Temporal.Instant): void => {
    claims.add(notification, takenAt);
    const key = targetKey(notification.target);
    void byChat.run(key, async () => {
      try {
        if (loop.isRunning()) await deliver(notification);
        // What has not begun when the program ends is left to the others, or to the next start.
        else await store.release(notification, takenAt);
      } catch (error) {
        logger.error('What became of a notification could not be stored', { id: notification.id, error });
      }
      claims.release(notification);
    });
  };

  /** Nothing at all where more is due than was taken. */
  const sleepMs = async (): Promise<number | undefined> => {
    const next = await store.nextDueAt();
    if (!next) return isExclusive ? undefined : SHARED_SLEEP_MS;
    const untilMs = Math.max(0, clock.now().until(next).total('milliseconds'));
    return Math.min(isExclusive ? MAX_SLEEP_MS : SHARED_SLEEP_MS, untilMs);
  };

  /** Takes what is due. */
  const look = async (): Promise<number | undefined> => {
    try {
      const now = clock.now();
      const due = await store.claimDue(now, CLAIM_BATCH);
      for (const notification of due) enqueue(notification, now);
      return await sleepMs();
    } catch (error) {
      logger.error('Notifications could not be read', { error });
      return AFTER_STORAGE_FAILURE_MS;
    }
  };
  const loop = createPollingLoop(look, clock);

  return {
    notify: async (target, payload, at, guess) => {
      const now = clock.now();
      const waiting = await store.pendingOf(target.channelId, target.recipientId);
      if (waiting.length >= maxPendingPerUser) return 'full';
      const due = { dueAt: at ?? now, ...(guess && { guess }) };
      await store.add({ id: newId<DeliveryId>(), target, payload, ...due }, now);
      loop.wake();
      return 'stored';
    },
    start: async () => {
      const stuck = isExclusive ? await store.releaseStuck() : 0;
      if (stuck > 0)
        logger.info('Notifications that an earlier process left half-way are sent again', { stuck });
      await loop.start();
    },
    wake: loop.wake,
    stop: async () => {
      const cancelGrace = clock.after(STOP_GRACE_MS, () => stopping.abort(new RunAbortedError('shutdown')));
      await loop.stop();
      await byChat.idle();
      cancelGrace();
    },
  };
};
