import { expect } from 'vitest';
import type { Receipt } from '#src/kernel/channel/host.ts';
import type { EventName, FinClawEventMap } from '#src/kernel/operations/events.ts';
import type { Gate } from '#src/chat/gates/gate.ts';
import type { InboxId } from '#src/kernel/ids.ts';
import type { MsgContext, TurnContext, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Approvals } from '#src/kernel/agent/approvals.ts';
import type { Profiles } from '#src/kernel/people/profile.ts';
import { QUEUE_MODES, type QueueMode } from '#src/kernel/chat/queue.ts';
import type { BindingMatch, ProcessOutcome } from '#src/kernel/chat/stage.ts';
import { createBindingMatcher } from '#src/chat/intake/binding.ts';
import { composeGates } from '#src/chat/gates/index.ts';
import { MessageQueue } from '#src/chat/queue/message-queue.ts';
import { MessageRouter } from '#src/chat/intake/message-router.ts';
import type { LiveQueueModes } from '#src/chat/queue/queue-modes.ts';
import { type CommandOf, createCommandReader } from '#src/chat/context/read-command.ts';
import { deriveSessionKey } from '#src/chat/context/session-key.ts';
import { createTurns } from '#src/chat/queue/turns.ts';
import type { TypedReplies } from '#src/chat/intake/typed-replies.ts';
import { ConcurrencyLaneManager, type LaneConfig } from '#src/platform/concurrency/concurrency-lane.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import { createEvents } from '#src/platform/events.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createDeadLetters, type DeadLetterRecord } from '#src/chat/store/dead-letters.ts';
import { createInboxChanges } from '#src/chat/store/inbox-changes.ts';
import { createInbox, type Inbox } from '#src/chat/store/inbox.ts';
import { commandInSlash } from '#test/support/commands.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { stripMentions } from '#test/support/markup.ts';

export interface Run {
  readonly ctx: TurnContext;
  readonly match: BindingMatch;
  readonly signal: AbortSignal;
}

interface Options {
  readonly storage?: Storage;
  /** Puts something between the router and its inbox. */
  readonly wrapInbox?: (inbox: Inbox) => Inbox;
  readonly gates?: readonly Gate[];
  readonly contentGates?: readonly Gate[];
  readonly mode?: () => QueueMode;
  readonly modes?: Pick<LiveQueueModes, 'of' | 'revision'>;
  readonly commandOf?: CommandOf;
  readonly maxPerSession?: number;
  readonly maxPerPerson?: number;
  readonly lane?: Partial<LaneConfig>;
  readonly whenReady?: Promise<boolean>;
  readonly profileOf?: Profiles['get'];
  /** Looks on while a person is asked. */
  readonly onAsk?: (inboxId: InboxId) => Promise<void>;
  readonly giveUp?: Approvals['giveUp'];
  readonly replies?: Partial<TypedReplies>;
  readonly process?: (run: Run) => Promise<ProcessOutcome>;
}

export const DONE: ProcessOutcome = { outcome: 'done' };

