import { describe, expect, it } from 'vitest';
import {
  anthropicStopReason,
  anthropicUsage,
  normalizeAnthropicResponse,
} from '#src/agent/models/provider-normalize.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { everyRow } from '#test/support/every-row.ts';

const body = (special: object = {}): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-1',
  content: [{ type: 'text', text: 'Hello', citations: null }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 20,
    service_tier: 'standard',
  },
  ...special,
});

const normalize = (special: object = {}) => normalizeAnthropicResponse(body(special));

describe('anthropicStopReason', () => {
  everyRow([
    ['end_turn', 'end_turn'],
    ['tool_use', 'tool_use'],
    ['max_tokens', 'max_tokens'],
    ['stop_sequence', 'stop_sequence'],
    ['pause_turn', 'pause_turn'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_overflow'],
    ['something_new', 'end_turn'],
    [null, 'end_turn'],
    [undefined, 'end_turn'],
  ])('reads %s as %s', (raw, expected) => {
    expect(anthropicStopReason(raw)).toBe(expected);
  });
});

describe('anthropicUsage', () => {
  it('takes the input as it is reported: without what came from the cache', () => {
    expect(anthropicUsage({ input_tokens: 10, cache_read_input_tokens: 100 }, NO_USAGE)).toEqual({
      inputTokens: 10,
      outputTokens: 0,
      cacheReadTokens: 100,
      cacheWriteTokens: 0,
    });
  });

  it('replaces what a later report names, be it zero, and keeps the rest', () => {
    const before = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 100, cacheWriteTokens: 7 };
    const later = { output_tokens: 40, cache_creation_input_tokens: 0, input_tokens: null };
    expect(anthropicUsage(later, before)).toEqual({ ...before, outputTokens: 40, cacheWriteTokens: 0 });
  });
});

describe('normalizeAnthropicResponse', () => {
  it('gives words and usage', () => {
    expect(normalize()).toMatchObject({
      blocks: [{ type: 'text', text: 'Hello' }],
      stopReason: 'end_turn',
      usage: {
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 100,
        cacheWriteTokens: 20,
      },
    });
  });

  it('gives thoughts, words and calls in their order', () => {
    const hidden = { type: 'redacted_thinking', data: 'x==' };
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      hidden,
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't1', name: 'get_price', input: { symbol: 'A' }, caller: { type: 'direct' } },
      { type: 'text', text: 'b' },
    ];
    const { blocks } = normalize({ content });
    expect(blocks).toEqual([
      {
        type: 'thinking',
        model: 'claude-1',
        text: 'hm',
        opaque: { type: 'thinking', thinking: 'hm', signature: 's' },
      },
      { type: 'thinking', model: 'claude-1', text: '', opaque: hidden },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't1', name: 'get_price', input: { symbol: 'A' } },
      { type: 'text', text: 'b' },
    ]);
  });

  it('leaves out kinds of blocks that are newer than the program', () => {
    expect(normalize({ content: [{ type: 'hologram', light: 1 }] }).blocks).toEqual([]);
  });

  everyRow<readonly [string, object]>([
    ['no usage', { usage: undefined }],
    ['no model', { model: undefined }],
    ['content that is no list', { content: 'Hello' }],
    ['a block without a type', { content: [{}] }],
    ['a text without words', { content: [{ type: 'text' }] }],
    ['a call without an id', { content: [{ type: 'tool_use', name: 'x', input: {} }] }],
    ['a thought without its signature', { content: [{ type: 'thinking', thinking: 'x' }] }],
    ['a count that is no number', { usage: { input_tokens: '10' } }],
  ])('refuses a body with %s', (_what, special) => {
    expect(() => normalize(special)).toThrow(expect.objectContaining({ code: 'PROVIDER_BAD_BODY' }));
  });
});
