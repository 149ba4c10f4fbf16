import { z } from 'zod';
import { FinClawError } from '#src/core/errors.ts';
import type { ContentBlock, ProviderIds, StopReason, StreamChunk, TokenUsage } from '#src/core/model.ts';
import type { Decimal } from '#src/core/money.ts';
import type { KeyedProvider } from '#src/core/ports.ts';
import type { ModelPricing } from './catalog.ts';
import { calculateEstimatedCost } from './cost.ts';
import { readAnthropicBody } from './normalize-anthropic.ts';
import { readOpenAiBody } from './normalize-openai.ts';

export interface NormalizedUsage extends TokenUsage {
  /** Null where the price is unknown: unknown is not free. */
  readonly estimatedCostUsd: Decimal | null;
}

/** A whole answer, whoever gave it. */
export interface NormalizedResponse {
  /** All of it, in order: thinking, words, calls. */
  readonly blocks: readonly ContentBlock[];
  readonly stopReason: StopReason;
  readonly usage: NormalizedUsage;
  readonly ids?: ProviderIds;
}

/** What the reader of one provider's body makes of it. */
export interface ReadBody {
  readonly blocks: readonly ContentBlock[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  readonly modelId: string;
}

/** `askedModel`: whose thoughts they are, where the provider answers with a longer name of the same model. */
export type ResponseNormalizer = (
  raw: unknown,
  pricing: ModelPricing | null,
  askedModel?: string,
) => NormalizedResponse;

export const normalizeUsage = (usage: TokenUsage, pricing: ModelPricing | null): NormalizedUsage => ({
  ...usage,
  estimatedCostUsd: calculateEstimatedCost(usage, pricing),
});

/** Throws `PROVIDER_BAD_BODY` for what is no answer of that provider. */
const normalizer =
  (provider: KeyedProvider, read: (raw: unknown) => ReadBody): ResponseNormalizer =>
  (raw, pricing, askedModel) => {
    let body: ReadBody;
    try {
      body = read(raw);
    } catch (cause) {
      const what = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
      throw new FinClawError(`${provider} sent an answer of an unknown form: ${what}`, 'PROVIDER_BAD_BODY', {
        cause,
      });
    }
    const model = askedModel ?? body.modelId;
    const blocks = body.blocks.map((block) => (block.type === 'thinking' ? { ...block, model } : block));
    return { blocks, stopReason: body.stopReason, usage: normalizeUsage(body.usage, pricing) };
  };

export const normalizeAnthropicResponse = normalizer('anthropic', readAnthropicBody);
/** Reads both kinds of body: of the Responses API and of chat completions. */
export const normalizeOpenAIResponse = normalizer('openai', readOpenAiBody);

export const normalizers: Readonly<Record<KeyedProvider, ResponseNormalizer>> = {
  anthropic: normalizeAnthropicResponse,
  openai: normalizeOpenAIResponse,
};

/** A whole answer as the stream that a model which does stream would have sent. */
export function* chunksOf(response: NormalizedResponse): Generator<StreamChunk> {
  if (response.ids) yield { type: 'message_start', ...response.ids };
  for (const block of response.blocks) {
    if (block.type === 'text') yield { type: 'text_delta', text: block.text };
    if (block.type === 'thinking') yield { type: 'thinking_end', block };
    if (block.type !== 'tool_use') continue;
    yield { type: 'tool_use_start', id: block.id, name: block.name };
    // Arguments that were no JSON stay none.
    const delta = block.malformed === undefined ? JSON.stringify(block.input) : '{';
    yield { type: 'tool_input_delta', id: block.id, delta };
    yield { type: 'tool_use_end', id: block.id };
  }
  yield { type: 'usage', usage: response.usage };
  yield { type: 'done', stopReason: response.stopReason };
}
