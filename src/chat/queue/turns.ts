import { FinClawError } from '#src/kernel/errors.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import type { InboxId, SessionKey } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { QueueControl, QueueMode, QueuePlace, Steering } from '#src/kernel/chat/queue.ts';
import type { Cluster } from '#src/platform/cluster/cluster.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createDeadLetters, type DeadLetters } from '#src/chat/store/dead-letters.ts';
import { createInboxChanges, type InboxChanges } from '#src/chat/store/inbox-changes.ts';
import { createInbox, type Inbox } from '#src/chat/store/inbox.ts';
import { createSessionHolders } from '#src/chat/store/session-holders.ts';
import { createSharedInbox, type SharedInbox } from '#src/chat/store/shared-inbox.ts';
import { createQueueModeStore } from '#src/chat/store/queue-modes.ts';
import { toMerged, bodyTextOf } from '../context/message-context.ts';
import {
  commandKey,
  MessageQueue,
  type QueueLimits,
  type QueueSlot,
  type QueueReservation,
} from './message-queue.ts';
import { type LiveQueueModes, openQueueModes, type QueueModeSettings } from './queue-modes.ts';
import { type CommandOf, createCommandReader } from '../context/read-command.ts';
import { senderKey } from '../context/session-key.ts';
import type { QueuedMessage, QueueTurn } from './session-queue.ts';
import { SharedSessions, type SharedSessionsDeps } from './shared-sessions.ts';
import { type TurnHandler, TurnWorker, type TurnWorkerDeps } from './turn-worker.ts';

/** The turns of accepted messages: each message waits in the queue of its conversation for its turn. */
export interface Turns {
  readonly inbox: Inbox;
  readonly changes: InboxChanges;
  readonly deadLetters: DeadLetters;
  /** The running and waiting turns, of all processes. */
  readonly queue: QueueControl;
  readonly modes: LiveQueueModes;
  readonly commandOf: CommandOf;
  /** Merges newer messages of the person into their running turn. */
  readonly steering: Steering;
  /** Sets what a turn does. Called once, before the first turn. */
  readonly onTurn: (handler: TurnHandler) => void;
  /** Recovered messages wait for it: true when answers can be sent, false if the start failed. */
  readonly onReady: (isReady: boolean) => void;
  /** Reserves a place for a message that is about to be stored. */
  readonly reserve: (entry: InboxEntry) => Promise<QueueReservation>;
  /** Queues a stored message. Never rejects; `settled` resolves when its turn has ended. */
  readonly enqueue: (entry: InboxEntry, slot: QueueSlot) => Promise<{ readonly settled: Promise<void> }>;
  /** Updates a waiting message to its edited text. False if its turn has begun. */
  readonly rewrite: (stored: InboxEntry, message: MsgContext) => Promise<boolean>;
  /** Continues a message that waited for a decision. Resolves (never rejects) when its turn has ended. */
  readonly resume: (inboxId: InboxId) => Promise<void>;
  /** Queues messages that an earlier process accepted and did not finish, in order of acceptance. */
  readonly recover: (isReachable: (message: MsgContext) => boolean) => Promise<void>;
  /** Whether a turn runs in the session, in whichever process. */
  readonly isRunning: (sessionKey: SessionKey) => Promise<boolean>;
  /** Ends the turns at a shutdown. */
  readonly ending: {
    readonly drainMs: () => number | undefined;
    readonly drain: () => Promise<void>;
    readonly abortAll: () => Promise<void>;
  };
}

/** Resumed turns come before newer messages, and people before bots. */
const PRIORITY = { resumed: 1, person: 0, bot: -1 };

const priorityOf = ({ message }: InboxEntry): number => (message.isFromBot ? PRIORITY.bot : PRIORITY.person);

export interface TurnsParts extends Omit<TurnWorkerDeps, keyof TurnHandler | 'resume' | 'whenReady'> {
  readonly changes: InboxChanges;
  readonly deadLetters: DeadLetters;
  readonly queue: MessageQueue;
  readonly modes: LiveQueueModes;
  /** With several processes on one database. */
  readonly sharing?: Sharing | undefined;
}

interface Sharing extends Pick<
  SharedSessionsDeps,
  'cluster' | 'holders' | 'fences' | 'channelIds' | 'capacity'
> {
  readonly inbox: SharedInbox;
  readonly limits: QueueLimits;
}

/** Answers that take longer are continued by another process. */
const HAND_OVER_MS = 1_000;

/** A place in the queue of another process. */
const ELSEWHERE: QueueSlot = { cancel: () => undefined, run: async () => undefined };

