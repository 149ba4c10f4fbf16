import { type AgentTable, MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { ProviderId } from '#src/kernel/agent/model.ts';
import { byNumericalTier, type ModelEntry } from './catalog.ts';
import { DEFAULT_MODEL_CHAIN } from './catalog-data.ts';
import type { ResolvedModel } from './resolve-model.ts';

/** The configured models, by name or alias. Without a model, the default chain applies. */
export interface ConfiguredModels {
  readonly model?: string | undefined;
  readonly fallbacks?: readonly string[] | undefined;
}

/** The configured models of an agent. */
export interface ConfiguredChain {
  /** In the order of attempts, regardless of keys. */
  readonly inOrder: () => readonly ResolvedModel[];
  /** The first model and its setting. Undefined if none is configured. */
  readonly primary: { readonly model: ResolvedModel; readonly setting: string } | undefined;
  /** Fallbacks are configured explicitly, whatever they cost. */
  readonly hasOwnFallbacks: boolean;
}

export interface ConfiguredChains {
  readonly of: (agentId: AgentId) => ConfiguredChain;
  /** The chains of all agents, the main agent first. */
  readonly all: readonly ConfiguredChain[];
}

interface ConfiguredChainDeps {
  readonly configured: ConfiguredModels;
  readonly agents: AgentTable;
  /** Throws `MODEL_UNKNOWN`, which names the setting if one is given. */
  readonly named: (raw: string, setting?: string) => ResolvedModel;
  readonly isUsable: (entry: ModelEntry) => boolean;
  readonly knowsKey: (provider: ProviderId) => boolean;
}

/** Somebody who chose a cheap model must not be answered, and billed, by an expensive one unasked. */
export const costsNoMore = (entry: ModelEntry, than: ModelEntry): boolean =>
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
export const createConfiguredChains = (deps: ConfiguredChainDeps): ConfiguredChains => {
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
    of: (agentId) => byAgent.get(agentId) ?? main,
    all: [...new Set([main, ...byAgent.values()])],
  };
};
