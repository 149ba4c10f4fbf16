import { agentSettingsOf, type AgentTable, MAIN_AGENT } from '#src/core/agent-settings.ts';
import type { Events } from '#src/core/events.ts';
import { type AgentId, asId } from '#src/core/ids.ts';
import type { PluginModel } from '#src/core/plugin.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { Storage } from '#src/storage/database.ts';
import { createSessionSettings } from '#src/storage/session-settings.ts';
import type { KeyRing } from './auth/key-ring.ts';
import { buildModelAliasIndex } from './models/selection.ts';
import { InMemoryModelCatalog, type ModelEntry } from './models/catalog.ts';
import { BUILT_IN_MODELS } from './models/catalog-data.ts';
import { lifecycleWarnings } from './models/lifecycle.ts';
import { createModelChoice, type ModelChoice } from './models/model-choice.ts';
import { pluginModelEntry } from './models/plugin-models.ts';
import { OFFLINE_MODEL } from './providers/offline.ts';
import type { ProvidersSettings } from './providers/providers.ts';

export interface ModelSettings {
  readonly providers: ProvidersSettings;
  /** Models beside the built-in ones, and names for any of them. */
  readonly definitions: readonly ModelEntry[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly fallbacks: readonly string[] | undefined;
  /** What people may choose who are no administrators. */
  readonly choices?: readonly string[] | undefined;
  /** For models that take one; undefined: none is sent. */
  readonly temperature?: number | undefined;
  /** By id: what sets one agent apart from the others. */
  readonly agents?: AgentTable | undefined;
  readonly perDayUsd: string | undefined;
  readonly perUserUsd: string | undefined;
  readonly timeZone: string;
}

export interface ModelParts {
  readonly settings: ModelSettings;
  readonly pluginModels?: readonly PluginModel[];
  readonly storage: Storage;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** A definition of a built-in model changes what can be set about it; what the model can do stays as it is. */
const overBuiltIn = (definition: ModelEntry): ModelEntry => {
  const builtIn = BUILT_IN_MODELS.find(({ id }) => id === definition.id);
  if (!builtIn) return definition;
  const { id, displayName, contextWindow, maxOutputTokens, pricing, asOf, aliases } = definition;
  return {
    ...builtIn,
    contextWindow,
    maxOutputTokens,
    ...(pricing ? { pricing, asOf } : {}),
    ...(displayName === id ? {} : { displayName }),
    ...(aliases.length > 0 ? { aliases } : {}),
  };
};

export const temperatureOf = (
  { agents = {}, temperature }: Pick<ModelSettings, 'agents' | 'temperature'>,
  agentId: AgentId,
): number | undefined => agentSettingsOf(agents, agentId).temperature ?? temperature;

/** A temperature that has no effect, or not the one that was set, is told: whoever set it expects something of it. */
const temperatureWarnings = (settings: ModelSettings, choice: ModelChoice): readonly string[] => {
  const ids = new Set([MAIN_AGENT, ...Object.keys(settings.agents ?? {}).map((id) => asId<AgentId>(id))]);
  return [...ids].flatMap((id) => {
    const temperature = temperatureOf(settings, id);
    if (temperature === undefined) return [];
    const isOwn = agentSettingsOf(settings.agents ?? {}, id).temperature !== undefined;
    const setting = isOwn ? `agents.${id}.temperature` : 'agent.temperature';
    const model = choice.defaultModel(id);
    if (!model.capabilities.temperature)
      return [`${setting}: ${model.id} takes no temperature, so none is sent.`];
    return model.provider === 'anthropic' && temperature > 1
      ? [`${setting}: ${model.id} takes a temperature of up to 1, so 1 is sent.`]
      : [];
  });
};

/** The models there are and the ones that answer. Throws for a setting that names no model, or one without a key. */
export const openModels = (
  deps: ModelParts,
  keys: KeyRing,
  fits: (entry: ModelEntry, agentId: AgentId) => boolean,
): ModelChoice => {
  const { settings, storage, clock, events, logger } = deps;
  const { definitions } = settings;
  const defined = new Set(definitions.map(({ id }) => id));
  // An operator who defines a model that is built in knows better: a new price, another window.
  const catalog = new InMemoryModelCatalog(BUILT_IN_MODELS.filter(({ id }) => !defined.has(id)));
  for (const definition of definitions) catalog.registerModel(overBuiltIn(definition));
  const today = clock.now().toZonedDateTimeISO(settings.timeZone).toPlainDate();
  for (const model of deps.pluginModels ?? [])
    catalog.registerModel(pluginModelEntry(model, today.toString()));
  const added = new Set([...defined, ...(deps.pluginModels ?? []).map(({ id }) => id)]);
  const aliasIndex = buildModelAliasIndex(catalog, {
    extraAliases: settings.aliases,
    onDuplicate: (alias, kept, ignored) =>
      logger.warn(`Two models are called "${alias}": it means ${kept.id}, not ${ignored.id}`),
  });
  const choice = createModelChoice({
    catalog,
    aliasIndex,
    configured: settings,
    agents: settings.agents,
    choices: settings.choices,
    knowsKey: (provider) => provider !== 'offline' && keys.knowsKey(provider),
    isUsable: ({ id, provider, server }) => {
      if (server) return true;
      if (provider === 'offline' || !keys.hasKey(provider)) return false;
      // A compatible server has models of its own: those that the operator or a plugin defined.
      return provider !== 'openai' || settings.providers.openai.api === 'responses' || added.has(id);
    },
    fits,
    offlineModel: OFFLINE_MODEL,
    settings: createSessionSettings(storage.db),
    clock,
    events,
    logger,
  });
  // Agents that share a setting are warned of once.
  const setAside = choice
    .setAside()
    .map(
      ({ setting, model, instead }) =>
        `${setting}: ${model.id} cannot be used now (its key is switched off, or its server does not serve it): ${instead.id} answers.`,
    );
  for (const warning of new Set(setAside)) logger.warn(warning);
  for (const warning of new Set(temperatureWarnings(settings, choice))) logger.warn(warning);
  for (const warning of lifecycleWarnings(choice.configuredModels(), today)) logger.warn(warning);
  if (settings.perDayUsd !== undefined || settings.perUserUsd !== undefined)
    for (const { id, pricing } of choice.configuredModels())
      if (!pricing) logger.warn(`The price of ${id} is not known, so its use counts against no budget.`);
  return choice;
};
