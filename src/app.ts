import { createCommands } from '#commands/index.ts';
import { createEngine, type Engine, type EngineDeps } from './agent/engine.ts';
import { createTranscriptStore } from './agent/session/transcript-store.ts';
import { InMemoryToolRegistry } from './agent/tools/registry.ts';
import type { Config } from './config/config.ts';
import type { ChannelHost, ChannelPlugin } from './core/channel.ts';
import { FinClawError } from './core/errors.ts';
import type { DeliveryId } from './core/ids.ts';
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
import { newId } from './infra/ids.ts';
import { type FinClawLogger, logEvents } from './infra/logger.ts';
import { createCommandRegistry } from './pipeline/command-registry.ts';
import { createDelivery } from './pipeline/delivery.ts';
import { normalizeText } from './pipeline/normalize-text.ts';
import { DefaultPipelineObserver } from './pipeline/observer.ts';
import { AutoReplyPipeline } from './pipeline/pipeline.ts';
import { normalize } from './pipeline/stages/1-normalize.ts';
import { command } from './pipeline/stages/2-command.ts';
import { ack } from './pipeline/stages/3-ack.ts';
import { context } from './pipeline/stages/4-context.ts';
import { execute } from './pipeline/stages/5-execute.ts';
import { deliver } from './pipeline/stages/6-deliver.ts';
import { ensureDataDir, openStorage } from './storage/database.ts';
import { createInbox } from './storage/inbox.ts';
import { createOutbox } from './storage/outbox.ts';

export interface AppDeps {
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

/** A start that fails over a model or a key leaves nothing open. */
const openEngine = async (deps: EngineDeps): Promise<Engine> => {
  try {
    return await createEngine(deps);
  } catch (error) {
    await deps.storage.close();
    throw error;
  }
};

/** Puts the program together. From top to bottom it is the life of a message, told from the far end. */
export const createApp = async (config: Config, { channels, clock, logger }: AppDeps): Promise<App> => {
  ensureDataDir(config.dataDir);
  const storage = await openStorage(config);
  const inbox = createInbox(storage.db);
  const outbox = createOutbox(storage.db);
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);

  // Markets: what tools, commands and the context know.
  const hours = createMarketHours();
  const symbols = createSymbolSearch(SAMPLE_INSTRUMENTS);
  const quotes = createQuotes({ sources: [createSampleSource()], logger });
  const lookUpQuotes = createQuoteLookup({ quotes, symbols });

  // The agent: tools, the model, and the loop between them.
  const tools = new InMemoryToolRegistry(clock, events);
  for (const tool of createFinanceTools({ lookUpQuotes })) tools.register(tool, 'built-in');
  const transcripts = createTranscriptStore(config.dataDir, clock, logger);
  const engine = await openEngine({
    settings: config.engine,
    storage,
    transcripts,
    tools,
    symbols,
    clock,
    events,
    logger,
  });

  // The pipeline: from an accepted message to its answer.
  const queue = new MessageQueue(config.queue.maxPerSession);
  const registry = createCommandRegistry(
    createCommands({
      listCommands: () => registry.list(),
      lookUpQuotes,
      symbols,
      queue,
      conversations: { reset: transcripts.archive },
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
  const channelOf = (id: string): ChannelPlugin => {
    const channel = channels.find((candidate) => candidate.id === id);
    if (!channel) throw new FinClawError(`There is no channel ${id}`, 'CHANNEL_UNKNOWN');
    return channel;
  };
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
    timeoutMs: config.pipeline.timeoutSeconds * 1_000,
    clock,
    logger,
  });

  // The gateway: from a platform's event to an accepted message.
  const { promise: whenReady, resolve: onReady } = Promise.withResolvers<boolean>();
  const lanes = new ConcurrencyLaneManager(clock);
  const router = new MessageRouter({
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
    notice: async (target, text) => {
      try {
        const message = { deliveryId: newId<DeliveryId>(), target, payload: { text, ephemeral: true } };
        await channelOf(target.channelId).send(message, AbortSignal.timeout(DRAIN_MS));
      } catch (error) {
        logger.warn('A sender could not be told why a message was refused', { error });
      }
    },
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
    await Promise.all(channels.map((channel) => closing(channel.id, channel.stop)));
    const deadline = new Promise<void>((resolve) => void clock.after(DRAIN_MS, resolve));
    await Promise.race([queue.drain(), deadline]);
    await queue.abortAll();
    await Promise.all(channels.map((channel) => closing(channel.id, channel.close)));
    await closing('The health server', () => health?.close());
    await closing('The database', storage.close);
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
        describeModel: engine.describeDefault,
        requestShutdown: () => void stop(),
      };
      try {
        if (config.httpPort) health = await startHealth(config.httpPort);
        await router.recover((message) => channels.some((channel) => channel.id === message.channelId));
        await Promise.all(channels.map((channel) => channel.start(host)));
        onReady(true);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    stopped,
  };
};