/** A router over a real inbox; the pipeline behind it is what the test says. */
export const setUpRouter = async (options: Options = {}) => {
  const storage = options.storage ?? (await sqliteStorage()).storage;
  const inbox = createInbox(storage);
  const clock = new ManualClock();
  const maxPerSession = options.maxPerSession ?? 10;
  const queue = new MessageQueue(
    { maxPerSession, maxPerPerson: options.maxPerPerson ?? 100, maxTurnChars: 1_000 },
    clock,
  );
  const changes = createInboxChanges(storage);
  const dead: DeadLetterRecord[] = [];
  const lanes = new ConcurrencyLaneManager(clock, { main: options.lane ?? {} });
  const runs: Run[] = [];
  const asked: InboxId[] = [];
  const givenUp: Parameters<Approvals['giveUp']>[] = [];
  const notices: (readonly [ReplyTarget, string])[] = [];
  const emitted: (readonly [EventName, FinClawEventMap[EventName]])[] = [];
  const logged: string[] = [];
  const events = createEvents((error) => {
    throw error;
  });
  events.onAny((name, payload) => emitted.push([name, payload]));
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [],
    write: (line) => void logged.push(line),
  });
  const turns = createTurns({
    inbox: options.wrapInbox?.(inbox) ?? inbox,
    changes,
    deadLetters: { ...createDeadLetters(storage), add: async (letter) => void dead.push(letter) },
    queue,
    modes: {
      of: () => ({ mode: options.mode?.() ?? 'queue', setFor: 'default' }),
      revision: () => QUEUE_MODES.indexOf(options.mode?.() ?? 'queue'),
      choose: async () => undefined,
      forget: () => undefined,
      ...options.modes,
    },
    lanes,
    settings: {
      admins: { users: [], roles: [] },
      locale: 'auto',
      stripMentions,
      timeZone: 'UTC',
      readable: (body) => body.trim(),
    },
    commandOf: options.commandOf ?? createCommandReader(commandInSlash()),
    profiles: { get: options.profileOf ?? (async () => ({})), change: async () => undefined },
    clock,
    events,
    logger,
  });
  void (options.whenReady ?? Promise.resolve(true)).then(turns.onReady);
  turns.onTurn({
    process: (ctx, match, signal) => {
      const run = { ctx, match, signal };
      runs.push(run);
      return options.process?.(run) ?? Promise.resolve(DONE);
    },
    approvals: {
      askAbout: async (inboxId) => {
        asked.push(inboxId);
        await options.onAsk?.(inboxId);
      },
      askAgain: async () => undefined,
      giveUp: async (...given) => {
        givenUp.push(given);
        return options.giveUp?.(...given) ?? 0;
      },
    },
    actOnReply: options.replies?.act ?? (async () => ({ settled: Promise.resolve() })),
  });
  const { receive, revise } = new MessageRouter({
    gates: composeGates(options.gates ?? []),
    contentGates: composeGates(options.contentGates ?? []),
    turns,
    recentEvents: new Dedupe(clock, 60_000),
    matchBinding: createBindingMatcher([], []),
    keyOf: deriveSessionKey,
    settings: { locale: 'auto', stripMentions },
    replies: { read: options.replies?.read ?? (async () => undefined) },
    notice: async (target, text) => void notices.push([target, text]),
    clock,
    events,
    logger,
  });
  const { recover, resume, steering } = turns;
  const router = { receive, revise, recover, resume, steering };
  const bodies = (): readonly string[] => runs.map(({ ctx }) => ctx.rawBody);
  /** Receives and waits until it was worked off. */
  const workOff = async (message: MsgContext): Promise<Receipt> => {
    const receipt = await router.receive(message);
    if (receipt.outcome === 'accepted') await receipt.settled;
    return receipt;
  };
  const rows = () => storage.db.selectFrom('inbox').selectAll().orderBy('id').execute();
  const activeRuns = () => lanes.status().find(({ laneId }) => laneId === 'main')?.active;
  return {
    asked,
    givenUp,
    dead,
    storage,
    inbox,
    changes,
    clock,
    queue,
    router,
    runs,
    notices,
    emitted,
    logged,
    bodies,
    workOff,
    rows,
    activeRuns,
  };
};

/** A run that waits for the test: what it got, and how to end it. */
export const held = () => {
  const started = Promise.withResolvers<Run>();
  const gate = Promise.withResolvers<ProcessOutcome>();
  const process = (run: Run): Promise<ProcessOutcome> => {
    started.resolve(run);
    return gate.promise;
  };
  return {
    process,
    started: started.promise,
    end: (outcome: ProcessOutcome = DONE) => gate.resolve(outcome),
  };
};

/** `recover` promises nothing about the end of the work, so a test looks for it. */
export const queueIsEmpty = async (queue: MessageQueue): Promise<void> => {
  await expect.poll(() => queue.sessionCount, { interval: 1 }).toBe(0);
};

/** Waits until what was accepted has been worked off. */
export const workedOff = async (receipts: readonly Receipt[]): Promise<void> => {
  for (const receipt of receipts) if (receipt.outcome === 'accepted') await receipt.settled;
};
