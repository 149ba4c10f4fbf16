import { createCommands } from '#commands/index.ts';
import { createEngine } from './agent/engine.ts';
import { openModels } from './agent/open-models.ts';
import { createCloseTurn, createTranscriptStore } from './agent/memory/transcript/transcript-store.ts';
import { openToolbox } from './agent/toolbox.ts';
import { createApprovals } from './agent/tools/approvals.ts';
import { callProgress } from './agent/tools/call-progress.ts';
import { createGeneralTools, type GeneralToolDeps } from './agent/tools/general/index.ts';
import type { Config } from './platform/config/config.ts';
import type { ChannelPlugin, FormSender } from './kernel/channel.ts';
import { createMarkupReader } from './kernel/platform-markup.ts';
import { openFeatures } from './features/open-features.ts';
import { FEATURE_TABLES } from './features/tables.ts';
import { openGateway } from './chat/intake/gateway.ts';
import type { ChannelDefinition } from './platform/channel-definition.ts';
import type { Clock } from './platform/clock.ts';
import type { FinClawLogger } from './platform/logger.ts';
import { type App, createLifecycle } from './lifecycle.ts';
import { openBase } from './open-base.ts';
import { openOperations } from './open-operations.ts';
import { openPeople } from './open-people.ts';
import { openPlugins } from './open-plugins.ts';
import { openRetention } from './open-retention.ts';
import { createCommandRegistry } from './chat/stages/command-registry.ts';
import { createForms } from './chat/stages/forms.ts';
import { liveModeOf } from './chat/reply/live-answers.ts';
import { createNormalizeText } from './chat/stages/1-normalize.ts';
import { openPipeline } from './chat/stages/open-pipeline.ts';
import { createRecentRuns } from './chat/stages/recent-runs.ts';
import { createSuggest } from './chat/stages/suggest.ts';
import { createApprovalStore } from './platform/storage/messages/approvals.ts';
import { createAccountReads } from './platform/storage/accounts/audit.ts';
import { isAdmin } from './chat/turns/admins.ts';
import { openTurns } from './chat/turns/turns.ts';

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

