import type { Budgets } from './budgets.ts';
import type { ConfigFile } from './config-file.ts';
import type { ModelDefinition } from './models-config.ts';
import type { Environment } from './environment.ts';

/** A defined model as an entry of the model catalog. */
const modelEntry = (id: string, definition: ModelDefinition, today: string) => {
  const { provider, contextWindow, maxOutputTokens, aliases, pricing, displayName, ...rest } = definition;
  const temperature = rest.temperature ?? (provider === 'openai' && !rest.extendedThinking);
  const { asOf = today, ...prices } = pricing ?? { inputPerMillion: 0, outputPerMillion: 0 };
  return {
    id,
    provider,
    displayName: displayName ?? id,
    contextWindow,
    maxOutputTokens,
    capabilities: { ...rest, temperature },
    pricing: pricing ? prices : null,
    aliases,
    deprecated: false,
    asOf,
  };
};

/** The settings of the engine. Variables override the file. */
export const engineConfig = (
  variables: Environment,
  file: ConfigFile,
  budgets: Budgets,
  timeZone: string,
) => {
  const { providers, models, agent } = file;
  const today = Temporal.Now.plainDateISO().toString();
  const provider = (name: 'anthropic' | 'openai', baseUrl: string | undefined) => ({
    baseUrl,
    maxConcurrency: providers[name].maxConcurrency,
    idleTimeoutMs: providers[name].idleTimeoutSeconds * 1_000,
  });
  return {
    apiKeys: { anthropic: variables.ANTHROPIC_API_KEY ?? [], openai: variables.OPENAI_API_KEY ?? [] },
    secretKeys: variables.FINCLAW_SECRET_KEY ?? [],
    keyConfig: {
      providers: { anthropic: providers.anthropic, openai: providers.openai },
      allowDefaultKeys: providers.allowDefaultKeys,
      defaultKeys: providers.defaultKeys,
    },
    aws: providers.aws,
    providers: {
      anthropic: provider('anthropic', variables.ANTHROPIC_BASE_URL),
      openai: { ...provider('openai', variables.OPENAI_BASE_URL), api: providers.openai.api },
    },
    definitions: Object.entries(models.definitions).map(([id, model]) => modelEntry(id, model, today)),
    aliases: models.aliases,
    model: variables.FINCLAW_MODEL ?? models.defaultModel,
    fallbacks: variables.FINCLAW_FALLBACKS ?? models.fallbacks,
    choices: models.choices,
    fallbackOn: models.fallbackOn,
    maxRetriesPerKey: models.maxRetriesPerKey,
    ...agent,
    grounding: { mode: variables.FINCLAW_GROUNDING ?? file.grounding.mode },
    voice: { model: file.voice.model, maxSeconds: file.voice.maxMinutes * 60 },
    agents: file.agents,
    ...budgets,
    timeZone,
    retentionDays: file.retentionDays,
  };
};

export type EngineConfig = ReturnType<typeof engineConfig>;

/** The API keys in the file. */
export const secretsIn = ({ anthropic, openai, defaultKeys }: ConfigFile['providers']): readonly string[] =>
  [anthropic.apiKey, openai.apiKey, defaultKeys.anthropic, defaultKeys.openai].filter(
    (key) => key !== undefined,
  );
