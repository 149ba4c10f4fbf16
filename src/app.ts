import { createCommands } from '#commands/index.ts';
import { callProgress } from './agent/tools/call-progress.ts';
import type { GeneralToolDeps } from './agent/tools/general/index.ts';
import { isChatAllowed, isDirectOpen } from './chat/intake/gates/allow-list.ts';
import { openGateway } from './chat/intake/gateway.ts';
import { liveModeOf } from './chat/reply/live-answers.ts';
import { replyWarmUps } from './chat/reply/warm-up.ts';
import { asksFeedback } from './chat/stages/6-deliver.ts';
import { createCommandRegistry } from './chat/stages/command-registry.ts';
import { createForms } from './chat/stages/forms.ts';
import { openPipeline } from './chat/stages/open-pipeline.ts';
import { createRecentRuns } from './chat/stages/recent-runs.ts';
import { createSuggest } from './chat/stages/suggest.ts';
import { isAdmin } from './chat/turns/admins.ts';
import { audienceOf } from './chat/turns/message-context.ts';
import { openTurns } from './chat/turns/turns.ts';
import { openBesideAnswers } from './features/beside-answers.ts';
import { createHome } from './features/home.ts';
import { openFeatures } from './features/open-features.ts';
import { FEATURE_TABLES } from './features/tables.ts';
import type { ChannelPlugin, FormSender } from './kernel/channel.ts';
import type { LogLine } from './kernel/log.ts';
import { type App, createLifecycle } from './lifecycle.ts';
import { openAgent, openEngine } from './open-agent.ts';
import { type Base, openBase } from './open-base.ts';
import { openOperations } from './open-operations.ts';
import { openPeople } from './open-people.ts';
import { openPlugins } from './open-plugins.ts';
import { openRetention } from './open-retention.ts';
import type { ChannelDefinition } from './platform/channel-definition.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { FinClawLogger } from './platform/logger.ts';
import { createWarmUp } from './warm-up.ts';

