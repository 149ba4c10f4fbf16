import { GIVE_UP_REASONS } from '#src/kernel/operations/status.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { CommandIn } from '#src/kernel/chat/command-definition.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import type { InboxId, SessionKey } from '#src/kernel/ids.ts';
import type { MsgContext, TurnContext, TypedReply } from '#src/kernel/chat/message.ts';
import type { Approvals } from '#src/kernel/agent/approvals.ts';
import type { PlatformHints, Profiles, UserProfile } from '#src/kernel/people/profile.ts';
import type { BindingMatch, ProcessOutcome } from '#src/kernel/chat/stage.ts';
import type {
  ConcurrencyLaneManager,
  LaneHandle,
  LaneRun,
} from '#src/platform/concurrency/concurrency-lane.ts';
import { newErrorId } from '#src/platform/ids.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';
import type { DeadLetters } from '#src/chat/store/dead-letters.ts';
import { type BegunWork, type Inbox, RESTORED_ATTEMPTS } from '#src/chat/store/inbox.ts';
import { type ContextSettings, toMsgContext } from '../context/message-context.ts';
import type { CommandOf } from '../context/read-command.ts';
import { senderKey } from '../context/session-key.ts';
import type { QueueTurn } from './session-queue.ts';

/** The parts of a turn that are created after the queue. */
export interface TurnHandler {
  /** Answers the message. Never throws. */
  readonly process: (
    ctx: TurnContext,
    match: BindingMatch,
    signal: AbortSignal,
    /** Called when there is an answer that only has to be sent. */
    onAnswered: () => void,
  ) => Promise<ProcessOutcome>;
  readonly approvals: {
    readonly askAbout: (inboxId: InboxId, sessionKey: SessionKey) => Promise<void>;
    /** Sends the questions of a session that a process left before it had sent them. Never throws. */
    readonly askAgain: (sessionKey: SessionKey) => Promise<void>;
    readonly giveUp: Approvals['giveUp'];
  };
  /** Acts on a typed answer to a question. `settled` resolves when the approved run has ended. */
  readonly actOnReply: (
    message: MsgContext,
    reply: TypedReply,
  ) => Promise<{ readonly settled: Promise<void> }>;
}

export interface TurnWorkerDeps extends TurnHandler, Uses<'clock' | 'events' | 'logger'> {
  readonly inbox: Inbox;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly lanes: ConcurrencyLaneManager;
  readonly settings: ContextSettings;
  readonly commandOf: CommandOf;
  /** Recovered messages wait for it: true when answers can be sent, false if the start failed. */
  readonly whenReady: Promise<boolean>;
  /** For the sender's language and time zone. */
  readonly profiles: Pick<Profiles, 'get' | 'change'>;
  /** Resumes a message whose approval request was withdrawn before the message was suspended. */
  readonly resume: (inboxId: InboxId) => Promise<void>;
}

/** A message that crashes the process each time is given up, and its sender is told. */
const MAX_ATTEMPTS = 3;
/** If telling the sender crashes the process too, the message is given up silently. */
const MAX_NOTICE_ATTEMPTS = 3;
const tooManyAttempts = (): FinClawError => new FinClawError(GIVE_UP_REASONS.crashes, 'TOO_MANY_ATTEMPTS');
const wasRestored = (): FinClawError => new FinClawError(GIVE_UP_REASONS.restored, 'RESTORED');

/** Why a message is given up without another try. Undefined: it is answered. */
const reasonToGiveUp = (attempts: number): FinClawError | undefined => {
  if (attempts > RESTORED_ATTEMPTS) return wasRestored();
  return attempts > MAX_ATTEMPTS ? tooManyAttempts() : undefined;
};

/** How often the sender was to be told, this time included. */
const noticeAttempts = (attempts: number): number =>
  attempts > RESTORED_ATTEMPTS ? attempts - RESTORED_ATTEMPTS : attempts - MAX_ATTEMPTS;

/** The platform's hints about the sender's zone, if the profile does not have them yet. */
const newHints = (
  { timeZone, languageTag }: InboxEntry['message'],
  { platform = {} }: UserProfile,
): PlatformHints | undefined => {
  const told = {
    ...(timeZone !== undefined && { timeZone }),
    ...(languageTag !== undefined && { languageTag }),
  };
  const hints = { ...platform, ...told };
  const isNew = hints.timeZone !== platform.timeZone || hints.languageTag !== platform.languageTag;
  return isNew ? hints : undefined;
};

const isSpoken = ({ entry, merged }: BegunWork): boolean =>
  [entry, ...merged].some(({ message }) => message.media?.some(({ isVoice }) => isVoice));

interface TurnStart {
  /** The queue key: a command has its own. */
  readonly key: SessionKey;
  /** The turn continues after a person's decision. */
  readonly isResumed: boolean;
  /** No process has begun it yet. */
  readonly isNew: boolean;
  readonly turn: QueueTurn;
  /** The message as last parsed: on arrival, or after an edit. */
  readonly parsed: () => InboxEntry['message'];
}

