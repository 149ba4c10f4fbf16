import { createCommands } from '#commands/index.ts';
import { createEngine } from './agent/engine.ts';
import { lockDataDir } from './agent/session/lock-data-dir.ts';
import { createTranscriptStore } from './agent/session/transcript-store.ts';
import { createApprovals } from './agent/tools/approvals.ts';
import { createGeneralTools } from './agent/tools/general/index.ts';
import { openToolbox } from './agent/toolbox.ts';
import type { Config } from './config/config.ts';
import type { ChannelHost, ChannelPlugin } from './core/channel.ts';
import { FinClawError } from './core/errors.ts';
import { createFinanceContextProvider } from './finance/context-provider.ts';
import { createMarketHours } from './finance/calendar.ts';
import { createQuotes } from './finance/market/quotes.ts';
import { createSampleSource } from './finance/market/sample-source.ts';
import { SAMPLE_INSTRUMENTS } from './finance/market/sample-instruments.ts';
import { createQuoteLookup } from './finance/quote-lookup.ts';
import { createSymbolSearch } from './finance/symbols.ts';
import { createFinanceTools } from './finance/tools/index.ts';
import { defaultBinding } from './gateway/binding.ts';
import { composeGates } from './gateway/compose-gates.ts';
import { createGates } from './gateway/gates/index.ts';
import { MessageQueue } from './gateway/message-queue.ts';
import { MessageRouter } from './gateway/message-router.ts';
import type { Clock } from './infra/clock.ts';
import { ConcurrencyLaneManager } from './infra/concurrency-lane.ts';
import { Dedupe } from './infra/dedupe.ts';
import { createEvents } from './infra/events.ts';
import { type HealthServer, startHealthServer } from './infra/health-server.ts';
import { createHooks } from './infra/hook-runner.ts';
import { type FinClawLogger, logEvents } from './infra/logger.ts';
import { createCommandRegistry } from './pipeline/command-registry.ts';
import { createDelivery } from './pipeline/delivery.ts';
import { normalizeText } from './pipeline/normalize-text.ts';
import { createNotifier } from './pipeline/notifier.ts';
import { DefaultPipelineObserver } from './pipeline/observer.ts';
import { AutoReplyPipeline } from './pipeline/pipeline.ts';
import { createReach } from './pipeline/reach-person.ts';
import { normalize } from './pipeline/stages/1-normalize.ts';
import { command } from './pipeline/stages/2-command.ts';
import { ack } from './pipeline/stages/3-ack.ts';
import { context } from './pipeline/stages/4-context.ts';
import { execute } from './pipeline/stages/5-execute.ts';
import { deliver } from './pipeline/stages/6-deliver.ts';
import { createApprovalStore } from './storage/approvals.ts';
import { ensureDataDir, openStorage } from './storage/database.ts';
import { createInbox } from './storage/inbox.ts';
import { createNotificationStore } from './storage/notifications.ts';
import { createOutbox } from './storage/outbox.ts';
import { createProfiles } from './storage/profiles.ts';
import { createTurns } from './storage/turns.ts';

