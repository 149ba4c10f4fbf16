import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { FinClawEventMap } from '#src/kernel/operations/events.ts';
import { type AgentId, personKey } from '#src/kernel/ids.ts';
import { NO_USAGE, type ProviderIds, type StreamChunk, type TokenUsage } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import { raceAbort } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import { FailoverError, type FallbackReason, wasTurnedAway } from '../errors.ts';
import { calculateEstimatedCost, wholeInputTokens } from '../models/cost.ts';
import {
  type FallbackAttempt,
  type FallbackKey,
  type KeySource,
  ModelsExhaustedError,
  runWithModelFallback,
} from '../models/fallback.ts';
import { chunksOf } from '../models/provider-normalize.ts';
import type { ResolvedModel } from '../models/resolve-model.ts';
import type { ProviderAdapter, ProviderRequest } from '../providers/adapter.ts';
import type { Providers } from '../providers/providers.ts';
import { type Budget, overBudget, type Reservation } from '../usage/budget.ts';
import { AnswerBuilder } from './answer-builder.ts';
import {
  answerOf,
  type ModelAnswer,
  type ModelCall,
  mostItCosts,
  type Progress,
  requestFor,
  type RequestShape,
  spentOn,
} from './model-request.ts';
import { estimateRequest, type TokenEstimator, type UncorrectedTokens } from '../tokens.ts';

export interface CallListener {
  /** A new attempt begins, and output of the previous one is void. */
  readonly onAttempt: () => void;
  readonly onChunk: (chunk: StreamChunk) => void;
}

export interface ModelCallerDeps extends Uses<'clock' | 'events' | 'logger'> {
  readonly providers: Pick<Providers, 'adapterFor' | 'limitOf' | 'breakerOf'>;
  readonly keys: KeySource;
  readonly budget: Pick<Budget, 'reserve'>;
  readonly estimator: TokenEstimator;
  readonly settings: {
    readonly maxOutputTokens: number;
    /** The operator's setting. Undefined: no temperature is sent. */
    readonly temperatureOf?: (agentId: AgentId) => number | undefined;
    readonly maxRetriesPerKey: number;
    readonly fallbackOn: readonly FallbackReason[];
  };
}

/** Throws `NoAnswerError` over budget, an `AggregateError` when all models failed, the signal's reason on abort. */
export type ModelCaller = (
  call: ModelCall,
  listener: CallListener,
  signal: AbortSignal,
) => Promise<ModelAnswer>;

const MAX_ATTEMPTS_PER_CALL = 6;
const RETRY_BASE_DELAY_MS = 1_000;
const MAX_ERROR_CHARS = 200;
const NO_TOOLS: readonly ToolDefinition[] = [];
const NOTHING = new Decimal(0);

/** For requests that cost nothing. */
const FREE: Reservation = { settle: async () => undefined, cancel: async () => undefined };

/** The usage of one request; the cost is null if the price is unknown. */
interface Spent {
  readonly used: TokenUsage;
  readonly costUsd: Decimal | null;
}

/** The provider's ids of failed requests, by the errors that they ended with. */
type FailedIds = ReadonlyMap<unknown, ProviderIds>;

/** One line per attempt: model, key, reason, duration, request id. */
const describeAttempts = (attempts: readonly FallbackAttempt[], failed: FailedIds): string =>
  attempts
    .map(({ modelId, keyId, reason, error, durationMs }) => {
      const what = [modelId, keyId && `key ${keyId}`, reason ?? 'error', `${Math.round(durationMs)} ms`];
      const message = errorMessage(error).slice(0, MAX_ERROR_CHARS);
      const { requestId } = failed.get(error) ?? {};
      const isNamed = requestId === undefined || message.includes(requestId);
      return `${what.filter(Boolean).join(', ')}: ${message}${isNamed ? '' : ` (request ${requestId})`}`;
    })
    .join(' | ');

/** The request id that the error of a refused request carries. */
const idsInFailure = (failure: unknown): ProviderIds => {
  const requestId = failure instanceof FinClawError ? failure.details['requestId'] : undefined;
  return typeof requestId === 'string' ? { requestId } : {};
};

