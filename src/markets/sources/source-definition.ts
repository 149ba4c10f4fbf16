import type { Uses } from '#src/platform/services.ts';
import type { MarketSource } from './source.ts';

export interface SourceDeps extends Uses<'clock' | 'logger'> {
  /** Replaces the provider's own URL. */
  readonly baseUrl?: string | undefined;
}

/** A provider of live market data. Its folder exports one, and `live-sources.ts` lists it. */
export interface SourceDefinition {
  /** Also the key of its base URL in the settings. */
  readonly id: string;
  /** The name shown to people. */
  readonly name: string;
  /** The instruments it has, in words. */
  readonly covers: string;
  /** A symbol the provider surely has, for health checks. */
  readonly probeSymbol: string;
  readonly create: (deps: SourceDeps) => MarketSource;
  /** Provides quotes while the provider refuses or limits the main source. */
  readonly createFallback?: (deps: SourceDeps) => MarketSource;
}

/** Appends `path` to a base URL and keeps the base's own path, such as a proxy's `/yahoo`. */
export const resolveUrl = (baseUrl: string, path: string): URL => {
  const base = new URL(baseUrl);
  return new URL(`${base.pathname.replace(/(?<!\/)\/+$/u, '')}${path}`, base);
};
