import {
  classifyFallbackError,
  FailoverError,
  type FallbackReason,
  KNOWN_REASON_TYPES,
  networkCodeIn,
} from '../errors.ts';
import { requestIdIn } from './request-ids.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { ProviderId } from '#src/kernel/agent/model.ts';

/** The error in a provider's answer, unvalidated. */
export interface ErrorBody {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly param?: unknown;
}

/**
 * The loggable part of a provider's error. The provider's message is excluded, because it quotes messages,
 * answers and tool inputs.
 */
interface ProviderFault extends Readonly<Record<string, unknown>> {
  readonly status?: number;
  /** A known type or code; unknown ones may contain anything. */
  readonly type?: string;
  readonly requestId?: string;
  /** The code of a broken connection. */
  readonly networkCode?: string;
  /** The part that the error is about: a picture, or a setting of ours. */
  readonly about?: 'image' | 'setting';
}

const KNOWN_TYPES: ReadonlySet<unknown> = new Set([
  ...KNOWN_REASON_TYPES,
  'invalid_request_error',
  'conflict_error',
  'invalid_prompt',
  'invalid_value',
  'invalid_type',
  'content_filter',
  'content_policy_violation',
  'bio_policy',
  'misalignment_policy_violation',
  'string_above_max_length',
  'unknown_parameter',
  'unsupported_parameter',
  'unsupported_value',
  'missing_required_parameter',
  'invalid_function_parameters',
  'unsupported_country_region_territory',
  'invalid_image',
  'invalid_image_format',
  'image_parse_error',
  'image_too_large',
]);

const NAMES_IMAGE = /\bimages?\b|image_|_image/i;
/** Errors of Anthropic that concern a setting rather than the conversation begin like this. */
const NAMES_SETTING =
  /^`?(?:tools?|tool_choice|system|max_tokens|model|thinking|temperature|top_[kp]|metadata|stop_sequences|stream|betas?)(?:[.[:`\s]|$)/;
/** `param` values of OpenAI errors about the conversation. */
const PARAM_OF_CONVERSATION = /^(?:input|messages|prompt)\b/;

const aboutOf = ({ message, code, type, param }: ErrorBody): ProviderFault['about'] => {
  const isSetting =
    typeof param === 'string' && param !== ''
      ? !PARAM_OF_CONVERSATION.test(param)
      : typeof message === 'string' && NAMES_SETTING.test(message);
  if (isSetting) return 'setting';
  return [message, code, type, param].some((text) => typeof text === 'string' && NAMES_IMAGE.test(text))
    ? 'image'
    : undefined;
};

const faultOf = (body: ErrorBody, status?: number, headers?: Headers): ProviderFault => {
  const type = [body.code, body.type].find((name) => KNOWN_TYPES.has(name));
  const requestId = requestIdIn((name) => headers?.get(name));
  const about = aboutOf(body);
  return {
    ...(status === undefined ? {} : { status }),
    ...(typeof type === 'string' ? { type } : {}),
    ...(requestId === undefined ? {} : { requestId }),
    ...(about ? { about } : {}),
  };
};

/** Log messages by reason, for the operator. */
const SENTENCES: Readonly<Record<FallbackReason, string>> = {
  'rate-limit': 'the rate limit is reached',
  'server-error': 'the provider failed or cannot be reached',
  timeout: 'no answer came in time',
  'context-overflow': 'the conversation is too long for the model',
  'model-unavailable': 'the model does not exist, or this key may not use it',
  auth: 'the key was refused',
  billing: 'the account has no credit or quota left',
  refusal: 'the model declined to answer',
  'empty-answer': 'the answer was empty',
};

