import { z } from 'zod';
import { type ContentBlock, NO_USAGE, type StopReason, type TokenUsage } from '#src/core/model.ts';
import type { ReadBody } from './provider-normalize.ts';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  pause_turn: 'pause_turn',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_overflow',
};

/** A reason that is newer than this program ends the turn as any other. */
export const anthropicStopReason = (raw: string | null | undefined): StopReason =>
  STOP_REASONS[raw ?? ''] ?? 'end_turn';

interface AnthropicUsage {
  readonly input_tokens?: number | null | undefined;
  readonly output_tokens?: number | null | undefined;
  readonly cache_read_input_tokens?: number | null | undefined;
  readonly cache_creation_input_tokens?: number | null | undefined;
}

/** `input_tokens` are the uncached ones here; later reports are cumulative and replace what they name. */
export const anthropicUsage = (raw: AnthropicUsage, before: TokenUsage): TokenUsage => ({
  inputTokens: raw.input_tokens ?? before.inputTokens,
  outputTokens: raw.output_tokens ?? before.outputTokens,
  cacheReadTokens: raw.cache_read_input_tokens ?? before.cacheReadTokens,
  cacheWriteTokens: raw.cache_creation_input_tokens ?? before.cacheWriteTokens,
});

const tokens = z.number().nullish();
const bodySchema = z.object({
  model: z.string(),
  stop_reason: z.string().nullable(),
  usage: z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
  }),
  content: z.array(z.looseObject({ type: z.string() })),
});

const textSchema = z.object({ text: z.string() });
const thinkingSchema = z.object({ thinking: z.string(), signature: z.string() });
const toolUseSchema = z.object({ id: z.string(), name: z.string(), input: z.unknown() });

/** Throws where the body is no message of the Messages API. Kinds of blocks that are newer than us are left out. */
export const readAnthropicBody = (raw: unknown): ReadBody => {
  const body = bodySchema.parse(raw);
  const blocks = body.content.flatMap((block): readonly ContentBlock[] => {
    if (block.type === 'text') return [{ type: 'text', text: textSchema.parse(block).text }];
    if (block.type === 'tool_use') return [{ type: 'tool_use', ...toolUseSchema.parse(block) }];
    if (block.type === 'thinking') {
      const { thinking, signature } = thinkingSchema.parse(block);
      const opaque = { type: 'thinking', thinking, signature };
      return [{ type: 'thinking', model: body.model, text: thinking, opaque }];
    }
    if (block.type === 'redacted_thinking')
      return [{ type: 'thinking', model: body.model, text: '', opaque: block }];
    return [];
  });
  return {
    blocks,
    stopReason: anthropicStopReason(body.stop_reason),
    usage: anthropicUsage(body.usage, NO_USAGE),
    modelId: body.model,
  };
};
