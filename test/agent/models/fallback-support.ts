import { classifyFallbackError, FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import {
  DEFAULT_FALLBACK_ON,
  FALLBACK_STEPS,
  type FallbackConfig,
  type FallbackKey,
  type FallbackResult,
  type KeySource,
  runWithModelFallback,
} from '#src/agent/models/fallback.ts';
import type { ResolvedModel } from '#src/agent/models/resolve-model.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { ProviderId } from '#src/kernel/agent/model.ts';
import { CircuitBreaker } from '#src/platform/concurrency/circuit-breaker.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { entry } from './support.ts';

export const model = (
  id: string,
  provider: ProviderId = 'anthropic',
  contextWindow = 100_000,
): ResolvedModel => ({
  entry: entry(id, { provider, contextWindow }),
  provider,
  modelId: id,
  resolvedFrom: 'id',
});

export const OPUS = model('opus');
export const HAIKU = model('haiku');
export const GPT = model('gpt', 'openai');

export const failed = (reason: FallbackReason, retryAfterMs?: number): FailoverError =>
  new FailoverError(`it was ${reason}`, reason, { retryAfterMs });

/** What `ask` does: gives a text, throws what is an error, or does what it is told. */
type Step = string | Error | ((signal: AbortSignal) => Promise<string>);

interface Options extends Partial<FallbackConfig> {
  /** Of each provider. Default: two of each. */
  readonly keys?: Partial<Record<ProviderId, readonly string[]>>;
  /** How long all keys have to rest yet, by the time of the clock. */
  readonly restsUntilMs?: number;
  readonly random?: () => number;
}

/** One request as it was made. */
interface Asked {
  readonly model: string;
  readonly key: string;
  readonly atMs: number;
}

const isProviderFault = (error: unknown): boolean => {
  const reason = classifyFallbackError(error);
  return reason !== null && FALLBACK_STEPS[reason].isProviderFault;
};

/** Everything around a call that fails in ways the test says; when the script ends, the answer is 'ok'. */
export const setUp = (options: Options = {}) => {
  const {
    keys = { anthropic: ['a1', 'a2'], openai: ['o1', 'o2'] },
    restsUntilMs = 0,
    random = () => 0.5,
  } = options;
  const clock = new ManualClock();
  const recorded = recordingEvents();
  const asked: Asked[] = [];
  const reports: string[] = [];
  /** The models that the reports were about. */
  const reportedModels: (string | undefined)[] = [];
  /** A limit rests a key for one model, everything else as a whole. */
  const resting = new Set<string>();
  const controller = new AbortController();
  const failures = options.failures ?? { left: 6 };
  const breakers = new Map<ProviderId, CircuitBreaker>();

  const breakerOf = (provider: ProviderId): CircuitBreaker => {
    const known = breakers.get(provider);
    if (known) return known;
    const made = new CircuitBreaker({ name: provider, clock, isFailure: isProviderFault });
    breakers.set(provider, made);
    return made;
  };

  const source: KeySource = {
    resolve: async (provider, { except, model: asking }) => {
      const restMs = restsUntilMs - clock.monotonicMs();
      const isResting = (id: string): boolean => resting.has(id) || resting.has(`${id} for ${asking}`);
      const free = (keys[provider] ?? []).filter((id) => !except?.has(id) && !isResting(id));
      const [id] = restMs > 0 ? [] : free;
      if (id !== undefined) return { apiKey: `sk-${id}`, profileId: id };
      if (!keys[provider]) throw new FinClawError(`There is no key for ${provider}`, 'NO_API_KEY');
      throw new FinClawError('Every key rests', 'KEYS_COOLING', {
        details: { provider, retryAfterMs: Math.max(0, restMs) },
      });
    },
    reportSuccess: async (id, asked) => {
      reports.push(`${id} ok`);
      reportedModels.push(asked);
    },
    reportFailure: async (id, reason, retryAfterMs, asked) => {
      resting.add(reason === 'rate-limit' ? `${id} for ${asked}` : id);
      reports.push(`${id} ${reason}${retryAfterMs === undefined ? '' : ` ${retryAfterMs}`}`);
      reportedModels.push(asked);
    },
  };

  const config: FallbackConfig = {
    models: [OPUS, HAIKU],
    maxRetriesPerKey: 2,
    retryBaseDelayMs: 1_000,
    fallbackOn: DEFAULT_FALLBACK_ON,
    maxAttempts: 6,
    sessionKey: 'session-1',
    ...options,
    failures,
  };

  const start = (...script: readonly Step[]): Promise<FallbackResult<string>> => {
    const steps = [...script];
    const ask = async (asking: ResolvedModel, key: FallbackKey): Promise<string> => {
      asked.push({ model: asking.modelId, key: key.profileId, atMs: clock.monotonicMs() });
      const step = steps.shift() ?? 'ok';
      if (step instanceof Error) throw step;
      return typeof step === 'string' ? step : step(controller.signal);
    };
    return runWithModelFallback(
      config,
      ask,
      { keys: source, breakerOf, clock, events: recorded.events, random },
      controller.signal,
    );
  };

  /** To the end, with all the waiting; the result or what was thrown. */
  const run = async (...script: readonly Step[]) => {
    const outcome = start(...script).then(
      (result) => ({ result, error: undefined }),
      (error: unknown) => ({ result: undefined, error }),
    );
    await clock.advance(3_600_000);
    return outcome;
  };

  return {
    clock,
    controller,
    recorded,
    asked,
    reports,
    reportedModels,
    failures,
    breakerOf,
    start,
    run,
    /** Who was asked, in order: `opus/a1`. */
    order: () => asked.map((one) => `${one.model}/${one.key}`),
    /** How long it waited before each further request. */
    waits: () => asked.slice(1).map(({ atMs }, index) => atMs - (asked[index]?.atMs ?? 0)),
  };
};
