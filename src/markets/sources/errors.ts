import { FinClawError } from '#src/kernel/errors.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';

/**
 * `MARKET_UNREACHABLE`: no usable response (timeouts, 5xx). `MARKET_RATE_LIMITED`: too many requests, with
 * `details.retryAfterMs` if the source says how long to wait. `MARKET_REFUSED`: the source responds but refuses access,
 * such as a crumb that is rejected repeatedly. `MARKET_BAD_DATA`: a response that cannot be read.
 */
type MarketErrorCode = 'MARKET_UNREACHABLE' | 'MARKET_RATE_LIMITED' | 'MARKET_REFUSED' | 'MARKET_BAD_DATA';

interface MarketErrorOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | undefined;
}

/** An error of a source. The message goes to the log, so it must not contain a URL with a secret. */
export const marketError = (
  code: MarketErrorCode,
  message: string,
  { cause, retryAfterMs }: MarketErrorOptions = {},
): FinClawError =>
  new FinClawError(message, code, {
    statusCode: 503,
    ...(cause !== undefined && { cause }),
    ...(retryAfterMs !== undefined && { details: { retryAfterMs } }),
  });

export const isMarketError = (error: unknown, ...codes: readonly MarketErrorCode[]): error is FinClawError =>
  error instanceof FinClawError && (codes as readonly string[]).includes(error.code);

/** A source failed after it had given some results, which are kept. */
export class IncompleteError<T> extends FinClawError {
  override readonly name = 'IncompleteError';
  readonly found: readonly T[];
  /** Symbols that could not be requested. Any other symbol missing from `found` has no data. */
  readonly failedSymbols: readonly string[];

  constructor(found: readonly T[], failedSymbols: readonly string[], cause: unknown) {
    super('The market source gave a part only', 'MARKET_INCOMPLETE', { statusCode: 503, cause });
    this.found = found;
    this.failedSymbols = failedSymbols;
  }
}

interface Failure {
  readonly source: string;
  readonly asked: string;
  readonly symbols: readonly string[];
}

export type LogFailure = (error: unknown, failure: Failure) => void;

/**
 * Logs each failure of a source once, even if many callers waited for the same request. An open breaker is not logged:
 * the failures that opened it were.
 */
export const createFailureLog = (logger: FinClawLogger): LogFailure => {
  const told = new WeakSet();
  return (failed, failure) => {
    const error = failed instanceof IncompleteError ? failed.cause : failed;
    if (typeof error === 'object' && error !== null) {
      if (told.has(error)) return;
      told.add(error);
    }
    const isOpen = error instanceof FinClawError && error.code === 'CIRCUIT_OPEN';
    logger[isOpen ? 'debug' : 'warn']('A market source failed', { ...failure, error });
  };
};
