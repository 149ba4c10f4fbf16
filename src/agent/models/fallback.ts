import { classifyFallbackError, FailoverError, type FallbackReason } from '../errors.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { FALLBACK_REASONS, type ProviderId } from '#src/kernel/agent/model.ts';
import { computeBackoff, sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import type { CircuitBreaker } from '#src/platform/concurrency/circuit-breaker.ts';
import type { Uses } from '#src/platform/services.ts';
import type { KeyFailure, KeyRing } from '../keys/key-ring.ts';
import type { ResolvedApiKey } from '../keys/resolve-api-key.ts';
import type { ModelServer } from './catalog.ts';
import type { ResolvedModel } from './resolve-model.ts';

/** The steps after a failure, before the next model: the same key again, then the provider's next key. */
interface FallbackStep {
  readonly sameKey: boolean;
  readonly nextKey: boolean;
  /** The provider is at fault, and its breaker counts the failure. */
  readonly isProviderFault: boolean;
}

const step = (...marks: readonly (keyof FallbackStep)[]): FallbackStep => ({
  sameKey: marks.includes('sameKey'),
  nextKey: marks.includes('nextKey'),
  isProviderFault: marks.includes('isProviderFault'),
});

export const FALLBACK_STEPS: Readonly<Record<FallbackReason, FallbackStep>> = {
  'rate-limit': step('sameKey', 'nextKey'),
  'server-error': step('sameKey', 'nextKey', 'isProviderFault'),
  timeout: step('sameKey', 'nextKey', 'isProviderFault'),
  // A refused or unpaid key fails again, so the next key is tried at once.
  auth: step('nextKey'),
  billing: step('nextKey'),
  'model-unavailable': step(),
  'empty-answer': step('sameKey'),
  refusal: step(),
  // Other windows are rarely larger, and the conversation must be compacted. Opt-in only.
  'context-overflow': step(),
};

/** The key is at fault and gets a cooldown. */
const isKeyFault = (reason: FallbackReason): reason is KeyFailure =>
  reason === 'rate-limit' || reason === 'auth' || reason === 'billing';

/** Reasons that lead to another attempt by default. `context-overflow` is excluded on purpose. */
export const DEFAULT_FALLBACK_ON: readonly FallbackReason[] = FALLBACK_REASONS.filter(
  (reason) => reason !== 'context-overflow',
);

export interface FallbackConfig {
  /** In the order of attempts. */
  readonly models: readonly ResolvedModel[];
  readonly maxRetriesPerKey: number;
  readonly retryBaseDelayMs: number;
  readonly fallbackOn: readonly FallbackReason[];
  /** Limit of requests for this call. */
  readonly maxAttempts: number;
  /** Remaining failures for this message over all its calls; decremented here. */
  readonly failures: { left: number };
  /** The conversation, for key affinity. */
  readonly sessionKey: string;
}

export type FallbackKey = Pick<ResolvedApiKey, 'apiKey' | 'profileId'>;

/** Provides keys and receives their results. */
export interface KeySource extends Pick<KeyRing, 'reportSuccess' | 'reportFailure'> {
  /** Throws if no key is usable now. */
  readonly resolve: (...query: Parameters<KeyRing['resolve']>) => Promise<FallbackKey>;
}

export interface FallbackAttempt {
  readonly modelId: string;
  readonly keyId: string;
  readonly success: boolean;
  readonly durationMs: number;
  readonly reason?: FallbackReason | 'skipped';
  readonly error?: unknown;
}

/** All attempts failed; `errors` holds theirs. */
export class ModelsExhaustedError extends AggregateError {
  override readonly name = 'ModelsExhaustedError';
  readonly attempts: readonly FallbackAttempt[];

  constructor(attempts: readonly FallbackAttempt[], message: string) {
    super(
      attempts.flatMap(({ error }) => (error === undefined ? [] : [error])),
      message,
    );
    this.attempts = attempts;
  }
}

export interface FallbackResult<T> {
  readonly result: T;
  readonly attempts: readonly FallbackAttempt[];
}

interface FallbackDeps extends Uses<'clock' | 'events'> {
  readonly keys: KeySource;
  readonly breakerOf: (provider: ProviderId, server?: ModelServer) => CircuitBreaker;
  readonly random?: () => number;
}

/** For a longer wait, another key or model is the better choice. */
const LONGEST_WAIT_MS = 20_000;
const OFFLINE_KEY: FallbackKey = { apiKey: '', profileId: 'offline' };

/** The key of a model with its own server, which uses none of the provider's keys. */
const onlyKeyOf = ({ provider, modelId, entry: { server } }: ResolvedModel): FallbackKey | undefined => {
  if (provider === 'offline') return OFFLINE_KEY;
  return server && { apiKey: server.apiKey, profileId: `own:${modelId}` };
};

type Outcome<T> = { readonly ok: true; readonly result: T } | { readonly ok: false; readonly error: unknown };

/** Milliseconds until a key is usable, if cooldowns are the only obstacle. */
const shortestWaitMs = (errors: readonly unknown[]): number | undefined => {
  const waits = errors.flatMap((error) => {
    const waitMs = error instanceof FinClawError ? error.details['retryAfterMs'] : undefined;
    return typeof waitMs === 'number' ? [waitMs] : [];
  });
  return waits.length > 0 ? Math.min(...waits) : undefined;
};

/**
 * Tries the same key again, then the provider's other keys, then the next model, as the reason of each failure
 * allows. Rethrows permanent failures, throws the signal's reason on abort, and a `ModelsExhaustedError` (an
 * `AggregateError`) with all attempts if nothing is left to try.
 */
export const runWithModelFallback = async <T>(
  config: FallbackConfig,
  ask: (model: ResolvedModel, key: FallbackKey) => Promise<T>,
  deps: FallbackDeps,
  signal: AbortSignal,
  isSecondRound = false,
): Promise<FallbackResult<T>> => {
  const { clock, events, keys } = deps;
  const attempts: FallbackAttempt[] = [];
  let requests = 0;
  let wasRefused = false;
  const mayAsk = (): boolean => requests < config.maxAttempts && config.failures.left > 0;

  const attempt = async (model: ResolvedModel, key: FallbackKey): Promise<Outcome<T>> => {
    const startedAtMs = clock.monotonicMs();
    const base = { modelId: model.modelId, keyId: key.profileId };
    try {
      const result = await deps.breakerOf(model.provider, model.entry.server).run(() => {
        requests += 1;
        return ask(model, key);
      });
      attempts.push({ ...base, success: true, durationMs: clock.monotonicMs() - startedAtMs });
      return { ok: true, result };
    } catch (error) {
      signal.throwIfAborted();
      const isSkip = error instanceof FinClawError && error.code === 'CIRCUIT_OPEN';
      if (!isSkip) config.failures.left -= 1;
      const reason = isSkip ? 'skipped' : (classifyFallbackError(error) ?? undefined);
      const durationMs = clock.monotonicMs() - startedAtMs;
      attempts.push({ ...base, success: false, durationMs, error, ...(reason ? { reason } : {}) });
      return { ok: false, error };
    }
  };

  /** Exhausts one key: returns the answer, or the reason to try another key or model. */
  const withKey = async (
    model: ResolvedModel,
    key: FallbackKey,
  ): Promise<{ readonly done: T } | { readonly reason: FallbackReason | 'skipped' }> => {
    for (let retry = 0; ; retry += 1) {
      const outcome = await attempt(model, key);
      if (outcome.ok) return { done: outcome.result };
      const { error } = outcome;
      if (attempts.at(-1)?.reason === 'skipped') return { reason: 'skipped' };
      const reason = classifyFallbackError(error);
      if (!reason || !config.fallbackOn.includes(reason)) throw error;
      const { sameKey } = FALLBACK_STEPS[reason];
      const askedMs = error instanceof FailoverError ? error.retryAfterMs : undefined;
      const waitMs =
        askedMs ??
        computeBackoff(retry + 1, {
          minDelayMs: config.retryBaseDelayMs,
          ...(deps.random ? { random: deps.random } : {}),
        });
      const isWorthIt = sameKey && retry < config.maxRetriesPerKey && waitMs <= LONGEST_WAIT_MS;
      if (isWorthIt && mayAsk()) {
        await sleepWithAbort(waitMs, clock, signal);
        continue;
      }
      if (isKeyFault(reason)) await keys.reportFailure(key.profileId, reason, askedMs, model.modelId);
      return { reason };
    }
  };

  const keyFor = async (
    model: ResolvedModel,
    except: ReadonlySet<string>,
  ): Promise<FallbackKey | undefined> => {
    const only = onlyKeyOf(model);
    if (only || model.provider === 'offline') return except.size === 0 ? only : undefined;
    try {
      const query = { sessionKey: config.sessionKey, except, model: model.modelId };
      return await keys.resolve(model.provider, query, signal);
    } catch (error) {
      signal.throwIfAborted();
      // Only the first time is a new failure; later it means that all keys were tried.
      if (except.size === 0)
        attempts.push({
          modelId: model.modelId,
          keyId: '',
          success: false,
          durationMs: 0,
          reason: 'skipped',
          error,
        });
      return undefined;
    }
  };

  let models = config.models;
  for (let model = models[0]; model; model = models[0]) {
    const current: ResolvedModel = model;
    const tried = new Set<string>();
    let reason: FallbackReason | 'skipped' = 'skipped';
    for (let key = await keyFor(model, tried); key && mayAsk(); key = await keyFor(model, tried)) {
      const outcome = await withKey(model, key);
      if ('done' in outcome) {
        if (!onlyKeyOf(model)) await keys.reportSuccess(key.profileId, model.modelId);
        return { result: outcome.done, attempts };
      }
      reason = outcome.reason;
      tried.add(key.profileId);
      if (reason === 'skipped' || !FALLBACK_STEPS[reason].nextKey) break;
    }
    if (!mayAsk()) break;
    // One other model may judge differently, but asking all until one complies would be wrong.
    if (reason === 'refusal' && wasRefused) break;
    wasRefused ||= reason === 'refusal';
    models = models.slice(1);
    if (reason === 'context-overflow')
      models = models.filter(({ entry }) => entry.contextWindow > current.entry.contextWindow);
    const [next] = models;
    if (next) events.emit('model:fallback', { from: model.modelId, to: next.modelId, reason });
  }

  const errors = attempts.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const waitMs = shortestWaitMs(errors);
  // Every key is in cooldown: wait once if the cooldown is short.
  if (requests === 0 && !isSecondRound && waitMs !== undefined && waitMs <= LONGEST_WAIT_MS) {
    await sleepWithAbort(waitMs, clock, signal);
    return runWithModelFallback(config, ask, deps, signal, true);
  }
  const lastError = errorMessage(errors.at(-1) ?? 'there is no model to ask');
  events.emit('model:exhausted', { models: config.models.map(({ modelId }) => modelId), lastError });
  throw new ModelsExhaustedError(attempts, `No model answered (${attempts.length} tried): ${lastError}`);
};
