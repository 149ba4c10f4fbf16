import { describe, expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { InMemoryModelCatalog } from '#src/agent/models/catalog.ts';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { AnthropicEventReader, toAnthropicRequest } from '#src/agent/providers/anthropic.ts';
import type { ConversationMessage, StreamChunk } from '#src/kernel/agent/model.ts';
import { ANTHROPIC } from './contract.ts';
import { assistant, hear, requestTo, user } from './request.ts';

const thinkingOf = (modelId: string) => {
  const entry = new InMemoryModelCatalog(BUILT_IN_MODELS).getModel(modelId);
  if (!entry) throw new Error(`no ${modelId}`);
  const { capabilities, thinking, pricing } = entry;
  const traits = { ...capabilities, ...(thinking ? { thinking } : {}), pricing };
  return toAnthropicRequest(requestTo('anthropic', modelId, { traits })).thinking;
};

describe('a request to Claude', () => {
  it('asks Opus 5.5 to think as it likes, and to show a summary of it', () => {
    expect(thinkingOf('claude-opus-5-5')).toEqual({ type: 'adaptive', display: 'summarized' });
  });

  it('leaves thinking alone for models that need not be asked', () => {
    expect(thinkingOf('claude-haiku-5-5')).toBeUndefined();
  });

  it('is accepted with adaptive thinking, and so is what comes back', async () => {
    const { adapter, reply, history } = await ANTHROPIC.start();
    const traits = { ...ANTHROPIC.request().traits, thinking: 'adaptive' as const };
    const to = (...messages: readonly ConversationMessage[]) =>
      requestTo('anthropic', 'claude-opus-5-5', { traits, messages });
    reply({ kind: 'answer', thinking: 'Hm.', text: 'Yes.' });
    const heard = await hear(adapter, to(user('Is it?')));
    await hear(adapter, to(user('Is it?'), assistant(...heard.blocks), user('Sure?')));
    expect(history.map(({ outcome }) => outcome)).toEqual(['answer', 'answer']);
  });

  it('goes on with a paused answer by sending it as it came', async () => {
    const { adapter, reply, history, sent } = await ANTHROPIC.start();
    reply({ kind: 'answer', thinking: 'Long.', text: 'First half.', stopReason: 'pause_turn' });
    const heard = await hear(adapter, ANTHROPIC.request());
    expect(heard.stopReason).toBe('pause_turn');
    const asked = ANTHROPIC.request().messages;
    const paused = { ...assistant(...heard.blocks), isPaused: true };
    await hear(adapter, ANTHROPIC.request({ messages: [...asked, paused] }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent().slice(-2)).toEqual([{ thinking: true }, { by: 'assistant', text: 'First half.' }]);
  });

  it('goes on with a paused answer that ends in a blank, which the API refuses', async () => {
    const { adapter, reply, history, sent } = await ANTHROPIC.start();
    reply({ kind: 'answer', text: 'First half. \n', stopReason: 'pause_turn' });
    const heard = await hear(adapter, ANTHROPIC.request());
    const paused = { ...assistant(...heard.blocks), isPaused: true };
    await hear(adapter, ANTHROPIC.request({ messages: [user('Go'), paused] }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent().at(-1)).toEqual({ by: 'assistant', text: 'First half.' });
  });

  it('leaves out a thought at the end of an answer, which was cut before it said anything', async () => {
    const { adapter, reply, history, sent } = await ANTHROPIC.start();
    reply({ kind: 'answer', thinking: 'Hm.', text: 'So far' });
    const { blocks } = await hear(adapter, ANTHROPIC.request());
    const messages = [user('a'), assistant(...blocks.toReversed()), user('Go on')];
    await hear(adapter, ANTHROPIC.request({ messages }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent()).not.toContainEqual({ thinking: true });
  });

  it('that was refused for want of money is told apart from one that is wrong', async () => {
    const { adapter, reply } = await ANTHROPIC.start();
    const message = 'Your credit balance is too low to access the Anthropic API.';
    reply({ kind: 'status', status: 400, type: 'invalid_request_error', message });
    expect((await hear(adapter, ANTHROPIC.request())).error).toMatchObject({ fallbackReason: 'billing' });
  });
});

const read = (...events: readonly object[]): readonly StreamChunk[] => {
  const reader = new AnthropicEventReader('claude-1');
  return events.flatMap((event) => reader.read(JSON.stringify(event)));
};
const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const failing = (error: object) => () => read({ type: 'error', error });

describe('the events of a stream of Claude', () => {
  it('keep hidden thoughts, which go back as they came', () => {
    const hidden = { type: 'redacted_thinking', data: 'opaque==' };
    expect(read(start(0, hidden), stop(0))).toEqual([
      { type: 'thinking_end', block: { type: 'thinking', model: 'claude-1', text: '', opaque: hidden } },
    ]);
  });

  it('keep the signature of a thought', () => {
    const chunks = read(
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'a' }),
      delta(0, { type: 'thinking_delta', thinking: 'b' }),
      delta(0, { type: 'signature_delta', signature: 's1' }),
      delta(0, { type: 'signature_delta', signature: 's2' }),
      stop(0),
    );
    expect(chunks.at(-1)).toMatchObject({
      block: { text: 'ab', opaque: { type: 'thinking', thinking: 'ab', signature: 's1s2' } },
    });
  });

  it('may name blocks, pieces and events that are newer than the program', () => {
    expect(
      read(
        { type: 'ping' },
        start(0, { type: 'hologram' }),
        delta(0, { type: 'hologram_delta', light: 1 }),
        stop(0),
        { type: 'event_of_next_year' },
      ),
    ).toEqual([]);
  });

  it('keep the calls of two blocks apart that are open at once', () => {
    const chunks = read(
      start(0, { type: 'tool_use', id: 'a', name: 'x', input: {} }),
      start(1, { type: 'tool_use', id: 'b', name: 'y', input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '{"of":2}' }),
      delta(0, { type: 'input_json_delta', partial_json: '{"of":1}' }),
      stop(0),
      stop(1),
    );
    expect(chunks.slice(2)).toEqual([
      { type: 'tool_input_delta', id: 'b', delta: '{"of":2}' },
      { type: 'tool_input_delta', id: 'a', delta: '{"of":1}' },
      { type: 'tool_use_end', id: 'a' },
      { type: 'tool_use_end', id: 'b' },
    ]);
  });

  it('count tokens once: a later report replaces what it names and keeps the rest', () => {
    const chunks = read(
      {
        type: 'message_start',
        message: { usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 500 } },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 40 } },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 42, input_tokens: null },
      },
    );
    expect(chunks.at(-1)).toEqual({
      type: 'usage',
      usage: { inputTokens: 10, outputTokens: 42, cacheReadTokens: 500, cacheWriteTokens: 0 },
    });
  });

  it('fail with the class and the known type of an error, never with its words', () => {
    expect(failing({ type: 'overloaded_error', message: 'Overloaded' })).toThrow(FailoverError);
    expect(failing({ type: 'overloaded_error', message: 'Overloaded' })).toThrow(
      'anthropic, in the stream: the provider failed or cannot be reached (overloaded_error)',
    );
    expect(failing({ type: 'rate_limit_error' })).toThrow('(rate_limit_error)');
    expect(failing({ type: 'some_word', message: 'x' })).toThrow(/cannot be reached$/);
  });
});
