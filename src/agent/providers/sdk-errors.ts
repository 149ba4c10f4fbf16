import { errorMessage, FinClawError } from '#src/core/errors.ts';
import type { ProviderId } from '#src/core/model.ts';
import { classifyFallbackError, FailoverError, type FallbackReason } from '../errors.ts';

type ErrorClass = abstract new (...args: never[]) => Error;

/** The classes by which an SDK tells what happened on the way; names and messages change, classes do not. */
export interface SdkErrorClasses {
  readonly timeout: ErrorClass;
  readonly connection: ErrorClass;
  readonly userAbort: ErrorClass;
}

const headersOf = (error: unknown): Headers | undefined => {
  const { headers } = (error ?? {}) as { readonly headers?: unknown };
  return headers instanceof Headers ? headers : undefined;
};

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /;

/** `retry-after-ms`, or `retry-after` in seconds or as a date; undefined where it says nothing usable. */
const retryAfterMs = (headers: Headers | undefined, nowMs: number): number | undefined => {
  const exact = Number(headers?.get('retry-after-ms') || NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const raw = headers?.get('retry-after');
  if (!raw) return undefined;
  const seconds = Number(raw);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  // `Date.parse` finds a date in almost anything.
  const atMs = HTTP_DATE.test(raw) ? Date.parse(raw) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

const reasonOf = (error: unknown, classes: SdkErrorClasses): FallbackReason | null => {
  if (error instanceof classes.timeout) return 'timeout';
  // Nobody here asked for it, so the other side gave up.
  if (error instanceof classes.connection || error instanceof classes.userAbort) return 'server-error';
  const known = classifyFallbackError(error);
  if (known) return known;
  // A body that is no JSON, or only half of it.
  return error instanceof SyntaxError ? 'server-error' : null;
};

/** `invalid_image_format`, `image_too_large` and the like: no other try mends that, and the provider works. */
const ABOUT_IMAGE = /image/i;

/** A failure that came as part of an answer with status 200, by its code. */
export const failedResponse = (message: string, code: string | null | undefined): FinClawError => {
  const reason = classifyFallbackError({ code });
  return reason === null && ABOUT_IMAGE.test(code ?? '')
    ? new FinClawError(message, 'PROVIDER_REFUSED', { statusCode: 400 })
    : new FailoverError(message, reason ?? 'server-error');
};

/**
 * What an SDK threw, in our words. The caller's own abort comes out as its reason, whatever the SDK made
 * of it; what no other try can mend is a `PROVIDER_REFUSED`.
 */
export const fromSdkError = (
  error: unknown,
  provider: ProviderId,
  classes: SdkErrorClasses,
  signal: AbortSignal,
): unknown => {
  if (signal.aborted) return signal.reason;
  if (error instanceof FinClawError) return error;
  const { status } = (error ?? {}) as { readonly status?: unknown };
  const statusCode = typeof status === 'number' ? status : undefined;
  const reason = reasonOf(error, classes);
  const message = `${provider}: ${errorMessage(error)}`;
  if (!reason) {
    return new FinClawError(message, 'PROVIDER_REFUSED', {
      cause: error,
      ...(statusCode === undefined ? {} : { statusCode }),
    });
  }
  return new FailoverError(message, reason, {
    statusCode,
    cause: error,
    retryAfterMs: retryAfterMs(headersOf(error), Date.now()),
  });
};
