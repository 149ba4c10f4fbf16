import type { ModelEntry } from '#src/agent/models/catalog.ts';

/** A healthy model without a price; the test says what is special about it. */
export const entry = (id: string, special: Partial<ModelEntry> = {}): ModelEntry => ({
  id,
  provider: 'anthropic',
  displayName: id,
  contextWindow: 100_000,
  maxOutputTokens: 10_000,
  capabilities: {
    vision: true,
    functionCalling: true,
    streaming: true,
    extendedThinking: true,
    temperature: false,
    numericalReasoningTier: 'medium',
  },
  pricing: null,
  aliases: [],
  deprecated: false,
  asOf: '2026-11-14',
  ...special,
});
