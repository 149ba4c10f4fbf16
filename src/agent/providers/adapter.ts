import type { ConversationMessage, ModelRef, StreamChunk } from '#src/core/model.ts';
import type { ToolDefinition } from '#src/core/tool.ts';

export interface ProviderRequest {
  readonly model: ModelRef;
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
}

/** A model behind an API (or, offline, behind rules). */
export interface ProviderAdapter {
  readonly providerId: string;
  /** Ends with `done`; a stream that ends without it was cut. Throws on failure, stops on abort. */
  readonly streamCompletion: (request: ProviderRequest, signal: AbortSignal) => AsyncIterable<StreamChunk>;
}
