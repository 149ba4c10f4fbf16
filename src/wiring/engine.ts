import { createEngine, type Engine } from '../agent/engine.ts';
import { createGeneralTools, type GeneralToolDeps } from '../agent/tools/general/index.ts';
import { createExchanges } from '../chat/store/exchanges.ts';
import { createTurns } from '../chat/store/turns.ts';
import type { Config } from '../platform/config/config.ts';
import type { Agent, AgentParts } from './agent.ts';
import { loggingAs } from './base.ts';
import type { Finance } from './finance.ts';

interface EngineParts extends AgentParts {
  readonly web?: GeneralToolDeps['web'];
  readonly agent: Agent;
  readonly features: Finance;
}

/** What the program is put together from, for the parts that come after. */
export interface Parts extends EngineParts {
  readonly engine: Engine;
}

/** Opens the loop that calls models and tools, and registers the tools: ours first, then those of plugins. */
export const openEngine = async (
  config: Config,
  { web, people, plugins, turns, agent, features, ...parts }: EngineParts,
): Promise<Engine> => {
  const base = loggingAs(parts.base, 'models');
  const { transcripts, toolbox, models } = agent;
  const engine = await createEngine({
    ...base,
    settings: config.engine,
    turns: createTurns(base.storage),
    exchanges: createExchanges(base.storage),
    models,
    transcripts,
    executeTool: toolbox.execute,
    tools: toolbox.registry,
    readSentence: features.readSentence,
    steering: turns.steering,
    storedToday: people.storedToday,
  });
  const generalTools = createGeneralTools({
    clock: base.clock,
    version: base.version,
    database: base.isExclusive ? 'SQLite' : 'PostgreSQL',
    load: () => ({ lanes: base.lanes.status() }),
    timeZone: config.timeZone,
    models: engine.models,
    usage: engine.usage,
    conversation: engine.conversations.summary,
    reminders: people.reminders,
    alerts: features.personal.context.getActiveAlerts,
    notifier: people.notifier,
    directTarget: ({ target, chatType }) => people.messenger.directTarget(target, chatType),
    ...(web && { web }),
  });
  toolbox.registerTools([...features.tools, ...generalTools], plugins.tools);
  models.checkWindows();
  return engine;
};
