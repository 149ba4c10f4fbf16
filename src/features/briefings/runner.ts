import type { BriefingRecord } from '#src/kernel/people/briefings.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { briefingTexts } from './texts.ts';
import type { BriefingId, Timestamp } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import { zoneDoubt } from '#src/reading/zone-question.ts';
import type { BriefingStore } from './store.ts';
import type { ComposeBriefing, ComposedBriefing } from './compose-briefing.ts';
import type { NoticeDeps } from '#src/features/alerts/index.ts';
import { briefingEndNotice } from './briefing-text.ts';
import { isSkipped, nextBriefingAt } from './schedule.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface BriefingRunnerDeps extends FeatureUses<
  'clock' | 'logger' | 'wake' | 'lanes.acquire' | 'membership'
> {
  readonly store: Pick<BriefingStore, 'due' | 'nextDueAt' | 'advance' | 'end'>;
  readonly directTarget: NoticeDeps['directTarget'];
  readonly compose: ComposeBriefing;
  /** Of several processes one writes the briefings of all. Default: this one. */
  readonly leads?: (() => boolean) | undefined;
}

/** Short enough to notice a changed system clock and the briefings of another process. */
const MAX_SLEEP_MS = 300_000;
/** Others may fall due while some are being composed. */
const WHILE_COMPOSING_MS = 15_000;
const AFTER_FAILURE_MS = 60_000;
/** Before a process looks again whether it is the one that writes them now. */
const NOT_LEADING_MS = 15_000;
const MISSED_MS = 7_200_000;
const COMPOSE_LIMIT_MS = 90_000;
/** Two retries, for outages that pass in a minute or two. */
const BEFORE_TRIES_MS = [0, 30_000, 60_000];

const laterOf = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) > 0 ? a : b);

/** A briefing in a time zone that nobody confirmed says so each time. */
const withZoneDoubt = (
  { target, locale, timeZone, zoneGuess }: BriefingRecord,
  payload: ReplyPayload,
): ReplyPayload => {
  const doubt =
    zoneGuess && zoneDoubt({ channelId: target.channelId, locale, timeZone, zoneFrom: zoneGuess });
  if (!doubt) return payload;
  const { text, textWithCards } = payload;
  return {
    ...payload,
    text: `${text}\n\n${doubt.text}`,
    ...(textWithCards !== undefined && { textWithCards: `${textWithCards}\n\n${doubt.text}` }),
    choices: doubt.choices,
  };
};

const payloadWith = ({ text, cards, facts }: ComposedBriefing): ReplyPayload => ({
  text,
  facts,
  ...(cards && { cards: cards.items, textWithCards: cards.text }),
});

/**
 * Sends briefings at their time. The text is stored together with the next time, in one step that succeeds once over all
 * processes and restarts; then the notifier sends it. Never throws, never stops by itself.
 */
export const createBriefingRunner = (deps: BriefingRunnerDeps) => {
  const { store, compose, clock, lanes, wake, leads = () => true, logger } = deps;
  const stopping = new AbortController();
  const running = new Map<BriefingId, Promise<void>>();

  /** Undefined if composing failed or no source had anything. The slot is released between tries for others. */
  const composeOnce = async (briefing: BriefingRecord): Promise<ComposedBriefing | undefined> => {
    const { id, ownerId } = briefing;
    const slot = await lanes.acquire('cron', { key: `briefing:${id}`, owner: ownerId }, stopping.signal);
    const late = (): Error => new FinClawError(`No briefing within ${COMPOSE_LIMIT_MS} ms`, 'TIMEOUT');
    const { signal, clear } = withDeadline(stopping.signal, COMPOSE_LIMIT_MS, clock, late);
    try {
      const composed = await raceAbort(compose(briefing, signal), signal);
      if (!composed.isEmpty) return composed;
      logger.warn('No source had anything for a briefing', { id });
    } catch (error) {
      stopping.signal.throwIfAborted();
      logger.error('A briefing could not be written', { id, error });
    } finally {
      clear();
      slot.release();
    }
    return undefined;
  };

  /** Where no source has anything, the message says so. */
  const payloadOf = async (briefing: BriefingRecord): Promise<ReplyPayload> => {
    const { locale, target, isPrivate } = briefing;
    // In a group the owner is mentioned; a direct message notifies by itself.
    const audience = { locale, ...(!isPrivate && { mentions: target.recipientId }) };
    for (const delayMs of BEFORE_TRIES_MS) {
      if (delayMs > 0) await sleepWithAbort(delayMs, clock, stopping.signal);
      const composed = await composeOnce(briefing);
      if (!composed) continue;
      return { ...withZoneDoubt(briefing, payloadWith(composed)), ...audience };
    }
    return { ...withZoneDoubt(briefing, { text: briefingTexts(locale).down() }), ...audience };
  };

  const send = async (briefing: BriefingRecord): Promise<void> => {
    const lateMs = briefing.nextAt.until(clock.now()).total('milliseconds');
    const isMissed = lateMs > MISSED_MS;
    const found = await deps.membership(briefing.target);
    if (found !== 'member') {
      const isEnded = await store.end(briefing.id, await briefingEndNotice(briefing, found, deps));
      if (isEnded) wake();
      logger.info('A briefing in a channel has ended', { id: briefing.id, why: found });
      return;
    }
    const payload = isMissed || isSkipped(briefing, briefing.nextAt) ? undefined : await payloadOf(briefing);
    // A clock that was set back must not repeat the same time.
    const nextAt = await nextBriefingAt(briefing, laterOf(clock.now(), briefing.nextAt));
    const isOurs = await store.advance(briefing, nextAt, payload);
    if (isMissed && isOurs)
      logger.warn('A briefing was missed and is skipped', { id: briefing.id, lateMs, nextAt });
    if (payload && isOurs) wake();
  };

  const run = async (briefing: BriefingRecord): Promise<void> => {
    try {
      await send(briefing);
    } catch (error) {
      if (stopping.signal.aborted) return;
      logger.error('A briefing could not be stored', { id: briefing.id, error });
      await sleepWithAbort(AFTER_FAILURE_MS, clock, stopping.signal).catch(() => undefined);
    }
  };

  const begin = (briefing: BriefingRecord): void => {
    const task = run(briefing).then(() => {
      running.delete(briefing.id);
      loop.wake();
    });
    running.set(briefing.id, task);
  };

  /** Starts the briefings that are due. */
  const poll = async (): Promise<number> => {
    if (!leads()) return NOT_LEADING_MS;
    try {
      const now = clock.now();
      const next = await store.nextDueAt();
      const isDue = next !== undefined && Temporal.Instant.compare(next, now) <= 0;
      const due = isDue ? await store.due(now) : [];
      if (loop.isRunning()) for (const briefing of due) if (!running.has(briefing.id)) begin(briefing);
      const leastMs = running.size > 0 ? WHILE_COMPOSING_MS : 0;
      const untilMs = next ? Math.max(leastMs, now.until(next).total('milliseconds')) : MAX_SLEEP_MS;
      return Math.min(MAX_SLEEP_MS, untilMs);
    } catch (error) {
      logger.error('Briefings could not be read', { error });
      return AFTER_FAILURE_MS;
    }
  };
  const loop = createPollingLoop(poll, clock);

  return {
    start: () => void loop.start(),
    /** Gives up the briefings that are being composed; the next start composes them again. */
    stop: async () => {
      stopping.abort(new RunAbortedError('shutdown'));
      await loop.stop();
      await Promise.all(running.values());
    },
    /** A briefing was set or removed. Safe at any time. */
    changed: loop.wake,
  };
};
