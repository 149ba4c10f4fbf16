import {
  type OpenAI,
  APIConnectionError,
  APIError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeAnswer, FakeReply } from '#test/fakes/model-reply.ts';
import { collect, clientOf } from './openai/client.ts';
import { type FakeOpenAi, startFakeOpenAi } from './openai/server.ts';

let fake: FakeOpenAi;
let client: OpenAI;
beforeEach(async () => {
  fake = await startFakeOpenAi();
  client = clientOf(fake);
});
afterEach(() => fake.close());

/** What a client sees of a reply, in the same words for both APIs. */
interface Seen {
  readonly text: string;
  readonly calls: readonly string[];
  /** The terminal event came. */
  readonly isWhole: boolean;
  readonly error?: unknown;
}

const ask = (signal?: AbortSignal) =>
  client.responses.create({ model: 'gpt-6-luna', input: 'hi', stream: true }, { signal });
const chat = (signal?: AbortSignal) =>
  client.chat.completions.create(
    { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], stream: true },
    { signal },
  );

const seenInResponses = async (): Promise<Seen> => {
  const { events, ...rest } = await collect(await ask());
  const items = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
  return {
    text: events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join(''),
    calls: items.flatMap((item) => (item.type === 'function_call' ? [item.name] : [])),
    isWhole: events.some(({ type }) => ['response.completed', 'response.incomplete'].includes(type)),
    ...rest,
  };
};

const seenInChat = async (): Promise<Seen> => {
  const { events, ...rest } = await collect(await chat());
  const choices = events.flatMap((chunk) => chunk.choices);
  return {
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    calls: choices
      .flatMap(({ delta }) => delta.tool_calls ?? [])
      .flatMap((call) => call.function?.name ?? []),
    isWhole: choices.some((choice) => choice.finish_reason !== null),
    ...rest,
  };
};

const askWhole = async (): Promise<unknown> => client.responses.create({ model: 'gpt-6-luna', input: 'hi' });
const chatWhole = async (): Promise<unknown> =>
  client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });

const answer: FakeAnswer = {
  text: '삼성전자 주가는 👍 올랐습니다',
  toolCalls: [{ name: 'quote' }],
  pieceChars: 1,
};