/** Counts the messages of all processes. */
const countedPlace = async (
  entry: InboxEntry,
  { inbox: all, limits }: Sharing,
): Promise<QueueReservation> => {
  const { maxPerSession, maxPerPerson } = limits;
  const { ofPerson, inSession, ofPersonInSession } = await all.waiting(entry);
  if (inSession >= maxPerSession && ofPersonInSession > 0)
    return { outcome: 'session-full', limit: maxPerSession };
  if (ofPerson >= maxPerPerson) return { outcome: 'person-full', limit: maxPerPerson };
  return { outcome: 'reserved', slot: ELSEWHERE };
};

interface Handling {
  readonly handler: TurnHandler;
  readonly worker: TurnWorker;
}

export const createTurns = (parts: TurnsParts): Turns => {
  const { inbox, changes, queue, modes, commandOf, clock, events, logger } = parts;
  const waiting = createWaiting(parts);
  const { recovered, queued, isCommand, queueKey, placeFor, remember } = waiting;
  const { promise: whenReady, resolve: onReady } = Promise.withResolvers<boolean>();
  let handled: Handling | undefined;

  const handling = (): Handling => {
    if (!handled)
      throw new FinClawError('onTurn was not called', 'NO_TURN_HANDLER', { isOperational: false });
    return handled;
  };

  const enqueue = createEnqueue(parts, waiting, handling, () => shared);

  const { sharing } = parts;
  const shared =
    sharing &&
    new SharedSessions({
      ...sharing,
      isCommand,
      queue,
      clock,
      logger,
      enqueue: async (entry) => {
        if (entry.wasBegun) recovered.set(entry.id, entry);
        const priority = entry.isResumed ? PRIORITY.resumed : priorityOf(entry);
        await (
          await enqueue(entry, placeFor(entry), { priority, isNew: entry.isNew })
        ).settled;
      },
      recover: async (sessionKey) => {
        try {
          for (const entry of await inbox.supersededWhileShown(sessionKey))
            void handling().worker.discard(entry);
          await handling().handler.approvals.askAgain(sessionKey);
        } catch (error) {
          logger.error('What another process left in a session could not be read', { error });
        }
      },
    });

  const resume = async (inboxId: InboxId): Promise<void> => {
    try {
      const entry = await inbox.get(inboxId);
      if (entry && shared) await (await handOver(shared, entry, isCommand(entry))).settled;
      else if (entry) await (await enqueue(entry, placeFor(entry), { priority: PRIORITY.resumed })).settled;
    } catch (error) {
      logger.error('A message could not be resumed after a decision', { inboxId, error });
    }
  };

  return {
    inbox,
    changes,
    deadLetters: parts.deadLetters,
    queue: shared ? shared.controlOf(queue) : queue,
    modes,
    commandOf,
    onReady: (isReady) => {
      onReady(isReady);
      void (isReady ? shared?.start() : shared?.stop());
    },
    onTurn: (handler) => {
      handled = { handler, worker: new TurnWorker({ ...parts, ...handler, whenReady, resume }) };
    },
    ending: {
      // Another process goes on with what is cut off here.
      drainMs: () => (shared?.canHandOver() ? HAND_OVER_MS : undefined),
      drain: async () => {
        await shared?.stop();
        await queue.drain();
      },
      abortAll: async () => {
        await queue.abortAll();
        await shared?.release();
      },
    },
    isRunning: async (sessionKey) =>
      queue.status(sessionKey).isRunning || (await shared?.isRunning(sessionKey)) === true,
    reserve: async (entry) => {
      if (isCommand(entry)) return { outcome: 'reserved', slot: shared ? ELSEWHERE : placeFor(entry) };
      return sharing
        ? countedPlace(entry, sharing)
        : queue.reserve(entry.sessionKey, senderKey(entry.message));
    },
    enqueue: (entry, slot) =>
      shared ? handOver(shared, entry, isCommand(entry)) : enqueue(entry, slot, { isNew: true }),
    resume,
    recover: async (isReachable) => {
      // Sessions of several processes are taken up one by one.
      if (shared) return;
      const entries = (await inbox.pending()).filter((entry) => isReachable(entry.message));
      if (entries.length > 0) events.emit('inbox:recover', { count: entries.length });
      for (const entry of entries) recovered.set(entry.id, entry);
      for (const entry of entries) await enqueue(entry, placeFor(entry));
      for (const entry of await inbox.supersededWhileShown())
        if (isReachable(entry.message)) void handling().worker.discard(entry);
    },
    /**
     * An edit that turns a question into a command, or the reverse, moves the message to the other queue. A message whose
     * turn is just beginning stays unchanged.
     */
    rewrite: async (stored, message) => {
      const { body } = message;
      const before = queued.get(stored.id)?.message;
      const entry = before?.body === stored.message.body ? { ...stored, message: before } : stored;
      const edited = { ...entry, message };
      const key = queueKey(entry);
      if (key === queueKey(edited)) {
        if (!(await changes.rewrite(stored, body))) return false;
        if (queued.has(entry.id)) remember(entry.id, message);
        return true;
      }
      // The process that has the message in its queue reads the new text when its turn begins, and routes it by that text.
      if (shared) return changes.rewrite(stored, body);
      if (!queue.session(key)?.drop(entry.id)) return false;
      let isRewritten = false;
      try {
        isRewritten = await changes.rewrite(stored, body);
      } finally {
        const moved = isRewritten ? edited : entry;
        void (await enqueue(moved, placeFor(moved))).settled;
      }
      return isRewritten;
    },
    steering: createSteering(parts),
  };
};

