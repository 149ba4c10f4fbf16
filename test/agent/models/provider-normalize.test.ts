import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerBuilder } from '#src/agent/loop/answer-builder.ts';
import {
  chunksOf,
  normalizeAnthropicResponse,
  type NormalizedResponse,
  normalizeOpenAIResponse,
  normalizers,
} from '#src/agent/models/provider-normalize.ts';
import { type ContentBlock, NO_USAGE, type StopReason } from '#src/kernel/agent/model.ts';

const response = (blocks: readonly ContentBlock[], stopReason: StopReason): NormalizedResponse => ({
  blocks,
  stopReason,
  usage: { ...NO_USAGE, inputTokens: 3 },
});

/** What a listener of the stream makes of a whole answer. */
const heardOf = (whole: NormalizedResponse) => {
  const builder = new AnswerBuilder();
  const chunks = [...chunksOf(whole)];
  for (const chunk of chunks) builder.feed(chunk);
  return { content: builder.finish(whole.stopReason)?.content, chunks };
};

describe('thoughts', () => {
  it('are those of the model that was asked, though the provider calls it by a longer name', () => {
    const raw = {
      model: 'claude-1-20260901',
      stop_reason: 'end_turn',
      usage: {},
      content: [{ type: 'thinking', thinking: 'hm', signature: 's' }],
    };
    expect(normalizeAnthropicResponse(raw, 'claude-1')).toMatchObject({
      blocks: [{ model: 'claude-1' }],
    });
    expect(normalizeAnthropicResponse(raw).blocks).toMatchObject([{ model: 'claude-1-20260901' }]);
  });
});

describe('bodies of an unknown form', () => {
  const shapes = [null, undefined, 'text', 7, [], {}, { content: 'x' }, { choices: [] }, { output: 'x' }];

  it.each([
    ['anthropic', normalizeAnthropicResponse],
    ['openai', normalizeOpenAIResponse],
  ])('are refused for %s with the reason', (provider, normalize) => {
    for (const raw of shapes) {
      expect(() => normalize(raw)).toThrow(
        expect.objectContaining({
          code: 'PROVIDER_BAD_BODY',
          isOperational: true,
          message: expect.stringContaining(`${provider} sent an answer of an unknown form`),
        }),
      );
    }
  });

  it('are never taken for an answer, nor do they throw anything else', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (raw) => {
        for (const normalize of Object.values(normalizers)) {
          expect(() => normalize(raw)).toThrow(expect.objectContaining({ code: 'PROVIDER_BAD_BODY' }));
        }
      }),
    );
  });
});

describe('chunksOf', () => {
  it('streams a whole answer so that the same answer comes out', () => {
    const thought = { type: 'thinking', model: 'm', text: 'hm', opaque: { a: 1 } } as const;
    const blocks: readonly ContentBlock[] = [
      thought,
      { type: 'text', text: 'Looking. ' },
      { type: 'tool_use', id: 'a', name: 'x', input: { of: '삼성 📈' } },
      { type: 'tool_use', id: 'b', name: 'x', input: {} },
    ];
    const { content, chunks } = heardOf(response(blocks, 'tool_use'));
    expect(content).toEqual(blocks);
    expect(chunks.slice(-2)).toMatchObject([
      { type: 'usage', usage: { inputTokens: 3 } },
      { type: 'done', stopReason: 'tool_use' },
    ]);
  });

  it('keeps a call that must not be run from being run', () => {
    const broken = { type: 'tool_use', id: 'a', name: 'x', input: {}, malformed: 'no JSON' } as const;
    expect(heardOf(response([broken], 'tool_use')).content).toMatchObject([
      { type: 'tool_use', id: 'a', malformed: expect.any(String) },
    ]);
  });

  it('ends with done also where nothing was said', () => {
    expect([...chunksOf(response([], 'refusal'))].at(-1)).toEqual({ type: 'done', stopReason: 'refusal' });
  });
});
