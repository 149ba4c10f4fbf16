import type {
  ConversationMessage,
  ModelRef,
  ProviderIds,
  StreamChunk,
  TokenUsage,
} from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import type { ModelPricing } from '../models/catalog.ts';
import type { HttpTransport } from '#src/platform/net/http-transport.ts';
import type { Uses } from '#src/platform/services.ts';
import type { NormalizedResponse } from '../models/provider-normalize.ts';

export interface ProviderRequest {
  readonly model: ModelRef;
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
  /** `none`: tools stay in the prompt to keep its cache valid, but must not be called. */
  readonly toolChoice: 'auto' | 'none';
  readonly maxTokens: number;
  /** Only for models that accept one. */
  readonly temperature?: number;
  /** The same for all requests of a conversation, so that they share a cache. */
  readonly cacheKey: string;
  readonly traits: ModelTraits;
}

/** Model properties that a provider needs. */
export interface ModelTraits {
  readonly vision: boolean;
  /** The model returns thinking blocks that must be sent back. */
  readonly extendedThinking: boolean;
  /** The thinking mode to request, if the model needs one. */
  readonly thinking?: 'adaptive';
  readonly pricing: ModelPricing | null;
}

export interface TranscriptionRequest {
  readonly model: string;
  readonly sound: Blob;
  /** Its extension tells the provider the format. */
  readonly fileName: string;
}

export interface TranscriptionAnswer {
  readonly text: string;
  /** Undefined if the server reports none. */
  readonly usage: TokenUsage | undefined;
  readonly ids: ProviderIds;
}

/** A provider's API (or the offline rules) with one key. */
export interface ProviderAdapter {
  /**
   * Ends with `done`; a stream that ends without it was truncated. Throws `FailoverError` if another attempt,
   * key or model may help, another error if not, and the signal's reason on abort.
   */
  readonly streamCompletion: (request: ProviderRequest, signal: AbortSignal) => AsyncIterable<StreamChunk>;
  /** Same as `streamCompletion` without streaming, for models that do not stream. */
  readonly chatCompletion: (request: ProviderRequest, signal: AbortSignal) => Promise<NormalizedResponse>;
  /** Checks the key with the provider, at no cost. Throws as `streamCompletion` does. */
  readonly checkKey: (signal: AbortSignal) => Promise<void>;
  /** Absent: the provider has no transcription. Throws as `streamCompletion` does. */
  readonly transcribe?: (request: TranscriptionRequest, signal: AbortSignal) => Promise<TranscriptionAnswer>;
  readonly supportsModel: (modelId: string) => boolean;
  /** A rough estimate, for the minimum cost of an interrupted answer. */
  readonly estimateTokens: (text: string) => number;
}

/** Options common to all adapters. */
export interface AdapterOptions extends Uses<'clock'> {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  /** A connection without data for this long is aborted. */
  readonly idleTimeoutMs: number;
  readonly transport: HttpTransport;
}
