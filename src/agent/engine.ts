import type { Events } from '#src/core/events.ts';
import type { ExecutionAdapter } from '#src/core/execution.ts';
import type { SymbolSearch } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';
import type { KeyedProvider, Keys, Models, UsageReports } from '#src/core/ports.ts';
import { withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { createAuthProfileRows } from '#src/storage/auth-profiles.ts';
import type { Storage } from '#src/storage/database.ts';
import { createSessionSettings } from '#src/storage/session-settings.ts';
import { createTurns } from '#src/storage/turns.ts';
import { createUsageLedger } from '#src/storage/usage.ts';
import { createAwsSecrets } from './auth/aws-secrets.ts';
import { CooldownTracker } from './auth/cooldown.ts';
import { ENV_KEY_NAMES, type KeyConfig, unsavedProfiles } from './auth/fixed-keys.ts';
import { ProfileHealthMonitor } from './auth/health.ts';
import { createKeyRing, type KeyRing, type KeyTrial } from './auth/key-ring.ts';
import { createAuthProfileStore } from './auth/profiles.ts';
import { createSecretBox } from './auth/secret-box.ts';
import { FailoverError, type FallbackReason } from './errors.ts';
import { createExecutionAdapter } from './execution/execution-adapter.ts';
import { createModelCaller } from './execution/model-caller.ts';
import { Runner } from './execution/runner.ts';
import { TokenEstimator } from './execution/tokens.ts';
import { ToolExecutor } from './execution/tool-executor.ts';
import { buildModelAliasIndex } from './models/alias-index.ts';
import { InMemoryModelCatalog, type ModelEntry } from './models/catalog.ts';
import { BUILT_IN_MODELS } from './models/catalog-data.ts';
import { DEFAULT_FALLBACK_ON } from './models/fallback-policy.ts';
import { lifecycleWarnings } from './models/lifecycle.ts';
import { createModelChoice, type ModelChoice } from './models/model-choice.ts';
import { offline, OFFLINE_MODEL } from './providers/offline.ts';
import { createProviders, type ProviderSettings } from './providers/providers.ts';
import type { TranscriptStore } from './session/transcript-store.ts';
import type { ToolRegistry } from './tools/registry.ts';
import { createBudget } from './usage/budget.ts';
import { UsageAggregator } from './usage/usage-aggregator.ts';
import { createUsageReports } from './usage/usage-reports.ts';

/** What the operator set, as far as models and their keys are concerned. */
export interface EngineSettings {
  readonly apiKeys: Readonly<Record<KeyedProvider, readonly string[]>>;
  readonly secretKeys: readonly string[];
  readonly keyConfig: KeyConfig;
  readonly aws: { readonly region: string; readonly endpoint?: string | undefined } | undefined;
  readonly providers: Readonly<Record<KeyedProvider, ProviderSettings>> & {
    readonly openai: ProviderSettings & { readonly api: 'responses' | 'chat' };
  };
  /** Models beside the built-in ones, and names for any of them. */
  readonly definitions: readonly ModelEntry[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly fallbacks: readonly string[] | undefined;
  readonly fallbackOn: readonly FallbackReason[] | undefined;
  readonly maxRetriesPerKey: number;
  readonly maxTurns: number;
  readonly maxOutputTokens: number;
  readonly maxParallelTools: number;
  readonly maxResultChars: number;
  readonly perDayUsd: string | undefined;
  readonly perUserUsd: string | undefined;
  readonly timeZone: string;
  /** What is older is forgotten at the start. */
  readonly retentionDays: number;
}

export interface EngineDeps {
  readonly settings: EngineSettings;
  readonly storage: Storage;
  readonly transcripts: TranscriptStore;
  readonly tools: ToolRegistry;
  readonly symbols: SymbolSearch;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** What the rest of the program gets of the engine. */
export interface Engine {
  readonly adapter: ExecutionAdapter;
  readonly models: Models;
  readonly keys: Keys;
  readonly usage: UsageReports;
  /** Asks every provider whether it takes our keys. For the doctor; costs nothing. */
  readonly tryKeys: (signal: AbortSignal) => Promise<readonly KeyTrial[]>;
  /** What answers where nobody chose a model. */
  readonly describeDefault: () => { readonly name: string; readonly isOffline: boolean };
}

const KEY_TRIAL_MS = 10_000;

const decimal = (text: string | undefined): Decimal | undefined =>
  text === undefined ? undefined : new Decimal(text);

/** All keys of all sources. Throws for a secret key that is none, or not the one that stored keys were sealed with. */
const openKeyRing = async ({ settings, storage, clock, events, logger }: EngineDeps): Promise<KeyRing> => {
  const { apiKeys, secretKeys, keyConfig, aws, providers } = settings;
  const env = {
    [ENV_KEY_NAMES.anthropic]: apiKeys.anthropic.join(','),
    [ENV_KEY_NAMES.openai]: apiKeys.openai.join(','),
  };
  const cooldowns = new CooldownTracker({ clock, events });
  const health = new ProfileHealthMonitor({ clock, events });
  const profileStore = await createAuthProfileStore({
    rows: createAuthProfileRows(storage.db),
    secretBox: secretKeys.length > 0 ? createSecretBox(secretKeys) : undefined,
    cooldowns,
    health,
    clock,
    logger,
    unsaved: unsavedProfiles(env),
  });
  const anyForm = (['anthropic', 'openai'] as const).filter((id) => providers[id].baseUrl !== undefined);
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

const openModels = (deps: EngineDeps, keys: KeyRing): ModelChoice => {
  const { settings, storage, clock, events, logger } = deps;
  const { definitions } = settings;
  const defined = new Set(definitions.map(({ id }) => id));
  // An operator who defines a model that is built in knows better: a new price, another window.
  const catalog = new InMemoryModelCatalog(BUILT_IN_MODELS.filter(({ id }) => !defined.has(id)));
  for (const definition of definitions) catalog.registerModel(overBuiltIn(definition));
  const aliasIndex = buildModelAliasIndex(catalog, {
    extraAliases: settings.aliases,
    onDuplicate: (alias, kept, ignored) =>
      logger.warn(`Two models are called "${alias}": it means ${kept.id}, not ${ignored.id}`),
  });
  const choice = createModelChoice({
    catalog,
    aliasIndex,
    configured: settings,
    knowsKey: (provider) => provider !== 'offline' && keys.knowsKey(provider),
    isUsable: ({ id, provider }) => {
      if (provider === 'offline' || !keys.hasKey(provider)) return false;
      // A compatible server has models of its own: those that the operator defined.
      return provider !== 'openai' || settings.providers.openai.api === 'responses' || defined.has(id);
    },
    offlineModel: OFFLINE_MODEL,
    settings: createSessionSettings(storage.db),
    clock,
    events,
  });
  const [first] = choice.configuredModels();
  if (settings.model !== undefined && first && first.id !== choice.defaultModel().id)
    logger.warn(
      `${first.id} cannot be used now (its key is switched off, or its server does not serve it): ${choice.defaultModel().id} answers.`,
    );
  const today = clock.now().toZonedDateTimeISO(settings.timeZone).toPlainDate();
  for (const warning of lifecycleWarnings(choice.configuredModels(), today)) logger.warn(warning);
  if (settings.perDayUsd !== undefined || settings.perUserUsd !== undefined)
    for (const { id, pricing } of choice.configuredModels())
      if (!pricing) logger.warn(`The price of ${id} is not known, so its use counts against no budget.`);
  return choice;
};

/** Puts the engine together: keys, models, providers, the ledger, and the loop that uses them all. */
export const createEngine = async (deps: EngineDeps): Promise<Engine> => {
  const { settings, storage, tools, clock, events, logger } = deps;
  const keys = await openKeyRing(deps);
  const models = openModels(deps, keys);

  const limits = {
    timeZone: settings.timeZone,
    perDayUsd: decimal(settings.perDayUsd),
    perUserUsd: decimal(settings.perUserUsd),
  };
  const aggregator = new UsageAggregator({ ledger: createUsageLedger(storage.db), clock });
  await aggregator.reset(clock.now().subtract({ hours: 24 * settings.retentionDays }));
  const providers = createProviders({
    settings: settings.providers,
    offline: offline({ symbols: deps.symbols }),
    clock,
    onBreakerChange: (provider, from, to) =>
      logger.warn('A provider changed its state', { provider, from, to }),
  });
  const askModel = createModelCaller({
    providers,
    keys,
    usage: aggregator,
    budget: createBudget({ aggregator, clock, ...limits }),
    estimator: new TokenEstimator(),
    settings: {
      maxOutputTokens: settings.maxOutputTokens,
      maxRetriesPerKey: settings.maxRetriesPerKey,
      fallbackOn: settings.fallbackOn ?? DEFAULT_FALLBACK_ON,
    },
    clock,
    events,
    logger,
  });
  const executor = new ToolExecutor({
    registry: tools,
    maxParallel: settings.maxParallelTools,
    maxResultChars: settings.maxResultChars,
    monotonicMs: clock.monotonicMs,
  });
  const adapter = createExecutionAdapter({
    runner: new Runner({ askModel, tools: executor, clock, events }),
    transcripts: deps.transcripts,
    turns: createTurns(storage.db),
    models,
    tools,
    maxTurns: settings.maxTurns,
    clock,
    logger,
  });
  return {
    adapter,
    models,
    keys,
    usage: createUsageReports({ aggregator, clock, ...limits }),
    tryKeys: (signal) =>
      keys.tryAll(async (provider, apiKey) => {
        const adapter = await providers.adapterFor(provider, apiKey);
        // One server that does not answer must not keep the others from being told.
        const late = (): Error => new FailoverError(`no answer within ${KEY_TRIAL_MS / 1_000} s`, 'timeout');
        const deadline = withDeadline(signal, KEY_TRIAL_MS, clock, late);
        await adapter.checkKey(deadline.signal).finally(deadline.clear);
      }, signal),
    describeDefault: () => {
      const { displayName, provider } = models.defaultModel();
      return { name: displayName, isOffline: provider === 'offline' };
    },
  };
};
