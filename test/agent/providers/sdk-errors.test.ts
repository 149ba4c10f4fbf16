import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import { APIError as OpenAiError } from 'openai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { fromSdkError } from '#src/agent/providers/sdk-errors.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';

const CLASSES = {
  timeout: APIConnectionTimeoutError,
  connection: APIConnectionError,
  userAbort: APIUserAbortError,
};
const explain = (error: unknown, signal: AbortSignal = new AbortController().signal): unknown =>
  fromSdkError(error, 'anthropic', CLASSES, signal);

const refusedWith = (status: number, headers: Readonly<Record<string, string>> = {}): Error =>
  APIError.generate(
    status,
    { error: { type: 'some_error', message: 'no' } },
    undefined,
    new Headers(headers),
  );

const waitFor = (headers: Readonly<Record<string, string>>): unknown =>
  (explain(refusedWith(429, headers)) as FailoverError).retryAfterMs;

describe('fromSdkError', () => {
  it("gives the caller's own reason when the caller aborted, whatever the SDK made of it", () => {
    const reason = new RunAbortedError('stopped');
    const signal = AbortSignal.abort(reason);
    for (const error of [new APIUserAbortError(), new TypeError('terminated'), refusedWith(500)])
      expect(explain(error, signal)).toBe(reason);
  });

  it('takes an abort that nobody here asked for as the fault of the other side', () => {
    expect(explain(new APIUserAbortError())).toMatchObject({ fallbackReason: 'server-error' });
  });

  it.each([
    ['a timeout', new APIConnectionTimeoutError(), 'timeout'],
    ['no connection', new APIConnectionError({ message: 'no way' }), 'server-error'],
  ])('recognises %s by its class', (_what, error, reason) => {
    const explained = explain(error);
    expect(explained).toBeInstanceOf(FailoverError);
    expect(explained).toMatchObject({ fallbackReason: reason, cause: error });
  });

  it('takes a body that is no JSON for a fault of the provider, and keeps nothing of what it quotes', () => {
    const explained = explain(new SyntaxError('Unexpected token h, "heron" is not valid JSON'));
    expect(explained).toMatchObject({ fallbackReason: 'server-error' });
    expect(explained).not.toHaveProperty('cause');
    expect((explained as Error).message).not.toContain('heron');
  });

  it.each([
    ['Your credit balance is too low to access the API.', 'billing'],
    ['You have reached your specified API usage limits.', 'billing'],
    ['This organization has been disabled.', 'auth'],
    ['prompt is too long: 9 tokens > 8 maximum', 'context-overflow'],
    ["This model's maximum context length is 4096 tokens.", 'context-overflow'],
  ])('knows what a 400 says in words only: %s', (message, reason) => {
    const body = { error: { type: 'invalid_request_error', message } };
    expect(explain(APIError.generate(400, body, undefined, new Headers()))).toMatchObject({
      fallbackReason: reason,
      statusCode: 400,
    });
  });

  it.each([
    ['tools.0.name: too long', null, 'setting'],
    ['max_tokens: 9 > 8', null, 'setting'],
    ["Unsupported value: 'temperature'", 'temperature', 'setting'],
    ['messages.0.content: not allowed', null, undefined],
    ['Invalid prompt: flagged', 'input', undefined],
    ['Output blocked by content filtering policy', null, undefined],
    ['Could not process image', null, 'image'],
  ])('keeps what a refusal is about: %s', (message, param, about) => {
    const body = { error: { type: 'invalid_request_error', message, param } };
    const explained = explain(OpenAiError.generate(400, body, undefined, new Headers()));
    expect(explained).toMatchObject({ code: 'PROVIDER_REFUSED' });
    expect((explained as FinClawError).details['about']).toBe(about);
  });

  it('names the code of a connection that broke, and the request of an answer', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    expect(explain(new APIConnectionError({ cause }))).toMatchObject({
      message: 'anthropic: the provider failed or cannot be reached (ECONNREFUSED)',
    });
    expect(explain(refusedWith(500, { 'request-id': 'req_1' }))).toMatchObject({
      message: 'anthropic: the provider failed or cannot be reached (HTTP 500, request req_1)',
    });
  });

  it('passes our own errors on as they are', () => {
    const ours = new FinClawError('ours', 'PROVIDER_BAD_BODY');
    expect(explain(ours)).toBe(ours);
    const failover = new FailoverError('cut', 'server-error');
    expect(explain(failover)).toBe(failover);
  });

  it('gives up on what no other try can mend, and says what it was', () => {
    const explained = explain(refusedWith(400));
    expect(explained).not.toHaveProperty('cause');
    expect(explained).not.toBeInstanceOf(FailoverError);
    expect(explained).toMatchObject({ code: 'PROVIDER_REFUSED', statusCode: 400 });
    expect(explain(new TypeError('a bug'))).toMatchObject({
      code: 'PROVIDER_REFUSED',
      message: 'anthropic: a bug',
    });
    expect(explain(undefined)).toMatchObject({ code: 'PROVIDER_REFUSED' });
  });

  it('reads the errors of the other SDK by the same rules', () => {
    const body = { message: 'quota', type: 'insufficient_quota', code: 'insufficient_quota' };
    const spent = OpenAiError.generate(429, { error: body }, undefined, new Headers());
    expect(explain(spent)).toMatchObject({ fallbackReason: 'billing', statusCode: 429 });
  });
});

describe('the wait that a provider asks for', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 13, 6, 30) });
  });
  afterEach(() => void vi.useRealTimers());

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-3' }, 0],
    [{ 'retry-after-ms': '1250' }, 1_250],
    [{ 'retry-after-ms': '1250', 'retry-after': '9' }, 1_250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
    [{ 'retry-after': 'Fri, 13 Nov 2026 06:30:20 GMT' }, 20_000],
    [{ 'retry-after': 'Fri, 13 Nov 2026 06:29:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': 'try 5' }, undefined],
    [{ 'retry-after': 'in 2030' }, undefined],
    [{ 'retry-after-ms': '', 'retry-after': '9' }, 9_000],
    [{}, undefined],
  ])('of %o is %s ms', (headers, expected) => {
    expect(waitFor(headers)).toBe(expected);
  });

  it('is not known for an error without headers', () => {
    expect((explain(new APIConnectionError({})) as FailoverError).retryAfterMs).toBeUndefined();
  });
});
