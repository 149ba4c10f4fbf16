import type { ChannelId, InboxId, SessionKey, UserId } from '#src/kernel/ids.ts';
import {
  type ConversationMessage,
  NO_USAGE,
  type ProviderId,
  type ProviderIds,
  type StopReason,
  type TokenUsage,
} from '#src/kernel/agent/model.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import { FailoverError } from '../errors.ts';
import { calculateEstimatedCost, wholeInputTokens } from '../models/cost.ts';
import type { ModelEntry } from '../models/catalog.ts';
import { type ResolvedModel, toModelRef } from '../models/resolve-model.ts';
import type { ProviderRequest } from '../providers/adapter.ts';
import type { AnswerBuilder } from './answer-builder.ts';
import type { UncorrectedTokens } from '../tokens.ts';

/** One model call with its whole conversation. */
export interface ModelCall {
  /** Tried in order; the first that can answer does. */
  readonly models: readonly ResolvedModel[];
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: 'auto' | 'none';
  readonly sessionKey: SessionKey;
  readonly channelId: ChannelId;
  /** The person whose budget is charged. */
  readonly userId: UserId;
  /** The message that is answered. Absent for a request beside one. */
  readonly inboxId?: InboxId;
  /** Remaining failures for this message. */
  readonly failures: { left: number };
  /**
   * The request for one model, if it differs by window; undefined if nothing fits. Absent: all models get the
   * same.
   */
  readonly shapeFor?: (model: ResolvedModel) => Promise<RequestShape | undefined>;
}

export type RequestShape = Pick<ModelCall, 'systemPrompt' | 'messages' | 'tools'>;

export interface ModelAnswer {
  readonly message: ConversationMessage;
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  readonly model: ResolvedModel;
}

const MIN_OUTPUT_TOKENS = 256;
/**
 * Margin for the estimated input, because a server may reject a request whose input and answer exceed its
 * window.
 */
const SAFETY_MARGIN = 1.1;

/** Anthropic accepts a temperature of at most 1. */
const MAX_TEMPERATURE: Readonly<Record<ProviderId, number>> = { anthropic: 1, openai: 2, offline: 0 };

const temperatureFor = (
  { provider, capabilities }: ModelEntry,
  temperature: number | undefined,
): Pick<ProviderRequest, 'temperature'> =>
  temperature === undefined || !capabilities.temperature
    ? {}
    : { temperature: Math.min(temperature, MAX_TEMPERATURE[provider]) };

/** Builds the request for a model, with the longest answer that model, settings and window allow. */
export const requestFor = (
  call: ModelCall,
  { entry }: ResolvedModel,
  tools: readonly ToolDefinition[],
  settings: {
    readonly maxOutputTokens: number;
    readonly estimatedTokens: number;
    readonly temperature: number | undefined;
  },
): ProviderRequest => {
  const { capabilities, thinking, pricing, contextWindow } = entry;
  const roomTokens = contextWindow - Math.ceil(settings.estimatedTokens * SAFETY_MARGIN);
  const maxTokens = Math.min(settings.maxOutputTokens, entry.maxOutputTokens, roomTokens);
  return {
    model: toModelRef(entry),
    systemPrompt: call.systemPrompt,
    messages: call.messages,
    tools,
    toolChoice: call.toolChoice,
    maxTokens: Math.max(MIN_OUTPUT_TOKENS, maxTokens),
    ...temperatureFor(entry, settings.temperature),
    cacheKey: call.sessionKey,
    traits: {
      vision: capabilities.vision,
      extendedThinking: capabilities.extendedThinking,
      ...(thinking ? { thinking } : {}),
      pricing,
    },
  };
};

/** The state of one request in progress. */
export interface Progress {
  readonly builder: AnswerBuilder;
  ids: ProviderIds;
  usage: TokenUsage;
  stopReason: StopReason | undefined;
  /** The provider's estimator. */
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
  const { entry, standsInFor } = model;
  const standIn = standsInFor && { model: entry.displayName, chosen: standsInFor.displayName };
  return { message: standIn ? { ...message, standIn } : message, stopReason, usage, model };
};

/**
 * The billable usage of a request. One that was stopped or failed, or whose server reports nothing, costs its input and the
 * received part of the answer. A rejected one costs nothing.
 */
export const spentOn = (
  { usage, builder, stopReason, estimateTokens }: Progress,
  sent: { readonly inputTokens: number; readonly wasTurnedAway: boolean },
): TokenUsage => {
  const isReported = wholeInputTokens(usage) > 0;
  if (stopReason && isReported) return usage;
  if (sent.wasTurnedAway && builder.received === '') return usage;
  return {
    ...usage,
    inputTokens: isReported ? usage.inputTokens : sent.inputTokens,
    outputTokens: Math.max(usage.outputTokens, estimateTokens(builder.received)),
  };
};

/** A token has at least one byte, and the estimate assumes three. */
const MOST_PER_ESTIMATED = 3;

/**
 * The maximum cost of a request, however its text is tokenized and however long its answer gets. The whole
 * input may be written to the provider's cache. Null if the price is unknown.
 */
export const mostItCosts = (
  { maxTokens, traits: { pricing } }: Pick<ProviderRequest, 'maxTokens' | 'traits'>,
  estimatedTokens: UncorrectedTokens,
): Decimal | null => {
  const inputTokens = estimatedTokens * MOST_PER_ESTIMATED;
  const { inputPerMillion = 0, cacheWritePerMillion = 0 } = pricing ?? {};
  const input = cacheWritePerMillion > inputPerMillion ? { cacheWriteTokens: inputTokens } : { inputTokens };
  return calculateEstimatedCost({ ...NO_USAGE, ...input, outputTokens: maxTokens }, pricing);
};
