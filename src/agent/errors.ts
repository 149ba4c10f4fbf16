import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import type { FALLBACK_REASONS } from '#src/kernel/agent/model.ts';

/** Why a model request failed. The fallback policy is keyed by these reasons. */
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

interface FailoverOptions {
  readonly statusCode?: number | undefined;
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The wait that the provider asked for. */
  readonly retryAfterMs?: number | undefined;
}

/** A failed model request that another attempt, key or model may fix. */
export class FailoverError extends FinClawError {
  override readonly name = 'FailoverError';
  readonly fallbackReason: FallbackReason;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, reason: FallbackReason, options: FailoverOptions = {}) {
    const { statusCode, cause, details } = options;
    super(message, `FAILOVER_${reason.toUpperCase().replaceAll('-', '_')}`, {
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(cause === undefined ? {} : { cause }),
      ...(details === undefined ? {} : { details }),
    });
    this.fallbackReason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Error types of Anthropic (also those inside a stream, which carry no status) and error codes of OpenAI. */
const BY_TYPE: Readonly<Record<string, FallbackReason>> = {
  overloaded_error: 'server-error',
  api_error: 'server-error',
  timeout_error: 'timeout',
  rate_limit_error: 'rate-limit',
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'billing',
  not_found_error: 'model-unavailable',
  request_too_large: 'context-overflow',
  rate_limit_exceeded: 'rate-limit',
  insufficient_quota: 'billing',
  billing_hard_limit_reached: 'billing',
  invalid_api_key: 'auth',
  account_deactivated: 'auth',
  model_not_found: 'model-unavailable',
  context_length_exceeded: 'context-overflow',
  exceed_context_size_error: 'context-overflow',
  model_context_window_exceeded: 'context-overflow',
  server_error: 'server-error',
  server_is_overloaded: 'server-error',
  internal_error: 'server-error',
  // Groq: the model wrote a call that nobody can read.
  tool_use_failed: 'server-error',
  service_unavailable: 'server-error',
};

export const KNOWN_REASON_TYPES: readonly string[] = Object.keys(BY_TYPE);

const BY_STATUS: Readonly<Record<number, FallbackReason>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  404: 'model-unavailable',
  408: 'timeout',
  409: 'server-error',
  413: 'context-overflow',
  429: 'rate-limit',
  499: 'server-error',
  504: 'timeout',
};

const NETWORK_TIMEOUTS: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const NETWORK_FAULTS: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

const MAX_CAUSES = 5;

const textField = (value: unknown, name: string): string | undefined => {
  const field =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof field === 'string' ? field : undefined;
};

const byNetworkCode = (code: string): FallbackReason | null => {
  if (NETWORK_TIMEOUTS.has(code)) return 'timeout';
  // Codes of Node's HTTP parser begin with HPE.
  return NETWORK_FAULTS.has(code) || code.startsWith('HPE_') ? 'server-error' : null;
};

/** An error and its causes, outermost first. */
function* causesOf(error: unknown): Generator<{ readonly status?: unknown; readonly cause?: unknown }> {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    yield current;
    current = 'cause' in current ? current.cause : undefined;
  }
}

/** The code of a broken connection among the causes of an error: `ECONNREFUSED`, `ENOTFOUND`. */
export const networkCodeIn = (error: unknown): string | undefined =>
  causesOf(error)
    .map((cause) => textField(cause, 'code') ?? '')
    .find(byNetworkCode);

/**
 * The reason of a failure, or null if no other attempt can fix it: an invalid request, a bug, or the person's
 * own abort. Checks the error's type before its status (an error inside a stream has none; an exhausted quota
 * is a 429), then its causes for a broken connection.
 */
export const classifyFallbackError = (error: unknown): FallbackReason | null => {
  if (error instanceof FailoverError) return error.fallbackReason;
  if (error instanceof RunAbortedError) return null;
  for (const cause of causesOf(error)) {
    const code = textField(cause, 'code') ?? '';
    const type = textField(cause, 'type') ?? '';
    const known = BY_TYPE[code] ?? BY_TYPE[type] ?? byNetworkCode(code);
    if (known) return known;
    const { status } = cause;
    if (typeof status === 'number') return BY_STATUS[status] ?? (status >= 500 ? 'server-error' : null);
  }
  return null;
};

/** System calls that fail before the first byte of a request is sent. */
const BEFORE_SENDING: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

/**
 * Whether the provider rejected the request with an HTTP status or could not be reached. Such a request costs
 * nothing. After any other failure the request was sent, and may be billed.
 */
export const wasTurnedAway = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    const status = cause instanceof FinClawError ? cause.details['status'] : cause.status;
    return typeof status === 'number' || BEFORE_SENDING.has(textField(cause, 'syscall') ?? '');
  });
