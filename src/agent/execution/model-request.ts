import type { StopReason, TokenUsage } from '#src/core/model.ts';
import type { ToolDefinition } from '#src/core/tool.ts';
import { FailoverError } from '../errors.ts';
import { wholeInputTokens } from '../models/cost.ts';
import { type ResolvedModel, toModelRef } from '../models/selection.ts';
import type { ProviderRequest } from '../providers/adapter.ts';
import type { AnswerBuilder } from './answer-builder.ts';
import type { ModelAnswer, ModelCall } from './model-caller.ts';
import { estimateRequest } from './tokens.ts';

const MIN_OUTPUT_TOKENS = 256;

/** The question in the form of the model that is asked; as long an answer as model, settings and window allow. */
export const requestFor = (
  call: ModelCall,
  { entry }: ResolvedModel,
  tools: readonly ToolDefinition[],
  limits: { readonly maxOutputTokens: number; readonly estimatedTokens: number },
): ProviderRequest => {
  const { capabilities, thinking, pricing, contextWindow } = entry;
  const roomTokens = contextWindow - limits.estimatedTokens;
  const maxTokens = Math.min(limits.maxOutputTokens, entry.maxOutputTokens, roomTokens);
  return {
    model: toModelRef(entry),
    systemPrompt: call.systemPrompt,
    messages: call.messages,
    tools,
    toolChoice: call.toolChoice,
    maxTokens: Math.max(MIN_OUTPUT_TOKENS, maxTokens),
    cacheKey: call.sessionKey,
    traits: {
      vision: capabilities.vision,
      extendedThinking: capabilities.extendedThinking,
      ...(thinking ? { thinking } : {}),
      pricing,
    },
  };
};

/** What came of one request, as far as it got. */
export interface Progress {
  readonly builder: AnswerBuilder;
  usage: TokenUsage;
  stopReason: StopReason | undefined;
  /** Of the provider that is asked. */
  estimateTokens: (text: string) => number;
}

export const answerOf = (progress: Progress, model: ResolvedModel): ModelAnswer => {
  const { stopReason, usage, builder } = progress;
  const { modelId } = model;
  if (!stopReason) throw new FailoverError(`${modelId}: the answer was cut off`, 'server-error');
  if (stopReason === 'refusal') throw new FailoverError(`${modelId} declined to answer`, 'refusal');
  if (stopReason === 'context_overflow')
    throw new FailoverError(`${modelId}: the conversation does not fit`, 'context-overflow');
  const message = builder.finish(stopReason);
  if (!message) throw new FailoverError(`${modelId} gave an empty answer`, 'empty-answer');
  return { message, stopReason, usage, model };
};

/** A failed request costs too: at least what came of it, and the question if anything came at all. */
export const spentOn = (
  request: ProviderRequest,
  { usage, builder, stopReason, estimateTokens }: Progress,
): TokenUsage => {
  if (stopReason || builder.received === '') return usage;
  const output = estimateTokens(builder.received);
  const isReported = wholeInputTokens(usage) > 0;
  return {
    ...usage,
    inputTokens: isReported ? usage.inputTokens : estimateRequest(request),
    outputTokens: Math.max(usage.outputTokens, output),
  };
};
