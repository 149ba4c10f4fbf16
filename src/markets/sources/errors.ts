import { FinClawError } from '#src/kernel/errors.ts';

/**
 * `MARKET_UNREACHABLE`: no answer, or one that is no answer (timeouts, 5xx). `MARKET_RATE_LIMITED`: asked too often;
 * `details.retryAfterMs` where the source says for how long. `MARKET_REFUSED`: it answers, but lets nobody in (a crumb
 * that is refused time and again). `MARKET_BAD_DATA`: an answer that makes no sense.
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

/** What a source throws. The message is for the log: no URL with a secret in it. */
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
