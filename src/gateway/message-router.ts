import type { ChannelHost, Receipt } from '#src/core/channel.ts';
import { texts } from '#src/core/i18n.ts';
import type { InboxId, SessionKey } from '#src/core/ids.ts';
import {
  type InboundMessage,
  type MergedMessage,
  type ReplyTarget,
  replyTargetOf,
} from '#src/core/message.ts';
import type { QueueMode, QueuePlace, Steering } from '#src/core/ports.ts';
import { waitAtMost } from '#src/infra/abort.ts';
import { Dedupe } from '#src/infra/dedupe.ts';
import { newId } from '#src/infra/ids.ts';
import { SerialQueue } from '#src/infra/serial-queue.ts';
import type { InboxChanges } from '#src/storage/inbox-changes.ts';
import type { InboxEntry } from '#src/storage/inbox.ts';
import type { MatchBinding } from './binding.ts';
import type { GateDecision } from './compose-gates.ts';
import { localeOf, toMerged, wordsOf } from './message-context.ts';
import { commandKey, type MessageQueue, type QueueSlot } from './message-queue.ts';
import type { LiveQueueModes } from './queue-modes.ts';
import { senderKey } from './sender-key.ts';
import { deriveSessionKey } from './session-key.ts';
import type { QueuedMessage } from './session-queue.ts';
import type { TypedReplies } from './typed-replies.ts';
import { TurnWorker, type TurnWorkerDeps } from './turn-worker.ts';

export interface RouterDeps extends Omit<TurnWorkerDeps, 'resume'> {
  readonly gates: (message: InboundMessage) => Promise<GateDecision>;
  /** Those about the words alone, for what is edited afterwards. */
  readonly contentGates: (message: InboundMessage) => Promise<GateDecision>;
  readonly changes: InboxChanges;
  readonly recentEvents: Dedupe;
  readonly matchBinding: MatchBinding;
  readonly queue: MessageQueue;
  readonly modes: Pick<LiveQueueModes, 'of' | 'revision'>;
  /** Reads typed answers to questions. */
  readonly replies: Pick<TypedReplies, 'read' | 'act'>;
  /** A sentence to the sender of a message that was not accepted. Never throws. */
  readonly notice: (target: ReplyTarget, text: string) => Promise<void>;
}

/** What became of an event, and what its sender should be told. */
interface Taken<T> {
  readonly receipt: T;
  readonly notice?: string;
}

/** A decision has fallen: the turn it belongs to is half done, and goes before what came later. */
const PRIORITY = { resumed: 1, person: 0, bot: -1 };

const NOTICE_WAIT_MS = 1_500;
/** Longer than any platform delivers a message again. */
const DELETION_MEMORY_MS = 15 * 60_000;

const chatKey = (place: Pick<InboundMessage, 'channelId' | 'accountId' | 'chatId'>): string =>
  [place.channelId, place.accountId, place.chatId].join('\0');

const messageKey = (
  message: Pick<InboundMessage, 'channelId' | 'accountId' | 'chatId' | 'messageId'>,
): string => `${chatKey(message)}\0${message.messageId}`;