const stream = async (
  request: ProviderRequest,
  model: ResolvedModel,
  adapter: ProviderAdapter,
  onChunk: (chunk: StreamChunk) => void,
  signal: AbortSignal,
): Promise<void> => {
  if (!model.entry.capabilities.streaming) {
    for (const chunk of chunksOf(await adapter.chatCompletion(request, signal))) onChunk(chunk);
    return;
  }
  for await (const chunk of adapter.streamCompletion(request, signal)) {
    if (signal.aborted) return;
    onChunk(chunk);
  }
};

const shapeOf = async (call: ModelCall, model: ResolvedModel): Promise<RequestShape> => {
  const shape = call.shapeFor ? await call.shapeFor(model) : call;
  if (shape) return shape;
  const { modelId, entry } = model;
  // The stored conversation is sized for the first model and is compacted if it does not fit.
  const isFirst = modelId === call.models[0]?.modelId;
  throw new FailoverError(
    `${modelId} is skipped: the conversation does not fit into its window of ${entry.contextWindow} tokens`,
    isFirst ? 'context-overflow' : 'model-unavailable',
  );
};

export const createModelCaller = (deps: ModelCallerDeps): ModelCaller => {
  const { providers, clock, estimator, settings } = deps;

  /** Runs one request: reserve, send, stream, report, book. */
  const ask = async (
    asked: ModelCall,
    model: ResolvedModel,
    key: FallbackKey,
    listener: CallListener,
    failed: Map<unknown, ProviderIds>,
    signal: AbortSignal,
  ): Promise<ModelAnswer> => {
    const call = { ...asked, ...(await shapeOf(asked, model)) };
    const tools = model.entry.capabilities.functionCalling ? call.tools : NO_TOOLS;
    const estimatedTokens = estimateRequest({ ...call, tools });
    const inputTokens = estimator.correct(model.modelId, estimatedTokens);
    const request = requestFor(call, model, tools, {
      maxOutputTokens: settings.maxOutputTokens,
      estimatedTokens: inputTokens,
      temperature: settings.temperatureOf?.(agentOf(call.sessionKey)),
    });
    const adapter = await providers.adapterFor(model.provider, key.apiKey, model.entry.server);
    // Check before anything is sent or booked.
    if (!adapter.supportsModel(model.modelId))
      throw new FailoverError(`${model.provider} has no model ${model.modelId}`, 'model-unavailable');
    const progress: Progress = {
      builder: new AnswerBuilder(),
      ids: {},
      usage: NO_USAGE,
      stopReason: undefined,
      estimateTokens: adapter.estimateTokens,
    };
    const estimated = { tokens: estimatedTokens, inputTokens };
    const reservation = await reserve(deps, call, model, key, request, estimated, signal);
    let release: () => void;
    try {
      release = await providers.limitOf(model.provider, model.entry.server).acquire(personKey(call), signal);
    } catch (error) {
      await reservation.cancel();
      throw error;
    }
    const startedAtMs = clock.monotonicMs();
    let outcome: 'ok' | 'failed' = 'failed';
    let failure: unknown;
    try {
      listener.onAttempt();
      const onChunk = (chunk: StreamChunk): void => {
        progress.builder.feed(chunk);
        if (chunk.type === 'message_start') {
          const { type: _type, ...ids } = chunk;
          progress.ids = { ...progress.ids, ...ids };
        }
        if (chunk.type === 'usage') progress.usage = chunk.usage;
        if (chunk.type === 'done') progress.stopReason = chunk.stopReason;
        listener.onChunk(chunk);
      };
      // A stream that ignores the abort is abandoned.
      await raceAbort(stream(request, model, adapter, onChunk, signal), signal, clock, 0);
      signal.throwIfAborted();
      const answer = answerOf(progress, model);
      outcome = 'ok';
      estimator.observe(model.modelId, estimatedTokens, wholeInputTokens(answer.usage));
      return answer;
    } catch (error) {
      failure = error;
      progress.ids = { ...idsInFailure(error), ...progress.ids };
      failed.set(error, progress.ids);
      throw error;
    } finally {
      release();
      const used =
        model.provider === 'offline'
          ? NO_USAGE
          : spentOn(progress, { inputTokens, wasTurnedAway: wasTurnedAway(failure) });
      const spent: Spent = { used, costUsd: calculateEstimatedCost(used, model.entry.pricing) };
      report(
        deps.events,
        call,
        model,
        signal.aborted ? 'aborted' : outcome,
        clock.monotonicMs() - startedAtMs,
        spent,
        progress,
      );
      // An answer that the person stopped did not fail. Nobody waits for the booking, which never rejects: after a crash
      // the estimate stays booked.
      void reservation.settle(signal.aborted ? 'ok' : outcome, used, spent.costUsd, progress.ids);
    }
  };

  return async (call, listener, signal) => {
    const config = {
      models: call.models,
      maxRetriesPerKey: settings.maxRetriesPerKey,
      retryBaseDelayMs: RETRY_BASE_DELAY_MS,
      fallbackOn: settings.fallbackOn,
      maxAttempts: MAX_ATTEMPTS_PER_CALL,
      failures: call.failures,
      sessionKey: call.sessionKey,
    };
    const failedIds = new Map<unknown, ProviderIds>();
    try {
      const { result, attempts } = await runWithModelFallback(
        config,
        (model, key) => ask(call, model, key, listener, failedIds, signal),
        { keys: deps.keys, breakerOf: providers.breakerOf, clock, events: deps.events },
        signal,
      );
      const failed = attempts.filter(({ success }) => !success);
      if (failed.length > 0)
        deps.logger.warn(
          `${result.model.modelId} answered after failures: ${describeAttempts(failed, failedIds)}`,
        );
      return result;
    } catch (error) {
      if (!(error instanceof ModelsExhaustedError)) throw error;
      const message = `No model answered: ${describeAttempts(error.attempts, failedIds)}`;
      // The failure of a message is logged with all of this once it has ended.
      if (call.inboxId === undefined) deps.logger.error(message, { sessionKey: call.sessionKey });
      throw new ModelsExhaustedError(error.attempts, message);
    }
  };
};

