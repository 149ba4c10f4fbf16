import { agentSettingsOf, type AgentTable, MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import { KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/agent/model.ts';
import type { PluginModel } from '#src/kernel/operations/plugin.ts';
import { createSecretBox } from '#src/platform/files/secret-box.ts';
import type { AuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import type { Cluster } from '#src/platform/cluster/cluster.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SessionSettings } from '#src/agent/store/session-settings.ts';
import { createAwsSecrets } from './keys/aws-secrets.ts';
import { CooldownTracker } from './keys/cooldown-tracker.ts';
import { ProfileHealthMonitor } from './keys/profile-rotation.ts';
import { ENV_KEY_NAMES, type KeyConfig, unsavedProfiles } from './keys/resolve-api-key.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { createAuthProfileStore } from './keys/auth-profiles.ts';
import { BUILT_IN_MODELS } from './models/catalog-data.ts';
import { InMemoryModelCatalog, lifecycleWarnings, type ModelEntry } from './models/catalog.ts';
import { pluginModelEntry } from './plugin-models.ts';
import { createModelChoice, type ModelChoice } from './models/model-choice.ts';
import { buildModelAliasIndex } from './models/resolve-model.ts';
import { OFFLINE_MODEL } from './offline/offline-provider.ts';
import { openPrompts, type PromptDeps } from './prompt/open-prompts.ts';
import type { ProvidersSettings } from './providers/providers.ts';
import type { WindowLimits } from './memory/window/model-window.ts';
import { checkWindows, createFitOf, describeWindows } from './prompt/window-fit.ts';

export interface KeySettings {
  readonly apiKeys: Readonly<Record<KeyedProvider, readonly string[]>>;
  readonly secretKeys: readonly string[];
  readonly keyConfig: KeyConfig;
  readonly aws: { readonly region: string; readonly endpoint?: string | undefined } | undefined;
  readonly providers: ProvidersSettings;
}

interface KeyRingParts extends Uses<'clock' | 'events' | 'logger'> {
  readonly settings: KeySettings;
  readonly savedKeys: AuthProfileRows;
  readonly cluster?: Pick<Cluster, 'shareSettings'> | undefined;
}

/** Opens the keys of all sources. Throws for an invalid secret key, or one that cannot decrypt the stored keys. */
export const openKeyRing = async ({
  settings,
  savedKeys,
  cluster,
  clock,
  events,
  logger,
}: KeyRingParts): Promise<KeyRing> => {
  const { apiKeys, secretKeys, keyConfig, aws, providers } = settings;
  const env = {
    [ENV_KEY_NAMES.anthropic]: apiKeys.anthropic.join(','),
    [ENV_KEY_NAMES.openai]: apiKeys.openai.join(','),
  };
  const cooldowns = new CooldownTracker({ clock, events });
  const health = new ProfileHealthMonitor({ clock, events });
  const profileStore = await createAuthProfileStore({
    rows: savedKeys,
    secretBox: secretKeys.length > 0 ? createSecretBox(secretKeys) : undefined,
    cooldowns,
    health,
    clock,
    logger,
    unsaved: unsavedProfiles(env),
    shared: cluster?.shareSettings('keys'),
  });
  const anyForm = KEYED_PROVIDERS.filter((id) => providers[id].baseUrl !== undefined);
  return createKeyRing({
    profileStore,
    cooldowns,
    health,
    events,
    env,
    config: keyConfig,
    secrets: aws ? createAwsSecrets({ ...aws, clock }) : undefined,
    onSecret: logger.hide,
    anyForm: new Set(anyForm),
  });
};

export interface ModelSettings {
  readonly providers: ProvidersSettings;
  /** Models in addition to the built-in ones, and aliases for any model. */
  readonly definitions: readonly ModelEntry[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly fallbacks: readonly string[] | undefined;
  /** Models that people who are not administrators may choose. */
  readonly choices?: readonly string[] | undefined;
  /** Sent only to models that accept a temperature. Undefined: none is sent. */
  readonly temperature?: number | undefined;
  /** Per-agent settings, by id. */
  readonly agents?: AgentTable | undefined;
  readonly perDayUsd: string | undefined;
  readonly perUserUsd: string | undefined;
  readonly timeZone: string;
}

interface ModelChoiceParts extends Uses<'clock' | 'events' | 'logger'> {
  readonly settings: ModelSettings;
  readonly pluginModels?: readonly PluginModel[];
  readonly sessions: SessionSettings;
}

/** A definition of a built-in model overrides its settings; the model's capabilities stay. */
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

/** Warns about a temperature that a model ignores or caps. */
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

/** Why no model answers although there are keys, as far as no other warning says it. */
const unusedKeys = (
  { providers, definitions }: Pick<ModelSettings, 'providers' | 'definitions'>,
  keys: Pick<KeyRing, 'knowsKey' | 'hasKey'>,
): readonly string[] => {
  if (!KEYED_PROVIDERS.some(keys.knowsKey)) return [];
  if (!KEYED_PROVIDERS.some(keys.hasKey))
    return ['All keys are switched off, so the offline model answers. Switch one on with /keys enable.'];
  if (providers.openai.api !== 'chat' || !keys.hasKey('openai')) return [];
  const isDefined = definitions.some(({ provider }) => provider === 'openai');
  return [
    `The key of openai is not used, so the offline model answers: providers.openai.api is "chat", and the models of such a server are not known. ${isDefined ? 'Name one of models.definitions in models.defaultModel.' : 'Add one of them to models.definitions, and name it in models.defaultModel.'}`,
  ];
};

/**
 * Opens the catalog and the model choice. Throws for a setting that names an unknown model, or one without a
 * key.
 */
export const openModelChoice = (
  deps: ModelChoiceParts,
  keys: KeyRing,
  fits: (entry: ModelEntry, agentId: AgentId) => boolean,
): ModelChoice => {
  const { settings, clock, events, logger } = deps;
  const { definitions } = settings;
  const defined = new Set(definitions.map(({ id }) => id));
  // An operator's definition of a built-in model (a new price, another window) replaces the built-in one.
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
      // A compatible server has only the models that the operator or a plugin defined.
      return provider !== 'openai' || settings.providers.openai.api === 'responses' || added.has(id);
    },
    fits,
    offlineModel: OFFLINE_MODEL,
    settings: deps.sessions,
    clock,
    events,
    logger,
  });
  // Agents that share a setting produce one warning.
  const setAside = choice
    .setAside()
    .map(
      ({ setting, model, instead }) =>
        `${setting}: ${model.id} cannot be used now (its key is switched off, or its server does not serve it): ${instead.id} answers.`,
    );
  for (const warning of new Set(setAside)) logger.warn(warning);
  if (choice.defaultModel().provider === 'offline')
    for (const warning of unusedKeys(settings, keys)) logger.warn(warning);
  for (const warning of new Set(temperatureWarnings(settings, choice))) logger.warn(warning);
  for (const warning of lifecycleWarnings(choice.configuredModels(), today)) logger.warn(warning);
  if (settings.perDayUsd !== undefined || settings.perUserUsd !== undefined)
    for (const { id, pricing } of choice.configuredModels())
      if (!pricing) logger.warn(`The price of ${id} is not known, so its use counts against no budget.`);
  return choice;
};

interface OpenModelsDeps
  extends
    ModelChoiceParts,
    Pick<KeyRingParts, 'savedKeys' | 'cluster'>,
    Omit<PromptDeps, 'instructions' | 'agents'> {
  readonly settings: KeySettings &
    ModelSettings &
    WindowLimits & {
      /** The operator's instructions for the prompt. */
      readonly instructions?: string | undefined;
    };
}

/** The models, their keys, and the prompts that fit their windows. */
export type OpenedModels = Awaited<ReturnType<typeof openModels>>;

/** Opens everything that decides which model answers. */
export const openModels = async (deps: OpenModelsDeps) => {
  const { settings, logger } = deps;
  const { instructions, agents, maxContextTokens } = settings;
  const keys = await openKeyRing(deps);
  const prompts = openPrompts({ ...deps, instructions, agents });
  const fitOf = createFitOf(prompts, settings);
  const choice = openModelChoice(deps, keys, (entry, agentId) => fitOf(entry, agentId).fits);
  const { configuredFor } = choice;
  const windows = { fitOf, agents: agents ?? {}, maxContextTokens, configuredFor, logger };
  return {
    keys,
    prompts,
    choice,
    /** The model that answers where nobody chose one. */
    describeDefault: (): { readonly name: string; readonly isOffline: boolean } => {
      const { displayName, provider } = choice.defaultModel();
      return { name: displayName, isOffline: provider === 'offline' };
    },
    /** Throws `WINDOW_TOO_SMALL` if a window has no room for a conversation. All tools must be registered first. */
    checkWindows: () => checkWindows(windows),
    /** How each model's window is divided, one line each. */
    describeWindows: (): readonly string[] => describeWindows(windows),
  };
};
