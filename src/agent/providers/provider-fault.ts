import { type FallbackReason, KNOWN_REASON_TYPES } from '../errors.ts';
import { requestIdIn } from './provider-ids.ts';

/** The error in a provider's answer, as it came: nothing in it is certain. */
export interface ErrorBody {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly param?: unknown;
}

/**
 * What may be logged of a provider's error. Its own words are not part of it: they quote messages, answers and tool
 * inputs.
 */
export interface ProviderFault extends Readonly<Record<string, unknown>> {
  readonly status?: number;
  /** One of the types and codes that are known here: others may be anything. */
  readonly type?: string;
  readonly requestId?: string;
  /** Of a connection that broke. */
  readonly networkCode?: string;
  /** What the error names: a picture, or a part of the request that no person wrote. */
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
/** How Anthropic begins an error about a part of the request that is not the conversation. */
const NAMES_SETTING =
  /^`?(?:tools?|tool_choice|system|max_tokens|model|thinking|temperature|top_[kp]|metadata|stop_sequences|stream|betas?)(?:[.[:`\s]|$)/;
/** Where OpenAI says that an error is about the conversation. */
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

export const faultOf = (body: ErrorBody, status?: number, headers?: Headers): ProviderFault => {
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

/** For the operator: what happened, by its class. */
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

/** A provider's error without any word of the provider. */
export const inOurWords = (
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