export interface AppDeps {
  readonly version: string;
  readonly channels: readonly ChannelPlugin[];
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

export interface App {
  /** Takes up unfinished messages and begins to receive. When it throws, everything is closed again. */
  readonly start: () => Promise<void>;
  /** Stops receiving, lets running answers end (10 s), parks the rest, closes everything. Safe to call twice. */
  readonly stop: () => Promise<void>;
  /** Resolves when the app has stopped, whoever asked for it. */
  readonly stopped: Promise<void>;
}

const DRAIN_MS = 10_000;
const DUPLICATE_MEMORY_MS = 15 * 60_000;

const MINUTE_MS = 60_000;

/** Puts the program together; what was opened is closed again when that fails. */
export const createApp = async (config: Config, deps: AppDeps): Promise<App> => {
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(config, deps, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

/** From top to bottom it is the life of a message, told from the far end. */
const assemble = async (
  config: Config,
  { version, channels, clock, logger }: AppDeps,
  opened: AsyncDisposableStack,
): Promise<App> => {
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);
  ensureDataDir(config.dataDir);
  opened.defer(await lockDataDir(config.dataDir, events));
  const storage = await openStorage(config);
  opened.defer(storage.close);
  const inbox = createInbox(storage.db);
  const outbox = createOutbox(storage.db);
  const profiles = createProfiles(storage.db, clock);
  const notifications = createNotificationStore(storage.db);
  const lanes = new ConcurrencyLaneManager(clock);
  const hooks = createHooks(logger, clock);

  // People: what is said to them beside the answers, and what they decide.
  const channelOf = (id: string): ChannelPlugin => {
    const channel = channels.find((candidate) => candidate.id === id);
    if (!channel) throw new FinClawError(`There is no channel ${id}`, 'CHANNEL_UNKNOWN');
    return channel;
  };
  const reach = createReach({ channelOf, clock, logger });
  const notifier = createNotifier({ store: notifications, channelOf, clock, events, logger });
  const approvals = createApprovals({
    store: createApprovalStore(storage.db),
    settings: {
      approvers: config.approvals.approvers,
      expiresMs: config.approvals.expiresMinutes * MINUTE_MS,
    },
    ask: reach.ask,
    close: reach.close,
    tell: reach.tell,
    resume: (inboxId) => router.resume(inboxId),
    clock,
    events,
    logger,
  });

  // Markets: what tools, commands and the context know.
  const hours = createMarketHours();
  const symbols = createSymbolSearch(SAMPLE_INSTRUMENTS);
  const quotes = createQuotes({ sources: [createSampleSource()], logger });
  const lookUpQuotes = createQuoteLookup({ quotes, symbols });

  // The agent: tools, skills, the model, and the loop between them.
  const toolbox = await openToolbox({
    settings: { ...config.tools, plugins: config.plugins, skillDirectories: config.skillDirectories },
    dataDir: config.dataDir,
    approvals,
    hooks,
    clock,
    events,
    logger,
  });
  opened.defer(toolbox.skills.stop);
  const transcripts = createTranscriptStore(config.dataDir, clock, logger, events);
  const engine = await createEngine({
    settings: config.engine,
    dataDir: config.dataDir,
    locale: config.locale,
    storage,
    transcripts,
    tools: toolbox.registry,
    skills: toolbox.skills,
    profiles,
    hooks,
    symbols,
    clock,
    events,
    logger,
  });
  const generalTools = createGeneralTools({
    clock,
    version,
    database: config.databaseUrl ? 'PostgreSQL' : 'SQLite',
    load: () => ({ lanes: lanes.status() }),
    models: engine.models,
    timeZone: config.timeZone,
    usage: engine.usage,
    conversation: engine.conversations.summary,
    reminders: async (channelId, userId) =>
      (await notifications.pendingOf(channelId, userId)).map(({ payload, dueAt }) => ({
        text: payload.text,
        at: dueAt,
      })),
    notifier,
    directTarget: ({ target, chatType }) => reach.directTarget(target, chatType),
  });
  await toolbox.furnish([...createFinanceTools({ lookUpQuotes }), ...generalTools]);

  // The pipeline: from an accepted message to its answer.
  const queue = new MessageQueue(config.queue.maxPerSession);
  const registry = createCommandRegistry(
    createCommands({
      listCommands: () => registry.list(),
      lookUpQuotes,
      symbols,
      queue,
      conversations: engine.conversations,
      approvals,
      profiles,
      toolPolicies: toolbox.policies,
      models: engine.models,
      usage: engine.usage,
      keys: engine.keys,
    }),
  );
  const delivery = createDelivery({
    outbox,
    maxResponseLength: config.pipeline.maxResponseLength,
    clock,
    events,
  });
  const financeContextProvider = createFinanceContextProvider({ hours, clock });
  const pipeline = new AutoReplyPipeline({
    stages: [
      normalize(),
      command({ registry, delivery, clock }),
      ack({ enableAck: config.pipeline.enableAck }),
      context({ financeContextProvider, clock, logger }),
      execute({ adapter: engine.adapter }),
      deliver({ delivery }),
    ],
    delivery,
    channelOf,
    observer: new DefaultPipelineObserver(events),
    hooks,
    isBegun: createTurns(storage.db).isBegun,
    timeoutMs: config.pipeline.timeoutSeconds * 1_000,
    clock,
    logger,
  });

  // The gateway: from a platform's event to an accepted message.
  const { promise: whenReady, resolve: onReady } = Promise.withResolvers<boolean>();
  const router: MessageRouter = new MessageRouter({
    gates: composeGates(createGates({ ...config.gates, locale: config.locale })),
    inbox,
    recentEvents: new Dedupe(clock, DUPLICATE_MEMORY_MS),
    matchBinding: defaultBinding,
    queue,
    lanes,
    settings: {
      admins: config.admins,
      locale: config.locale,
      timeZone: config.timeZone,
      maxPerSession: config.queue.maxPerSession,
    },
    isCommand: (body) => {
      const parsed = registry.parse(normalizeText(body).normalizedBody);
      return parsed !== null && registry.get(parsed.name) !== undefined;
    },
    notice: reach.tell,
    profiles,
    approvals,
    whenReady,
    onProcess: pipeline.process,
    clock,
    events,
    logger,
  });

  const startHealth = async (port: number): Promise<HealthServer> =>
    startHealthServer({
      port,
      load: () => ({ lanes: lanes.status() }),
      readiness: {
        database: storage.checkWritable,
        channels: async () => {
          if (!channels.every((channel) => channel.isConnected())) throw new Error('not connected');
        },
      },
    });

  // The end: what one part cannot close must not keep the others open.
  let health: HealthServer | undefined;
  const { promise: stopped, resolve: onStopped } = Promise.withResolvers<void>();
  const closing = async (what: string, action: () => Promise<void> | undefined): Promise<void> => {
    try {
      await action();
    } catch (error) {
      logger.error(`${what} could not be closed`, { error });
    }
  };
  const shutDown = async (): Promise<void> => {
    onReady(false);
    approvals.stop();
    await Promise.all([
      closing('The notifier', notifier.stop),
      ...channels.map((channel) => closing(channel.id, channel.stop)),
    ]);
    const deadline = new Promise<void>((resolve) => void clock.after(DRAIN_MS, resolve));
    await Promise.race([queue.drain(), deadline]);
    await queue.abortAll();
    await Promise.all(channels.map((channel) => closing(channel.id, channel.close)));
    await closing('The health server', () => health?.close());
    await closing('The data', () => opened.disposeAsync());
    onStopped();
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= shutDown());

  return {
    start: async () => {
      const host: ChannelHost = {
        receive: router.receive,
        queue,
        keys: engine.keys,
        approvals,
        describeModel: engine.describeDefault,
        requestShutdown: () => void stop(),
      };
      try {
        if (config.httpPort) health = await startHealth(config.httpPort);
        await router.recover((message) => channels.some((channel) => channel.id === message.channelId));
        await Promise.all(channels.map((channel) => channel.start(host)));
        onReady(true);
        await approvals.start();
        await notifier.start();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    stopped,
  };
};
