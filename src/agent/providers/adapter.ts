import type { ConversationMessage, ModelRef, StreamChunk } from '#src/kernel/model.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { ModelPricing } from '../models/catalog.ts';
import type { HttpTransport } from './http-transport.ts';
import type { NormalizedResponse } from '../models/provider-normalize.ts';

export interface ProviderRequest {
  readonly model: ModelRef;
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
  /** `none`: the tools stay in the prompt, so that its cached part does not change, but may not be called. */
  readonly toolChoice: 'auto' | 'none';
  readonly maxTokens: number;
  /** Only for models that take one. */
  readonly temperature?: number;
  /** The same for all requests of a conversation, so that they meet the same cache. */
  readonly cacheKey: string;
  readonly traits: ModelTraits;
}

/** What a provider has to know about the model beyond its name. */
export interface ModelTraits {
  readonly vision: boolean;
  /** Its thinking comes as blocks that it wants to see again. */
  readonly extendedThinking: boolean;
  /** How thinking is asked for, where it has to be. */
  readonly thinking?: 'adaptive';
  readonly pricing: ModelPricing | null;
}

/** A model behind an API (or, offline, behind rules), with one key. */
export interface ProviderAdapter {
  /**
   * Ends with `done`; a stream that ends without it was cut. Throws `FailoverError` where another try, key
   * or model may help, another error where not, and the signal's reason on abort.
   */
  readonly streamCompletion: (request: ProviderRequest, signal: AbortSignal) => AsyncIterable<StreamChunk>;
  /** The same in one piece, for models that do not stream. Throws as `streamCompletion` does. */
  readonly chatCompletion: (request: ProviderRequest, signal: AbortSignal) => Promise<NormalizedResponse>;
  /** Whether the key is accepted; asks the provider, at no cost. Throws as `streamCompletion` does. */
  readonly checkKey: (signal: AbortSignal) => Promise<void>;
  readonly supportsModel: (modelId: string) => boolean;
  /** A rough count, for what a broken answer has cost at least. */
  readonly estimateTokens: (text: string) => number;
}

/** What the adapters of all providers are made of. */
export interface AdapterOptions {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  /** A connection that brings nothing for so long is given up. */
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
  readonly transport: HttpTransport;
}
