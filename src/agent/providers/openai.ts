import type { IncomingMessage } from 'node:http';
import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIUserAbortError } from 'openai';
import type { StreamChunk } from '#src/kernel/model.ts';
import { estimateTokens } from '../loop/tokens.ts';
import { type NormalizedResponse, normalizers } from '../models/provider-normalize.ts';
import type { AdapterOptions, ProviderAdapter, ProviderRequest } from './adapter.ts';
import { streamChunks, completeAnswer } from './chunk-stream.ts';
import { ChatEventReader, toChatRequest } from './openai-chat.ts';
import { ResponsesEventReader, toResponsesRequest } from './openai-responses.ts';
import { type ErrorBody, failedResponse, fromSdkError } from './sdk-errors.ts';
import { idsInAnswer } from './request-ids.ts';

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
  readonly read: (data: string) => readonly StreamChunk[];
}

/** Without streaming, a failure arrives as an ordinary answer. */
const throwIfFailed = (raw: unknown): void => {
  const { status, error } = raw as {
    readonly status?: unknown;
    readonly error?: ErrorBody | null;
  };
  if (status !== 'failed') return;
  throw failedResponse('openai', error ?? {});
};

const explain = (error: unknown, signal: AbortSignal): unknown =>
  fromSdkError(error, 'openai', CLASSES, signal);

/** The adapter for GPT and compatible servers. The SDK sends the request; the stream is read here. */
export const openai = (options: OpenAiOptions): ProviderAdapter => {
  const { apiKey, baseUrl, clock, idleTimeoutMs, transport, api } = options;
  const client = new OpenAI({
    apiKey,
    // The fallback policy retries, not the SDK.
    maxRetries: 0,
    logLevel: 'off',
    fetch: transport.fetch,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });

  const readerFor = ({ model }: ProviderRequest): EventReader =>
    api === 'responses' ? new ResponsesEventReader(model.model) : new ChatEventReader();

  const openStream = (request: ProviderRequest, signal: AbortSignal): Promise<Response> => {
    if (api === 'responses')
      return client.responses
        .create({ ...toResponsesRequest(request), stream: true }, { signal })
        .asResponse();
    const withUsage = { stream: true as const, stream_options: { include_usage: true } };
    return client.chat.completions
      .create({ ...toChatRequest(request), ...withUsage }, { signal })
      .asResponse();
  };

  return {
    streamCompletion: (request, signal) => {
      const reader = readerFor(request);
      const open = async (guarded: AbortSignal): Promise<IncomingMessage | undefined> =>
        transport.streamOf(await openStream(request, guarded));
      return streamChunks(
        { open, read: (event) => reader.read(event), explain, clock, idleTimeoutMs },
        signal,
      );
    },
    chatCompletion: (request, signal) => {
      const send = async (guarded: AbortSignal): Promise<NormalizedResponse> => {
        const raw: unknown =
          api === 'responses'
            ? await client.responses.create(toResponsesRequest(request), { signal: guarded })
            : await client.chat.completions.create(toChatRequest(request), { signal: guarded });
        throwIfFailed(raw);
        return {
          ...normalizers.openai(raw, request.traits.pricing, request.model.model),
          ids: idsInAnswer(raw),
        };
      };
      return completeAnswer(send, { clock, idleTimeoutMs, explain }, signal);
    },
    checkKey: async (signal) => {
      await completeAnswer(
        async (guarded) => client.models.list({ signal: guarded }),
        { clock, idleTimeoutMs, explain },
        signal,
      );
    },
    // A compatible server may name its models freely.
    supportsModel: (modelId) => baseUrl !== undefined || /^(?:gpt-|o\d|chatgpt-)/.test(modelId),
    estimateTokens,
  };
};