const hold = (until: Promise<void>, next: FakeReply, content?: FakeAnswer): FakeReply => ({
  kind: 'hold',
  until,
  ...(content && { answer: content }),
  // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
  then: next,
});

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each([
  ['Responses', seenInResponses, ask, askWhole],
  ['chat completions', seenInChat, chat, chatWhole],
] as const)('in %s', (_, seen, begin, whole) => {
  it('an answer arrives whole, in whole characters', async () => {
    fake.reply({ kind: 'answer', ...answer });
    expect(await seen()).toEqual({ text: answer.text, calls: ['quote'], isWhole: true });
    expect(fake.history[0]?.wasAborted()).toBe(false);
  });

  it('an empty answer is whole too', async () => {
    fake.reply({ kind: 'answer' });
    expect(await seen()).toEqual({ text: '', calls: [], isWhole: true });
  });

  it.each([
    [401, undefined, 'invalid_request_error', 'invalid_api_key'],
    [402, undefined, 'insufficient_quota', 'insufficient_quota'],
    [404, undefined, 'invalid_request_error', 'model_not_found'],
    [429, undefined, 'requests', 'rate_limit_exceeded'],
    [429, 'insufficient_quota', 'insufficient_quota', 'insufficient_quota'],
    [500, undefined, 'server_error', 'server_error'],
    [503, undefined, 'service_unavailable_error', 'server_is_overloaded'],
    [418, undefined, 'invalid_request_error', null],
  ])('status %i with the code %s is %s, %s', async (status, given, type, code) => {
    const reply: FakeReply = { kind: 'status', status, ...(given !== undefined && { code: given }) };
    fake.reply(reply, reply);
    for (const error of [await thrownBy(begin()), await thrownBy(whole())]) {
      expect(error).toBeInstanceOf(APIError);
      expect(error).toMatchObject({ status, type, code, param: null });
    }
  });

  it('a status has its class, its own words and a time to wait', async () => {
    fake.reply(
      { kind: 'status', status: 429, message: 'slow down', type: 'tokens', retryAfterSeconds: 7 },
      { kind: 'status', status: 503 },
      { kind: 'status', status: 404 },
    );
    const error = await thrownBy(begin());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ message: '429 slow down', type: 'tokens' });
    expect((error as APIError).headers?.get('retry-after')).toBe('7');
    expect((error as APIError).requestID).toMatch(/^req_/u);
    expect(await thrownBy(begin())).toBeInstanceOf(InternalServerError);
    expect(await thrownBy(begin())).toBeInstanceOf(NotFoundError);
  });

  it('an error in the stream comes after the content, without a status', async () => {
    fake.reply({ kind: 'stream-error', type: 'rate_limit_exceeded', answer });
    const { error, ...rest } = await seen();
    expect(rest).toEqual({ text: answer.text, calls: ['quote'], isWhole: false });
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: undefined, code: 'rate_limit_exceeded' });
    fake.reply({ kind: 'stream-error', type: 'rate_limit_exceeded' });
    expect(await thrownBy(whole())).toMatchObject({ status: 500, code: 'rate_limit_exceeded' });
    expect(fake.history.map(({ outcome, usage }) => [outcome, usage])).toEqual([
      ['stream-error', undefined],
      ['stream-error', undefined],
    ]);
  });

  it('a cut stream ends silently, without its last event', async () => {
    fake.reply({ kind: 'cut', answer }, { kind: 'cut' }, { kind: 'cut', answer });
    expect(await seen()).toEqual({ text: answer.text, calls: ['quote'], isWhole: false });
    expect(await seen()).toEqual({ text: '', calls: [], isWhole: false });
    expect(await thrownBy(whole())).toBeInstanceOf(SyntaxError);
    expect(fake.history.some(({ usage }) => usage)).toBe(false);
    expect(fake.history[0]?.wasAborted()).toBe(false);
  });

  it('a reset breaks the connection after the content', async () => {
    fake.reply({ kind: 'reset', answer }, { kind: 'reset', answer });
    const { error, ...rest } = await seen();
    expect(rest).toEqual({ text: answer.text, calls: ['quote'], isWhole: false });
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(APIError);
    expect(await thrownBy(whole())).toBeInstanceOf(Error);
    expect(fake.history.map(({ wasAborted }) => wasAborted())).toEqual([false, false]);
  });

  it('a reset without content breaks it before any header', async () => {
    fake.reply({ kind: 'reset' }, { kind: 'reset' });
    expect(await thrownBy(begin())).toBeInstanceOf(APIConnectionError);
    expect(await thrownBy(whole())).toBeInstanceOf(APIConnectionError);
    expect(fake.history[0]?.wasAborted()).toBe(false);
  });

  it('a stall sends the content and then nothing until the client leaves', async () => {
    fake.reply({ kind: 'stall', answer });
    const controller = new AbortController();
    const stream = await begin(controller.signal);
    let seen = '';
    for await (const event of stream as AsyncIterable<unknown>) {
      seen += JSON.stringify(event);
      // The last of the content is there; from now on only the client can end this.
      if (seen.includes('quote')) setTimeout(() => controller.abort(), 50);
      expect(fake.history[0]?.wasAborted()).toBe(false);
    }
    expect(controller.signal.aborted).toBe(true);
    await expect.poll(() => fake.history[0]?.wasAborted()).toBe(true);
  });

  it('a stall without content sends not even headers', async () => {
    fake.reply({ kind: 'stall' });
    const controller = new AbortController();
    let hasBegun = false;
    const request = begin(controller.signal).then(() => (hasBegun = true));
    await expect.poll(() => fake.history.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(hasBegun).toBe(false);
    controller.abort();
    await expect(request).rejects.toThrow('aborted');
    await expect.poll(() => fake.history[0]?.wasAborted()).toBe(true);
  });

  it('a stalled reply that is not streamed is open in the middle of its body', async () => {
    fake.reply({ kind: 'stall', answer });
    const request = thrownBy(whole());
    await expect.poll(() => fake.history.length).toBe(1);
    await fake.close();
    expect(await request).toBeInstanceOf(Error);
  });

  it('a truncated call is closed, and the reply was too long', async () => {
    fake.reply({ kind: 'truncated-tool', name: 'quote', json: '{"symbol":"AA', text: 'see' });
    expect(await seen()).toEqual({ text: 'see', calls: ['quote'], isWhole: true });
  });

  it('a held reply goes on when it is let go', async () => {
    const gate = Promise.withResolvers<void>();
    fake.reply(hold(gate.promise, { kind: 'answer', text: 'two' }, { text: 'one ' }));
    const stream = await begin();
    let isOver = false;
    const all = collect<unknown>(stream).finally(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isOver).toBe(false);
    gate.resolve();
    const { events } = await all;
    expect(JSON.stringify(events)).toMatch(/one .*two/u);
    expect(fake.history[0]?.outcome).toBe('hold');
  });

  it('a held reply without content begins when it is let go, and may fail then', async () => {
    const gate = Promise.withResolvers<void>();
    fake.reply(hold(gate.promise, { kind: 'status', status: 503 }));
    const request = thrownBy(begin());
    await expect.poll(() => fake.history.length).toBe(1);
    gate.resolve();
    expect(await request).toMatchObject({ status: 503 });
  });

  it('a status after held content is an error in the stream', async () => {
    fake.reply(hold(Promise.resolve(), { kind: 'status', status: 503 }, answer));
    const { error, ...rest } = await seen();
    expect(rest).toEqual({ text: answer.text, calls: ['quote'], isWhole: false });
    expect(error).toMatchObject({ status: undefined, code: 'server_is_overloaded' });
  });

  it('nobody waits for a client that left while its reply was held', async () => {
    const gate = Promise.withResolvers<void>();
    fake.reply(hold(gate.promise, { kind: 'answer', text: 'two' }, answer));
    const controller = new AbortController();
    const stream = await begin(controller.signal);
    controller.abort();
    await collect<unknown>(stream);
    await expect.poll(() => fake.history[0]?.wasAborted()).toBe(true);
    gate.resolve();
    await gate.promise;
    expect(fake.history[0]?.usage).toBeUndefined();
  });

  it('a promise that fails while a reply is held breaks the connection', async () => {
    fake.reply(() => hold(Promise.reject(new Error('oops')), { kind: 'answer' }));
    expect(await thrownBy(begin())).toBeInstanceOf(APIConnectionError);
    expect(fake.history[0]?.wasAborted()).toBe(false);
  });
});
