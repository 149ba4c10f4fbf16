import { APIError as AnthropicError } from '@anthropic-ai/sdk';
import { APIError as OpenAiError } from 'openai';
import { describe, expect, it } from 'vitest';
import { classifyFallbackError, FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { everyRow } from '#test/support/every-row.ts';

const withFields = (fields: object): Error => Object.assign(new Error('x'), fields);
const causedBy = (cause: unknown, depth = 1): Error =>
  new Error('outer', { cause: depth > 1 ? causedBy(cause, depth - 1) : cause });

describe('FailoverError', () => {
  it('says its reason in its code', () => {
    const error = new FailoverError('gone', 'model-unavailable', { statusCode: 404, retryAfterMs: 5 });
    expect(error).toMatchObject({
      code: 'FAILOVER_MODEL_UNAVAILABLE',
      statusCode: 404,
      retryAfterMs: 5,
      isOperational: true,
      name: 'FailoverError',
    });
    expect(error).toBeInstanceOf(FinClawError);
  });
});

describe('classifyFallbackError', () => {
  it('believes our own errors', () => {
    expect(classifyFallbackError(new FailoverError('x', 'empty-answer'))).toBe('empty-answer');
  });

  everyRow<readonly [number, FallbackReason | null]>([
    [400, null],
    [401, 'auth'],
    [402, 'billing'],
    [403, 'auth'],
    [404, 'model-unavailable'],
    [405, null],
    [408, 'timeout'],
    [409, 'server-error'],
    [413, 'context-overflow'],
    [422, null],
    [429, 'rate-limit'],
    [499, 'server-error'],
    [500, 'server-error'],
    [501, 'server-error'],
    [503, 'server-error'],
    [504, 'timeout'],
    [529, 'server-error'],
    [599, 'server-error'],
  ])('reads the status %d as %s', (status, reason) => {
    expect(classifyFallbackError(withFields({ status }))).toBe(reason);
  });

  everyRow<readonly [string, FallbackReason]>([
    ['overloaded_error', 'server-error'],
    ['api_error', 'server-error'],
    ['timeout_error', 'timeout'],
    ['rate_limit_error', 'rate-limit'],
    ['authentication_error', 'auth'],
    ['permission_error', 'auth'],
    ['billing_error', 'billing'],
    ['not_found_error', 'model-unavailable'],
    ['request_too_large', 'context-overflow'],
    ['rate_limit_exceeded', 'rate-limit'],
    ['insufficient_quota', 'billing'],
    ['billing_hard_limit_reached', 'billing'],
    ['invalid_api_key', 'auth'],
    ['account_deactivated', 'auth'],
    ['model_not_found', 'model-unavailable'],
    ['context_length_exceeded', 'context-overflow'],
    ['server_error', 'server-error'],
    ['server_is_overloaded', 'server-error'],
  ])('reads the type or code %s as %s, also without a status', (name, reason) => {
    expect(classifyFallbackError(withFields({ type: name }))).toBe(reason);
    expect(classifyFallbackError(withFields({ code: name }))).toBe(reason);
    expect(classifyFallbackError({ type: name, message: 'no error object at all' })).toBe(reason);
  });

  it('believes the words of an error before its status: a spent quota comes as 429', () => {
    const spent = withFields({ status: 429, type: 'requests', code: 'insufficient_quota' });
    expect(classifyFallbackError(spent)).toBe('billing');
    expect(classifyFallbackError(withFields({ status: 400, code: 'context_length_exceeded' }))).toBe(
      'context-overflow',
    );
  });

  it('reads the errors of both SDKs', () => {
    const headers = new Headers();
    const ofAnthropic = (status: number, type: string): Error =>
      AnthropicError.generate(status, { type: 'error', error: { type, message: 'x' } }, undefined, headers);
    const ofOpenAi = (status: number, error: object): Error =>
      OpenAiError.generate(status, { error }, undefined, headers);
    expect(classifyFallbackError(ofAnthropic(529, 'overloaded_error'))).toBe('server-error');
    expect(classifyFallbackError(ofAnthropic(400, 'invalid_request_error'))).toBeNull();
    expect(classifyFallbackError(ofOpenAi(401, { code: 'invalid_api_key' }))).toBe('auth');
    expect(classifyFallbackError(ofOpenAi(429, { code: 'rate_limit_exceeded' }))).toBe('rate-limit');
    expect(classifyFallbackError(ofOpenAi(400, { type: 'invalid_request_error', code: null }))).toBeNull();
  });

  everyRow<readonly [string, FallbackReason]>([
    ['ECONNRESET', 'server-error'],
    ['ECONNREFUSED', 'server-error'],
    ['ENOTFOUND', 'server-error'],
    ['EPIPE', 'server-error'],
    ['UND_ERR_SOCKET', 'server-error'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'server-error'],
    ['HPE_INVALID_CHUNK_SIZE', 'server-error'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ])('finds the network fault %s among the causes', (code, reason) => {
    const fault = withFields({ code });
    expect(classifyFallbackError(fault)).toBe(reason);
    expect(classifyFallbackError(causedBy(fault))).toBe(reason);
    expect(classifyFallbackError(causedBy(fault, 4))).toBe(reason);
  });

  everyRow<readonly [string, unknown]>([
    ["a person's abort", new RunAbortedError('stopped')],
    ['a shutdown', new RunAbortedError('shutdown')],
    ['an abort of the platform', new DOMException('aborted', 'AbortError')],
    ['an abort, however deep', causedBy(new RunAbortedError('timeout'), 3)],
    ['a bug', new TypeError('undefined is not a function')],
    ['a refused request', new FinClawError('x', 'PROVIDER_REFUSED', { cause: withFields({ status: 400 }) })],
    ['a file that is missing', withFields({ code: 'ENOENT' })],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'ECONNRESET'],
    ['a number', 500],
    ['a status that is none', withFields({ status: '500' })],
  ])('has no reason for %s', (_what, error) => {
    expect(classifyFallbackError(error)).toBeNull();
  });

  it('comes to an end with causes that go in a circle', () => {
    const circle = new Error('x');
    circle.cause = circle;
    expect(classifyFallbackError(circle)).toBeNull();
  });
});