/** Reserves the cost of one request; free requests need no reservation. Throws `NoAnswerError` over budget. */
const reserve = async (
  { budget, clock }: Pick<ModelCallerDeps, 'budget' | 'clock'>,
  { channelId, userId, sessionKey }: ModelCall,
  { provider, modelId, entry: { pricing } }: ResolvedModel,
  { profileId }: FallbackKey,
  request: ProviderRequest,
  estimated: { readonly tokens: UncorrectedTokens; readonly inputTokens: number },
  signal: AbortSignal,
): Promise<Reservation> => {
  if (provider === 'offline') return FREE;
  const { inputTokens } = estimated;
  const outcome = await budget.reserve(
    {
      channelId,
      userId,
      sessionKey,
      provider,
      model: modelId,
      profileId,
      inputTokens,
      inputUsd: calculateEstimatedCost({ ...NO_USAGE, inputTokens }, pricing),
      mostUsd: mostItCosts(request, estimated.tokens) ?? NOTHING,
    },
    signal,
  );
  if (outcome.verdict === 'reserved') return outcome.reservation;
  throw overBudget(outcome, clock.now());
};

const report = (
  events: ModelCallerDeps['events'],
  { inboxId }: ModelCall,
  { provider, modelId }: ResolvedModel,
  outcome: FinClawEventMap['model:request']['outcome'],
  durationMs: number,
  { used, costUsd }: Spent,
  { ids, stopReason }: Progress,
): void =>
  events.emit('model:request', {
    ...(inboxId !== undefined && { inboxId }),
    provider,
    model: modelId,
    outcome,
    durationMs,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    cacheReadTokens: used.cacheReadTokens,
    cacheWriteTokens: used.cacheWriteTokens,
    ...(costUsd === null ? {} : { costUsd: costUsd.toNumber() }),
    ...(stopReason !== undefined && { stopReason }),
    ...ids,
  });
