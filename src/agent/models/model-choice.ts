import { FinClawError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import type { SessionKey } from '#src/core/ids.ts';
import { KEYED_PROVIDERS, type ProviderId } from '#src/core/model.ts';
import { Decimal } from '#src/core/money.ts';
import type { ModelInfo, Models } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { SessionSettings } from '#src/storage/session-settings.ts';
import type { AliasIndex } from './alias-index.ts';
import type { ModelCatalog, ModelEntry } from './catalog.ts';
import { DEFAULT_MODEL_CHAIN } from './catalog-data.ts';
import { nearModels, type ResolvedModel, resolveModel } from './selection.ts';

export interface ModelChoiceDeps {
  readonly catalog: ModelCatalog;
  readonly aliasIndex: AliasIndex;
  /** What the operator set: names or aliases. Without a model, the default chain. */
  readonly configured: {
    readonly model: string | undefined;
    readonly fallbacks: readonly string[] | undefined;
  };
  /** A key for it is switched on, and its server serves it. Asked every time: keys come and go while the bot runs. */
  readonly isUsable: (entry: ModelEntry) => boolean;
  /** Some key is set for it, switched on or not. */
  readonly knowsKey: (provider: ProviderId) => boolean;
  /** Answers where no key is set at all. */
  readonly offlineModel: ModelEntry;
  readonly settings: SessionSettings;
  readonly clock: Clock;
  readonly events: Events;
}

/** The port of the commands, and what the engine asks: which models are tried for a message, in which order. */
export interface ModelChoice extends Models {
  readonly chainFor: (sessionKey: SessionKey, needsVision: boolean) => Promise<readonly ResolvedModel[]>;
  /** The models of the configuration, whoever has a key for them: what a start and the doctor look at. */
  readonly configuredModels: () => readonly ModelEntry[];
  /** What answers where nobody chose a model, with the keys there are now. */
  readonly defaultModel: () => ModelEntry;
}

const entryAsResolved = (entry: ModelEntry, resolvedFrom: ResolvedModel['resolvedFrom']): ResolvedModel => ({
  entry,
  provider: entry.provider,
  modelId: entry.id,
  resolvedFrom,
});

/** Nobody who chose a cheap model should be answered, and billed, by a dear one without having asked for it. */
const costsNoMore = (entry: ModelEntry, than: ModelEntry): boolean =>
  entry.pricing !== null &&
  than.pricing !== null &&
  entry.pricing.inputPerMillion <= than.pricing.inputPerMillion &&
  entry.pricing.outputPerMillion <= than.pricing.outputPerMillion;

const unique = (models: readonly ResolvedModel[]): readonly ResolvedModel[] => [
  ...new Map(models.map((model) => [model.modelId, model])).values(),
];

const MODEL_SETTING = 'FINCLAW_MODEL (models.defaultModel)';
const FALLBACKS_SETTING = 'FINCLAW_FALLBACKS (models.fallbacks)';

/** An unknown name in a setting is told together with the setting. */
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

const priceOf = ({ pricing }: ModelEntry): number => pricing?.inputPerMillion ?? Infinity;

/** Throws `MODEL_UNKNOWN` for configured names that nobody knows, and `MODEL_WITHOUT_KEY` for a model without a key. */
export const createModelChoice = (deps: ModelChoiceDeps): ModelChoice => {
  const { catalog, aliasIndex, isUsable, settings } = deps;
  const named = (raw: string, setting?: string): ResolvedModel => {
    const model = resolveNamed(raw, setting, catalog, aliasIndex);
    if (model.resolvedFrom === 'alias')
      deps.events.emit('model:resolve', { alias: raw, modelId: model.modelId });
    return model;
  };
  const defaults = DEFAULT_MODEL_CHAIN.map((id) => named(id));
  const primary =
    deps.configured.model === undefined ? undefined : named(deps.configured.model, MODEL_SETTING);
  const fallbacks =
    deps.configured.fallbacks?.map((name) => named(name, FALLBACKS_SETTING)) ??
    (primary ? defaults.filter(({ entry }) => costsNoMore(entry, primary.entry)) : defaults);
  if (primary && !deps.knowsKey(primary.provider)) {
    throw new FinClawError(
      `${MODEL_SETTING}: the model ${primary.modelId} needs a key for ${primary.provider}. Set ${primary.provider.toUpperCase()}_API_KEY; or start without this setting and add a key with /keys add ${primary.provider}; or choose another model.`,
      'MODEL_WITHOUT_KEY',
    );
  }

  /** Who set fallbacks only wants the usual first model in front of them. */
  const inOrder = (): readonly ResolvedModel[] => {
    const first = primary ?? defaults.find(({ entry }) => isUsable(entry));
    return unique([...(first ? [first] : []), ...fallbacks]);
  };

  const configuredChain = (): readonly ResolvedModel[] => {
    const usable = inOrder().filter(({ entry }) => isUsable(entry));
    return usable.length > 0 ? usable : [entryAsResolved(deps.offlineModel, 'default')];
  };

  const chosenFor = async (sessionKey: SessionKey): Promise<ResolvedModel | undefined> => {
    const id = await settings.getModel(sessionKey);
    const entry = id === undefined ? undefined : catalog.getModel(id);
    return entry && isUsable(entry) ? entryAsResolved(entry, 'id') : undefined;
  };

  const chain = async (sessionKey: SessionKey): Promise<readonly ResolvedModel[]> => {
    const chosen = await chosenFor(sessionKey);
    const usual = configuredChain();
    if (!chosen) return usual;
    const isExplicit = deps.configured.fallbacks !== undefined;
    return [
      chosen,
      ...usual.filter(
        ({ modelId, provider, entry }) =>
          modelId !== chosen.modelId &&
          provider !== 'offline' &&
          (isExplicit || costsNoMore(entry, chosen.entry)),
      ),
    ];
  };

  const infoOf = (entry: ModelEntry): ModelInfo => ({
    id: entry.id,
    displayName: entry.displayName,
    provider: entry.provider,
    aliases: entry.aliases,
    contextWindow: entry.contextWindow,
    priceUsd: entry.pricing && {
      input: new Decimal(entry.pricing.inputPerMillion),
      output: new Decimal(entry.pricing.outputPerMillion),
      asOf: entry.asOf,
    },
    isDeprecated: entry.deprecated,
    ...(entry.endOfLife === undefined ? {} : { endOfLife: entry.endOfLife }),
    isUsable: entry.provider === 'offline' || isUsable(entry),
  });

  const defaultModel = (): ModelEntry => configuredChain()[0]?.entry ?? deps.offlineModel;

  return {
    defaultModel,
    configuredModels: () => inOrder().map(({ entry }) => entry),
    chainFor: async (sessionKey, needsVision) => {
      const usual = await chain(sessionKey);
      if (!needsVision) return usual;
      const seeing = usual.filter(({ entry }) => entry.capabilities.vision);
      if (seeing.length > 0) return seeing;
      // The cheapest that sees: nobody asked for a dear one.
      const [other] = catalog
        .findModels({ vision: true })
        .filter((entry) => !entry.deprecated && isUsable(entry))
        .toSorted((a, b) => priceOf(a) - priceOf(b));
      // Without any model that sees, the usual one is told that there was a picture.
      return other ? [entryAsResolved(other, 'default'), ...usual] : usual;
    },
    current: async (sessionKey) => {
      const chosen = await chosenFor(sessionKey);
      const [first, ...others] = await chain(sessionKey);
      return {
        model: infoOf(first?.entry ?? deps.offlineModel),
        isChosen: chosen !== undefined,
        fallbacks: others.map(({ modelId }) => modelId),
      };
    },
    list: () => {
      const models = KEYED_PROVIDERS.flatMap((provider) => catalog.getModelsByProvider(provider)).map(infoOf);
      return models.some(({ isUsable }) => isUsable) ? models : [infoOf(deps.offlineModel), ...models];
    },
    switchTo: async (sessionKey, name) => {
      let entry: ModelEntry;
      try {
        entry = named(name).entry;
      } catch {
        return { status: 'unknown', near: nearModels(name, aliasIndex) };
      }
      const model = infoOf(entry);
      if (!model.isUsable) return { status: 'no-key', model };
      await settings.setModel(sessionKey, entry.id, deps.clock.now());
      return { status: 'switched', model };
    },
    useDefault: async (sessionKey) => {
      await settings.setModel(sessionKey, null, deps.clock.now());
      return infoOf(defaultModel());
    },
  };
};
