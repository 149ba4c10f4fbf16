import { createDailyBytes } from '#src/platform/files/daily-bytes.ts';
import { createStoredBytes } from '#src/chat/store/stored-bytes.ts';
import { createMediaMemory } from '#src/platform/files/media-memory.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { help } from '#commands/chat/help.ts';
import { quotes } from '#src/features/quotes/index.ts';
import { profile } from '#commands/account/profile.ts';
import { createApprovals } from '#src/agent/tools/approvals.ts';
import { createBudget } from '#src/agent/usage/budget.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import { asId, type ChannelId, type MessageId } from '#src/kernel/ids.ts';
import { openFeatures } from '#src/features/open/open-features.ts';
import { createBindingMatcher } from '#src/chat/intake/binding.ts';
import { composeGates, createGates } from '#src/chat/gates/index.ts';
import { MessageRouter } from '#src/chat/intake/message-router.ts';
import { systemClock as clock } from '#src/platform/concurrency/clock.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import { createEvents } from '#src/platform/events.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { logEvents } from '#src/platform/logging/log-events.ts';
import { createAttachQuotes } from '#src/chat/delivery/attach-quotes.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { createDelivery, type PrivacyNote } from '#src/chat/delivery/delivery.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { markup, normalizeText, stripMentions } from '#test/support/markup.ts';
import { combineObservers, createEventObserver } from '#src/chat/pipeline/observer.ts';
import { AutoReplyPipeline } from '#src/chat/pipeline/pipeline.ts';
import { createRecentRuns } from '#src/chat/pipeline/recent-runs.ts';
import { normalize } from '#src/chat/pipeline/1-normalize.ts';
import { command } from '#src/chat/pipeline/2-command.ts';
import { ack } from '#src/chat/pipeline/3-ack.ts';
import { context } from '#src/chat/pipeline/4-context.ts';
import { execute } from '#src/chat/pipeline/5-execute.ts';
import { deliver } from '#src/chat/pipeline/6-deliver.ts';
import { createApprovalStore } from '#src/chat/store/approvals.ts';
import { createAwaitedInputs } from '#src/chat/store/awaited-inputs.ts';
import { createBudgetLedger } from '#src/agent/store/budget-ledger.ts';
import { createConversationTraces } from '#src/chat/store/conversation-traces.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { openStorage, type Storage } from '#src/platform/storage/database.ts';
import { createDeadLetters } from '#src/chat/store/dead-letters.ts';
import { createPostgresWrite } from '#src/platform/storage/postgres.ts';
import { createPairings } from '#src/people/store/pairings.ts';
import { createPrivacyNotes } from '#src/people/store/privacy-notes.ts';
import { createProfiles } from '#src/people/store/profiles.ts';
import { createQueueModeStore } from '#src/chat/store/queue-modes.ts';
import { MessageQueue } from '#src/chat/queue/message-queue.ts';
import { openQueueModes } from '#src/chat/queue/queue-modes.ts';
import { createCommandReader } from '#src/chat/context/read-command.ts';
import { deriveSessionKey } from '#src/chat/context/session-key.ts';
import type { TurnHandler } from '#src/chat/queue/turn-worker.ts';
import { createTurns } from '#src/chat/queue/turns.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { durableStores, memoryStores } from './gateway-stores.ts';
import { instantAdapter, openOfflineAdapter } from './offline-adapter.ts';

export interface GatewayKind {
  /** Where accepted messages, answers and turns are kept. */
  readonly stores: 'memory' | 'SQLite';
  readonly model: 'offline' | 'instant';
  /** What every commit takes longer. */
  readonly commitDelayMs?: number;
  readonly isCommitShared?: boolean;
}

export interface BenchGateway {
  readonly receive: ChannelHost['receive'];
  /** So far. */
  readonly commits: () => number;
  readonly close: () => Promise<void>;
}

