import type { ChannelHost, Receipt } from '#src/kernel/channel/host.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import { intakeTexts } from '../gates/texts.ts';
import type { AgentId, InboxId, SessionKey } from '#src/kernel/ids.ts';
import { type MsgContext, type ReplyTarget, replyTargetOf } from '#src/kernel/chat/message.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import { newId } from '#src/platform/ids.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { Uses } from '#src/platform/services.ts';
import { type LocaleSettings, localeOf } from '../context/message-context.ts';
import type { Turns } from '../queue/turns.ts';
import type { MatchBinding } from './binding.ts';
import type { GateDecision } from '../gates/index.ts';
import type { TypedReplies } from './typed-replies.ts';

export interface RouterDeps extends Uses<'clock' | 'events' | 'logger'> {
  readonly gates: (message: MsgContext) => Promise<GateDecision>;
  /** The gates that check the text, for edited messages. */
  readonly contentGates: (message: MsgContext) => Promise<GateDecision>;
  readonly turns: Pick<Turns, 'inbox' | 'changes' | 'commandOf' | 'reserve' | 'enqueue' | 'rewrite'>;
  readonly recentEvents: Dedupe;
  readonly matchBinding: MatchBinding;
  /** The conversation of a message. */
  readonly keyOf: (agentId: AgentId, message: MsgContext) => SessionKey;
  readonly settings: LocaleSettings;
  readonly replies: Pick<TypedReplies, 'read'>;
  /** Tells the sender why a message was not accepted. Never throws. */
  readonly notice: (target: ReplyTarget, text: string) => Promise<void>;
}

/** The receipt of an event, and the notice to its sender. */
interface Outcome {
  readonly receipt: Receipt;
  readonly notice?: string;
}

const NOTICE_WAIT_MS = 1_500;
/** Longer than any platform retries an event. */
const DELETION_MEMORY_MS = 15 * 60_000;

const chatKey = (place: Pick<MsgContext, 'channelId' | 'accountId' | 'chatId'>): string =>
  [place.channelId, place.accountId, place.chatId].join('\0');

const messageKey = (message: Pick<MsgContext, 'channelId' | 'accountId' | 'chatId' | 'messageId'>): string =>
  `${chatKey(message)}\0${message.messageId}`;

