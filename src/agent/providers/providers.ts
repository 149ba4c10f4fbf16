import { LRUCache } from 'lru-cache';
import type { KeyedProvider, ProviderId } from '#src/kernel/agent/model.ts';
import {
  type BreakerStatus,
  CircuitBreaker,
  troubledBreakers,
} from '#src/platform/concurrency/circuit-breaker.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { classifyFallbackError } from '../errors.ts';
import type { ModelServer } from '../models/catalog.ts';
import { FALLBACK_STEPS } from '../models/fallback.ts';
import type { AdapterOptions, ProviderAdapter } from './adapter.ts';
import { createHttpTransport } from '#src/platform/net/http-transport.ts';
import type { Uses } from '#src/platform/services.ts';
import type { OpenAiOptions } from './openai.ts';

export interface ProviderSettings {
  readonly baseUrl: string | undefined;
  readonly maxConcurrency: number;
  readonly idleTimeoutMs: number;
}

export type ProvidersSettings = Readonly<Record<KeyedProvider, ProviderSettings>> & {
  readonly openai: ProviderSettings & Pick<OpenAiOptions, 'api'>;
};

interface ProvidersDeps extends Uses<'clock'> {
  readonly settings: ProvidersSettings;
  readonly offline: ProviderAdapter;
  readonly onBreakerChange: (provider: ProviderId, from: string, to: string) => void;
}

/** Access to the models: an adapter per key, and a concurrency limit and a circuit breaker per provider. */
export type Providers = ReturnType<typeof createProviders>;

/** Clients are cached per key, and recreated when needed. */
const MAX_ADAPTERS = 50;

/** One person may use at most half of the slots, even if there are few. */
const shareOf = (limit: number): number => Math.ceil(limit / 2);

const isProviderFault = (error: unknown): boolean => {
  const reason = classifyFallbackError(error);
  return reason !== null && FALLBACK_STEPS[reason].isProviderFault;
};

/**
 * Loading an SDK takes a quarter of a second and tens of megabytes, so the first request that needs it loads
 * it.
 */
const createProviderAdapter = async (
  provider: KeyedProvider,
  options: AdapterOptions & Pick<OpenAiOptions, 'api'>,
): Promise<ProviderAdapter> => {
  if (provider === 'anthropic') return (await import('./anthropic.ts')).anthropic(options);
  return (await import('./openai.ts')).openai(options);
};

export const createProviders = (deps: ProvidersDeps) => {
  const { settings, clock } = deps;
  // Keyed by provider, or by base URL for models with their own server. A failing server affects no other.
  const limits = new Map<string, Semaphore>();
  const breakers = new Map<string, CircuitBreaker>();
  const transport = createHttpTransport();
  const adapters = new LRUCache<string, Promise<ProviderAdapter>>({ max: MAX_ADAPTERS });

  return {
    adapterFor: async (
      provider: ProviderId,
      apiKey: string,
      server?: ModelServer,
    ): Promise<ProviderAdapter> => {
      if (provider === 'offline') return deps.offline;
      const name = [provider, apiKey, server?.baseUrl, server?.api].join('\0');
      const known = adapters.get(name);
      if (known) return known;
      const { idleTimeoutMs } = settings[provider];
      const { baseUrl, api } = server ?? { ...settings[provider], api: settings.openai.api };
      const options = { apiKey, baseUrl, idleTimeoutMs, clock, transport, api };
      const made = createProviderAdapter(provider, options);
      adapters.set(name, made);
      return made;
    },
    limitOf: (provider: ProviderId, server?: ModelServer): Semaphore =>
      limits.getOrInsertComputed(server?.baseUrl ?? provider, () => {
        const limit = provider === 'offline' ? Infinity : settings[provider].maxConcurrency;
        return new Semaphore(limit, shareOf(limit));
      }),
    /** Opens on provider faults only: a refused key, a bad request or an abort does not count. */
    breakerOf: (provider: ProviderId, server?: ModelServer): CircuitBreaker =>
      breakers.getOrInsertComputed(server?.baseUrl ?? provider, () => {
        const name = server ? new URL(server.baseUrl).host : provider;
        const onChange = (from: string, to: string): void => deps.onBreakerChange(provider, from, to);
        return new CircuitBreaker({ name, clock, isFailure: isProviderFault, onChange });
      }),
    /** Loads the SDK of a provider before the first request does. */
    load: async (provider: ProviderId) => {
      if (provider === 'anthropic') await import('./anthropic.ts');
      if (provider === 'openai') await import('./openai.ts');
    },
    /** Breakers of providers that have been failing. */
    breakers: (): readonly BreakerStatus[] => troubledBreakers([...breakers.values()]),
  };
};
