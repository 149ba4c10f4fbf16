import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIUserAbortError } from 'openai';
import type { StreamChunk } from '#src/core/model.ts';
import { estimateTokens } from '../execution/tokens.ts';
import { normalizeOpenAIResponse } from '../models/provider-normalize.ts';
import type { AdapterOptions, ProviderAdapter, ProviderRequest } from './adapter.ts';
import { createIdleGuard } from './idle-guard.ts';
import { ChatEventReader, toChatRequest } from './openai-chat.ts';
import { ResponsesEventReader, toResponsesRequest } from './openai-responses.ts';
import { fromSdkError } from './sdk-errors.ts';
import { readSse, type SseEvent } from './sse.ts';

export interface OpenAiOptions extends AdapterOptions {
  /** `chat` is for compatible servers (Ollama, vLLM, LM Studio); OpenAI's own models want `responses`. */
  readonly api: 'responses' | 'chat';
}

const CLASSES = {
  timeout: APIConnectionTimeoutError,
  connection: APIConnectionError,
  userAbort: APIUserAbortError,
};

interface EventReader {
  readonly read: (event: SseEvent) => readonly StreamChunk[];
}

/** GPT, and whatever speaks its language. The SDK makes the request; the stream is read here. */
export const openai = (options: OpenAiOptions): ProviderAdapter => {
  const { apiKey, baseUrl, clock, idleTimeoutMs, api } = options;
  const client = new OpenAI({
    apiKey,
    // There is one retry policy, and it is ours.
    maxRetries: 0,
    logLevel: 'off',
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });

  const open = async (
    request: ProviderRequest,
    signal: AbortSignal,
  ): Promise<{ readonly response: Response; readonly reader: EventReader }> => {
    if (api === 'responses') {
      const body = { ...toResponsesRequest(request), stream: true as const };
      const response = await client.responses.create(body, { signal }).asResponse();
      return { response, reader: new ResponsesEventReader(request.model.model) };
    }
    const body = {
      ...toChatRequest(request),
      stream: true as const,
      stream_options: { include_usage: true },
    };
    const response = await client.chat.completions.create(body, { signal }).asResponse();
    return { response, reader: new ChatEventReader() };
  };

  const whole = async <T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> => {
    try {
      return await send();
    } catch (error) {
      throw fromSdkError(error, 'openai', CLASSES, signal);
    }
  };

  return {
    providerId: 'openai',
    async *streamCompletion(request, signal): AsyncGenerator<StreamChunk> {
      const guard = createIdleGuard(signal, idleTimeoutMs, clock);
      try {
        const { response, reader } = await open(request, guard.signal);
        if (!response.body) return;
        for await (const events of readSse(response.body, guard.touch)) {
          for (const event of events) yield* reader.read(event);
        }
      } catch (error) {
        throw fromSdkError(error, 'openai', CLASSES, guard.signal);
      } finally {
        guard.clear();
      }
    },
    chatCompletion: (request, signal) =>
      whole(signal, async () => {
        const raw: unknown =
          api === 'responses'
            ? await client.responses.create(toResponsesRequest(request), { signal })
            : await client.chat.completions.create(toChatRequest(request), { signal });
        return normalizeOpenAIResponse(raw, request.traits.pricing);
      }),
    checkKey: (signal) => whole(signal, async () => void (await client.models.list({ signal }))),
    supportsModel: (modelId) => api === 'chat' || /^(?:gpt-|o\d|chatgpt-)/.test(modelId),
    estimateTokens,
  };
};
