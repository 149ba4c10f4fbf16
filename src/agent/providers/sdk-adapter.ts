import type { KeyedProvider } from '#src/kernel/agent/model.ts';
import { estimateTokens } from '../tokens.ts';
import { normalizers } from '../models/provider-normalize.ts';
import type { AdapterOptions, ProviderAdapter, ProviderRequest } from './adapter.ts';
import { completeAnswer, type EventReader, streamChunks } from './chunk-stream.ts';
import { idsInAnswer } from './request-ids.ts';
import { fromSdkError, type SdkErrorClasses } from './sdk-errors.ts';

/** The part of an adapter that depends on the provider's SDK. */
interface SdkCalls {
  readonly provider: KeyedProvider;
  readonly errors: SdkErrorClasses;
  /** The names of the provider's own models. A compatible server may name its models freely. */
  readonly modelNames: RegExp;
  readonly openStream: (request: ProviderRequest, signal: AbortSignal) => Promise<Response>;
  /** Converts the events of one stream to chunks. */
  readonly readerFor: (request: ProviderRequest) => EventReader;
  readonly complete: (request: ProviderRequest, signal: AbortSignal) => Promise<unknown>;
  readonly listModels: (signal: AbortSignal) => Promise<unknown>;
  readonly transcribe?: ProviderAdapter['transcribe'];
}

/** The client options that all SDKs share. */
export const clientOptions = ({ apiKey, baseUrl, transport }: AdapterOptions) =>
  ({
    apiKey,
    // The fallback policy retries, not the SDK.
    maxRetries: 0,
    logLevel: 'off',
    fetch: transport.fetch,
    baseURL: baseUrl,
  }) as const;

/** Builds an adapter on an SDK, which sends requests and maps errors. Streams are read here, to detect stalls. */
export const sdkAdapter = (
  { baseUrl, clock, idleTimeoutMs, transport }: AdapterOptions,
  { provider, errors, modelNames, openStream, readerFor, complete, listModels, transcribe }: SdkCalls,
): ProviderAdapter => {
  const explain = (error: unknown, signal: AbortSignal): unknown =>
    fromSdkError(error, provider, errors, signal);
  const source = { explain, clock, idleTimeoutMs };
  return {
    streamCompletion: (request, signal) =>
      streamChunks(
        {
          ...source,
          open: async (guarded) => transport.streamOf(await openStream(request, guarded)),
          reader: readerFor(request),
        },
        signal,
      ),
    chatCompletion: async (request, signal) => {
      const send = async (guarded: AbortSignal) => {
        const raw = await complete(request, guarded);
        return { ...normalizers[provider](raw, request.model.model), ids: idsInAnswer(raw) };
      };
      return completeAnswer(send, source, signal);
    },
    checkKey: async (signal) => {
      await completeAnswer(listModels, source, signal);
    },
    ...(transcribe && {
      transcribe: (request, signal) =>
        completeAnswer((guarded) => transcribe(request, guarded), source, signal),
    }),
    supportsModel: (modelId) => baseUrl !== undefined || modelNames.test(modelId),
    estimateTokens,
  };
};