/** The messages that wait in this process, and where. */
const createWaiting = ({ queue, commandOf }: TurnsParts) => {
  /** Messages of an earlier process, which may have left a reaction or a live message, until their turns end. */
  const recovered = new Map<InboxId, InboxEntry>();
  /** Queued messages as last parsed: on arrival, or after an edit. */
  const queued = new Map<InboxId, { readonly message: MsgContext; readonly chars: number }>();
  const isCommand = ({ message }: InboxEntry): boolean =>
    message.reply !== undefined || commandOf(message) !== null;

  /** A command may act on the running turn, so it must not wait behind it. */
  const queueKey = (entry: InboxEntry): SessionKey =>
    isCommand(entry) ? commandKey(entry.sessionKey, entry.id) : entry.sessionKey;

  /** A place without limits. */
  const placeFor = (entry: InboxEntry): QueueSlot =>
    queue.place(queueKey(entry), isCommand(entry) ? undefined : senderKey(entry.message));

  const remember = (id: InboxId, message: MsgContext): void =>
    void queued.set(id, { message, chars: bodyTextOf(message).length });

  return { recovered, queued, isCommand, queueKey, placeFor, remember };
};

type Waiting = ReturnType<typeof createWaiting>;

/** Puts a message into the queue of this process. */
const createEnqueue = (
  parts: TurnsParts,
  { recovered, queued, isCommand, queueKey, remember }: Waiting,
  handling: () => Handling,
  sharedBy: () => SharedSessions | undefined,
) => {
  const { changes, queue, modes, clock, events, logger } = parts;
  /** Caches the mode until somebody changes it. A change also applies to waiting messages. */
  const modeIn = (place: QueuePlace): (() => QueueMode) => {
    let revision = modes.revision();
    let { mode } = modes.of(place);
    return () => {
      if (revision !== modes.revision()) {
        revision = modes.revision();
        ({ mode } = modes.of(place));
      }
      return mode;
    };
  };

  /** The newest message of a person replaces their older ones, including the running one. */
  const interrupt = async (key: SessionKey, newest: QueuedMessage): Promise<void> => {
    const ids = queue.session(key)?.replaceableBy(newest) ?? [];
    if (ids.length === 0) return;
    try {
      const { handler, worker } = handling();
      const { id: before, senderId } = newest;
      // An approved call that has not begun is given up with a notice, so that nobody believes it was made.
      await handler.approvals.giveUp(key, { by: senderId, askedBy: senderId, before, isDecidedToo: true });
      const superseded = await changes.supersede(ids, newest.id, clock.now());
      const left = superseded.flatMap((id) => recovered.get(id) ?? []);
      queue.session(key)?.supersede(superseded);
      for (const inboxId of superseded) events.emit('inbox:supersede', { inboxId, by: newest.id });
      for (const entry of left) void worker.discard(entry);
    } catch (error) {
      // Then they are answered one after the other.
      logger.error('Messages could not be interrupted', { inboxId: newest.id, error });
    }
  };

  const enqueue = async (
    entry: InboxEntry,
    slot: QueueSlot,
    {
      priority = priorityOf(entry),
      isNew = false,
    }: { readonly priority?: number; readonly isNew?: boolean } = {},
  ): Promise<{ readonly settled: Promise<void> }> => {
    const { id, sessionKey, message } = entry;
    const key = queueKey(entry);
    const shared = sharedBy();
    const { channelId, chatId, guildId } = message;
    const place = { sessionKey, channelId, chatId, ...(guildId !== undefined && { guildId }) };
    const waiting: QueuedMessage = {
      id,
      senderId: message.senderId,
      saidAtMs: message.timestamp.epochMilliseconds,
      priority,
      size: () => queued.get(id)?.chars ?? 0,
      canSteer: !message.media?.length && !message.forwarded?.length,
      mode: isCommand(entry) ? () => 'queue' : modeIn(place),
      goesByTime: shared !== undefined,
    };
    remember(id, message);
    const parsed = (): MsgContext => queued.get(id)?.message ?? message;
    const isResumed = priority === PRIORITY.resumed;
    const work = (turn: QueueTurn, signal: AbortSignal): Promise<void> =>
      handling().worker.work(entry, { key, isResumed, isNew, turn, parsed }, signal);
    const settled = slot
      .run(waiting, shared ? (turn, signal) => shared.run(sessionKey, () => work(turn, signal)) : work)
      .finally(() => {
        queued.delete(id);
        recovered.delete(id);
      });
    if (waiting.mode() === 'interrupt') await interrupt(key, waiting);
    return { settled };
  };

  return enqueue;
};

