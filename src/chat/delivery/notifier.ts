import { createHash } from 'node:crypto';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { asId, type ChannelId, type DeliveryId, type Timestamp } from '#src/kernel/ids.ts';
import type { OutboundMessage, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { NewNotification, Notifier } from '#src/kernel/chat/notification.ts';
import {
  type Notification,
  type NotificationStore,
  type NotificationClaim,
  CLAIM_MS,
} from '../store/notifications.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import { formatResponse } from './response-formatter.ts';
import { ChannelError, errorMessage, FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { failureTexts } from './texts.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import { withRequestCheck } from '#src/platform/net/http-transport.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import { computeBackoff, retry } from '#src/platform/concurrency/retry.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { Uses } from '#src/platform/services.ts';
import { withCards } from './delivery.ts';

/** A stable id per part, so that platforms with delivery ids show the part once. */
const partId = (id: DeliveryId, index: number): DeliveryId => {
  if (index === 0) return id;
  const hex = createHash('sha256').update(`${id} ${index}`).digest('hex');
  return asId<DeliveryId>(hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
};

/** Characters that are reserved for the mention. */
const MENTION_ROOM = 40;

/** Formats a notification like an answer. Cards, attachments and buttons come with the last part. */
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
  const contents = withCards(parts, drawn);
  const atTheEnd = { ...(media && { media }), ...(choices && { choices }) };
  return contents.map((content, index) => ({
    deliveryId: partId(id, index),
    target,
    payload: {
      ...flags,
      ...content,
      // Only the first part notifies the person.
      ...(index === 0 && mentions !== undefined && { mentions }),
      ...(index === contents.length - 1 ? atTheEnd : {}),
    },
  }));
};

export interface NotifierDeps extends Uses<'clock' | 'events' | 'logger'> {
  readonly store: NotificationStore;
  readonly files: Pick<SentFiles, 'bring'>;
  /** Throws for a channel that does not exist. */
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  /** Whether the recipient may still use the bot. */
  readonly mayBeTold: (target: ReplyTarget) => Promise<boolean>;
  /** No other process sends from this database, so unfinished notifications at the start are from a dead process. */
  readonly isExclusive: boolean;
  readonly maxPendingPerUser?: number;
}

export interface RunningNotifier extends Notifier {
  /** Starts sending due notifications. Those that a crash interrupted are sent again, at once or after their claim. */
  readonly start: () => Promise<void>;
  /** Polls now, because a due notification may have been stored. Returns at once; does nothing before `start`. */
  readonly wake: () => void;
  /** Waits a moment for running sends. The rest is sent after the next start. */
  readonly stop: () => Promise<void>;
}

/** Below the limit of timers, and short enough to notice changes of the clock. */
const MAX_SLEEP_MS = 3_600_000;
/** With other processes on the same database: how soon their unsent notifications are noticed. */
const SHARED_SLEEP_MS = 30_000;
const AFTER_STORAGE_FAILURE_MS = 60_000;
const CLAIM_BATCH = 100;
const SENDS_PER_CHANNEL = 16;
const SEND_LIMIT_MS = 30_000;
/** For a send that ignores its signal. */
const ABORT_GRACE_MS = 1_000;
const STOP_GRACE_MS = 3_000;
/** An attempt begins only if it ends before another process may claim the notification, even if its clock is ahead. */
const CLOCKS_APART_MS = 30_000;
const CLAIM_NEEDED_MS = SEND_LIMIT_MS + ABORT_GRACE_MS + CLOCKS_APART_MS;
/** One series of attempts, for failures that pass within seconds. */
const SERIES = { maxAttempts: 3, minDelayMs: 500, maxDelayMs: 5_000 };
/** The delay between series: from a minute to an hour, for most of a day. */
const BETWEEN_SERIES = { minDelayMs: 60_000, maxDelayMs: 3_600_000, jitter: false };
const MAX_SERIES = 24;

const targetKey = ({ channelId, accountId, chatId, threadId }: ReplyTarget): string =>
  JSON.stringify([channelId, accountId, chatId, threadId]);

class ClaimLost extends FinClawError {
  constructor() {
    super('Another process may send this notification, or it was withdrawn', 'CLAIM_LOST');
  }
}

/**
 * Sends messages that are not answers, stored before they are sent. After a crash or an unknown outcome, the channel
 * searches for the message before it is sent again; only a channel that cannot search may show it twice. Messages to one
 * chat are sent in order, chats in parallel. A missing channel counts as a failed series, because it may be back after a
 * restart. Several processes may share one database: each sends only notifications that it has claimed.
 */
export const createNotifier = (deps: NotifierDeps): RunningNotifier => {
  const { store, mayBeTold, isExclusive, clock, events, logger, maxPendingPerUser = 50 } = deps;
  const stopping = new AbortController();
  const claims = createClaims(store, clock, logger);

  const { arrived, slotOf, sendSeries, tellDirectIsClosed } = createSending(deps, claims, stopping.signal);
  /** Sends to the same chat run one after the other. */
  const byChat = new SerialQueue();

  const onFailure = async (notification: Notification, error: unknown): Promise<void> => {
    const { id, target, attempts } = notification;
    const { channelId } = target;
    if (attempts === 1 && target.isDirect && error instanceof ChannelError && error.failure === 'refused')
      await tellDirectIsClosed(notification);
    if (error instanceof ClaimLost) {
      logger.info('A notification was withdrawn or left to another process', { id, channelId });
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
    const { id, target, payload, attempts } = notification;
    try {
      if (payload.isSentAnyway !== true && !(await mayBeTold(target))) {
        await store.markFailed(notification);
        logger.info('A notification was not sent: its recipient may not use the bot any more', {
          id,
          channelId: target.channelId,
        });
        return;
      }
      const free = await slotOf(target.channelId).acquire(target.recipientId, stopping.signal);
      try {
        await sendSeries(notification);
      } finally {
        free();
      }
    } catch (error) {
      // At shutdown the notification stays claimed, and the next start sends it.
      if (!stopping.signal.aborted) await onFailure(notification, error);
      return;
    }
    await store.markSent(id, clock.now());
    arrived.delete(id);
    events.emit('delivery:sent', { deliveryId: id, channelId: target.channelId, attempts });
  };

  /** Queues the notification behind others to the same chat. */
  const enqueue = (notification: Notification, takenAt: Temporal.Instant): void => {
    claims.add(notification, takenAt);
    const key = targetKey(notification.target);
    void byChat.run(key, async () => {
      try {
        if (loop.isRunning()) await deliver(notification);
        // At shutdown, a notification that has not begun is left to other processes or the next start.
        else await store.release(notification, takenAt);
      } catch (error) {
        logger.error('The outcome of a notification could not be stored', { id: notification.id, error });
      }
      claims.release(notification);
    });
  };

  /** Undefined if nothing is stored and no other process could store anything; 0 if more is due than one batch. */
  const sleepMs = async (): Promise<number | undefined> => {
    const next = await store.nextDueAt();
    if (!next) return isExclusive ? undefined : SHARED_SLEEP_MS;
    const untilMs = Math.max(0, clock.now().until(next).total('milliseconds'));
    return Math.min(isExclusive ? MAX_SLEEP_MS : SHARED_SLEEP_MS, untilMs);
  };

  /** Claims and queues due notifications. Returns the time until the next poll. */
  const poll = async (): Promise<number | undefined> => {
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
  const loop = createPollingLoop(poll, clock);

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
        logger.info('Notifications that an earlier process did not finish are sent again', { stuck });
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

/** Sends the parts of one notification. */
const createSending = (
  { store, files, channelOf, clock, logger }: NotifierDeps,
  claims: ReturnType<typeof createClaims>,
  stopping: AbortSignal,
) => {
  const slots = new Map<ChannelId, Semaphore>();
  /** How many parts arrived before a later one failed, so that the next series does not repeat them. */
  const arrived = new Map<DeliveryId, number>();

  const slotOf = (channelId: ChannelId): Semaphore => {
    const slot = slots.get(channelId) ?? new Semaphore(SENDS_PER_CHANNEL);
    slots.set(channelId, slot);
    return slot;
  };

  const sendPart = async (channel: ChannelPlugin, part: OutboundMessage): Promise<void> => {
    const late = (): Error =>
      new FinClawError(`No answer from ${channel.id} within ${SEND_LIMIT_MS / 1_000} s`, 'TIMEOUT');
    using limit = withDeadline(stopping, SEND_LIMIT_MS, clock, late);
    const sent = files.bring(part).then((ready) => channel.send(ready, limit.signal));
    await raceAbort(sent, limit.signal, clock, ABORT_GRACE_MS);
  };

  /** If the chat refuses it (the bot was removed or may not write), it goes to the person's direct chat. */
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
          // The person may have deleted the alert or their data meanwhile.
          const isOurs = claims.isHeld(notification, CLAIM_NEEDED_MS) && (await store.holds(notification));
          if (!isOurs) throw new ClaimLost();
          // An earlier attempt, perhaps of another process, may have arrived.
          const isInDoubt = attempt > 1 || attempts > 1;
          const sent = isInDoubt ? { ...part, inDoubtSince: notification.dueAt } : part;
          // The request may wait for a rate limit, and the process may be suspended meanwhile.
          const check = (): void => {
            if (!claims.isHeld(notification, 0)) throw new ClaimLost();
          };
          await withRequestCheck(check, () => sendThereOrPrivately(channel, sent));
        },
        { ...SERIES, clock, shouldRetry: (error) => !(error instanceof ClaimLost) },
        stopping,
      );
      arrived.set(id, index + 1);
    }
  };

  /** The note does not mention the content, because others read it. The notification is retried, as the chat may open. */
  const tellDirectIsClosed = async ({ id, target, payload }: Notification): Promise<void> => {
    const { askedIn, isDirect: _direct, ...rest } = target;
    if (!askedIn) return;
    const { recipientId: mentions } = target;
    const locale = payload.locale ?? 'en';
    const note = {
      deliveryId: newId<DeliveryId>(),
      target: { ...rest, ...askedIn },
      payload: { text: failureTexts(locale).alertNotDelivered(), locale, mentions },
    };
    try {
      await sendPart(channelOf(target.channelId), note);
    } catch (error) {
      logger.warn('A person could not be told that their direct chat is closed', { id, error });
    }
  };

  return { arrived, slotOf, sendSeries, tellDirectIsClosed };
};

/** A claim is renewed twice before it expires, so that a single database failure does not lose it. */
const RENEW_EVERY_MS = CLAIM_MS / 3;

/** Keeps the claims of this process on notifications alive until they are released. */
const createClaims = (store: Pick<NotificationStore, 'renew'>, clock: Clock, logger: FinClawLogger) => {
  const held = new Map<DeliveryId, { readonly claim: NotificationClaim; takenAt: Timestamp | undefined }>();
  let cancelTimer: (() => void) | undefined;

  const renew = async (): Promise<void> => {
    const asked = [...held.values()].filter(({ takenAt }) => takenAt);
    const now = clock.now();
    try {
      const kept = new Set(
        await store.renew(
          asked.map(({ claim }) => claim),
          now,
        ),
      );
      for (const one of asked) one.takenAt = kept.has(one.claim.id) ? now : undefined;
    } catch (error) {
      logger.error('Claims on notifications could not be renewed', { error });
    }
    setTimer();
  };

  const setTimer = (): void => {
    cancelTimer?.();
    cancelTimer = held.size > 0 ? clock.after(RENEW_EVERY_MS, () => void renew()) : undefined;
  };

  return {
    /** `takenAt` is the time that the store recorded for the claim. */
    add: (claim: NotificationClaim, takenAt: Timestamp) => {
      held.set(claim.id, { claim, takenAt });
      if (!cancelTimer) setTimer();
    },
    /** Whether the claim holds for at least `forMs` more, so that no other process sends the same notification. */
    isHeld: ({ id, attempts }: NotificationClaim, forMs: number): boolean => {
      const found = held.get(id);
      if (found?.claim.attempts !== attempts || !found.takenAt) return false;
      // The wall clock continues while this process is suspended, and other processes use it too.
      return found.takenAt.until(clock.now()).total('milliseconds') + forMs <= CLAIM_MS;
    },
    release: ({ id, attempts }: NotificationClaim) => {
      if (held.get(id)?.claim.attempts !== attempts) return;
      held.delete(id);
      if (held.size === 0) setTimer();
    },
  };
};
