import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  type APIError,
  APIUserAbortError,
} from 'openai';
import { NO_USAGE, type TokenUsage } from '#src/kernel/agent/model.ts';
import type {
  AdapterOptions,
  ProviderAdapter,
  TranscriptionAnswer,
  TranscriptionRequest,
} from './adapter.ts';
import { chatErrorIn } from '../models/provider-normalize.ts';
import { ChatEventReader, toChatRequest } from './openai-chat.ts';
import { ResponsesEventReader, toResponsesRequest } from './openai-responses.ts';
import { createBodyWriter } from './request-body.ts';
import { clientOptions, sdkAdapter } from './sdk-adapter.ts';
import { failedResponse } from './sdk-errors.ts';

export interface OpenAiOptions extends AdapterOptions {
  /** `chat` is for compatible servers (Ollama, vLLM, LM Studio); OpenAI's own models want `responses`. */
  readonly api: 'responses' | 'chat';
}

/** Throws for a failure, which arrives as an ordinary answer if it is not streamed. */
const unlessFailed = (answer: unknown): unknown => {
  const { status, ...body } = answer as { readonly status?: unknown; readonly error?: unknown };
  const error = status === 'failed' ? (body.error ?? {}) : chatErrorIn(body);
  if (error !== undefined) throw failedResponse('openai', error);
  return answer;
};

/** vLLM and Mistral send an error without the `error` around it, and the SDK would drop all of it. */
class Client extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    const isBare = body !== undefined && !('error' in body);
    return super.makeStatusError(status, isBare ? { error: body } : (body as object), message, headers);
  }
}

type Usage = OpenAI.Audio.Transcription['usage'];

/** A model that is billed by the second reports no tokens. */
const tokensIn = (usage: Usage): TokenUsage | undefined =>
  usage?.type === 'tokens'
    ? { ...NO_USAGE, inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
    : undefined;

/** The adapter for GPT and compatible servers. */
export const openai = (options: OpenAiOptions): ProviderAdapter => {
  const client = new Client(clientOptions(options));
  const write = createBodyWriter();
  const common = {
    provider: 'openai',
    errors: {
      timeout: APIConnectionTimeoutError,
      connection: APIConnectionError,
      userAbort: APIUserAbortError,
    },
    modelNames: /^(?:gpt-|o\d|chatgpt-)/,
    listModels: async (signal: AbortSignal) => client.models.list({ signal }),
    transcribe: async (
      { model, sound, fileName }: TranscriptionRequest,
      signal: AbortSignal,
    ): Promise<TranscriptionAnswer> => {
      const file = new File([sound], fileName);
      const sent = client.audio.transcriptions.create({ model, file, response_format: 'json' }, { signal });
      const { data, request_id: requestId } = await sent.withResponse();
      return { text: data.text, usage: tokensIn(data.usage), ids: requestId ? { requestId } : {} };
    },
  } as const;
  if (options.api === 'chat')
    return sdkAdapter(options, {
      ...common,
      readerFor: () => new ChatEventReader(),
      openStream: (request, signal) => {
        const withUsage = { stream: true, stream_options: { include_usage: true } } as const;
        const params = { ...toChatRequest(request), ...withUsage };
        return client.chat.completions.create(params, { signal, ...write(params, request) }).asResponse();
      },
      complete: async (request, signal) =>
        unlessFailed(await client.chat.completions.create(toChatRequest(request), { signal })),
    });
  return sdkAdapter(options, {
    ...common,
    readerFor: ({ model }) => new ResponsesEventReader(model.model),
    openStream: (request, signal) => {
      const params = { ...toResponsesRequest(request), stream: true } as const;
      return client.responses.create(params, { signal, ...write(params, request) }).asResponse();
    },
    complete: async (request, signal) =>
      unlessFailed(await client.responses.create(toResponsesRequest(request), { signal })),
  });
};
