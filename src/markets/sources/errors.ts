import { FinClawError } from '#src/kernel/errors.ts';

/**
 * `MARKET_UNREACHABLE`: no usable response (timeouts, 5xx). `MARKET_RATE_LIMITED`: too many requests, with
 * `details.retryAfterMs` if the source says how long to wait. `MARKET_REFUSED`: the source responds but refuses access,
 * such as a crumb that is rejected repeatedly. `MARKET_BAD_DATA`: a response that cannot be read.
 */
export type MarketErrorCode =
  | 'MARKET_UNREACHABLE'
  | 'MARKET_RATE_LIMITED'
  | 'MARKET_REFUSED'
  | 'MARKET_BAD_DATA';

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