/** Puts the program together. When that fails, everything that was opened is closed again. */
export const createApp = async (config: Config, deps: AppDeps): Promise<App> => {
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(config, deps, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

/** Each part uses the parts above it. The one exception is `turns.onTurn`, which says what a turn does. */
const assemble = async (config: Config, host: AppDeps, opened: AsyncDisposableStack): Promise<App> => {
  const { version, platforms, channels } = host;
  const base = await openBase(config, { ...host, tables: FEATURE_TABLES }, opened);
  const { storage, lanes, clock, events, logger } = base;
  const markup = createMarkupReader(platforms.flatMap((platform) => platform.markup ?? []));
  const normalizeText = createNormalizeText(markup);
  const people = await openPeople(config, { channels, markup, normalizeText }, base, opened);
  const { messenger, notifier, profiles, guildSettings, context, stores } = people;
  const plugins = await openPlugins(config, base);

  // Turns: an accepted message waits in the queue of its conversation.
  const commands = createCommandRegistry([], config.pipeline.commandPrefix, normalizeText);
  const { commandIn, list: listCommands } = commands;
  const turns = await openTurns({ ...base, settings: config, context, guildSettings, profiles, commandIn });
  const { queue, modes } = turns;

  // The agent: tools under a policy, and the models that call them.
  const transcripts = createTranscriptStore(base.dataDir, clock, logger, events);
  const approvals = createApprovals({
    ...base,
    ...messenger,
    store: createApprovalStore(storage.db),
    settings: config.approvals,
    resume: turns.resume,
    closeTurn: createCloseTurn(transcripts),
  });
  const reads = createAccountReads({ ...base, audit: stores.audit });
  const toolbox = await openToolbox({ ...base, settings: config, approvals, reads });
  const { registry: tools, skills } = toolbox;
  opened.defer(skills.stop);
  const models = await openModels({
    ...base,
    settings: config.engine,
    pluginModels: plugins.models,
    tools,
    skills,
    profiles,
    locale: context.locale,
  });

  // Markets, and the portfolios, alerts and briefings of people.
  const finance = openFeatures({
    ...base,
    settings: config.market,
    hasLiveModel: () => !models.describeDefault().isOffline,
    personal: {
      ...people,
      settings: config,
      lanes,
      wake: notifier.wake,
      directTarget: ({ target, isDirect }) => messenger.directTarget(target, isDirect ? 'direct' : 'channel'),
    },
  });
  opened.defer(finance.stop);
  const { symbols, markets, personal } = finance;

  const engine = await createEngine({
    ...base,
    settings: config.engine,
    models,
    transcripts,
    executeTool: toolbox.execute,
    readSentence: finance.readSentence,
    steering: turns.steering,
  });
  const generalTools = createGeneralTools({
    clock,
    version,
    database: base.isExclusive ? 'SQLite' : 'PostgreSQL',
    load: () => ({ lanes: lanes.status() }),
    timeZone: config.timeZone,
    models: engine.models,
    usage: engine.usage,
    conversation: engine.conversations.summary,
    reminders: people.reminders,
    alerts: personal.context.getActiveAlerts,
    notifier,
    directTarget: ({ target, chatType }) => messenger.directTarget(target, chatType),
    ...(host.web && { web: host.web }),
  });
  toolbox.registerTools([...finance.tools, ...generalTools], plugins.tools);
  models.checkWindows();

  // The gateway: a platform's event passes the gates and becomes an accepted message.
  const gateway = openGateway({
    ...base,
    settings: config,
    platforms: platforms.map(({ id }) => id),
    context,
    turns,
    marketHours: finance.hours,
    approvals,
    budget: engine.budget,
    guildSettings,
    notice: messenger.tell,
  });

  // Commands, and what they show and change.
  const { retention, personalData } = openRetention({
    ...base,
    retentionDays: config.retentionDays,
    owners: stores.owners,
    purgeCharts: finance.purgeCharts,
    resetConversation: engine.conversations.reset,
    wake: notifier.wake,
    approvals,
    turns,
  });
  const { status, startHealth } = openOperations({
    ...base,
    version,
    httpPort: config.httpPort,
    channels,
    breakers: () => [...engine.breakers(), ...tools.breakers(), ...finance.breakers()],
    turns,
    plugins,
    defer: (close) => opened.defer(close),
  });
  const recent = createRecentRuns(clock);
  const builtIn = createCommands({
    ...people,
    ...engine,
    ...personal,
    listCommands,
    commandPrefix: config.pipeline.commandPrefix,
    markets,
    symbols,
    directTarget: messenger.directTarget,
    audit: stores.audit,
    queue,
    modes,
    markup,
    approvals,
    personalData,
    pairings: gateway.pairings,
    toolPolicies: toolbox.policies,
    recentRuns: recent.runs,
    status,
    settings: config.effective,
    clock,
  });
  for (const command of [...builtIn, ...plugins.commands]) commands.register(command);

  // The pipeline: a turn becomes an answer.
  const pipeline = openPipeline({
    ...base,
    settings: { ...config.pipeline, retentionDays: config.retentionDays },
    adapter: engine.adapter,
    openingOf: engine.openingOf,
    registry: commands,
    financeContextProvider: finance.contextProvider,
    markets,
    symbols,
    markup,
    normalizeText,
    awaitInput: gateway.awaitInput,
    liveModeOf: (ctx) => liveModeOf(config.live, guildSettings.of(ctx.channelId, ctx.guildId), ctx),
    describeTool: callProgress(tools),
    channelOf: people.channelOf,
    recentRuns: recent.observer,
  });
  turns.onTurn({ process: pipeline.process, approvals, actOnReply: gateway.actOnReply });

  const administers = (sender: FormSender): boolean => isAdmin(sender, config.admins);
  return createLifecycle({
    channels,
    host: {
      receive: gateway.receive,
      revise: gateway.revise,
      queue,
      keys: engine.keys,
      approvals,
      commands: listCommands,
      suggest: createSuggest({ symbols, models: engine.models, isAdmin: administers, listCommands }),
      forms: createForms({ registry: commands, isAdmin: administers, logger }),
      progress: people.progress,
      describeModel: models.describeDefault,
      describeMarket: finance.kind,
    },
    startHealth,
    recover: () => turns.recover(({ channelId }) => channels.some(({ id }) => id === channelId)),
    onReady: turns.onReady,
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