/**
 * Resumed turns have a separate share of the lane, so that an approved turn does not wait behind newer questions of the
 * same person.
 */
const laneOwner = (message: InboxEntry['message'], isResumed: boolean): string =>
  isResumed ? `${senderKey(message)}\0resumed` : senderKey(message);

type LaneWait =
  | { readonly granted: true; readonly handle: LaneHandle }
  | { readonly granted: false; readonly reason: unknown };

const NO_LANE: LaneWait = { granted: true, handle: { release: () => undefined } };
/** A refused turn merges no other messages: they get their own turns. */
const ALONE: QueueTurn = { candidates: () => [], take: () => undefined };
const PERSISTENCE = { maxAttempts: 6, minDelayMs: 250, maxDelayMs: 5_000 };

/** A write continues after `/stop`, but not after a shutdown. */
const untilShutdown = (signal: AbortSignal): AbortSignal => {
  const controller = new AbortController();
  const onAbort = (): void => {
    const reason: unknown = signal.reason;
    if (reason instanceof RunAbortedError && reason.kind === 'shutdown') controller.abort(reason);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return controller.signal;
};

/** Runs one turn, from the head of the queue until its inbox row is settled. */
export class TurnWorker {
  readonly #deps: TurnWorkerDeps;

  constructor(deps: TurnWorkerDeps) {
    this.#deps = deps;
  }

  /** Never rejects. */
  async work(
    entry: Pick<InboxEntry, 'id' | 'sessionKey' | 'message'>,
    { key, isResumed, isNew, turn, parsed }: TurnStart,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, sessionKey } = entry;
    const { logger, whenReady, approvals } = this.#deps;
    if (!(await whenReady)) return;
    const isCommand = key !== sessionKey;
    // Commands need no lane: `/stop` may be what frees it.
    const lane = isCommand
      ? NO_LANE
      : await this.#waitForLane({ key, owner: laneOwner(entry.message, isResumed) }, signal);
    let isSuspended = false;
    try {
      const begun = await this.#begin(id, lane.granted ? turn : ALONE, signal);
      // Meanwhile it was settled, given up, withdrawn, merged into another turn or suspended again.
      if (!begun) return;
      if (await this.#reply(begun, signal)) return;
      // A new message of the person gives up their open approval requests. Of a spoken one, the words decide first.
      const { senderId } = begun.entry.message;
      if (!isCommand && begun.hasSuspended && !isSpoken(begun))
        await this.#persist(
          () => approvals.giveUp(sessionKey, { by: senderId, askedBy: senderId, before: id }),
          signal,
        );
      const isFirstAttempt = isNew && begun.attempts === 1;
      const command = this.#commandOf(begun, parsed());
      isSuspended = await this.#process(begun, { command, isFirstAttempt }, lane, signal);
    } catch (error) {
      // The storage failed for too long: the row stays pending, until the next start or until a process finds it.
      logger.error('A message could not be processed and stays in the inbox', { inboxId: id, error });
    } finally {
      if (lane.granted) lane.handle.release();
    }
    // The question is asked after the lane is released and the row is suspended, so that an answer can resume the turn.
    if (isSuspended) await approvals.askAbout(id, sessionKey);
  }

  /** Removes the reaction and the live message that an earlier process left for a superseded message. Never rejects. */
  async discard(entry: InboxEntry): Promise<void> {
    const { settings, process, whenReady } = this.#deps;
    if (!(await whenReady)) return;
    const ctx = toMsgContext(entry, [], settings);
    const gone = AbortSignal.abort(new RunAbortedError('superseded'));
    await process(ctx, entry.match, gone, () => undefined);
  }

  async #begin(id: InboxId, turn: QueueTurn, signal: AbortSignal): Promise<BegunWork | undefined> {
    const { inbox, clock, events } = this.#deps;
    // The last attempt merges no other messages, in case they are the cause of the failure.
    const begun = await this.#persist((attempt) => {
      const candidates = attempt < PERSISTENCE.maxAttempts ? turn.candidates() : [];
      return inbox.begin(id, candidates, clock.now());
    }, signal);
    turn.take((begun?.joined ?? []).map((entry) => entry.id));
    for (const entry of begun?.joined ?? []) events.emit('inbox:merge', { inboxId: entry.id, into: id });
    return begun;
  }

  /** Retries a write while the database is unreachable for a moment; the turn keeps its place in the queue. */
  #persist<T>(write: (attempt: number) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, logger } = this.#deps;
    const onRetry = (error: unknown, attempt: number): void =>
      logger.warn('A message could not be stored; retrying', { attempt, error });
    return retry(write, { ...PERSISTENCE, clock, onRetry }, untilShutdown(signal));
  }

  /** False if the message answers no question. Otherwise resolves when the approved run has ended. */
  async #reply({ entry: { id, message } }: BegunWork, signal: AbortSignal): Promise<boolean> {
    const { reply } = message;
    const { inbox, actOnReply, clock } = this.#deps;
    if (!reply) return false;
    const { settled } = await this.#persist(() => actOnReply(message, reply), signal);
    await this.#persist(() => inbox.settle(id, 'done', clock.now()), signal);
    await settled;
    return true;
  }

  /** Reads the profile and stores the platform's hints in it. On failure, the answer uses the message's language. */
  async #profileOf(message: InboxEntry['message']): Promise<UserProfile> {
    const { profiles, logger } = this.#deps;
    const { channelId, senderId } = message;
    try {
      const profile = await profiles.get(channelId, senderId);
      const platform = newHints(message, profile);
      if (!platform) return profile;
      return (await profiles.change(channelId, senderId, (before) => ({ ...before, platform }))) ?? profile;
    } catch (error) {
      logger.warn('A profile could not be read or stored', { error });
      return {};
    }
  }

  /** True if the message is suspended until a person decides. */
  async #process(
    begun: BegunWork,
    known: Pick<TurnContext, 'command' | 'isFirstAttempt'>,
    lane: LaneWait,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { inbox, clock, settings, process } = this.#deps;
    const { entry, merged, attempts } = begun;
    const givenUp = reasonToGiveUp(attempts);
    const isGivenUp = givenUp !== undefined;
    if (noticeAttempts(attempts) > MAX_NOTICE_ATTEMPTS) return this.#giveUpSilently(begun, signal);
    const refusal = givenUp ?? (lane.granted ? undefined : lane.reason);
    const runSignal = refusal === undefined ? signal : AbortSignal.abort(refusal);
    const profile = await this.#profileOf(entry.message);
    const ctx = { ...toMsgContext(entry, merged, settings, profile), ...known };
    // An answer that only waits for the platform does not occupy the lane.
    const onAnswered = (): void => {
      if (lane.granted) lane.handle.release();
    };
    const result = await process(ctx, entry.match, runSignal, onAnswered);
    if (result.outcome === 'suspended') return this.#persist(() => this.#suspend(entry), signal);
    if (result.outcome === 'parked') await inbox.forgiveAttempt(entry.id);
    if (result.outcome === 'done') {
      await this.#persist(() => inbox.settle(entry.id, 'done', clock.now()), signal);
      if (known.command) await this.#persist(() => inbox.forgetWords(entry), signal);
    }
    if (result.outcome === 'failed') await this.#settleFailed(begun, result.errorId, isGivenUp, signal);
    // A superseded message needs no update: the message that replaced it has settled it in the inbox.
    return false;
  }

  /** Reuses the parsed message if its text is unchanged. Only questions are merged into one turn. */
  #commandOf({ entry, merged }: BegunWork, parsed: InboxEntry['message']): CommandIn | null {
    if (merged.length > 0) return null;
    return this.#deps.commandOf(entry.message.body === parsed.body ? parsed : entry.message);
  }

  async #giveUpSilently(begun: BegunWork, signal: AbortSignal): Promise<false> {
    const errorId = newErrorId();
    const inboxId = begun.entry.id;
    this.#deps.logger.error('A message is given up, and its sender could not be told', { inboxId, errorId });
    await this.#settleFailed(begun, errorId, true, signal);
    return false;
  }

  #settleFailed(begun: BegunWork, errorId: string, isGivenUp: boolean, signal: AbortSignal): Promise<void> {
    const { inbox, clock } = this.#deps;
    return this.#persist(async () => {
      if (isGivenUp) await this.#addDeadLetter(begun, errorId);
      await inbox.settle(begun.entry.id, 'failed', clock.now(), errorId);
    }, signal);
  }

  async #addDeadLetter({ entry, attempts }: BegunWork, errorId: string): Promise<void> {
    const { deadLetters, clock, events } = this.#deps;
    const { id: inboxId, sessionKey, message } = entry;
    const { channelId, senderId } = message;
    const reason = (reasonToGiveUp(attempts) ?? tooManyAttempts()).message;
    const tried = attempts > RESTORED_ATTEMPTS ? 0 : attempts - 1;
    await deadLetters.add({
      inboxId,
      sessionKey,
      channelId,
      senderId,
      attempts: tried,
      reason,
      errorId,
      at: clock.now(),
    });
    events.emit('inbox:dead', { inboxId, sessionKey, attempts: tried, errorId });
  }

  /** False if no approval request is left: then the message resumes at once. */
  async #suspend(entry: InboxEntry): Promise<boolean> {
    if (await this.#deps.inbox.suspend(entry.id)) return true;
    void this.#deps.resume(entry.id);
    return false;
  }

  /** If no slot is granted (stopped, timeout, queue full), the pipeline tells the sender. */
  async #waitForLane(run: LaneRun, signal: AbortSignal): Promise<LaneWait> {
    try {
      return { granted: true, handle: await this.#deps.lanes.acquire('main', run, signal) };
    } catch (reason) {
      return { granted: false, reason };
    }
  }
}
