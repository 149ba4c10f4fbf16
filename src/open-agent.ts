import { createEngine, type Engine } from './agent/engine.ts';
import { importSessionFiles } from './agent/memory/transcript/import-session-files.ts';
import { createCloseTurn, createTranscriptStore } from './agent/memory/transcript/transcript-store.ts';
import { openModels } from './agent/open-models.ts';
import { openToolbox } from './agent/toolbox.ts';
import { createApprovals } from './agent/tools/approvals.ts';
import { createGeneralTools, type GeneralToolDeps } from './agent/tools/general/index.ts';
import type { Turns } from './chat/turns/turns.ts';
import type { Features } from './features/open-features.ts';
import type { Base } from './open-base.ts';
import type { People } from './open-people.ts';
import type { Config } from './platform/config/config.ts';
import type { Plugins } from './platform/plugins/plugin-loader.ts';
import { createAccountReads } from './platform/storage/accounts/audit.ts';
import { createApprovalStore } from './platform/storage/messages/approvals.ts';
import { createTranscriptRows } from './platform/storage/messages/transcript-rows.ts';

interface AgentParts {
  readonly base: Base;
  readonly people: People;
  readonly plugins: Plugins;
  readonly turns: Turns;
}

/** Opens transcripts, approvals, the tools under their policy, and the models that may call them. */
export const openAgent = async (
  config: Config,
  { base, people, plugins, turns }: AgentParts,
  opened: AsyncDisposableStack,
) => {
  await importSessionFiles(base);
  const rows = createTranscriptRows(base.storage);
  const transcripts = createTranscriptStore(rows, base.clock, base.logger, base.events);
  const approvals = createApprovals({
    ...base,
    ...people.messenger,
    store: createApprovalStore(base.storage),
    settings: config.approvals,
    resume: turns.resume,
    closeTurn: createCloseTurn(transcripts),
  });
  const reads = createAccountReads({ ...base, audit: people.stores.audit });
  const toolbox = await openToolbox({ ...base, settings: config, approvals, reads });
  opened.defer(toolbox.skills.stop);
  const models = await openModels({
    ...base,
    settings: config.engine,
    pluginModels: plugins.models,
    tools: toolbox.registry,
    skills: toolbox.skills,
    profiles: people.profiles,
    locale: people.context.locale,
  });
  return { transcripts, approvals, toolbox, models };
};

export type Agent = Awaited<ReturnType<typeof openAgent>>;

interface EngineParts extends AgentParts {
  readonly version: string;
  readonly web: GeneralToolDeps['web'];
  readonly agent: Agent;
  readonly features: Features;
}

/** Words that are also names, and codes that are also words of the trade. */
const ORDINARY = new Set(
  '대상 전방 보통 달러 환율 EPS RSI PER PBR ROE ETF GDP CPI USD KRW IMF ISA'.split(' '),
);
const CODE = /^[A-Z]{3,5}$/u;
const MIN_LATIN_NAME = 4;

/** Whether a word is the name or the code of a company, a fund or a coin. Many short words are codes: `For`, `All`, `It`. */
const isInstrumentName = (name: string, symbols: Features['symbols']): boolean => {
  if (ORDINARY.has(name)) return false;
  const match = symbols.resolve(name);
  if (match.status !== 'found') return false;
  const { ticker, name: called } = match.instrument;
  if (ticker.toUpperCase() === name.toUpperCase()) return CODE.test(name);
  return name.length >= MIN_LATIN_NAME || !/^[a-z]/iu.test(name) || called.en.startsWith(name);
};

/** Opens the loop that calls models and tools, and registers the tools: ours first, then those of plugins. */
export const openEngine = async (config: Config, parts: EngineParts): Promise<Engine> => {
  const { version, web, base, people, plugins, turns, features } = parts;
  const { transcripts, toolbox, models } = parts.agent;
  const engine = await createEngine({
    ...base,
    settings: config.engine,
    models,
    transcripts,
    executeTool: toolbox.execute,
    tools: toolbox.registry,
    readSentence: features.readSentence,
    isInstrument: (name) => isInstrumentName(name, features.symbols),
    steering: turns.steering,
  });
  const generalTools = createGeneralTools({
    clock: base.clock,
    version,
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
