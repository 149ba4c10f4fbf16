import type { CommandIn } from '#src/kernel/command-definition.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { InboxId, SessionKey } from '#src/kernel/ids.ts';
import type { InboundMessage, MsgContext, TypedReply } from '#src/kernel/message.ts';
import type { Approvals, PlatformHints, Profiles, UserProfile } from '#src/kernel/ports.ts';
import type { BindingMatch, ProcessOutcome } from '#src/kernel/stage.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { ConcurrencyLaneManager, LaneHandle, LaneRun } from '#src/platform/concurrency-lane.ts';
import { newErrorId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { retry } from '#src/platform/retry.ts';
import type { DeadLetters } from '#src/platform/storage/messages/dead-letters.ts';
import type { BegunWork, Inbox, InboxEntry } from '#src/platform/storage/messages/inbox.ts';
import { type ContextSettings, toMsgContext } from './message-context.ts';
import type { CommandOf } from './read-command.ts';
import { senderKey } from './session-key.ts';
import type { QueueTurn } from './session-queue.ts';

/** What a turn needs of the parts that are built after the queue. */
export interface TurnHandler {
  /** Answers the message. Never throws. */
  readonly process: (
    ctx: MsgContext,
    match: BindingMatch,
    signal: AbortSignal,
    /** There is an answer; it only has to be sent. */
    onAnswered: () => void,
  ) => Promise<ProcessOutcome>;
  readonly approvals: {
    readonly askAbout: (inboxId: InboxId, sessionKey: SessionKey) => Promise<void>;
    readonly giveUp: Approvals['giveUp'];
  };
  /** Acts on a typed answer to a question. `settled` resolves when the run that was approved has ended. */
  readonly actOnReply: (
    message: InboundMessage,
    reply: TypedReply,
  ) => Promise<{ readonly settled: Promise<void> }>;
}

export interface TurnWorkerDeps extends TurnHandler {
  readonly inbox: Inbox;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly lanes: ConcurrencyLaneManager;
  readonly settings: ContextSettings;
  readonly commandOf: CommandOf;
  /** What was recovered waits for it: true when answers can be sent, false when the start failed. */
  readonly whenReady: Promise<boolean>;
  /** Who wrote it may have set a language and a time zone of their own. */
  readonly profiles: Pick<Profiles, 'get' | 'change'>;
  /** Continues a message whose question was withdrawn before the message was suspended. */
  readonly resume: (inboxId: InboxId) => Promise<void>;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** A message that brought the process down each time is not tried for ever: its sender is told. */
const MAX_ATTEMPTS = 3;
/** Where even that ends the process each time, nobody can be told. */
const MAX_TELLINGS = 3;
const tooManyAttempts = (): FinClawError =>
  new FinClawError(`The process ended ${MAX_ATTEMPTS} times over this message`, 'TOO_MANY_ATTEMPTS');

/** What the platform reports about the sender's zone, if the profile does not have it yet. */
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

/** How a turn comes to its work. */
interface TurnStart {
  /** That of the queue: a command has one of its own. */
  readonly key: SessionKey;
  /** A decision of a person let it go on. */
  readonly isResumed: boolean;
  readonly turn: QueueTurn;
  /** The message as it was parsed last: on arrival, or when it was edited. */
  readonly parsed: () => InboxEntry['message'];
}

/**
 * A person has a share of the lane, and another of the same size for turns that they let go on: what they allowed does
 * not wait behind the questions that they asked since.
 */
const laneOwner = (message: InboxEntry['message'], isResumed: boolean): string =>
  isResumed ? `${senderKey(message)}\0resumed` : senderKey(message);

type LaneWait =
  | { readonly granted: true; readonly handle: LaneHandle }
  | { readonly granted: false; readonly reason: unknown };

const NO_LANE: LaneWait = { granted: true, handle: { release: () => undefined } };
/** A turn that is refused answers for itself only: what waits behind it has its own turn. */
const ALONE: QueueTurn = { candidates: () => [], take: () => undefined };
const PERSISTENCE = { maxAttempts: 6, minDelayMs: 250, maxDelayMs: 5_000 };

/** A person's stop is no reason to give up on a write; a process that goes down has no time for it. */
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

/** Works one turn off: from its place at the head of the queue to the end of its inbox row. */
export class TurnWorker {
  readonly #deps: TurnWorkerDeps;

  constructor(deps: TurnWorkerDeps) {
    this.#deps = deps;
  }

  /** Never rejects. */
  async work(
    entry: Pick<InboxEntry, 'id' | 'sessionKey' | 'message'>,
    { key, isResumed, turn, parsed }: TurnStart,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, sessionKey } = entry;
    const { logger, whenReady, approvals } = this.#deps;
    if (!(await whenReady)) return;
    const isCommand = key !== sessionKey;
    // A command may be what frees the lane: it takes no place in it.
    const lane = isCommand
      ? NO_LANE
      : await this.#waitForLane({ key, owner: laneOwner(entry.message, isResumed) }, signal);
    let isResting = false;
    try {
      const begun = await this.#begin(id, lane.granted ? turn : ALONE, signal);
      // Worked off, given up, withdrawn or part of another turn meanwhile, or it rests again.
      if (!begun) return;
      if (await this.#reply(begun, signal)) return;
      // Who writes something new has gone past the question that was put to them before.
      const { senderId } = begun.entry.message;
      if (!isCommand)
        await this.#persist(
          () => approvals.giveUp(sessionKey, { by: senderId, askedBy: senderId, before: id }),
          signal,
        );
      isResting = await this.#process(begun, this.#commandOf(begun, parsed()), lane, signal);
    } catch (error) {
      // Storage failed us for long: the row stays pending and is taken up at the next start.
      logger.error('A message could not be worked off and stays in the inbox', { inboxId: id, error });
    } finally {
      if (lane.granted) lane.handle.release();
    }
    // Asked without a lane, and only when the answer finds everything in its place.
    if (isResting) await approvals.askAbout(id, sessionKey);
  }

  /** A message that was given up before this process began with it: signs of an earlier one go with it. Never rejects. */
  async letGo(entry: InboxEntry): Promise<void> {
    const { settings, process, whenReady } = this.#deps;
    if (!(await whenReady)) return;
    const ctx = toMsgContext(entry, [], settings);
    const gone = AbortSignal.abort(new RunAbortedError('superseded'));
    await process(ctx, entry.match, gone, () => undefined);
  }

  async #begin(id: InboxId, turn: QueueTurn, signal: AbortSignal): Promise<BegunWork | undefined> {
    const { inbox, clock, events } = this.#deps;
    // The last try takes nobody along: whatever went wrong, it must not cost the message itself.
    const begun = await this.#persist((attempt) => {
      const candidates = attempt < PERSISTENCE.maxAttempts ? turn.candidates() : [];
      return inbox.begin(id, candidates, clock.now());
    }, signal);
    turn.take((begun?.joined ?? []).map((entry) => entry.id));
    for (const entry of begun?.joined ?? []) events.emit('inbox:merge', { inboxId: entry.id, into: id });
    return begun;
  }

  /** A database that is out of reach for a moment must cost nobody the answer: the place in the queue is kept. */
  #persist<T>(write: (attempt: number) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, logger } = this.#deps;
    const onRetry = (error: unknown, attempt: number): void =>
      logger.warn('A message could not be recorded, and it is tried again', { attempt, error });
    return retry(write, { ...PERSISTENCE, clock, onRetry }, untilShutdown(signal));
  }

  /** False if the message answers no question. Otherwise it resolves when the run that was approved has ended. */
  async #reply({ entry: { id, message } }: BegunWork, signal: AbortSignal): Promise<boolean> {
    const { reply } = message;
    const { inbox, actOnReply, clock } = this.#deps;
    if (!reply) return false;
    const { settled } = await this.#persist(() => actOnReply(message, reply), signal);
    await this.#persist(() => inbox.settle(id, 'done', clock.now()), signal);
    await settled;
    return true;
  }

  /** Reads the profile and stores in it what the platform reports. On failure the answer uses the message's language. */
  async #profileOf(message: InboxEntry['message']): Promise<UserProfile> {
    const { profiles, logger } = this.#deps;
    const { channelId, senderId } = message;
    try {
      const profile = await profiles.get(channelId, senderId);
      const platform = newHints(message, profile);
      if (!platform) return profile;
      return (await profiles.change(channelId, senderId, (before) => ({ ...before, platform }))) ?? profile;
    } catch (error) {
      logger.warn('A profile could not be read or kept', { error });
      return {};
    }
  }

  /** True where the message rests until a person has decided. */
  async #process(
    begun: BegunWork,
    command: CommandIn | null,
    lane: LaneWait,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { inbox, clock, settings, process } = this.#deps;
    const { entry, merged, attempts } = begun;
    const isGivenUp = attempts > MAX_ATTEMPTS;
    if (attempts > MAX_ATTEMPTS + MAX_TELLINGS) return this.#giveUpSilently(begun, signal);
    const refusal = isGivenUp ? tooManyAttempts() : lane.granted ? undefined : lane.reason;
    const runSignal = refusal === undefined ? signal : AbortSignal.abort(refusal);
    const profile = await this.#profileOf(entry.message);
    const ctx = { ...toMsgContext(entry, merged, settings, profile), command };
    // What only waits for its platform keeps nobody else from the models.
    const onAnswered = (): void => {
      if (lane.granted) lane.handle.release();
    };
    const result = await process(ctx, entry.match, runSignal, onAnswered);
    if (result.outcome === 'suspended') return this.#persist(() => this.#rest(entry), signal);
    if (result.outcome === 'parked') await inbox.forgiveAttempt(entry.id);
    if (result.outcome === 'done')
      await this.#persist(() => inbox.settle(entry.id, 'done', clock.now()), signal);
    if (result.outcome === 'failed') {
      const { errorId } = result;
      await this.#persist(async () => {
        if (isGivenUp) await this.#bury(begun, errorId);
        await inbox.settle(entry.id, 'failed', clock.now(), errorId);
      }, signal);
    }
    // What was superseded is at its end: the message that took its place has said so in the inbox.
    return false;
  }

  /** Parses nothing again that was parsed with the same words. Only questions become one turn with others. */
  #commandOf({ entry, merged }: BegunWork, parsed: InboxEntry['message']): CommandIn | null {
    if (merged.length > 0) return null;
    return this.#deps.commandOf(entry.message.body === parsed.body ? parsed : entry.message);
  }

  async #giveUpSilently(begun: BegunWork, signal: AbortSignal): Promise<false> {
    const { inbox, clock, logger } = this.#deps;
    const errorId = newErrorId();
    logger.error('A message is given up, and its sender could not be told', {
      inboxId: begun.entry.id,
      errorId,
    });
    await this.#persist(async () => {
      await this.#bury(begun, errorId);
      await inbox.settle(begun.entry.id, 'failed', clock.now(), errorId);
    }, signal);
    return false;
  }

  async #bury({ entry, attempts }: BegunWork, errorId: string): Promise<void> {
    const { deadLetters, clock, events } = this.#deps;
    const { id: inboxId, sessionKey, message } = entry;
    const { channelId, senderId } = message;
    const reason = tooManyAttempts().message;
    const tried = attempts - 1;
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

  /** False where nothing is asked about it any more: then the message goes on at once. */
  async #rest(entry: InboxEntry): Promise<boolean> {
    if (await this.#deps.inbox.suspend(entry.id)) return true;
    void this.#deps.resume(entry.id);
    return false;
  }

  /** A wait that ends without a slot (stopped, too long, too many) still ends in an answer: the pipeline gives it. */
  async #waitForLane(run: LaneRun, signal: AbortSignal): Promise<LaneWait> {
    try {
      return { granted: true, handle: await this.#deps.lanes.acquire('main', run, signal) };
    } catch (reason) {
      return { granted: false, reason };
    }
  }
}
