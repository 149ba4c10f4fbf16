import { FinClawError } from '#src/core/errors.ts';
import type { ProviderId } from '#src/core/model.ts';
import type { KeyedProvider } from '#src/core/ports.ts';
import { type BreakerStatus, CircuitBreaker, troubledBreakers } from '#src/infra/circuit-breaker.ts';
import type { Clock } from '#src/infra/clock.ts';
import { Semaphore } from '#src/infra/semaphore.ts';
import { classifyFallbackError } from '../errors.ts';
import { FALLBACK_STEPS } from '../models/fallback-policy.ts';
import type { AdapterOptions, ProviderAdapter } from './adapter.ts';
import { createHttpTransport } from './http-transport.ts';
import type { OpenAiOptions } from './openai.ts';

export interface ProviderSettings {
  readonly baseUrl: string | undefined;
  readonly maxConcurrency: number;
  readonly idleTimeoutMs: number;
}

export interface ProvidersDeps {
  readonly settings: Readonly<Record<KeyedProvider, ProviderSettings>> & {
    readonly openai: ProviderSettings & Pick<OpenAiOptions, 'api'>;
  };
  readonly offline: ProviderAdapter;
  readonly clock: Clock;
  readonly onBreakerChange: (provider: ProviderId, from: string, to: string) => void;
}

/** The way to the models: an adapter for each key, and for each provider a limit and a breaker. */
export interface Providers {
  readonly adapterFor: (provider: ProviderId, apiKey: string) => Promise<ProviderAdapter>;
  readonly limitOf: (provider: ProviderId) => Semaphore;
  /** Opens on faults of the provider only: a refused key, a bad request or an abort say nothing about it. */
  readonly breakerOf: (provider: ProviderId) => CircuitBreaker;
  /** Of the providers that have been failing. */
  readonly breakers: () => readonly BreakerStatus[];
}

/** Keys come and go; their clients are made anew when needed. */
const MAX_ADAPTERS = 50;

/** Half of the requests at most are one person's, also where few are allowed at once. */
const shareOf = (limit: number): number => Math.ceil(limit / 2);

const isProviderFault = (error: unknown): boolean => {
  const reason = classifyFallbackError(error);
  return reason !== null && FALLBACK_STEPS[reason].isProviderFault;
};

const entryOf = <T>(map: ReadonlyMap<ProviderId, T>, id: ProviderId): T => {
  const found = map.get(id);
  if (!found)
    throw new FinClawError(`There is no provider ${id}`, 'PROVIDER_UNKNOWN', { isOperational: false });
  return found;
};

/** An SDK costs a quarter of a second and tens of megabytes: it is loaded with the first request that needs it. */
const createProviderAdapter = async (
  provider: KeyedProvider,
  options: AdapterOptions & Pick<OpenAiOptions, 'api'>,
): Promise<ProviderAdapter> => {
  if (provider === 'anthropic') return (await import('./anthropic.ts')).anthropic(options);
  return (await import('./openai.ts')).openai(options);
};

export const createProviders = (deps: ProvidersDeps): Providers => {
  const { settings, clock } = deps;
  const ids: readonly ProviderId[] = ['anthropic', 'openai', 'offline'];
  const limits = new Map(
    ids.map((id) => {
      const limit = id === 'offline' ? Infinity : settings[id].maxConcurrency;
      return [id, new Semaphore(limit, shareOf(limit))];
    }),
  );
  const breakers = new Map(
    ids.map((id) => {
      const onChange = (from: string, to: string): void => deps.onBreakerChange(id, from, to);
      return [id, new CircuitBreaker({ name: id, clock, isFailure: isProviderFault, onChange })];
    }),
  );
  const transport = createHttpTransport();
  const adapters = new Map<string, Promise<ProviderAdapter>>();

  return {
    adapterFor: async (provider, apiKey) => {
      if (provider === 'offline') return deps.offline;
      const name = `${provider}\0${apiKey}`;
      const known = adapters.get(name);
      if (known) return known;
      const { baseUrl, idleTimeoutMs } = settings[provider];
      const options = { apiKey, baseUrl, idleTimeoutMs, clock, transport, api: settings.openai.api };
      const made = createProviderAdapter(provider, options);
      adapters.set(name, made);
      const [oldest] = adapters.keys();
      if (adapters.size > MAX_ADAPTERS && oldest !== undefined) adapters.delete(oldest);
      return made;
    },
    limitOf: (provider) => entryOf(limits, provider),
    breakerOf: (provider) => entryOf(breakers, provider),
    breakers: () => troubledBreakers(breakers.values()),
  };
};