export interface AppDeps {
  readonly version: string;
  /** Every platform that the program knows, on or off. */
  readonly platforms: readonly Pick<ChannelDefinition, 'id' | 'markup'>[];
  readonly channels: readonly ChannelPlugin[];
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** The last log lines, for the operator page. */
  readonly log?: () => readonly LogLine[];
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

/**
 * Each part uses the parts above it. Three are completed later: the registry gets its commands, `turns.onTurn` says what
 * a turn does, and features read pictures with the engine.
 */
const assemble = async (config: Config, host: AppDeps, opened: AsyncDisposableStack): Promise<App> => {
  const { version, platforms, channels, web } = host;
  const base = await openBase(config, { ...host, tables: FEATURE_TABLES }, opened);
  const loggingAs = (name: string): Base => ({ ...base, logger: base.logger.named(name) });
  const people = await openPeople(config, host, loggingAs('delivery'), opened);
  const plugins = await openPlugins(config, loggingAs('plugins'));
  const { messenger, notifier, guildSettings } = people;

  // An accepted message waits for its turn in the queue of its conversation.
  const registry = createCommandRegistry([], config.pipeline.commandPrefix, people.normalizeText);
  const { commandIn, list: listCommands } = registry;
  const turns = await openTurns({ ...loggingAs('queue'), ...people, settings: config, commandIn });

  // The agent answers with models that call tools. Features bring the tools for markets and for account data.
  const agent = await openAgent(config, { base: loggingAs('agent'), people, plugins, turns }, opened);
  const { approvals, toolbox, models } = agent;
  const features = openFeatures({
    ...loggingAs('market'),
    settings: config.market,
    hasLiveModel: () => !models.describeDefault().isOffline,
    showsSparklines: (channelId) => people.channelOf(channelId).capabilities.showsSparklines === true,
    personal: {
      ...people,
      settings: config,
      lanes: base.lanes,
      leads: base.cluster?.isLeading,
      sharedPlans: base.cluster?.shareSettings('alerts and briefings'),
      wake: notifier.wake,
      readPicture: (task, signal) => engine.readPicture(task, signal),
      directTarget: ({ target, isDirect }) => messenger.directTarget(target, isDirect ? 'direct' : 'channel'),
    },
  });
  opened.defer(features.stop);
  const { symbols, markets, personal } = features;
  const engine = await openEngine(config, {
    version,
    web,
    base: loggingAs('models'),
    people,
    plugins,
    turns,
    agent,
    features,
  });

  const { feedback, welcome } = openBesideAnswers({
    ...loggingAs('delivery'),
    profiles: people.profiles,
    wake: notifier.wake,
    welcome: config.welcome
      ? {
          ...config,
          answersIn: (chat) => isChatAllowed(config.gates.allow, chat),
          isOpenToAll: isDirectOpen(config.gates),
        }
      : undefined,
  });

  // A platform's event passes the gates of the gateway and becomes an accepted message.
  const gateway = openGateway({
    ...loggingAs('intake'),
    settings: config,
    platforms: platforms.map(({ id }) => id),
    context: people.context,
    turns,
    isReceivedElsewhere: (channelId) => base.cluster?.processes.isReceivedBySeveral(channelId) ?? false,
    marketHours: features.hours,
    approvals,
    budget: engine.budget,
    guildSettings,
    notice: messenger.tell,
    numbersChoices: (channelId) => people.channelOf(channelId).capabilities.numbersChoices === true,
  });

  // Commands read and change all of these parts.
  const parts = { version, channels, base, people, plugins, turns, agent, features, engine };
  const { retention, accountData } = openRetention(config, { ...parts, base: loggingAs('storage') });
  const home = createHome({
    ...loggingAs('home'),
    ...people,
    ...personal,
    audienceOf: (reader, profile) => audienceOf(reader, people.context, profile),
    mayUse: (reader) => gateway.mayWriteDirectly({ ...reader, senderRoles: [] }),
  });
  const { status, startHealth } = openOperations(config, { ...parts, base: loggingAs('health') }, opened);
  const log = host.log ?? (() => []);
  const { operator } = config;
  const page =
    operator &&
    (await import('./open-operator.ts')).openOperatorPage(
      { ...config, operator },
      { ...parts, base: loggingAs('operator'), status, log },
      opened,
    );
  const recent = createRecentRuns(base.clock);
  const builtIn = createCommands({
    ...people,
    ...engine,
    ...personal,
    queue: turns.queue,
    modes: turns.modes,
    pairings: gateway.pairings,
    clock: base.clock,
    settings: config.effective,
    commandPrefix: config.pipeline.commandPrefix,
    listCommands,
    markets,
    symbols,
    directTarget: messenger.directTarget,
    tellAlone: messenger.tellAlone,
    audit: people.stores.audit,
    approvals,
    accountData: { ...accountData, erase: home.erasing(accountData.erase) },
    toolPolicies: toolbox.policies,
    recentRuns: recent.runs,
    feedback,
    status,
    dashboard: page?.dashboard,
    backups: base.backups,
  });
  for (const command of [...builtIn, ...plugins.commands]) registry.register(command);

  // The six stages of the pipeline turn an accepted message into a delivered answer.
  const pipeline = openPipeline({
    ...loggingAs('pipeline'),
    ...people,
    adapter: engine.adapter,
    openingOf: engine.openingOf,
    transcriber: engine.transcriber,
    answersRequest: gateway.answersRequest,
    approvals,
    settings: {
      ...config.pipeline,
      retentionDays: config.retentionDays,
      maxMessageChars: config.gates.maxMessageChars,
    },
    registry,
    financeContextProvider: features.contextProvider,
    markets,
    symbols,
    awaitInput: gateway.awaitInput,
    welcome,
    asksFeedback: (ctx) =>
      asksFeedback(config.feedback, ctx, people.channelOf(ctx.channelId).capabilities.feedbackMode),
    liveModeOf: (ctx) => {
      const { liveMode } = people.channelOf(ctx.channelId).capabilities;
      return liveModeOf(config.live, guildSettings.of(ctx.channelId, ctx.guildId), ctx, liveMode);
    },
    describeTool: callProgress(toolbox.registry),
    recentRuns: recent.observer,
  });
  turns.onTurn({ process: pipeline.process, approvals, actOnReply: gateway.actOnReply });

  const administers = (sender: FormSender): boolean => isAdmin(sender, config.admins);
  return createLifecycle({
    ...base,
    channels,
    host: {
      receive: gateway.receive,
      revise: gateway.revise,
      beginsConversation: gateway.beginsConversation,
      queue: turns.queue,
      keys: engine.keys,
      approvals,
      commands: listCommands,
      suggest: createSuggest({
        symbols,
        models: engine.models,
        ownItems: features.personal.ownItems,
        isAdmin: administers,
        listCommands,
        logger: base.logger.named('suggest'),
      }),
      forms: createForms({ ...loggingAs('forms'), registry, isAdmin: administers }),
      feedback,
      welcomes: welcome,
      home,
      progress: people.progress,
      describeModel: models.describeDefault,
      describeMarket: features.kind,
      others: base.cluster && {
        onlySends: config.role === 'worker',
        receiveInParts: base.cluster.receiveInParts,
        takeTurn: base.cluster.takeTurn,
        onJoined: base.cluster.processes.onJoined,
      },
    },
    startHealth: () => startHealth(page?.handle),
    recover: () => turns.recover(({ channelId }) => channels.some(({ id }) => id === channelId)),
    onReady: turns.onReady,
    services: [
      { name: 'approvals', ...approvals },
      // A gateway only receives.
      ...(config.role === 'gateway'
        ? []
        : [
            { name: 'notifier', ...notifier },
            { name: 'alerts and briefings', ...personal },
          ]),
      { name: 'retention', ...retention },
      { name: 'backups', ...base.backups },
      createWarmUp(
        [...base.warmUps, ...engine.warmUps, ...features.warmUps, ...replyWarmUps(channels)],
        base.logger.named('warm-up'),
      ),
    ],
    queue: turns.ending,
    dispose: () => opened.disposeAsync(),
  });
};
