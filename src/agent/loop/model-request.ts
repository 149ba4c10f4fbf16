import type { ChannelId, SessionKey, UserId } from '#src/kernel/ids.ts';
import {
  type ConversationMessage,
  NO_USAGE,
  type ProviderId,
  type ProviderIds,
  type StopReason,
  type TokenUsage,
} from '#src/kernel/model.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';
import { FailoverError } from '../errors.ts';
import { calculateEstimatedCost, wholeInputTokens } from '../models/cost.ts';
import type { ModelEntry } from '../models/catalog.ts';
import { type ResolvedModel, toModelRef } from '../models/selection.ts';
import type { ProviderRequest } from '../providers/adapter.ts';
import type { AnswerBuilder } from './answer-builder.ts';
import type { UncorrectedTokens } from './tokens.ts';

/** One question to a model, with all that was said before. */
export interface ModelCall {
  /** The chain: the first that can answers. */
  readonly models: readonly ResolvedModel[];
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: 'auto' | 'none';
  readonly sessionKey: SessionKey;
  readonly channelId: ChannelId;
  /** Whose budget it is. */
  readonly userId: UserId;
  /** What may still fail for this message. */
  readonly failures: { left: number };
  /** What one model is sent, where that differs by window; undefined where nothing fits. Absent: all get the same. */
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
/** Input is estimated, and a server may refuse a request whose input and answer together exceed its window. */
const SAFETY_MARGIN = 1.1;

/** Models of Anthropic that take a temperature end at 1. */
const MAX_TEMPERATURE: Readonly<Record<ProviderId, number>> = { anthropic: 1, openai: 2, offline: 0 };

const temperatureFor = (
  { provider, capabilities }: ModelEntry,
  temperature: number | undefined,
): Pick<ProviderRequest, 'temperature'> =>
  temperature === undefined || !capabilities.temperature
    ? {}
    : { temperature: Math.min(temperature, MAX_TEMPERATURE[provider]) };

/** The question in the form of the model that is asked; as long an answer as model, settings and window allow. */
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

/** What came of one request, as far as it got. */
export interface Progress {
  readonly builder: AnswerBuilder;
  ids: ProviderIds;
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
  const { entry, standsInFor } = model;
  const standIn = standsInFor && { model: entry.displayName, chosen: standsInFor.displayName };
  return { message: standIn ? { ...message, standIn } : message, stopReason, usage, model };
};

/**
 * What a request has to be paid for. One that was stopped or failed on its way costs what it sent, as far as the
 * provider did not report it, and what came of the answer. One that was turned away costs nothing.
 */
export const spentOn = (
  { usage, builder, stopReason, estimateTokens }: Progress,
  sent: { readonly inputTokens: number; readonly wasTurnedAway: boolean },
): TokenUsage => {
  if (stopReason) return usage;
  if (sent.wasTurnedAway && builder.received === '') return usage;
  const isReported = wholeInputTokens(usage) > 0;
  return {
    ...usage,
    inputTokens: isReported ? usage.inputTokens : sent.inputTokens,
    outputTokens: Math.max(usage.outputTokens, estimateTokens(builder.received)),
  };
};

/** A token is a byte at least, and the estimate takes three bytes for one. */
const MOST_PER_ESTIMATED = 3;

/**
 * What a request can cost at most, however its text is cut into tokens and however long its answer becomes. All of its
 * input may have to be written into the provider's cache. Null where the price is not known.
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
