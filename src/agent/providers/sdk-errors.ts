import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { ProviderId } from '#src/kernel/model.ts';
import { classifyFallbackError, FailoverError, type FallbackReason, networkCodeIn } from '../errors.ts';
import { type ErrorBody, faultOf, inOurWords, type ProviderFault } from './provider-fault.ts';

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

/** The body of an HTTP error. Anthropic puts the error one level deeper than OpenAI. */
const bodyOf = (error: unknown): ErrorBody => {
  const { error: body } = (error ?? {}) as { readonly error?: unknown };
  if (typeof body !== 'object' || body === null) return { message: errorMessage(error) };
  const inner = (body as { readonly error?: unknown }).error;
  return typeof inner === 'object' && inner !== null ? inner : body;
};

/** Faults that providers tell in words only, as a 400 without a code of its own. */
const TOLD_IN_WORDS: readonly (readonly [RegExp, FallbackReason])[] = [
  [/prompt is too long|exceed(?:s|ed)? (?:the )?context|maximum context length/i, 'context-overflow'],
  [/credit balance is too low|reached your specified API usage limits/i, 'billing'],
  [/organization has been disabled/i, 'auth'],
];

const reasonOf = (
  error: unknown,
  status: number | undefined,
  { message }: ErrorBody,
  classes: SdkErrorClasses,
): FallbackReason | null => {
  if (error instanceof classes.timeout) return 'timeout';
  // Nobody here asked for it, so the other side gave up.
  if (error instanceof classes.connection || error instanceof classes.userAbort) return 'server-error';
  const known = classifyFallbackError(error);
  if (known) return known;
  if (status === 400 && typeof message === 'string')
    return TOLD_IN_WORDS.find(([words]) => words.test(message))?.[1] ?? null;
  // A body that is no JSON, or only half of it.
  return error instanceof SyntaxError ? 'server-error' : null;
};

/** Codes and types that mean in a stream what a 400 means before it: this request is refused as it is. */
const REFUSED_IN_STREAM: ReadonlySet<unknown> = new Set([
  'invalid_request_error',
  'invalid_prompt',
  'content_filter',
  'content_policy_violation',
  'bio_policy',
  'misalignment_policy_violation',
]);
/** `invalid_image_format`, `image_too_large` and the like: no other try mends that, and the provider works. */
const ABOUT_IMAGE = /image/i;

/** A failure that came as part of an answer with status 200, by its code or type. */
export const failedResponse = (where: string, body: ErrorBody = {}): FinClawError => {
  const { code, type } = body;
  const reason = classifyFallbackError(body);
  const details: ProviderFault = faultOf(body);
  const isRefused =
    REFUSED_IN_STREAM.has(code) ||
    REFUSED_IN_STREAM.has(type) ||
    (typeof code === 'string' && ABOUT_IMAGE.test(code));
  return reason === null && isRefused
    ? new FinClawError(inOurWords(where, null, details), 'PROVIDER_REFUSED', { statusCode: 400, details })
    : new FailoverError(inOurWords(where, reason ?? 'server-error', details), reason ?? 'server-error', {
        details,
      });
};

/**
 * What an SDK threw, in our words. The caller's own abort comes out as its reason, whatever the SDK made
 * of it; what no other try can mend is a `PROVIDER_REFUSED`. What the provider wrote goes no further than here, for it
 * may quote messages, and errors are logged. So an answer of the provider is never the cause; a connection is.
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
  const body = bodyOf(error);
  const reason = reasonOf(error, statusCode, body, classes);
  const headers = headersOf(error);
  const isAnswer = statusCode !== undefined || error instanceof SyntaxError;
  const networkCode = isAnswer ? undefined : networkCodeIn(error);
  const details = { ...faultOf(body, statusCode, headers), ...(networkCode && { networkCode }) };
  const cause = isAnswer ? {} : { cause: error };
  if (!reason) {
    // Without a status it is a bug of ours, which says itself what it is.
    const message = isAnswer ? inOurWords(provider, null, details) : `${provider}: ${errorMessage(error)}`;
    return new FinClawError(message, 'PROVIDER_REFUSED', {
      details,
      ...cause,
      ...(statusCode === undefined ? {} : { statusCode }),
    });
  }
  return new FailoverError(inOurWords(provider, reason, details), reason, {
    statusCode,
    details,
    ...cause,
    retryAfterMs: retryAfterMs(headers, Date.now()),
  });
};