export const BENCH_CHANNEL = asId<ChannelId>('bench');

/** A platform that takes everything at once. */
const createBenchChannel = (): ChannelPlugin => {
  let sent = 0;
  return {
    id: BENCH_CHANNEL,
    capabilities: { maxMessageLength: 2_000, supportsMarkdown: true, supportsTables: false },
    start: async () => undefined,
    stop: async () => undefined,
    close: async () => undefined,
    isConnected: () => true,
    send: async () => {
      sent += 1;
      return { messageId: asId<MessageId>(`sent-${sent}`) };
    },
    addReaction: async () => undefined,
    removeReaction: async () => undefined,
    sendTyping: async () => undefined,
  };
};

const privacyNoteOf = (storage: Storage): PrivacyNote => {
  const notes = createPrivacyNotes(storage);
  return {
    release: () => undefined,
    claim: async ({ channelId, senderId }) => !(await notes.isTold(channelId, senderId)),
    text: ({ locale }) => privacyTexts(locale).note({ days: 90 }),
    record:
      ({ channelId, senderId }, at) =>
      async (tx) => {
        await notes.tell(tx, channelId, senderId, at);
      },
  };
};

const silent = async (): Promise<void> => undefined;

/** A commit waits for the disk with the whole process, so this does the same. */
const blockFor = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** The router and the pipeline as the app puts them together, with stores and a model of one's choice. */
export const openBenchGateway = async (kind: GatewayKind): Promise<BenchGateway> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-bench-'));
  const config = loadConfig({ FINCLAW_DATA_DIR: dataDir, FINCLAW_MARKET: 'sample' }, dataDir, CHANNELS);
  const logger = createLogger({ level: 'info', pretty: false, secrets: [], write: () => undefined });
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);
  let commits = 0;
  const { commitDelayMs = 0 } = kind;
  const beforeCommit = (): void => {
    commits += 1;
    blockFor(commitDelayMs);
  };
  const opened = await openStorage({
    dataDir,
    schema: SCHEMA,
    ...(commitDelayMs > 0 ? { beforeCommit } : {}),
  });
  const storage =
    (kind.isCommitShared ?? true)
      ? opened
      : { ...opened, write: createPostgresWrite(opened.db, opened.fences) };
  const isDurable = kind.stores === 'SQLite';
  const stores = isDurable ? durableStores(storage) : memoryStores(storage);

  const files = createSentFiles({ dataDir, clock });
  const channel = createBenchChannel();
  const channelOf = (): ChannelPlugin => channel;
  const hooks = createHooks(logger, clock);
  const profiles = createProfiles(storage, clock);
  const finance = openFeatures({
    settings: { mode: 'sample', hasLiveSetup: false },
    personal: personalDepsOn(storage, clock),
    files,
    clock,
    logger,
  });
  const { symbols, markets, hours: marketHours } = finance;
  const registry = createCommandRegistry([
    quotes.command.create({ markets, symbols }),
    help({ listCommands: () => registry.list() }),
    profile({ profiles, zones: finance.personal.zones }),
  ]);
  const shared = { storage, profiles, hooks, symbols, markets, clock, events, logger };

  const matchBinding = createBindingMatcher([], []);
  const settings = {
    admins: config.admins,
    locale: config.locale,
    timeZone: config.timeZone,
    readable: normalizeText,
    stripMentions,
    maxPerSession: config.queue.maxPerSession,
  };
  const commandOf = createCommandReader(registry.commandIn);
  const guildSettings = { of: () => ({}), revision: () => 0 };
  const queue = new MessageQueue(
    {
      maxPerSession: settings.maxPerSession,
      maxPerPerson: config.queue.maxPerPerson,
      maxTurnChars: config.gates.maxMessageChars,
    },
    clock,
  );
  const turns = createTurns({
    inbox: stores.inbox,
    changes: stores.changes,
    deadLetters: createDeadLetters(storage),
    queue,
    modes: await openQueueModes(
      createQueueModeStore(storage),
      { ...config.queue, agents: config.agents },
      clock,
      guildSettings,
    ),
    lanes: new ConcurrencyLaneManager(clock),
    settings,
    commandOf,
    profiles,
    clock,
    events,
    logger,
  });
  const delivery = createDelivery({
    outbox: stores.outbox,
    files,
    privacyNote: privacyNoteOf(storage),
    maxResponseLength: config.pipeline.maxResponseLength,
    clock,
    events,
  });
  const engine =
    kind.model === 'offline'
      ? await openOfflineAdapter({
          ...shared,
          config,
          turns: stores.turns,
          steering: turns.steering,
        })
      : { adapter: instantAdapter, close: async () => undefined };
  const signs = { enableAck: true };
  const pipeline = new AutoReplyPipeline({
    stages: [
      normalize(normalizeText),
      command({ registry, delivery, clock, ack: signs }),
      ack(signs),
      context({
        ...shared,
        registry,
        markup,
        financeContextProvider: finance.contextProvider,
        openingOf: async () => undefined,
        media: createMediaMemory(),
        storedToday: { takePicture: async () => true },
      }),
      execute({
        adapter: engine.adapter,
        awaitInput: async () => undefined,
        budget: { used: async () => undefined },
        attachQuotes: createAttachQuotes(shared),
        logger,
      }),
      deliver({ delivery, feedback: { mode: 'off', channels: {} } }),
    ],
    delivery,
    channelOf,
    observer: combineObservers(
      (error) => logger.error('An observer of the pipeline failed', { error }),
      createEventObserver(events, logger),
      createRecentRuns(clock).observer,
    ),
    hooks,
    isBegun: stores.turns.isBegun,
    receiptsOf: async () => [],
    timeoutMs: config.pipeline.timeoutSeconds * 1_000,
    clock,
    logger,
  });

  const approvals: TurnHandler['approvals'] = isDurable
    ? createApprovals({
        store: createApprovalStore(storage),
        settings: config.approvals,
        ask: async () => undefined,
        close: silent,
        tell: silent,
        resume: silent,
        closeTurn: async () => [],
        isExclusive: true,
        clock,
        events,
        logger,
      })
    : { askAbout: silent, askAgain: silent, giveUp: async () => 0 };
  const budget = createBudget({
    ledger: createBudgetLedger(storage, () => ''),
    isExclusive: true,
    clock,
    logger,
    timeZone: config.timeZone,
  });
  const gates = createGates({
    storedToday: createDailyBytes({ clock, storedBytes: createStoredBytes(storage.db) }),
    ...config.gates,
    isReceivedElsewhere: () => false,
    ...config.pipeline,
    ...settings,
    pairings: createPairings(storage, clock),
    awaitedInputs: createAwaitedInputs(storage, clock),
    traces: createConversationTraces(storage.db),
    sessionKeyOf: (message) => deriveSessionKey(matchBinding(message).agentId, message),
    isExpected: async () => false,
    isAside: async () => false,
    budget: { check: async (...who) => ((await budget.check(...who)).verdict === 'ok' ? 'ok' : 'total') },
    marketHours,
    commandOf,
    guildSettings,
    clock,
  });
  turns.onReady(true);
  turns.onTurn({
    process: pipeline.process,
    approvals,
    actOnReply: async () => ({ settled: Promise.resolve() }),
  });
  const router = new MessageRouter({
    gates: composeGates(gates),
    contentGates: composeGates([]),
    turns,
    recentEvents: new Dedupe(clock, 15 * 60_000),
    matchBinding,
    keyOf: deriveSessionKey,
    settings,
    replies: { read: async () => undefined },
    notice: silent,
    clock,
    events,
    logger,
  });
  return {
    receive: router.receive,
    commits: () => commits,
    close: async () => {
      await queue.drain();
      await engine.close();
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
