import { createCommands } from '#commands/index.ts';
import { createEngine } from './agent/engine.ts';
import { lockDataDir } from './agent/session/lock-data-dir.ts';
import { createCloseTurn } from './agent/session/close-turn.ts';
import { createTranscriptStore } from './agent/session/transcript-store.ts';
import { openToolbox } from './agent/toolbox.ts';
import { createApprovals } from './agent/tools/approvals.ts';
import { callProgress } from './agent/tools/call-progress.ts';
import { createGeneralTools, type GeneralToolDeps } from './agent/tools/general/index.ts';
import { describeBudgets } from './config/budgets.ts';
import type { Config } from './config/config.ts';
import { laneSettings } from './config/lanes-config.ts';
import type { ChannelPlugin, FormSender } from './core/channel.ts';
import { FinClawError } from './core/errors.ts';
import type { GuildPlace } from './core/guild-settings.ts';
import type { Locale } from './core/i18n.ts';
import { createMarkupReader } from './core/platform-markup.ts';
import { openFinance } from './finance/open-finance.ts';
import { isAdmin } from './gateway/admins.ts';
import { type Gateway, openGateway } from './gateway/gateway.ts';
import type { ChannelDefinition } from './infra/channel-definition.ts';
import type { Clock } from './infra/clock.ts';
import { ConcurrencyLaneManager } from './infra/concurrency-lane.ts';
import { createEvents } from './infra/events.ts';
import { createHooks } from './infra/hook-runner.ts';
import { type FinClawLogger, logEvents } from './infra/logger.ts';
import { type App, createLifecycle } from './lifecycle.ts';
import { createCommandRegistry } from './pipeline/command-registry.ts';
import { openOperations } from './open-operations.ts';
import { openPlugins } from './open-plugins.ts';
import { openRetention } from './open-retention.ts';
import { liveModeOf } from './pipeline/live-mode.ts';
import { createMembershipCheck } from './pipeline/membership.ts';
import { createNormalizeText } from './pipeline/normalize-text.ts';
import { createNotifier } from './pipeline/notifier.ts';
import { openPipeline } from './pipeline/open-pipeline.ts';
import { createReach } from './pipeline/reach-person.ts';
import { createForms } from './pipeline/forms.ts';
import { createSuggest } from './pipeline/suggest.ts';
import { createApprovalStore } from './storage/approvals.ts';
import { createChannelProgress } from './storage/channel-progress.ts';
import { ensureDataDir, openStorage } from './storage/database.ts';
import { createGuildSettings } from './storage/guild-settings.ts';
import { createIdentities } from './storage/identities.ts';
import { createNotificationStore } from './storage/notifications.ts';
import { createPersonalReads } from './storage/audit.ts';
import { createPersonalStores } from './storage/personal-stores.ts';
import { createProfiles } from './storage/profiles.ts';

