import { describe, expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { ANTHROPIC, CHAT, RESPONSES } from '#test/agent/providers/contract.ts';
import { assistant, hear, result, results, user } from '#test/agent/providers/request.ts';
import { startRewritingProxy } from '#test/agent/providers/rewriting-proxy.ts';

const ODD_EVENTS = [
  'null',
  '5',
  '[]',
  '{"type":"content_block_delta","index":0}',
  '{"type":"response.output_item.added"}',
  '{"type":"response.completed"}',
  '{"choices":[{}]}',
  '{"choices":[{"delta":{"tool_calls":[null]}}]}',
];

describe.each([ANTHROPIC, RESPONSES, CHAT])('$name', (subject) => {
  it.each(ODD_EVENTS)('takes an event of an unknown form (%s) for a fault of the server', async (odd) => {
    const { adapterWith, url, reply } = await subject.start();
    reply({ kind: 'answer', text: 'So far' });
    const baseUrl = await startRewritingProxy(url, { pieces: (body) => [`data: ${odd}\n\n`, body] });
    const { error } = await hear(adapterWith({ baseUrl }), subject.request());
    expect(error === undefined || error instanceof FailoverError, String(error)).toBe(true);
  });
});

describe('reasoning of the Responses API', () => {
  it('is left out together with the blank message that it led to', async () => {
    const { adapter, reply, history } = await RESPONSES.start();
    const toolCalls = [{ id: 'call_1', name: 'get_price' }];
    reply({ kind: 'answer', thinking: 'Hm.', text: ' \n', toolCalls });
    const { blocks } = await hear(adapter, RESPONSES.request());
    const messages = [user('a'), assistant(...blocks), results(result('call_1'))];
    await hear(adapter, RESPONSES.request({ messages }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(blocks.map(({ type }) => type)).toEqual(['tool_use']);
  });

  it('stands in front of the words that it led to, blanks at their beginning included', async () => {
    const { adapter, reply } = await RESPONSES.start();
    reply({ kind: 'answer', thinking: 'Hm.', text: '\n\nYes.', pieceChars: 1 });
    const { blocks, text } = await hear(adapter, RESPONSES.request());
    expect(blocks.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(text).toBe('\n\nYes.');
  });
});
