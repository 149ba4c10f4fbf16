import type { IncomingMessage } from 'node:http';
import Anthropic, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import { estimateTokens } from '../loop/tokens.ts';
import { type NormalizedResponse, normalizers } from '../models/provider-normalize.ts';
import type { AdapterOptions, ProviderAdapter } from './adapter.ts';
import { toAnthropicRequest } from './anthropic-format.ts';
import { AnthropicEventReader } from './anthropic-stream.ts';
import { streamChunks } from './chunk-stream.ts';
import { idsInAnswer } from './provider-ids.ts';
import { fromSdkError } from './sdk-errors.ts';
import { wholeAnswer } from './whole-answer.ts';

const CLASSES = {
  timeout: APIConnectionTimeoutError,
  connection: APIConnectionError,
  userAbort: APIUserAbortError,
};

const explain = (error: unknown, signal: AbortSignal): unknown =>
  fromSdkError(error, 'anthropic', CLASSES, signal);

/** Claude. The SDK makes the request and knows its errors; the stream is read here, where silence is noticed. */
export const anthropic = (options: AdapterOptions): ProviderAdapter => {
  const { apiKey, baseUrl, clock, idleTimeoutMs, transport } = options;
  const client = new Anthropic({
    apiKey,
    authToken: null,
    // There is one retry policy, and it is ours.
    maxRetries: 0,
    logLevel: 'off',
    fetch: transport.fetch,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });

  return {
    streamCompletion: (request, signal) => {
      const reader = new AnthropicEventReader(request.model.model);
      const open = async (guarded: AbortSignal): Promise<IncomingMessage | undefined> => {
        const body = { ...toAnthropicRequest(request), stream: true as const };
        return transport.streamOf(await client.messages.create(body, { signal: guarded }).asResponse());
      };
      return streamChunks(
        { open, read: (event) => reader.read(event), explain, clock, idleTimeoutMs },
        signal,
      );
    },
    chatCompletion: (request, signal) => {
      const send = async (guarded: AbortSignal): Promise<NormalizedResponse> => {
        const raw = await client.messages.create(toAnthropicRequest(request), { signal: guarded });
        return {
          ...normalizers.anthropic(raw, request.traits.pricing, request.model.model),
          ids: idsInAnswer(raw),
        };
      };
      return wholeAnswer(send, { clock, idleTimeoutMs, explain }, signal);
    },
    checkKey: async (signal) => {
      await wholeAnswer(
        async (guarded) => client.models.list({ limit: 1 }, { signal: guarded }),
        { clock, idleTimeoutMs, explain },
        signal,
      );
    },
    // Another server may call its models as it likes.
    supportsModel: (modelId) => baseUrl !== undefined || modelId.startsWith('claude-'),
    estimateTokens,
  };
};