/** From a platform's event to a turn in its queue. What `receive` accepted cannot be lost any more. */
export class MessageRouter {
  readonly #deps: RouterDeps;
  /**
   * The events of one chat pass one after the other. Otherwise a look-up that takes a little longer would let a later
   * message overtake an earlier one before either is stored.
   */
  readonly #arrivals = new SerialQueue();
  readonly #worker: TurnWorker;
  /** What an earlier process left, until it is worked off: that one may have shown signs of its work. */
  readonly #recovered = new Map<InboxId, InboxEntry>();
  /** Messages that were deleted before they came. */
  readonly #deleted: Dedupe;
  /** What is queued, as it was parsed last: on arrival, or when it was edited. */
  readonly #queued = new Map<InboxId, { readonly message: InboundMessage; readonly chars: number }>();

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    this.#deleted = new Dedupe(deps.clock, DELETION_MEMORY_MS);
    this.#worker = new TurnWorker({ ...deps, resume: (inboxId) => this.resume(inboxId) });
  }

  /** Rejects only when the message could not be stored; the platform must not be acknowledged then. */
  readonly receive: ChannelHost['receive'] = async (message) => {
    const { receipt, notice } = await this.#arrivals.run(chatKey(message), () => this.#take(message));
    if (notice === undefined) return receipt;
    await this.#tellSoon(replyTargetOf(message), notice);
    return receipt.outcome === 'dropped' ? { ...receipt, isTold: true } : receipt;
  };

  /** The platform waits for its acknowledgement: a slow sentence goes on by itself. */
  async #tellSoon(target: ReplyTarget, notice: string): Promise<void> {
    await waitAtMost(this.#deps.notice(target, notice), NOTICE_WAIT_MS, this.#deps.clock);
  }

  /** A message changed on the platform. What was not begun yet changes with it, or is withdrawn. */
  readonly revise: ChannelHost['revise'] = (change) =>
    // In its place among the events of the chat: it cannot overtake the message it is about.
    this.#arrivals.run(chatKey(change), async () => {
      const { changes, contentGates, events, clock } = this.#deps;
      const entry = await changes.waiting(change);
      // Its message may still come: platforms deliver some again, and late.
      if (!entry && change.kind === 'deleted') {
        this.#deleted.add(messageKey(change));
        await changes.markDeleted(change);
      }
      // An edit does not change an answer that was already read.
      if (!entry || entry.message.reply) return 'too-late';
      const { id: inboxId, message } = entry;
      const edited = change.kind === 'edited' ? { ...message, body: change.body } : undefined;
      const refusal = edited && (await contentGates(edited));
      if (edited && refusal?.verdict === 'pass') {
        if (!(await this.#rewrite(entry, edited))) return 'too-late';
        events.emit('inbox:revise', { inboxId, kind: 'edited' });
        return 'changed';
      }
      if (!(await changes.withdraw(inboxId, clock.now()))) return 'too-late';
      events.emit('inbox:revise', { inboxId, kind: 'deleted' });
      if (refusal?.verdict === 'drop' && refusal.reply !== undefined)
        await this.#deps.notice(replyTargetOf(message), refusal.reply);
      return 'withdrawn';
    });

  /** Takes up what an earlier process accepted and did not finish, in the order of acceptance. */
  async recover(isReachable: (message: InboundMessage) => boolean): Promise<void> {
    const entries = (await this.#deps.inbox.pending()).filter((entry) => isReachable(entry.message));
    if (entries.length > 0) this.#deps.events.emit('inbox:recover', { count: entries.length });
    for (const entry of entries) this.#recovered.set(entry.id, entry);
    for (const entry of entries) {
      await this.#enqueue(entry, this.#place(entry), this.#priorityOf(entry));
    }
  }

  /** Takes up a message that waited for a decision. Resolves, and never rejects, when it has been worked off. */
  readonly resume = async (inboxId: InboxId): Promise<void> => {
    try {
      const entry = await this.#deps.inbox.get(inboxId);
      if (entry) await (await this.#enqueue(entry, this.#place(entry), PRIORITY.resumed)).settled;
    } catch (error) {
      this.#deps.logger.error('A decided message could not be taken up', { inboxId, error });
    }
  };

  readonly steering: Steering = {
    take: async (sessionKey, leader): Promise<readonly MergedMessage[]> => {
      const { queue, inbox, clock, events, settings, logger } = this.#deps;
      const ids = queue.steerable(sessionKey, leader);
      if (ids.length === 0) return [];
      try {
        const merged = await inbox.merge(ids, leader, clock.now());
        queue.take(
          sessionKey,
          merged.map(({ id }) => id),
        );
        for (const { id } of merged) events.emit('inbox:merge', { inboxId: id, into: leader });
        return merged.map((entry) => toMerged(entry, settings));
      } catch (error) {
        // They have turns of their own, then; this one can be answered without them.
        logger.error('Messages could not be taken into a turn', { inboxId: leader, error });
        queue.take(sessionKey, []);
        return [];
      }
    },
  };

  async #take(received: InboundMessage): Promise<Taken<Receipt>> {
    const { inbox, recentEvents, clock, events } = this.#deps;
    const eventKey = `${chatKey(received)}\0${received.id}`;
    if (recentEvents.has(eventKey) || (await inbox.isKnown(received))) return this.#duplicate(received);

    if (this.#deleted.has(messageKey(received)))
      return this.#drop(received, 'deletion', 'deleted-before', undefined);
    const decision = await this.#deps.gates(received);
    if (decision.verdict === 'drop') {
      const { gate, reason, reply, errorId } = decision;
      if (errorId) this.#deps.logger.warn('A message was refused', { gate, reason, errorId });
      return this.#drop(received, gate, reason, reply);
    }

    const match = this.#deps.matchBinding(received);
    const sessionKey = deriveSessionKey(match.agentId, received);
    const understood = this.#deps.commandOf(received)
      ? undefined
      : await this.#deps.replies.read(received, sessionKey);
    const message: InboundMessage = understood ? { ...received, ...understood } : received;
    const entry: InboxEntry = { id: newId<InboxId>(), message, match, sessionKey };
    const reservation = this.#isCommand(entry)
      ? ({ outcome: 'reserved', slot: this.#place(entry) } as const)
      : this.#deps.queue.reserve(sessionKey, senderKey(message));
    if (reservation.outcome !== 'reserved') {
      const { outcome, limit } = reservation;
      const words = texts(localeOf(message, this.#deps.settings));
      return outcome === 'session-full'
        ? this.#drop(message, 'queue', 'queue-full', words.queueFull({ limit }))
        : this.#drop(message, 'queue', 'person-queue-full', words.personQueueFull({ limit }));
    }
    const { slot } = reservation;
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
    const { settled } = await this.#enqueue(entry, slot, this.#priorityOf(entry));
    return { receipt: { outcome: 'accepted', sessionKey, settled } };
  }

  /** Never rejects: the message is stored, and has its place. */
  async #enqueue(
    entry: InboxEntry,
    slot: QueueSlot,
    priority: number,
  ): Promise<{ readonly settled: Promise<void> }> {
    const { id, sessionKey, message } = entry;
    const key = this.#queueKey(entry);
    const isCommand = this.#isCommand(entry);
    const { channelId, chatId, guildId } = message;
    const place = { sessionKey, channelId, chatId, ...(guildId !== undefined && { guildId }) };
    const queued: QueuedMessage = {
      id,
      senderId: message.senderId,
      saidAtMs: message.timestamp.epochMilliseconds,
      priority,
      size: () => this.#queued.get(id)?.chars ?? 0,
      canSteer: !message.media?.length && !message.forwarded?.length,
      mode: isCommand ? () => 'queue' : this.#modeIn(place),
    };
    this.#remember(id, message);
    const parsed = (): InboundMessage => this.#queued.get(id)?.message ?? message;
    const settled = slot
      .run(queued, (turn, signal) =>
        this.#worker.work(entry, { key, isResumed: priority === PRIORITY.resumed, turn, parsed }, signal),
      )
      .finally(() => {
        this.#queued.delete(id);
        this.#recovered.delete(id);
      });
    if (queued.mode() === 'interrupt') await this.#interrupt(key, queued);
    return { settled };
  }

  #remember(id: InboxId, message: InboundMessage): void {
    this.#queued.set(id, { message, chars: wordsOf(message).length });
  }

  /** Reads the mode once, and again only after somebody has chosen another one, which also applies to messages that wait. */
  #modeIn(place: QueuePlace): () => QueueMode {
    const { modes } = this.#deps;
    let revision = modes.revision();
    let { mode } = modes.of(place);
    return () => {
      if (revision !== modes.revision()) {
        revision = modes.revision();
        ({ mode } = modes.of(place));
      }
      return mode;
    };
  }

  /**
   * An edit may make a command of a question, or a question of a command: then it waits where it belongs now. One
   * that is just being taken up stays what it was.
   */
  async #rewrite(stored: InboxEntry, message: InboundMessage): Promise<boolean> {
    const { queue, changes } = this.#deps;
    const { body } = message;
    const before = this.#queued.get(stored.id)?.message;
    const entry = before?.body === stored.message.body ? { ...stored, message: before } : stored;
    const edited = { ...entry, message };
    const key = this.#queueKey(entry);
    if (key === this.#queueKey(edited)) {
      if (!(await changes.rewrite(stored, body))) return false;
      this.#remember(entry.id, message);
      return true;
    }
    if (!queue.drop(key, entry.id)) return false;
    let isRewritten = false;
    try {
      isRewritten = await changes.rewrite(stored, body);
    } finally {
      const moved = isRewritten ? edited : entry;
      void (await this.#enqueue(moved, this.#place(moved), this.#priorityOf(moved))).settled;
    }
    return isRewritten;
  }

  /** The newest message of a person takes the place of their older ones, also of the one that runs. */
  async #interrupt(key: SessionKey, newest: QueuedMessage): Promise<void> {
    const { queue, changes, approvals, clock, events, logger } = this.#deps;
    const ids = queue.replaceableBy(key, newest);
    if (ids.length === 0) return;
    try {
      // What they had allowed and was not begun yet is given up in words: nobody must think that it was done.
      const { id: before, senderId } = newest;
      await approvals.giveUp(key, { by: senderId, askedBy: senderId, before, isDecidedToo: true });
      const superseded = await changes.supersede(ids, newest.id, clock.now());
      const left = superseded.flatMap((id) => this.#recovered.get(id) ?? []);
      queue.supersede(key, superseded);
      for (const inboxId of superseded) events.emit('inbox:supersede', { inboxId, by: newest.id });
      for (const entry of left) void this.#worker.letGo(entry);
    } catch (error) {
      // They are answered one after the other, then.
      logger.error('Messages could not be interrupted', { inboxId: newest.id, error });
    }
  }

  /** A command acts on the running turn (or on nothing at all), so it must not wait behind it. */
  #queueKey(entry: InboxEntry): SessionKey {
    return this.#isCommand(entry) ? commandKey(entry.sessionKey, entry.id) : entry.sessionKey;
  }

  #isCommand({ message }: InboxEntry): boolean {
    return message.reply !== undefined || this.#deps.commandOf(message) !== null;
  }

  #place(entry: InboxEntry): QueueSlot {
    const person = this.#isCommand(entry) ? undefined : senderKey(entry.message);
    return this.#deps.queue.place(this.#queueKey(entry), person);
  }

  /** People do not wait for bots. */
  #priorityOf({ message }: InboxEntry): number {
    return message.isFromBot ? PRIORITY.bot : PRIORITY.person;
  }

  #duplicate(message: InboundMessage): Taken<Receipt> {
    this.#deps.events.emit('inbox:duplicate', { eventId: message.id, channelId: message.channelId });
    return { receipt: { outcome: 'duplicate' } };
  }

  #drop(message: InboundMessage, gate: string, reason: string, notice: string | undefined): Taken<Receipt> {
    this.#deps.events.emit('gate:drop', { gate, reason, channelId: message.channelId });
    return { receipt: { outcome: 'dropped', reason }, ...(notice === undefined ? {} : { notice }) };
  }
}