export interface AppDeps {
  readonly version: string;
  /** Every platform that the program knows, on or off. */
  readonly platforms: readonly Pick<ChannelDefinition, 'id' | 'markup'>[];
  readonly channels: readonly ChannelPlugin[];
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** How `fetch_url` finds servers. Default: on the public web only. */
  readonly web?: GeneralToolDeps['web'];
}

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
  { version, platforms, channels, clock, logger, web }: AppDeps,
  opened: AsyncDisposableStack,
): Promise<App> => {
  const events = createEvents((error) => logger.error('A listener failed', { error }));
  logEvents(events, logger);
  if (Object.keys(config.platforms).length > 0) logger.info(describeBudgets(config.engine));
  ensureDataDir(config.dataDir);
  opened.defer(await lockDataDir(config.dataDir, events));
  const storage = await openStorage({ ...config, secretKeys: config.engine.secretKeys });
  opened.defer(storage.close);
  const profiles = createProfiles(storage.db, clock);
  const stores = createPersonalStores(storage, clock, config.portfolio.maxEntries);
  const notifications = createNotificationStore(storage.db);
  const guildSettings = await createGuildSettings(storage, clock);
  /** What a server chose goes before what the operator configured. */
  const localeIn = ({ channelId, guildId }: GuildPlace): Locale | 'auto' =>
    guildSettings.of(channelId, guildId).locale ?? config.locale;
  const progress = createChannelProgress(storage, clock, logger);
  opened.defer(progress.stop);
  const lanes = new ConcurrencyLaneManager(clock, laneSettings(config));
  const hooks = createHooks(logger, clock);
  const markup = createMarkupReader(platforms.flatMap((platform) => platform.markup ?? []));
  const normalizeText = createNormalizeText(markup);

  // People: what is said to them beside the answers, and what they decide.
  const channelOf = (id: string): ChannelPlugin => {
    const channel = channels.find((candidate) => candidate.id === id);
    if (!channel) throw new FinClawError(`There is no channel ${id}`, 'CHANNEL_UNKNOWN');
    return channel;
  };
  const reach = createReach({ channelOf, clock, logger });
  const notifier = createNotifier({
    store: notifications,
    channelOf,
    isExclusive: config.databaseUrl === undefined,
    clock,
    events,
    logger,
  });
  const transcripts = createTranscriptStore(config.dataDir, clock, logger, events);
  const approvals = createApprovals({
    store: createApprovalStore(storage.db),
    settings: {
      approvers: config.approvals.approvers,
      expiresMs: config.approvals.expiresMinutes * MINUTE_MS,
    },
    ask: reach.ask,
    close: reach.close,
    tell: reach.tell,
    resume: (inboxId) => gateway.router.resume(inboxId),
    closeTurn: createCloseTurn(transcripts),
    clock,
    events,
    logger,
  });

  // Markets, and what people have in them: what tools, commands and the context know.
  const finance = openFinance({
    settings: config.market,
    isInEarnest: () => !engine.describeDefault().isOffline,
    personal: {
      stores,
      notifications,
      settings: { alerts: config.alerts, portfolio: config.portfolio },
      lanes,
      wake: notifier.wake,
      membership: createMembershipCheck({ channelOf, clock, logger }),
      directTarget: ({ target, isDirect }) => reach.directTarget(target, isDirect ? 'direct' : 'channel'),
      readMedia: async (channelId, media, maxBytes, signal) => {
        const { readMedia } = channelOf(channelId);
        if (!readMedia) throw new FinClawError(`${channelId} reads no files`, 'MEDIA_UNREADABLE');
        return readMedia(media, maxBytes, signal);
      },
    },
    dataDir: config.dataDir,
    clock,
    logger,
  });
  opened.defer(finance.stop);
  const { symbols, desk, personal } = finance;

  // The agent: tools, skills, the model, and the loop between them.
  const plugins = await openPlugins({
    paths: config.plugins,
    baseDir: config.dataDir,
    engine: config.engine,
    hooks,
    clock,
    events,
    logger,
  });
  const toolbox = await openToolbox({
    settings: {
      ...config.tools,
      agents: config.agents,
      skillDirectories: config.skillDirectories,
    },
    dataDir: config.dataDir,
    approvals,
    hooks,
    reads: createPersonalReads({ audit: stores.audit, clock, logger }),
    clock,
    events,
    logger,
  });
  opened.defer(toolbox.skills.stop);
  const engine = await createEngine({
    settings: config.engine,
    pluginModels: plugins.models,
    dataDir: config.dataDir,
    locale: localeIn,
    storage,
    isExclusive: config.databaseUrl === undefined,
    transcripts,
    tools: toolbox.registry,
    executeTool: toolbox.execute,
    skills: toolbox.skills,
    profiles,
    hooks,
    readSentence: finance.readSentence,
    steering: { take: (sessionKey, inboxId) => gateway.router.steering.take(sessionKey, inboxId) },
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
    alerts: personal.context.getActiveAlerts,
    notifier,
    directTarget: ({ target, chatType }) => reach.directTarget(target, chatType),
    ...(web && { web }),
  });
  toolbox.furnish([...finance.tools, ...generalTools], plugins.tools);
  engine.checkWindows();

  // What is kept, for how long, and what a person can have deleted.
  const { retention, personalData } = openRetention({
    dataDir: config.dataDir,
    retentionDays: config.retentionDays,
    storage,
    owners: stores.owners,
    purgeCharts: finance.purgeCharts,
    resetConversation: engine.conversations.reset,
    wake: notifier.wake,
    approvals,
    gateway: () => gateway,
    clock,
    events,
    logger,
  });
  const identities = createIdentities({ storage, ...stores, wake: notifier.wake, clock });

  // The gateway: from a platform's event to an accepted message, and to its turn.
  const { promise: whenReady, resolve: onReady } = Promise.withResolvers<boolean>();
  const gateway: Gateway = await openGateway({
    storage,
    settings: {
      gates: { ...config.gates, ...config.pipeline },
      queue: config.queue,
      agents: config.agents,
      bindings: config.bindings,
      platforms: platforms.map(({ id }) => id),
    },
    context: {
      admins: config.admins,
      locale: localeIn,
      timeZone: config.timeZone,
      isZoneConfigured: config.isZoneConfigured,
      zoneIn: ({ channelId, guildId }) => guildSettings.of(channelId, guildId).timeZone,
      readable: normalizeText,
      stripMentions: markup.stripMentions,
    },
    marketHours: finance.hours,
    guildSettings,
    budget: engine.budget,
    lanes,
    commandIn: (body) => registry.commandIn(body),
    notice: reach.tell,
    profiles,
    approvals,
    whenReady,
    onProcess: (ctx, match, signal, onAnswered) => pipeline.process(ctx, match, signal, onAnswered),
    clock,
    events,
    logger,
  });

  const { queue, modes, pairings } = gateway;

  // What administrators see of all this.
  const { status, startHealth } = openOperations({
    version,
    httpPort: config.httpPort,
    channels,
    storage,
    lanes,
    breakers: () => [...engine.breakers(), ...toolbox.registry.breakers(), ...finance.breakers()],
    gateway,
    plugins,
    defer: (close) => opened.defer(close),
    clock,
    events,
    logger,
  });

  // The pipeline: from an accepted message to its answer.
  const registry = createCommandRegistry(
    createCommands({
      listCommands: () => registry.list(),
      commandPrefix: config.pipeline.commandPrefix,
      desk,
      symbols,
      ...personal,
      identities,
      directTarget: reach.directTarget,
      audit: stores.audit,
      queue,
      modes,
      guildSettings,
      markup,
      conversations: engine.conversations,
      approvals,
      profiles,
      personalData,
      pairings,
      notifier,
      toolPolicies: toolbox.policies,
      recentRuns: { last: (sessionKey) => recentRuns.last(sessionKey) },
      models: engine.models,
      usage: engine.usage,
      keys: engine.keys,
      status,
      settings: config.effective,
      clock,
    }),
    config.pipeline.commandPrefix,
    normalizeText,
  );
  for (const command of plugins.commands) registry.register(command);
  const { pipeline, recentRuns } = openPipeline({
    settings: { ...config.pipeline, retentionDays: config.retentionDays },
    storage,
    adapter: engine.adapter,
    openingOf: engine.openingOf,
    registry,
    financeContextProvider: finance.contextProvider,
    desk,
    symbols,
    markup,
    normalizeText,
    awaitInput: gateway.awaitInput,
    liveModeOf: (ctx) => liveModeOf(config.live, guildSettings.of(ctx.channelId, ctx.guildId), ctx),
    describeTool: callProgress(toolbox.registry),
    channelOf,
    hooks,
    clock,
    events,
    logger,
  });

  const administers = (sender: FormSender): boolean => isAdmin(sender, config.admins);
  return createLifecycle({
    channels,
    host: {
      receive: gateway.router.receive,
      revise: gateway.router.revise,
      queue,
      keys: engine.keys,
      approvals,
      commands: registry.list,
      suggest: createSuggest({
        symbols,
        models: engine.models,
        isAdmin: administers,
        listCommands: registry.list,
      }),
      forms: createForms({ registry, isAdmin: administers, logger }),
      progress,
      describeModel: engine.describeDefault,
      describeMarket: finance.kind,
    },
    startHealth,
    recover: () =>
      gateway.router.recover((message) => channels.some((channel) => channel.id === message.channelId)),
    onReady,
    services: [
      { name: 'approvals', ...approvals },
      { name: 'notifier', ...notifier },
      { name: 'alerts and briefings', ...personal },
      { name: 'retention', ...retention },
    ],
    queue,
    dispose: () => opened.disposeAsync(),
    clock,
    logger,
  });
};