/** Passes platform events through the gates into the inbox. A message that `receive` accepted cannot be lost. */
export class MessageRouter {
  readonly #deps: RouterDeps;
  /**
   * Accepts the messages of one conversation in order. Otherwise a slow query would let a later message overtake an
   * earlier one before both are stored. Conversations do not wait for each other: a channel may have hundreds of threads.
   */
  readonly #arrivals = new SerialQueue();
  /** Messages that are being accepted. */
  readonly #arriving = new Map<string, Promise<Outcome>>();
  /** Applies the changes of one message in order. */
  readonly #revisions = new SerialQueue();
  /** Messages that were deleted before they arrived. */
  readonly #deleted: Dedupe;

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    this.#deleted = new Dedupe(deps.clock, DELETION_MEMORY_MS);
  }

  /** Rejects only if storing failed; then the event must not be acknowledged. */
  readonly receive: ChannelHost['receive'] = async (message) => {
    const { receipt, notice } = await this.#inOrder(message);
    if (notice === undefined) return receipt;
    await this.#tellSoon(replyTargetOf(message), notice);
    return receipt.outcome === 'dropped' ? { ...receipt, isTold: true } : receipt;
  };

  async #inOrder(message: MsgContext): Promise<Outcome> {
    const match = this.#deps.matchBinding(message);
    const sessionKey = this.#deps.keyOf(match.agentId, message);
    const key = messageKey(message);
    const arrival = this.#arrivals.run(sessionKey, () => this.#accept(message, match, sessionKey));
    this.#arriving.set(key, arrival);
    try {
      return await arrival;
    } finally {
      if (this.#arriving.get(key) === arrival) this.#arriving.delete(key);
    }
  }

  /** Does not delay the acknowledgement for long: a slow notice continues in the background. */
  async #tellSoon(target: ReplyTarget, notice: string): Promise<void> {
    await waitAtMost(this.#deps.notice(target, notice), NOTICE_WAIT_MS, this.#deps.clock);
  }

  /** Applies an edit or a deletion to a message whose turn has not begun. */
  readonly revise: ChannelHost['revise'] = (change) => {
    const key = messageKey(change);
    const arriving = this.#arriving.get(key);
    // Noted at once, because the message may arrive late: platforms retry.
    if (!arriving && change.kind === 'deleted') this.#deleted.add(key);
    return this.#revisions.run(key, async () => {
      // A change must not overtake its message.
      await arriving?.catch(() => undefined);
      const { contentGates, events, clock } = this.#deps;
      const { changes, rewrite } = this.#deps.turns;
      const entry = await changes.waiting(change);
      if (!entry && change.kind === 'deleted') {
        this.#deleted.add(key);
        await changes.markDeleted(change);
      }
      // An edit does not change an answer that was already parsed.
      if (!entry || entry.message.reply) return 'too-late';
      const { id: inboxId, message } = entry;
      const edited = change.kind === 'edited' ? { ...message, body: change.body } : undefined;
      const refusal = edited && (await contentGates(edited));
      if (edited && refusal?.verdict === 'pass') {
        if (!(await rewrite(entry, edited))) return 'too-late';
        events.emit('inbox:revise', { inboxId, kind: 'edited' });
        return 'changed';
      }
      if (!(await changes.withdraw(inboxId, clock.now()))) return 'too-late';
      events.emit('inbox:revise', { inboxId, kind: 'deleted' });
      if (refusal?.verdict === 'drop' && refusal.reply !== undefined)
        await this.#deps.notice(replyTargetOf(message), refusal.reply);
      return 'withdrawn';
    });
  };

  async #accept(
    received: MsgContext,
    match: ReturnType<MatchBinding>,
    sessionKey: SessionKey,
  ): Promise<Outcome> {
    const { turns, recentEvents, clock, events } = this.#deps;
    const eventKey = `${chatKey(received)}\0${received.id}`;
    // The bot's own messages are dropped by the gates, and far too many to be looked up.
    const isKnown =
      !received.isFromSelf && (recentEvents.has(eventKey) || (await turns.inbox.isKnown(received)));
    if (isKnown) return this.#duplicate(received);

    if (this.#deleted.has(messageKey(received)))
      return this.#drop(received, 'deletion', 'deleted-before', undefined);
    const decision = await this.#deps.gates(received);
    if (decision.verdict === 'drop') {
      const { gate, reason, reply, errorId } = decision;
      if (errorId) this.#deps.logger.warn('A message was refused', { gate, reason, errorId });
      return this.#drop(received, gate, reason, reply);
    }

    const understood = turns.commandOf(received)
      ? undefined
      : await this.#deps.replies.read(received, sessionKey);
    const message: MsgContext = understood ? { ...received, ...understood } : received;
    const entry: InboxEntry = { id: newId<InboxId>(), message, match, sessionKey };
    const reservation = await turns.reserve(entry);
    if (reservation.outcome !== 'reserved') {
      const { outcome, limit } = reservation;
      const { queueFull, personQueueFull } = intakeTexts(localeOf(message, this.#deps.settings));
      return outcome === 'session-full'
        ? this.#drop(message, 'queue', 'queue-full', queueFull({ limit }))
        : this.#drop(message, 'queue', 'person-queue-full', personQueueFull({ limit }));
    }
    const { slot } = reservation;
    try {
      if ((await turns.inbox.accept(entry, clock.now())) === 'duplicate') {
        slot.cancel();
        return this.#duplicate(message);
      }
    } catch (error) {
      slot.cancel();
      throw error;
    }
    recentEvents.add(eventKey);
    const { channelId, chatType } = message;
    events.emit('inbox:accept', { inboxId: entry.id, sessionKey, channelId, chatType });
    const { settled } = await turns.enqueue(entry, slot);
    return { receipt: { outcome: 'accepted', sessionKey, settled } };
  }

  #duplicate(message: MsgContext): Outcome {
    this.#deps.events.emit('inbox:duplicate', { eventId: message.id, channelId: message.channelId });
    return { receipt: { outcome: 'duplicate' } };
  }

  #drop(message: MsgContext, gate: string, reason: string, notice: string | undefined): Outcome {
    this.#deps.events.emit('gate:drop', { gate, reason, channelId: message.channelId });
    return { receipt: { outcome: 'dropped', reason }, ...(notice === undefined ? {} : { notice }) };
  }
}