/** Gives a stored message to the holder of its session, which may be another process. */
const handOver = async (
  sessions: SharedSessions,
  entry: InboxEntry,
  isCommand: boolean,
): Promise<{ readonly settled: Promise<void> }> => {
  const settled = sessions.whenEnded(entry.id);
  await sessions.wake(entry, isCommand);
  return { settled };
};

/** Messages that a running turn takes along. */
const createSteering = ({ inbox, queue, settings, clock, events, logger }: TurnsParts): Steering => ({
  take: async (sessionKey, leader) => {
    const ids = queue.session(sessionKey)?.steerable(leader) ?? [];
    if (ids.length === 0) return [];
    try {
      const merged = await inbox.merge(ids, leader, clock.now());
      queue.session(sessionKey)?.take(merged.map(({ id }) => id));
      for (const { id } of merged) events.emit('inbox:merge', { inboxId: id, into: leader });
      return merged.map((entry) => toMerged(entry, settings));
    } catch (error) {
      // Then they get turns of their own.
      logger.error('Messages could not be merged into a turn', { inboxId: leader, error });
      queue.session(sessionKey)?.take([]);
      return [];
    }
  },
});

export interface OpenTurnsDeps extends Omit<
  TurnsParts,
  'inbox' | 'changes' | 'deadLetters' | 'queue' | 'modes' | 'settings' | 'commandOf' | 'sharing'
> {
  readonly storage: Storage;
  readonly cluster: Cluster | undefined;
  /** The platforms that this process is on. */
  readonly channelIds: readonly string[];
  readonly settings: {
    readonly queue: Omit<QueueModeSettings, 'agents'> & Omit<QueueLimits, 'maxTurnChars'>;
    readonly agents: QueueModeSettings['agents'];
    readonly gates: { readonly maxMessageChars: number };
    readonly lanes: { readonly main: { readonly maxConcurrency: number } };
  };
  readonly context: TurnsParts['settings'];
  readonly guildSettings: Pick<GuildSettings, 'of' | 'revision'>;
  /** Parses a platform text as a command. */
  readonly commandIn: Parameters<typeof createCommandReader>[0];
}

export const openTurns = async (deps: OpenTurnsDeps): Promise<Turns> => {
  const { storage, settings, context, guildSettings, cluster, channelIds, clock } = deps;
  const { maxPerSession, maxPerPerson } = settings.queue;
  const { maxMessageChars: maxTurnChars } = settings.gates;
  const modeSettings = { ...settings.queue, agents: settings.agents };
  const limits = { maxPerSession, maxPerPerson, maxTurnChars };
  return createTurns({
    ...deps,
    settings: context,
    sharing: cluster && {
      cluster,
      limits,
      inbox: createSharedInbox(storage),
      channelIds,
      holders: createSessionHolders(storage),
      fences: storage.fences,
      capacity: settings.lanes.main.maxConcurrency,
    },
    inbox: createInbox(storage),
    changes: createInboxChanges(storage),
    deadLetters: createDeadLetters(storage),
    queue: new MessageQueue(limits, clock),
    modes: await openQueueModes(
      createQueueModeStore(storage),
      modeSettings,
      clock,
      guildSettings,
      cluster?.shareSettings('queue modes'),
    ),
    commandOf: createCommandReader(deps.commandIn),
  });
};
