import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';

const modelInfo = (id: string, display_name: string): ModelInfo => ({
  type: 'model',
  id,
  display_name,
  created_at: '2026-09-22T00:00:00Z',
  lifecycle: 'active',
  line: null,
  capabilities: null,
  max_input_tokens: 1_000_000,
  max_tokens: 128_000,
  deprecated_at: null,
  retires_at: null,
});

const data = [
  modelInfo('claude-opus-5-5', 'Claude Opus 5.5'),
  modelInfo('claude-haiku-5-5', 'Claude Haiku 5.5'),
];

/** The one page of models there is. A client asks for it to learn whether its key is right. */
export const MODEL_PAGE = {
  data,
  has_more: false,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
};
