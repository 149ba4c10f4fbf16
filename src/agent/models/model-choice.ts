import { agentOf, type AgentTable, MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { AgentId, SessionKey } from '#src/kernel/ids.ts';
import { KEYED_PROVIDERS, type ProviderId } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { ModelChooser, ModelInfo, Models } from '#src/kernel/agent/models.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SessionSettings } from '../store/session-settings.ts';
import { byNumericalTier, countsWorse, type ModelCatalog, type ModelEntry } from './catalog.ts';
import {
  type AliasIndex,
  nearModels,
  resolvedAs,
  type ResolvedModel,
  resolveModel,
} from './resolve-model.ts';
import { DEFAULT_MODEL_CHAIN } from './catalog-data.ts';

interface ModelChoiceDeps extends Uses<'clock' | 'events' | 'logger.warn'> {
  readonly catalog: ModelCatalog;
  readonly aliasIndex: AliasIndex;
  /** The configuration for all agents and for single ones. */
  readonly configured: ConfiguredModels;
  readonly agents?: AgentTable | undefined;
  /**
   * Models that people may choose, by id or alias; without it, those that cost no more than the configured
   * model.
   */
  readonly choices?: readonly string[] | undefined;
  /**
   * Whether an active key exists and the server offers the model. Evaluated every time, because keys change at
   * runtime.
   */
  readonly isUsable: (entry: ModelEntry) => boolean;
  /** Whether its window has room for a conversation with this agent. Default: always. */
  readonly fits?: (entry: ModelEntry, agentId: AgentId) => boolean;
  /** Whether any key is set, active or not. */
  readonly knowsKey: (provider: ProviderId) => boolean;
  /** Answers if no key is set at all. */
  readonly offlineModel: ModelEntry;
  readonly settings: SessionSettings;
}

/** The port of the commands, and the engine's question: which models are tried for a message, in which order. */
export interface ModelChoice extends Models {
  readonly chainFor: (sessionKey: SessionKey, needsVision: boolean) => Promise<readonly ResolvedModel[]>;
  /** The configured models regardless of keys, for the start and the doctor. */
  readonly configuredModels: () => readonly ModelEntry[];
  /** The usable models of an agent in order, whether a conversation fits into them or not. */
  readonly configuredFor: (agentId: AgentId) => readonly ModelEntry[];
  /** The model that answers without a choice, with the current keys. Default: for the main agent. */
  readonly defaultModel: (agentId?: AgentId) => ModelEntry;
  /** Configured models that are unusable now, with their setting and their replacement. */
  readonly setAside: () => readonly SetAsideModel[];
}

export interface SetAsideModel {
  readonly setting: string;
  readonly model: ModelEntry;
  readonly instead: ModelEntry;
}

/** The models for a conversation, in the order of attempts. */
interface Chain {
  readonly models: readonly ResolvedModel[];
  /** The model that should answer: chosen in the conversation, or configured. */
  readonly expected: ModelEntry | undefined;
  /** True if the first model was chosen in the conversation. */
  readonly isChosen: boolean;
}

/** Adds the setting to the error for an unknown name. */
const resolveNamed = (
  raw: string,
  setting: string | undefined,
  catalog: ModelCatalog,
  aliasIndex: AliasIndex,
): ResolvedModel => {
  try {
    return resolveModel({ raw }, catalog, aliasIndex);
  } catch (error) {
    if (setting === undefined || !(error instanceof FinClawError)) throw error;
    throw new FinClawError(`${setting}: ${error.message}`, error.code, { details: error.details });
  }
};

/** Limit of conversations that are remembered as warned. */
const MAX_WARNED = 1_000;

const priceOf = ({ pricing }: ModelEntry): number => pricing?.inputPerMillion ?? Infinity;

/** Throws `MODEL_UNKNOWN` for unknown configured names, and `MODEL_WITHOUT_KEY` for a model without a key. */
export const createModelChoice = (deps: ModelChoiceDeps): ModelChoice => {
  const { catalog, aliasIndex, agents = {}, isUsable, settings } = deps;
  const named = (raw: string, setting?: string): ResolvedModel => {
    const model = resolveNamed(raw, setting, catalog, aliasIndex);
    if (model.resolvedFrom === 'alias')
      deps.events.emit('model:resolve', { alias: raw, modelId: model.modelId });
    return model;
  };
  const configured = createConfiguredChains({ ...deps, agents, named });
  const choices = deps.choices && new Set(deps.choices.map((name) => named(name, 'models.choices').modelId));

  const fits = (entry: ModelEntry, agentId: AgentId): boolean => deps.fits?.(entry, agentId) ?? true;

  const usableOf = ({ inOrder }: ConfiguredChain): readonly ResolvedModel[] => {
    const usable = inOrder().filter(({ entry }) => isUsable(entry));
    return usable.length > 0 ? usable : [resolvedAs(deps.offlineModel, 'default')];
  };

  const firstOf = (chain: ConfiguredChain): ModelEntry => usableOf(chain)[0]?.entry ?? deps.offlineModel;

  /** Whether everybody may choose it: it costs no more than the configured model, or the operator listed it. */
  const isForEverybody = (entry: ModelEntry, agentId: AgentId): boolean => {
    const usual = firstOf(configured.of(agentId));
    return entry.id === usual.id || (choices ? choices.has(entry.id) : costsNoMore(entry, usual));
  };

  const { chain, seeingFirst } = createChains(deps, configured, { fits, usableOf, isForEverybody });

  const list = ({ isAdmin }: ModelChooser, agentId: AgentId): readonly ModelInfo[] => {
    const entries = KEYED_PROVIDERS.flatMap((provider) => catalog.getModelsByProvider(provider));
    const all = entries.some(isUsable) ? entries : [deps.offlineModel, ...entries];
    return all
      .filter((entry) => (isAdmin || isForEverybody(entry, agentId)) && fits(entry, agentId))
      .map((entry) => infoOf(isUsable, entry))
      .filter((model) => isAdmin || model.isUsable);
  };

  return {
    configuredFor: (agentId) => usableOf(configured.of(agentId)).map(({ entry }) => entry),
    defaultModel: (agentId = MAIN_AGENT) => firstOf(configured.of(agentId)),
    configuredModels: () => [
      ...new Set(configured.all.flatMap(({ inOrder }) => inOrder().map(({ entry }) => entry))),
    ],
    setAside: () =>
      configured.all.flatMap((chain) => {
        if (!chain.primary || isUsable(chain.primary.model.entry)) return [];
        return [
          { setting: chain.primary.setting, model: chain.primary.model.entry, instead: firstOf(chain) },
        ];
      }),
    chainFor: async (sessionKey, needsVision) => {
      const { models: usual, expected } = await chain(sessionKey);
      const models = needsVision ? seeingFirst(usual, sessionKey) : usual;
      if (!expected) return models;
      // The offline model says itself what it is.
      return models.map((model) =>
        model.provider !== 'offline' && countsWorse(model.entry, expected)
          ? { ...model, standsInFor: expected }
          : model,
      );
    },
    current: async (sessionKey) => {
      const {
        models: [first, ...others],
        isChosen,
      } = await chain(sessionKey);
      return {
        model: infoOf(isUsable, first?.entry ?? deps.offlineModel),
        isChosen,
        fallbacks: others.map(({ modelId }) => modelId),
      };
    },
    list,
    switchTo: async (sessionKey, name, who) => {
      const agentId = agentOf(sessionKey);
      const isAllowed = (entry: ModelEntry): boolean => who.isAdmin || isForEverybody(entry, agentId);
      let entry: ModelEntry;
      try {
        entry = named(name).entry;
      } catch {
        const allowed = new Map([...aliasIndex].filter(([, each]) => isAllowed(each)));
        return { status: 'unknown', near: nearModels(name, allowed) };
      }
      const model = infoOf(isUsable, entry);
      if (!isAllowed(entry)) {
        const names = list(who, agentId).map(({ id, aliases: [shortest = id] }) => shortest);
        return { status: 'not-allowed', model, choices: names };
      }
      if (!model.isUsable) return { status: 'no-key', model };
      if (!fits(entry, agentId)) return { status: 'too-small', model };
      await settings.setModel(sessionKey, { id: entry.id, isByAdmin: who.isAdmin }, deps.clock.now());
      return { status: 'switched', model };
    },
    useDefault: async (sessionKey) => {
      await settings.setModel(sessionKey, null, deps.clock.now());
      return infoOf(isUsable, firstOf(configured.of(agentOf(sessionKey))));
    },
  };
};

/** Which models are usable, large enough and allowed. */
interface Fitness {
  readonly fits: (entry: ModelEntry, agentId: AgentId) => boolean;
  readonly usableOf: (chain: ConfiguredChain) => readonly ResolvedModel[];
  readonly isForEverybody: (entry: ModelEntry, agentId: AgentId) => boolean;
}

/** The models of a conversation: the one that was chosen in it, and those behind it. */
const createChains = (
  { catalog, isUsable, settings, logger }: ModelChoiceDeps,
  configured: ConfiguredChains,
  { fits, usableOf, isForEverybody }: Fitness,
) => {
  const warned = new Set<string>();

  const warnOnce = (sessionKey: SessionKey, model: string): void => {
    const what = `${sessionKey} ${model}`;
    if (warned.has(what)) return;
    if (warned.size >= MAX_WARNED) warned.clear();
    warned.add(what);
    logger.warn('The model chosen for a conversation is now reserved for administrators', {
      sessionKey,
      model,
    });
  };

  /** The model chosen for the conversation, if the choice is allowed, usable or not. */
  const chosenFor = async (sessionKey: SessionKey): Promise<ModelEntry | undefined> => {
    const chosen = await settings.getModel(sessionKey);
    const entry = chosen && catalog.getModel(chosen.id);
    if (!entry) return undefined;
    if (chosen.isByAdmin || isForEverybody(entry, agentOf(sessionKey))) return entry;
    if (isUsable(entry)) warnOnce(sessionKey, entry.id);
    return undefined;
  };

  const chain = async (sessionKey: SessionKey): Promise<Chain> => {
    const chosen = await chosenFor(sessionKey);
    const ofAgent = configured.of(agentOf(sessionKey));
    const agentId = agentOf(sessionKey);
    const usable = usableOf(ofAgent);
    const fitting = usable.filter(({ entry }) => fits(entry, agentId));
    const usual = fitting.length > 0 ? fitting : usable;
    const expected = chosen ?? ofAgent.inOrder()[0]?.entry;
    if (!chosen || !isUsable(chosen) || !fits(chosen, agentId))
      return { models: usual, expected, isChosen: false };
    const others = usual.filter(
      ({ modelId, provider, entry }) =>
        modelId !== chosen.id &&
        provider !== 'offline' &&
        (ofAgent.hasOwnFallbacks || costsNoMore(entry, chosen)),
    );
    const fallbacks = ofAgent.hasOwnFallbacks
      ? others
      : others.toSorted((one, other) => byNumericalTier(one.entry, other.entry));
    return { models: [resolvedAs(chosen, 'id'), ...fallbacks], expected, isChosen: true };
  };

  const seeingFirst = (usual: readonly ResolvedModel[], sessionKey: SessionKey): readonly ResolvedModel[] => {
    const seeing = usual.filter(({ entry }) => entry.capabilities.vision);
    if (seeing.length > 0) return seeing;
    // Use the cheapest vision model: a picture must not lead to an expensive one.
    const [other] = catalog
      .findModels({ vision: true })
      .filter(
        (entry) =>
          !entry.deprecated &&
          isUsable(entry) &&
          fits(entry, agentOf(sessionKey)) &&
          isForEverybody(entry, agentOf(sessionKey)),
      )
      .toSorted((a, b) => priceOf(a) - priceOf(b));
    // Without a vision model, the usual model is told that there was a picture.
    return other ? [resolvedAs(other, 'default'), ...usual] : usual;
  };

  return { chain, seeingFirst };
};

const infoOf = (isUsable: ModelChoiceDeps['isUsable'], entry: ModelEntry): ModelInfo => ({
  id: entry.id,
  displayName: entry.displayName,
  provider: entry.provider,
  aliases: entry.aliases,
  contextWindow: entry.contextWindow,
  numericalReasoningTier: entry.capabilities.numericalReasoningTier,
  priceUsd: entry.pricing && {
    input: new Decimal(entry.pricing.inputPerMillion),
    output: new Decimal(entry.pricing.outputPerMillion),
    asOf: entry.asOf,
  },
  isDeprecated: entry.deprecated,
  ...(entry.endOfLife === undefined ? {} : { endOfLife: entry.endOfLife }),
  isUsable: entry.provider === 'offline' || isUsable(entry),
});

/** The configured models, by name or alias. Without a model, the default chain applies. */
interface ConfiguredModels {
  readonly model?: string | undefined;
  readonly fallbacks?: readonly string[] | undefined;
}

/** The configured models of an agent. */
interface ConfiguredChain {
  /** In the order of attempts, regardless of keys. */
  readonly inOrder: () => readonly ResolvedModel[];
  /** The first model and its setting. Undefined if none is configured. */
  readonly primary: { readonly model: ResolvedModel; readonly setting: string } | undefined;
  /** Fallbacks are configured explicitly, whatever they cost. */
  readonly hasOwnFallbacks: boolean;
}

type ConfiguredChains = ReturnType<typeof createConfiguredChains>;

interface ConfiguredChainDeps {
  readonly configured: ConfiguredModels;
  readonly agents: AgentTable;
  /** Throws `MODEL_UNKNOWN`, which names the setting if one is given. */
  readonly named: (raw: string, setting?: string) => ResolvedModel;
  readonly isUsable: (entry: ModelEntry) => boolean;
  readonly knowsKey: (provider: ProviderId) => boolean;
}

/** Somebody who chose a cheap model must not be answered, and billed, by an expensive one unasked. */
const costsNoMore = (entry: ModelEntry, than: ModelEntry): boolean =>
  entry.pricing !== null &&
  than.pricing !== null &&
  entry.pricing.inputPerMillion <= than.pricing.inputPerMillion &&
  entry.pricing.outputPerMillion <= than.pricing.outputPerMillion;

const unique = (models: readonly ResolvedModel[]): readonly ResolvedModel[] => [
  ...new Map(models.map((model) => [model.modelId, model])).values(),
];

/**
 * An agent inherits the settings it does not override. Configured fallbacks keep their order; the default ones
 * are sorted by reliability with numbers.
 */
const createConfiguredChains = (deps: ConfiguredChainDeps) => {
  const { named, isUsable, knowsKey } = deps;
  const defaults = DEFAULT_MODEL_CHAIN.map((id) => named(id)).toSorted((one, other) =>
    byNumericalTier(one.entry, other.entry),
  );

  const primaryOf = (raw: string, setting: string): NonNullable<ConfiguredChain['primary']> => {
    const model = named(raw, setting);
    const { provider, modelId, entry } = model;
    if (!entry.server && !knowsKey(provider))
      throw new FinClawError(
        `${setting}: the model ${modelId} needs a key for ${provider}. Set ${provider.toUpperCase()}_API_KEY; or start without this setting and add a key with /keys add ${provider}; or choose another model.`,
        'MODEL_WITHOUT_KEY',
      );
    return { model, setting };
  };

  const chainOf = (
    primary: ConfiguredChain['primary'],
    own: readonly ResolvedModel[] | undefined,
  ): ConfiguredChain => {
    const affordable = primary
      ? defaults.filter(({ entry }) => costsNoMore(entry, primary.model.entry))
      : defaults;
    return {
      // With fallbacks configured but no model, the default model comes first.
      inOrder: () => {
        const first = primary?.model ?? defaults.find(({ entry }) => isUsable(entry));
        return unique([...(first ? [first] : []), ...(own ?? affordable)]);
      },
      primary,
      hasOwnFallbacks: own !== undefined,
    };
  };

  const resolve = (
    { model, fallbacks }: ConfiguredModels,
    settings: { readonly model: string; readonly fallbacks: string },
  ) => ({
    primary: model === undefined ? undefined : primaryOf(model, settings.model),
    fallbacks: fallbacks?.map((name) => named(name, settings.fallbacks)),
  });

  const general = resolve(deps.configured, {
    model: 'FINCLAW_MODEL (models.defaultModel)',
    fallbacks: 'FINCLAW_FALLBACKS (models.fallbacks)',
  });
  const byAgent = new Map(
    Object.entries(deps.agents).map(([id, settings]) => {
      const own = resolve(settings, { model: `agents.${id}.model`, fallbacks: `agents.${id}.fallbacks` });
      return [id, chainOf(own.primary ?? general.primary, own.fallbacks ?? general.fallbacks)];
    }),
  );
  const main = byAgent.get(MAIN_AGENT) ?? chainOf(general.primary, general.fallbacks);
  return {
    of: (agentId: AgentId): ConfiguredChain => byAgent.get(agentId) ?? main,
    /** The chains of all agents, the main agent first. */
    all: [...new Set([main, ...byAgent.values()])],
  };
};