/** Describes a provider's error without quoting the provider. */
const describeFault = (
  where: string,
  reason: FallbackReason | null,
  { status, type, requestId, networkCode }: ProviderFault,
): string => {
  const facts = [
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(networkCode === undefined ? [] : [networkCode]),
    ...(type === undefined ? [] : [type]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  const sentence = reason ? SENTENCES[reason] : 'the request was refused';
  return `${where}: ${sentence}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
};

type ErrorClass = abstract new (...args: never[]) => Error;

/** The error classes of an SDK. Names and messages change between versions, classes do not. */
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

/** `retry-after-ms`, or `retry-after` in seconds or as a date; undefined if neither is usable. */
const retryAfterMs = (headers: Headers | undefined, nowMs: number): number | undefined => {
  const exact = Number(headers?.get('retry-after-ms') || NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const raw = headers?.get('retry-after');
  if (!raw) return undefined;
  const seconds = Number(raw);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  // `Date.parse` accepts almost any text.
  const atMs = HTTP_DATE.test(raw) ? Date.parse(raw) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

/** An error as a server writes it: some send its words alone. */
const asBody = (error: unknown): ErrorBody =>
  typeof error === 'object' && error !== null ? error : { message: error };

/** The body of an HTTP error. Anthropic nests the error one level deeper than OpenAI. */
const bodyOf = (error: unknown): ErrorBody => {
  const { error: body } = (error ?? {}) as { readonly error?: unknown };
  if (typeof body !== 'object' || body === null) return { message: errorMessage(error) };
  return asBody((body as { readonly error?: unknown }).error ?? body);
};

/** How servers say that a conversation does not fit. Many of them have no code for it. */
const OVERFLOW_WORDS = new RegExp(
  [
    // Anthropic
    'prompt is too long',
    'exceed(?:s|ed)? (?:the |model )?context',
    'request exceeds the maximum size',
    // OpenAI, OpenRouter, vLLM, DeepSeek, Mistral
    'maximum (?:context|model|prompt|sequence) length',
    'too large for model',
    'request too large for',
    // Groq, Cerebras
    'reduce the length of the (?:messages|prompt|input)',
    // llama.cpp, LM Studio, Ollama
    'available context size',
    'context (?:size|length|window) (?:has been |was )?exceed(?:ed|s)',
    '(?:greater than|exceeds) the context length',
    'n_keep .{1,30}>= n_ctx',
    'context the overflows',
    'reached context length of',
    'context overflow',
    // Bedrock, Gemini, Kimi, MiniMax, Copilot
    'input is too long',
    'input token count .{1,40}exceeds',
    'exceeded model token limit',
    'prompt token count of .{1,40}exceeds',
    // Others
    'prompt (?:is )?too (?:large|long)',
    'context window is .{1,40}you requested',
  ].join('|'),
  'i',
);

/** Waiting helps against a rate limit, but not against one request that is larger than all of it. */
const tellsOverflow = ({ message }: ErrorBody): boolean =>
  typeof message === 'string' && OVERFLOW_WORDS.test(message);

/** Faults that are recognizable by their text only: a 400 without a code. */
const TOLD_IN_WORDS: readonly (readonly [RegExp, FallbackReason])[] = [
  [/audio duration .{1,40} is longer than/i, 'context-overflow'],
  [/credit balance is too low|reached your specified API usage limits/i, 'billing'],
  [/organization has been disabled/i, 'auth'],
];

const reasonOf = (
  error: unknown,
  status: number | undefined,
  body: ErrorBody,
  classes: SdkErrorClasses,
): FallbackReason | null => {
  if (error instanceof classes.timeout) return 'timeout';
  // We did not abort, so the other side did.
  if (error instanceof classes.connection || error instanceof classes.userAbort) return 'server-error';
  if (status !== undefined && tellsOverflow(body)) return 'context-overflow';
  const { code, type, message } = body;
  const known = classifyFallbackError(status === undefined ? error : { code, type, status });
  if (known) return known;
  if (status === 400 && typeof message === 'string')
    return TOLD_IN_WORDS.find(([words]) => words.test(message))?.[1] ?? null;
  // The body is invalid or truncated JSON.
  return error instanceof SyntaxError ? 'server-error' : null;
};

/** Codes and types inside a stream that correspond to a 400: the request itself is refused. */
const REFUSED_IN_STREAM: ReadonlySet<unknown> = new Set([
  'invalid_request_error',
  'invalid_prompt',
  'content_filter',
  'content_policy_violation',
  'bio_policy',
  'misalignment_policy_violation',
]);
/** `invalid_image_format`, `image_too_large` and similar: no retry helps, and the provider works. */
const ABOUT_IMAGE = /image/i;

/** Maps a failure inside an answer with status 200, by its words, code or type. A code may be a status. */
export const failedResponse = (where: string, error: unknown): FinClawError => {
  const body = asBody(error);
  const { code, type } = body;
  const reason = tellsOverflow(body) ? 'context-overflow' : classifyFallbackError({ ...body, status: code });
  const details: ProviderFault = faultOf(body);
  const isRefused =
    REFUSED_IN_STREAM.has(code) ||
    REFUSED_IN_STREAM.has(type) ||
    (typeof code === 'string' && ABOUT_IMAGE.test(code));
  return reason === null && isRefused
    ? new FinClawError(describeFault(where, null, details), 'PROVIDER_REFUSED', { statusCode: 400, details })
    : new FailoverError(describeFault(where, reason ?? 'server-error', details), reason ?? 'server-error', {
        details,
      });
};

/**
 * Maps an SDK error to ours. The caller's own abort becomes the signal's reason; a permanent failure becomes
 * `PROVIDER_REFUSED`. The provider's text stops here, because it may quote messages and errors are logged: an
 * answer of the provider is never attached as the cause, a connection error is.
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
    // Without a status it is a bug of ours, with its own message.
    const message = isAnswer ? describeFault(provider, null, details) : `${provider}: ${errorMessage(error)}`;
    return new FinClawError(message, 'PROVIDER_REFUSED', {
      details,
      ...cause,
      ...(statusCode === undefined ? {} : { statusCode }),
    });
  }
  return new FailoverError(describeFault(provider, reason, details), reason, {
    statusCode,
    details,
    ...cause,
    retryAfterMs: retryAfterMs(headers, Date.now()),
  });
};
