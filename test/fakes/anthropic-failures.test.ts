import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, hasEnded, joined, setUp } from './anthropic-client.ts';
import type { FakeAnswer, FakeReply } from './model-reply.ts';

const hold = (until: Promise<void>, next: FakeReply, answer?: FakeAnswer): FakeReply => {
  const content = answer === undefined ? {} : { answer };
  // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
  return { kind: 'hold', until, ...content, then: next };
};

describe('a stream that goes wrong', () => {
  const answer = { text: 'the first half' };

  it('gives the error event as an error without a status', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'stream-error', type: 'overloaded_error', answer });
    const { events, error } = await stream();
    expect(joined(events)).toBe('the first half');
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: undefined, type: 'overloaded_error' });
    expect(fake.history[0]).toMatchObject({ outcome: 'stream-error', usage: { output: 1 } });
  });

  it('gives the error event alone where there is no answer', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'stream-error', type: 'api_error' });
    expect(await stream()).toMatchObject({ events: [], error: { type: 'api_error' } });
    expect(fake.history[0]).not.toHaveProperty('usage');
  });

  it('ends without its last event when it is cut, which the SDK does not tell', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'cut', answer }, { kind: 'cut' });
    const { events, error } = await stream();
    expect([joined(events), hasEnded(events), error]).toEqual(['the first half', false, undefined]);
    expect(events.map(({ type }) => type)).not.toContain('message_delta');
    expect(await stream()).toEqual({ events: [], error: undefined });
    expect(fake.history[0]?.wasAborted()).toBe(false);
  });

  it('breaks when the connection is destroyed, and that is no abort of the client', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'reset', answer }, { kind: 'reset' });
    const { events, error } = await stream();
    expect(joined(events)).toBe('the first half');
    expect(error).toBeInstanceOf(TypeError);
    expect((await stream()).error).toBeInstanceOf(APIConnectionError);
    expect(fake.history.map(({ outcome, wasAborted }) => [outcome, wasAborted()])).toEqual([
      ['reset', false],
      ['reset', false],
    ]);
  });

  it.each([
    ['with', answer, 'the first half'],
    ['without', undefined, ''],
  ])('sends nothing more while it stalls, %s an answer', async (_how, given, text) => {
    const { fake, stream } = await setUp();
    fake.reply(given === undefined ? { kind: 'stall' } : { kind: 'stall', answer: given });
    const abort = new AbortController();
    const running = stream(ask(), abort.signal);
    expect(await Promise.race([running, setTimeout(300, 'nothing yet')])).toBe('nothing yet');
    expect(fake.history[0]?.wasAborted()).toBe(false);
    abort.abort();
    const { events, error } = await running;
    expect(joined(events)).toBe(text);
    // With content the SDK ends silently; before the headers it throws.
    expect(error === undefined).toBe(given !== undefined);
    await expect.poll(() => fake.history[0]?.wasAborted()).toBe(true);
  });

  it('stops in the middle of arguments for want of tokens, with the block closed', async () => {
    const { fake, stream } = await setUp();
    fake.reply({ kind: 'truncated-tool', name: 'get_price', json: '{"symbol":"00', text: 'Wait ' });
    const { events } = await stream();
    expect(joined(events)).toBe('Wait {"symbol":"00');
    expect(events.filter(({ type }) => type === 'content_block_stop')).toHaveLength(2);
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'max_tokens' } });
    expect(hasEnded(events)).toBe(true);
  });
});

describe('a held reply', () => {
  it('goes on when it is let go, with what it had already sent', async () => {
    const { fake, stream } = await setUp();
    const gate = Promise.withResolvers<void>();
    fake.reply(hold(gate.promise, { kind: 'answer', text: 'two' }, { text: 'one ' }));
    const running = stream();
    expect(await Promise.race([running, setTimeout(100, 'nothing yet')])).toBe('nothing yet');
    gate.resolve();
    const { events } = await running;
    expect([joined(events), hasEnded(events)]).toEqual(['one two', true]);
    expect(events.filter(({ type }) => type === 'message_start')).toHaveLength(1);
    expect(fake.history[0]).toMatchObject({ outcome: 'hold', usage: { output: 3 } });
  });

  it('sends its headers before it is let go only where it has an answer', async () => {
    const { fake, client } = await setUp();
    const gate = Promise.withResolvers<void>();
    const next: FakeReply = { kind: 'status', status: 529 };
    fake.reply(hold(gate.promise, next, { text: 'one' }), hold(gate.promise, next));
    const early = await client.messages.create({ ...ask(), stream: true });
    const late = client.messages.create({ ...ask(), stream: true });
    expect(await Promise.race([late, setTimeout(100, 'nothing yet')])).toBe('nothing yet');
    gate.resolve();
    await expect(late).rejects.toMatchObject({ status: 529 });
    // The status was sent: the error can only come in the stream.
    await expect(Array.fromAsync(early)).rejects.toMatchObject({
      status: undefined,
      type: 'overloaded_error',
    });
  });

  it('ends without harm when the client has gone meanwhile', async () => {
    const { fake, stream, client } = await setUp();
    const gate = Promise.withResolvers<void>();
    fake.reply(hold(gate.promise, { kind: 'answer', text: 'late' }, {}));
    const abort = new AbortController();
    const running = stream(ask(), abort.signal);
    await expect.poll(() => fake.history[0]?.usage).toBeDefined();
    abort.abort();
    await running;
    await expect.poll(() => fake.history[0]?.wasAborted()).toBe(true);
    gate.resolve();
    expect((await client.messages.create(ask())).stop_reason).toBe('end_turn');
    // Nothing more was told to it.
    expect(fake.history[0]?.usage?.output).toBe(1);
  });
});

describe('what is not streamed goes wrong too', () => {
  it.each<[string, FakeReply, RegExp]>([
    ['stream-error', { kind: 'stream-error', type: 'overloaded_error', answer: { text: 'x' } }, /^529 /],
    ['cut', { kind: 'cut', answer: { text: 'x' } }, /JSON/],
    ['cut without an answer', { kind: 'cut' }, /JSON/],
    ['reset', { kind: 'reset' }, /Connection error/],
    ['reset in the body', { kind: 'reset', answer: { text: 'x' } }, /terminated/],
  ])('%s', async (_what, reply, message) => {
    const { fake, client } = await setUp();
    fake.reply(reply);
    await expect(client.messages.create(ask())).rejects.toThrow(message);
  });
});
