import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { createHttpTransport } from '#src/agent/providers/http-transport.ts';
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

describe('a kept connection', () => {
  it('that the server closed just as it was used again costs no failure', async () => {
    const requests: Socket[] = [];
    const server = createServer((request, response) => {
      requests.push(request.socket);
      // The second request on the same connection meets a server that has just let go of it.
      if (requests.length === 2) request.socket.resetAndDestroy();
      else request.resume().on('end', () => response.end('ok'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { fetch: send } = createHttpTransport();
    const ask = async (): Promise<string> => (await send(url, { method: 'POST', body: '{}' })).text();
    expect(await ask()).toBe('ok');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask()).toBe('ok');
    expect(requests).toHaveLength(3);
    expect(requests[1]).toBe(requests[0]);
  });
});
