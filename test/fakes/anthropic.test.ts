import {
  APIError,
  AuthenticationError,
  BadRequestError,
  ContentTooLargeError,
  GatewayTimeoutError,
  InternalServerError,
  NotFoundError,
  OverloadedError,
  PermissionDeniedError,
  RateLimitError,
  ServiceUnavailableError,
} from '@anthropic-ai/sdk';
import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { ask, clientOf, hasEnded, joined, MODEL, setUp } from './anthropic-client.ts';
import { startFakeAnthropic } from './anthropic/server.ts';
import type { FakeReply } from './model-reply.ts';

const TOOL = { name: 'get_price', input_schema: { type: 'object' as const } };

const typesOf = (events: readonly RawMessageStreamEvent[]): readonly string[] => [
  ...new Set(events.map(({ type }) => type)),
];

const withoutIds = ({ content, usage, stop_reason }: Message) => [
  content.map((block) => ({ ...block, id: '' })),
  usage,
  stop_reason,
];

describe('an answer', () => {
  it('streams thoughts, text and calls as the SDK puts them together', async () => {
    const { fake, client } = await setUp();
    fake.reply({
      kind: 'answer',
      thinking: 'They want the price of Samsung.',
      text: '삼성전자 시세를 찾아볼게요 🙂.',
      toolCalls: [
        { id: 'toolu_1', name: 'get_price', input: { symbol: '005930' } },
        { name: 'get_price', input: { symbol: 'AAPL' } },
      ],
      pieceChars: 1,
    });
    const message = await client.messages.stream({ ...ask(), tools: [TOOL] }).finalMessage();
    expect(message.content).toMatchObject([
      {
        type: 'thinking',
        thinking: 'They want the price of Samsung.',
        signature: expect.stringMatching(/.{20}/),
      },
      { type: 'text', text: '삼성전자 시세를 찾아볼게요 🙂.' },
      { type: 'tool_use', id: 'toolu_1', name: 'get_price', input: { symbol: '005930' } },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_\w+$/), input: { symbol: 'AAPL' } },
    ]);
    expect(message).toMatchObject({ model: MODEL, role: 'assistant', stop_reason: 'tool_use' });
  });

  it('sends the events in the order of the API', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'answer', text: 'a text of more than one piece' });
    const { events } = await stream();
    expect(events[0]).toMatchObject({ type: 'message_start', message: { stop_reason: null, content: [] } });
    expect(typesOf(events)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events.filter(({ type }) => type === 'content_block_delta')).toHaveLength(3);
  });

  it('sends no half of a character', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'answer', text: '🙂🙂', pieceChars: 1 });
    const { events } = await stream();
    expect(events.filter(({ type }) => type === 'content_block_delta')).toMatchObject([
      { delta: { text: '🙂' } },
      { delta: { text: '🙂' } },
    ]);
  });

  it('sends a ping, which the SDK hides', async () => {
    const { client } = await setUp();
    const response = await client.messages.create({ ...ask(), stream: true }).asResponse();
    const body = await response.text();
    expect(body).toContain('event: ping\n');
    expect(response.headers.get('request-id')).toMatch(/^req_/);
  });

  it('gives the same as one JSON where it is not streamed', async () => {
    const { fake, client } = await setUp();
    const answer: FakeReply = {
      kind: 'answer',
      thinking: 'Hm.',
      text: 'Hi',
      toolCalls: [{ name: 'get_price' }],
    };
    fake.reply(answer, answer);
    const whole = await client.messages.create(ask());
    const streamed = await client.messages.stream(ask()).finalMessage();
    expect(withoutIds(whole)).toEqual(withoutIds(streamed));
  });

  it('counts the output up to the end: the last usage is the whole one', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'answer', text: 'x'.repeat(300) });
    const { events } = await stream(ask('y'.repeat(30)));
    const start = events.find((event) => event.type === 'message_start');
    const delta = events.find((event) => event.type === 'message_delta');
    expect([start?.message.usage.input_tokens, start?.message.usage.output_tokens]).toEqual([10, 1]);
    expect([delta?.usage.input_tokens, delta?.usage.output_tokens]).toEqual([10, 100]);
    expect(fake.history[0]?.usage).toEqual({ input: 10, output: 100, cacheRead: 0, cacheWrite: 0 });
  });

  it.each([
    ['refusal', { type: 'refusal' }],
    ['max_tokens', null],
    ['pause_turn', null],
    ['model_context_window_exceeded', null],
  ])('stops for the reason that it is told: %s', async (stopReason, details) => {
    const { fake, client } = await setUp();
    fake.otherwise({ kind: 'answer', text: 'So', stopReason });
    for (const message of [
      await client.messages.create(ask()),
      await client.messages.stream(ask()).finalMessage(),
    ]) {
      expect(message.stop_reason).toBe(stopReason);
      if (details === null) expect(message.stop_details).toBeNull();
      else expect(message.stop_details).toMatchObject(details);
    }
  });

  it('names the stop sequence', async () => {
    const { fake, client } = await setUp();
    fake.reply({ kind: 'answer', text: 'So', stopReason: 'stop_sequence' });
    expect((await client.messages.create({ ...ask(), stop_sequences: ['END'] })).stop_sequence).toBe('END');
  });

  it('may be empty', async () => {
    const { fake, client, stream } = await setUp();
    fake.otherwise({ kind: 'answer' });
    expect((await client.messages.create(ask())).content).toEqual([]);
    expect(hasEnded((await stream()).events)).toBe(true);
  });

  it('gives calls without an id one that never comes again', async () => {
    const { fake, client } = await setUp();
    fake.otherwise({ kind: 'answer', toolCalls: [{ name: 'a' }, { name: 'a' }] });
    const messages = [await client.messages.create(ask()), await client.messages.create(ask())];
    const ids = messages.flatMap(({ content }) =>
      content.map((block) => block.type === 'tool_use' && block.id),
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('sends argument text as it is told, also none and also nonsense', async () => {
    const { fake, stream } = await setUp();
    fake.reply(
      { kind: 'answer', toolCalls: [{ name: 'a', json: '' }] },
      { kind: 'answer', toolCalls: [{ name: 'a', json: '{"symbol": oops' }] },
    );
    expect(joined((await stream()).events)).toBe('');
    expect(joined((await stream()).events)).toBe('{"symbol": oops');
  });
});

describe('scripts', () => {
  it('are used in order, then the one for everything else', async () => {
    const { fake, client } = await setUp();
    const texts = async (): Promise<unknown> =>
      (await client.messages.create(ask())).content.map((block) => block.type === 'text' && block.text)[0];
    expect(await texts()).toBe('ok');
    fake.reply({ kind: 'answer', text: 'one' }, (body) => ({ kind: 'answer', text: `two ${body.model}` }));
    fake.otherwise({ kind: 'answer', text: 'else' });
    expect([await texts(), await texts(), await texts()]).toEqual(['one', `two ${MODEL}`, 'else']);
  });

  it('are not used up by a request that is refused', async () => {
    const { fake, client, failure } = await setUp();
    fake.reply({ kind: 'answer', text: 'one' });
    await failure({ ...ask(), messages: [] });
    await client.messages.countTokens({ model: MODEL, messages: ask().messages });
    expect((await client.messages.create(ask())).content).toMatchObject([{ text: 'one' }]);
  });

  it('that throw are told to the client', async () => {
    const { fake, failure } = await setUp();
    fake.reply(() => {
      throw new Error('a slip in the test');
    });
    expect((await failure(ask())).apiMessage).toContain('a slip in the test');
  });
});

describe('an error status', () => {
  it.each([
    [400, 'invalid_request_error', BadRequestError],
    [401, 'authentication_error', AuthenticationError],
    [402, 'billing_error', APIError],
    [403, 'permission_error', PermissionDeniedError],
    [404, 'not_found_error', NotFoundError],
    [413, 'request_too_large', ContentTooLargeError],
    [429, 'rate_limit_error', RateLimitError],
    [500, 'api_error', InternalServerError],
    [503, 'api_error', ServiceUnavailableError],
    [504, 'timeout_error', GatewayTimeoutError],
    [529, 'overloaded_error', OverloadedError],
  ])('%i is a %s', async (status, type, errorClass) => {
    const { fake, failure } = await setUp();
    fake.reply({ kind: 'status', status });
    const error = await failure(ask());
    expect(error).toBeInstanceOf(errorClass);
    expect([error.status, error.type]).toEqual([status, type]);
    expect(error.requestID).toMatch(/^req_/);
    expect(fake.history[0]).toMatchObject({ outcome: 'status' });
    expect(fake.history[0]).not.toHaveProperty('usage');
  });

  it('has the words, the code and the retry-after of the script', async () => {
    const { fake, stream } = await setUp();
    fake.reply({
      kind: 'status',
      status: 429,
      type: 'overloaded_error',
      message: 'slow down',
      code: 'ramp_limit_exceeded',
      retryAfterSeconds: 7,
    });
    const { error } = await stream();
    expect(error).toMatchObject({
      type: 'overloaded_error',
      apiMessage: 'slow down',
      errorCode: 'ramp_limit_exceeded',
    });
    expect(error instanceof RateLimitError && error.headers.get('retry-after')).toBe('7');
  });
});

describe('the server', () => {
  it('closes at once, also with replies that hang', async () => {
    const fake = await startFakeAnthropic();
    fake.otherwise({ kind: 'stall', answer: { text: 'x' } });
    const client = clientOf(fake);
    const stream = await client.messages.create({ ...ask(), stream: true });
    const reading = Array.fromAsync(stream).catch((error: unknown) => error);
    const silent = client.messages.create(ask()).catch((error: unknown) => error);
    await expect.poll(() => fake.history).toHaveLength(2);
    await fake.close();
    expect(await reading).toBeInstanceOf(TypeError);
    expect(await silent).toBeInstanceOf(Error);
    expect(fake.history.map(({ wasAborted }) => wasAborted())).toEqual([false, false]);
  });

  it('keeps no bodies where it is told so, and shows them to scripts all the same', async () => {
    const { fake, client } = await setUp({ keepBodies: false });
    const seen: string[] = [];
    fake.reply(({ model }) => {
      seen.push(model);
      return { kind: 'answer', text: 'ok' };
    });
    await client.messages.create(ask());
    expect([seen, fake.history[0]?.body.messages]).toEqual([[MODEL], []]);
  });

  it('writes down who asked for what', async () => {
    const { fake, client } = await setUp();
    await client.messages.create(ask('What is new?'));
    expect(fake.history).toMatchObject([
      { path: '/v1/messages', apiKey: 'key-1', body: ask('What is new?'), outcome: 'answer' },
    ]);
    expect(fake.history[0]).not.toHaveProperty('problem');
  });
});
