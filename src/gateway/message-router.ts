import type { Receipt } from '#src/core/channel.ts';
import { FinClawError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import { texts } from '#src/core/i18n.ts';
import { asId, type InboxId, type SessionKey } from '#src/core/ids.ts';
import { type InboundMessage, type MsgContext, type ReplyTarget, replyTargetOf } from '#src/core/message.ts';
import type { Approvals, Profiles } from '#src/core/ports.ts';
import type { BindingMatch, ProcessOutcome } from '#src/core/stage.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { ConcurrencyLaneManager, LaneHandle } from '#src/infra/concurrency-lane.ts';
import type { Dedupe } from '#src/infra/dedupe.ts';
import { newId } from '#src/infra/ids.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { Inbox, InboxEntry } from '#src/storage/inbox.ts';
import { ArrivalOrder } from './arrival-order.ts';
import type { MatchBinding } from './binding.ts';
import type { GateDecision } from './compose-gates.ts';
import { type ContextSettings, localeOf, toMsgContext } from './message-context.ts';
import type { MessageQueue } from './message-queue.ts';
import { deriveSessionKey } from './session-key.ts';

export interface RouterDeps {
  readonly gates: (message: InboundMessage) => Promise<GateDecision>;
  readonly inbox: Inbox;
  readonly recentEvents: Dedupe;
  readonly matchBinding: MatchBinding;
  readonly queue: MessageQueue;
  readonly lanes: ConcurrencyLaneManager;
  readonly settings: ContextSettings & { readonly maxPerSession: number };
  readonly isCommand: (body: string) => boolean;
  /** A sentence to the sender of a message that was not accepted. Never throws. */
  readonly notice: (target: ReplyTarget, text: string) => Promise<void>;
  /** What was recovered waits for it: true when answers can be sent, false when the start failed. */
  readonly whenReady: Promise<boolean>;
  /** Who wrote it may have set a language and a time zone of their own. */
  readonly profiles: Pick<Profiles, 'get'>;
  /** What waits for a person's decision. */
  readonly approvals: {
    readonly askAbout: (inboxId: InboxId, sessionKey: SessionKey) => Promise<void>;
    readonly giveUp: Approvals['giveUp'];
  };
  /** Answers the message. Never throws. */
  readonly onProcess: (ctx: MsgContext, match: BindingMatch, signal: AbortSignal) => Promise<ProcessOutcome>;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** A message that brought the process down each time is not tried for ever: its sender is told. */
const MAX_ATTEMPTS = 3;
const tooManyAttempts = (): FinClawError =>
  new FinClawError(`The process ended ${MAX_ATTEMPTS} times over this message`, 'TOO_MANY_ATTEMPTS');

/** What became of an event, and what its sender should be told. */
interface Taken {
  readonly receipt: Receipt;
  readonly notice?: string;
}

type LaneWait =
  | { readonly granted: true; readonly handle: LaneHandle }
  | { readonly granted: false; readonly reason: unknown };

/** From a platform's event to a run of the pipeline. What `receive` accepted cannot be lost any more. */
export class MessageRouter {
  readonly #deps: RouterDeps;
  readonly #arrivals = new ArrivalOrder();

  constructor(deps: RouterDeps) {
    this.#deps = deps;
  }

  /** Rejects only when the message could not be stored; the platform must not be acknowledged then. */
  readonly receive = async (message: InboundMessage): Promise<Receipt> => {
    const chatKey = [message.channelId, message.accountId, message.chatId].join('\0');
    const { receipt, notice } = await this.#arrivals.pass(chatKey, () => this.#take(message));
    if (notice !== undefined) await this.#deps.notice(replyTargetOf(message), notice);
    return receipt;
  };

  async #take(message: InboundMessage): Promise<Taken> {
    const { inbox, recentEvents, queue, clock, events } = this.#deps;
    const eventKey = [message.channelId, message.accountId, message.chatId, message.id].join('\0');
    if (recentEvents.has(eventKey) || (await inbox.isKnown(message))) return this.#duplicate(message);

    const decision = await this.#deps.gates(message);
    if (decision.verdict === 'drop')
      return this.#drop(message, decision.gate, decision.reason, decision.reply);

    const match = this.#deps.matchBinding(message);
    const sessionKey = deriveSessionKey(match.agentId, message);
    const entry: InboxEntry = { id: newId<InboxId>(), message, match, sessionKey };
    const key = this.#queueKey(entry);
    const slot = queue.reserve(key);
    if (!slot) {
      const limit = this.#deps.settings.maxPerSession;
      const locale = localeOf(message, this.#deps.settings.locale);
      return this.#drop(message, 'queue', 'queue-full', texts(locale).queueFull({ limit }));
    }
    try {
      if ((await inbox.accept(entry, clock.now())) === 'duplicate') {
        slot.cancel();
        return this.#duplicate(message);
      }
    } catch (error) {
      slot.cancel();
      throw error;
    }
    recentEvents.add(eventKey);
    events.emit('inbox:accept', { inboxId: entry.id, sessionKey, channelId: message.channelId });
    const settled = slot.run((signal) => this.#work(entry, key, signal), message.senderId);
    return { receipt: { outcome: 'accepted', sessionKey, settled } };
  }

  /** Takes up what an earlier process accepted and did not finish, in the order of acceptance. */
  async recover(isReachable: (message: InboundMessage) => boolean): Promise<void> {
    const entries = (await this.#deps.inbox.pending()).filter((entry) => isReachable(entry.message));
    if (entries.length > 0) this.#deps.events.emit('inbox:recover', { count: entries.length });
    for (const entry of entries) void this.#takeUp(entry);
  }

  /** Takes up a message that waited for a decision. Resolves, and never rejects, when it has been worked off. */
  readonly resume = async (inboxId: InboxId): Promise<void> => {
    try {
      const entry = await this.#deps.inbox.get(inboxId);
      if (entry) await this.#takeUp(entry);
    } catch (error) {
      this.#deps.logger.error('A decided message could not be taken up', { inboxId, error });
    }
  };

  async #takeUp(entry: InboxEntry): Promise<void> {
    const key = this.#queueKey(entry);
    const slot = this.#deps.queue.reserve(key, true);
    await slot?.run((signal) => this.#work(entry, key, signal), entry.message.senderId);
  }

  /** A command acts on the running turn (or on nothing at all), so it must not wait behind it. */
  #queueKey(entry: InboxEntry): SessionKey {
    const isCommand = this.#deps.isCommand(entry.message.body);
    return isCommand ? asId<SessionKey>(`${entry.sessionKey}#${entry.id}`) : entry.sessionKey;
  }

  async #work(entry: InboxEntry, key: SessionKey, signal: AbortSignal): Promise<void> {
    const { inbox, clock, settings, logger, onProcess, whenReady, profiles, approvals } = this.#deps;
    if (!(await whenReady)) return;
    const lane = await this.#waitForLane(key, signal);
    let isResting = false;
    try {
      const { channelId, senderId } = entry.message;
      const attempts = await inbox.countAttempt(entry.id);
      // Worked off or given up meanwhile, or it rests again.
      if (attempts === undefined) return;
      // Who writes something new has gone past the question that was put to them before.
      if (key === entry.sessionKey)
        await approvals.giveUp(entry.sessionKey, { by: senderId, askedBy: senderId, before: entry.id });
      const refusal = attempts > MAX_ATTEMPTS ? tooManyAttempts() : lane.granted ? undefined : lane.reason;
      const runSignal = refusal === undefined ? signal : AbortSignal.abort(refusal);
      const ctx = toMsgContext(entry, settings, await profiles.get(channelId, senderId));
      const result = await onProcess(ctx, entry.match, runSignal);
      if (result.outcome === 'done') await inbox.settle(entry.id, 'done', clock.now());
      if (result.outcome === 'failed') await inbox.settle(entry.id, 'failed', clock.now(), result.errorId);
      if (result.outcome === 'parked') await inbox.forgiveAttempt(entry.id);
      if (result.outcome === 'suspended') isResting = await this.#rest(entry);
    } catch (error) {
      // Storage failed us: the row stays pending and is taken up at the next start.
      logger.error('A message could not be worked off and stays in the inbox', { inboxId: entry.id, error });
    } finally {
      if (lane.granted) lane.handle.release();
    }
    // Asked without a lane, and only when the answer finds everything in its place.
    if (isResting) await approvals.askAbout(entry.id, entry.sessionKey);
  }

  /** False where nothing is asked about it any more: then the message goes on at once. */
  async #rest(entry: InboxEntry): Promise<boolean> {
    if (await this.#deps.inbox.suspend(entry.id)) return true;
    void this.resume(entry.id);
    return false;
  }

  /** A wait that ends without a slot (stopped, too long, too many) still ends in an answer: the pipeline gives it. */
  async #waitForLane(key: SessionKey, signal: AbortSignal): Promise<LaneWait> {
    try {
      return { granted: true, handle: await this.#deps.lanes.acquire('main', key, signal) };
    } catch (reason) {
      return { granted: false, reason };
    }
  }

  #duplicate(message: InboundMessage): Taken {
    this.#deps.events.emit('inbox:duplicate', { eventId: message.id, channelId: message.channelId });
    return { receipt: { outcome: 'duplicate' } };
  }

  #drop(message: InboundMessage, gate: string, reason: string, notice: string | undefined): Taken {
    this.#deps.events.emit('gate:drop', { gate, reason, channelId: message.channelId });
    return { receipt: { outcome: 'dropped', reason }, ...(notice === undefined ? {} : { notice }) };
  }
}
