import type { PluginModel } from '#src/kernel/operations/plugin.ts';
import type { ModelEntry } from './models/catalog.ts';
import { BUILT_IN_MODELS } from './models/catalog-data.ts';
import { OFFLINE_MODEL } from './offline/offline-provider.ts';
import { normalizeModelName } from './models/resolve-model.ts';

/** Converts a plugin's model to a catalog entry. */
export const pluginModelEntry = (model: PluginModel, today: string): ModelEntry => ({
  id: model.id,
  provider: model.provider,
  displayName: model.displayName ?? model.id,
  contextWindow: model.contextWindow,
  maxOutputTokens: model.maxOutputTokens,
  capabilities: {
    vision: model.vision ?? false,
    functionCalling: model.functionCalling ?? true,
    streaming: model.streaming ?? true,
    extendedThinking: false,
    // Compatible servers accept a temperature; OpenAI's newer models do not.
    temperature: model.temperature ?? (model.provider === 'openai' && model.server !== undefined),
    numericalReasoningTier: model.numericalReasoningTier ?? 'low',
  },
  pricing: model.pricing,
  aliases: model.aliases ?? [],
  deprecated: false,
  asOf: today,
  ...(model.server && { server: { api: 'chat', ...model.server } }),
});

/** Names that a plugin's model must not use: those of built-in models and of the configuration. */
export const builtInModelNames = (settings: {
  readonly definitions: readonly ModelEntry[];
  readonly aliases: Readonly<Record<string, string>>;
}): readonly string[] => [
  ...[...BUILT_IN_MODELS, ...settings.definitions, OFFLINE_MODEL]
    .flatMap(({ id, aliases }) => [id, ...aliases])
    .map(normalizeModelName),
  ...Object.keys(settings.aliases).map(normalizeModelName),
];
