/** The API's name for an error by its HTTP status, and back: an error in a stream has only the name. */
const TYPE_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [409, 'conflict_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['api_error', 'Internal server error'],
  ['authentication_error', 'invalid x-api-key'],
  ['overloaded_error', 'Overloaded'],
  ['rate_limit_error', 'This request would exceed the rate limit for your organization.'],
]);

export const typeOfStatus = (status: number): string =>
  TYPE_BY_STATUS.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

export const statusOfType = (type: string): number =>
  [...TYPE_BY_STATUS].find(([, name]) => name === type)?.[0] ?? 500;

export interface ErrorWords {
  readonly type: string;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
}

/** The body of an error reply; `code` is where the SDK looks for its `errorCode`. */
export const errorBody = ({ type, message, code }: ErrorWords, requestId: string): object => ({
  type: 'error',
  error: {
    type,
    message: message ?? MESSAGES.get(type) ?? type.replaceAll('_', ' '),
    ...(code === undefined ? {} : { details: { error_code: code } }),
  },
  request_id: requestId,
});
