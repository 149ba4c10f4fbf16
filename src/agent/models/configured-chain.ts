import { type AgentTable, MAIN_AGENT } from '#src/kernel/agent-settings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { ProviderId } from '#src/kernel/model.ts';
import { byNumericalTier, type ModelEntry } from './catalog.ts';
import { DEFAULT_MODEL_CHAIN } from './catalog-data.ts';
import type { ResolvedModel } from './selection.ts';

/** What the operator set: names or aliases. Without a model, the default chain. */
export interface ConfiguredModels {
  readonly model?: string | undefined;
  readonly fallbacks?: readonly string[] | undefined;
}

/** The models of an agent, as they were set. */
export interface ConfiguredChain {
  /** In the order in which they are tried, whoever has a key for them. */
  readonly inOrder: () => readonly ResolvedModel[];
  /** The first of them, and where it was set. Undefined where nobody named one. */
  readonly primary: { readonly model: ResolvedModel; readonly setting: string } | undefined;
  /** Somebody wrote down what to fall back on, whatever it costs. */
  readonly hasOwnFallbacks: boolean;
}

export interface ConfiguredChains {
  readonly of: (agentId: AgentId) => ConfiguredChain;
  /** Of all agents, the main one first. */
  readonly all: readonly ConfiguredChain[];
}

interface ConfiguredChainDeps {
  readonly configured: ConfiguredModels;
  readonly agents: AgentTable;
  /** Throws `MODEL_UNKNOWN`, with the setting where one is named. */
  readonly named: (raw: string, setting?: string) => ResolvedModel;
  readonly isUsable: (entry: ModelEntry) => boolean;
  readonly knowsKey: (provider: ProviderId) => boolean;
}

/** Nobody who chose a cheap model should be answered, and billed, by a dear one without having asked for it. */
export const costsNoMore = (entry: ModelEntry, than: ModelEntry): boolean =>
  entry.pricing !== null &&
  than.pricing !== null &&
  entry.pricing.inputPerMillion <= than.pricing.inputPerMillion &&
  entry.pricing.outputPerMillion <= than.pricing.outputPerMillion;

const unique = (models: readonly ResolvedModel[]): readonly ResolvedModel[] => [
  ...new Map(models.map((model) => [model.modelId, model])).values(),
];

/**
 * What an agent does not set is as it is for all. Fallbacks that the operator wrote down keep their order; without any, the
 * default ones are tried by how well they count.
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
      // Who set fallbacks only wants the usual first model in front of them.
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
