import { callProgress } from './agent/tools/call-progress.ts';
import type { GeneralToolDeps } from './agent/tools/general/index.ts';
import { createCommandRegistry } from './chat/commands/command-registry.ts';
import { openGateway } from './chat/intake/gateway.ts';
import { openPipeline } from './chat/pipeline/open-pipeline.ts';
import { createRecentRuns } from './chat/pipeline/recent-runs.ts';
import { openTurns } from './chat/queue/turns.ts';
import type { ChannelPlugin } from './kernel/channel/channel.ts';
import type { LogLine } from './kernel/operations/log.ts';
import type { Build } from './platform/build.ts';
import type { ChannelDefinition } from './platform/channel-definition.ts';
import type { Config } from './platform/config/config.ts';
import type { Uses } from '#src/platform/services.ts';
import { openAgent } from './wiring/agent.ts';
import { loggingAs, openBase, openEvents } from './wiring/base.ts';
import { openCommands } from './wiring/commands.ts';
import { openEngine } from './wiring/engine.ts';
import { openFinance } from './wiring/finance.ts';
import { openHost } from './wiring/host.ts';
import { type App, createLifecycle } from './wiring/lifecycle.ts';
import { openOperations } from './wiring/operations.ts';
import { openPeople } from './wiring/people.ts';
import { openPlugins } from './wiring/plugins.ts';
import { openRetention } from './wiring/retention.ts';
import { requireStart } from './wiring/start-checks.ts';
import { servicesOf } from './wiring/services.ts';

export interface AppDeps extends Build, Uses<'clock' | 'logger'> {
  /** Every platform that the program knows, on or off. */
  readonly platforms: readonly Pick<ChannelDefinition, 'id' | 'markup' | 'listensAt' | 'commandNames'>[];
  readonly channels: readonly ChannelPlugin[];
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
  const events = await openEvents(config, host, opened);
  const plugins = await openPlugins(config, { ...host, events, logger: host.logger.named('plugins') });
  // Nothing is written before all is known to be right.
  await requireStart(config, { ...host, plugins: async () => plugins, channels: host.platforms });
  const base = await openBase(config, { ...host, events, hooks: plugins.hooks }, opened);
  const people = await openPeople(config, host, base, opened);

  // An accepted message waits for its turn in the queue of its conversation.
  const registry = createCommandRegistry([], config.pipeline.commandPrefix, people.normalizeText);
  const turns = await openTurns({ ...loggingAs(base, 'queue'), ...people, ...registry, settings: config });

  // The agent answers with models that call tools. Features bring the tools for markets and for account data.
  const agent = await openAgent(config, { base, people, plugins, turns }, opened);
  const features = openFinance(config, { base, people, agent, engine: () => engine }, opened);
  const engine = await openEngine(config, { ...host, base, people, plugins, turns, agent, features });

  // A platform's event passes the gates of the gateway and becomes an accepted message.
  const gateway = openGateway({
    ...loggingAs(base, 'intake'),
    ...people,
    settings: config,
    platforms: host.platforms.map(({ id }) => id),
    turns,
    approvals: agent.approvals,
    marketHours: features.hours,
    budget: engine.budget,
    notice: people.messenger.tell,
  });

  // Commands read and change all of these parts.
  const parts = { ...host, base, people, plugins, turns, agent, features, engine, gateway, registry };
  const { retention, accountData } = openRetention(config, { ...parts, base: loggingAs(base, 'storage') });
  const operations = await openOperations(config, parts, opened);
  const recentRuns = createRecentRuns(base.clock);
  openCommands(config, { ...parts, accountData, operations, recentRuns: recentRuns.runs });

  // The six stages of the pipeline turn an accepted message into a delivered answer.
  const pipeline = openPipeline({
    ...loggingAs(base, 'pipeline'),
    ...people,
    ...features,
    ...engine,
    ...gateway,
    settings: config,
    registry,
    approvals: agent.approvals,
    describeTool: callProgress(agent.toolbox.registry),
    recentRuns: recentRuns.observer,
  });
  turns.onTurn({ process: pipeline.process, approvals: agent.approvals, actOnReply: gateway.actOnReply });

  // Everything starts in order, and stops when the process is asked to.
  return createLifecycle({
    ...base,
    channels: host.channels,
    host: openHost(config, { ...parts, operations }),
    startHealth: operations.startHealth,
    recover: () => turns.recover(({ channelId }) => base.channelIds.includes(channelId)),
    onReady: turns.onReady,
    services: servicesOf(config, { ...parts, retention }),
    queue: turns.ending,
    dispose: () => opened.disposeAsync(),
  });
};
