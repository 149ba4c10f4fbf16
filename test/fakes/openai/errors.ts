import type { FakeReply } from '#test/fakes/model-reply.ts';

/** What is wrong with a request, in the words of the API. */
export interface Problem {
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

export interface ErrorBody {
  readonly error: Problem & { readonly type: string };
}

type Default = readonly [type: string, code: string | null, message: string];

const DEFAULTS: Readonly<Record<number, Default>> = {
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  402: ['insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'],
  403: ['invalid_request_error', 'unsupported_country_region_territory', 'Country not supported.'],
  404: [
    'invalid_request_error',
    'model_not_found',
    'The model does not exist or you do not have access to it.',
  ],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached.'],
  500: ['server_error', 'server_error', 'The server had an error while processing your request.'],
  502: ['server_error', 'server_error', 'Bad gateway.'],
  503: ['service_unavailable_error', 'server_is_overloaded', 'Our servers are currently overloaded.'],
  504: ['server_error', 'server_error', 'Gateway timeout.'],
};

const OTHER: Default = ['invalid_request_error', null, 'The request was refused.'];

const QUOTA = 'insufficient_quota';

/** The body of a scripted HTTP error: what the script leaves open is as usual for the status. */
export const statusBody = (reply: FakeReply & { readonly kind: 'status' }): ErrorBody => {
  const [type, code, message] = DEFAULTS[reply.status] ?? OTHER;
  return {
    error: {
      message: reply.message ?? message,
      // An exhausted quota comes as 429 too, and is told from a rate limit by these two words only.
      type: reply.type ?? (reply.code === QUOTA ? QUOTA : type),
      param: null,
      code: reply.code ?? code,
    },
  };
};

export const refusalBody = (problem: Problem): ErrorBody => ({
  error: {
    message: problem.message,
    type: 'invalid_request_error',
    param: problem.param,
    code: problem.code,
  },
});

/** Like the real API, the message quotes a part of the key: it must not be shown or logged unread. */
export const wrongKey = (apiKey: string): Problem => ({
  message:
    apiKey === ''
      ? "You didn't provide an API key."
      : `Incorrect API key provided: ${apiKey.slice(0, 4)}****${apiKey.slice(-4)}.`,
  param: null,
  code: apiKey === '' ? null : 'invalid_api_key',
});
