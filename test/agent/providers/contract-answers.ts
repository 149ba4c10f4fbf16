import { describe, expect, it } from 'vitest';
import { wholeInputTokens } from '#src/agent/models/cost.ts';
import type { ContentBlock, StreamChunk } from '#src/kernel/agent/model.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { KEY, type Subject } from './contract.ts';
import { assistant, hear, type Heard, never, result, results, user } from './request.ts';
import { byteByByte, startRewritingProxy } from './rewriting-proxy.ts';

const KOREAN = '삼성전자는 오늘 +1.2 % 📈👩‍💻, 코스피는 보합입니다. 𝒂';

const TWO_CALLS: FakeReply = {
  kind: 'answer',
  text: 'Let me look.',
  toolCalls: [
    { id: 'call_a', name: 'get_price', input: { symbol: 'AAPL', note: 'the first of two' } },
    { id: 'call_b', name: 'get_price', input: { symbol: 'MSFT', note: 'the second of two' } },
  ],
  pieceChars: 5,
};

const callsIn = (blocks: readonly ContentBlock[]) =>
  blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));

/** As they were asked for, so that answers can be compared where the ids are our own. */
const withIds = (blocks: readonly ContentBlock[], ...ids: readonly string[]): readonly ContentBlock[] => {
  const rest = [...ids];
  return blocks.map((block) => (block.type === 'tool_use' ? { ...block, id: rest.shift() ?? '' } : block));
};

const idsOf = (
  chunks: readonly StreamChunk[],
  type: 'tool_use_start' | 'tool_input_delta' | 'tool_use_end',
) => chunks.flatMap((chunk) => (chunk.type === type ? [chunk.id] : []));

type Answer = Pick<Heard, 'blocks' | 'stopReason' | 'usage'>;

/** What the whole answer must have in common with the stream of the same answer. */
const essence = ({ blocks, stopReason, usage }: Answer, subject: Subject): Answer => ({
  blocks: subject.keepsIds ? blocks : withIds(blocks),
  stopReason,
  usage,
});

const describeWords = (subject: Subject): void => {
  const { start, request } = subject;

  it('streams words in order and ends with done', async () => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'answer', text: 'Apple is at 230 dollars.', pieceChars: 4 });
    const heard = await hear(adapter, request());
    expect(heard.error).toBeUndefined();
    expect(heard.text).toBe('Apple is at 230 dollars.');
    expect(heard.chunks.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(3);
    expect(heard.chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
    expect(heard.chunks.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(history).toHaveLength(1);
  });

  it('sends its key, the system prompt and the limit of the answer', async () => {
    const { adapter, history } = await start();
    await hear(adapter, request({ systemPrompt: 'Be brief.', maxTokens: 777 }));
    expect(history[0]?.apiKey).toBe(KEY);
    expect(subject.systemOf(history[0]?.body)).toBe('Be brief.');
    expect(subject.maxTokensOf(history[0]?.body)).toBe(777);
  });

  it('sends no system prompt where there is none', async () => {
    const { adapter, history } = await start();
    expect((await hear(adapter, request({ systemPrompt: '' }))).stopReason).toBe('end_turn');
    expect(subject.systemOf(history[0]?.body)).toBeUndefined();
  });

  it('keeps Korean and emoji whole though their bytes come one by one', async () => {
    const { adapterWith, url, reply } = await start();
    reply({ kind: 'answer', text: KOREAN, pieceChars: 15 });
    const heard = await hear(
      adapterWith({ baseUrl: await startRewritingProxy(url, byteByByte) }),
      request({ tools: [] }),
    );
    expect(heard).toMatchObject({ error: undefined, text: KOREAN, stopReason: 'end_turn' });
  });

  it.each(subject.stopReasons)('understands the stop reason %s as %s', async (raw, expected) => {
    const { adapter, reply } = await start();
    reply(
      { kind: 'answer', text: 'So far.', stopReason: raw },
      { kind: 'answer', text: 'So far.', stopReason: raw },
    );
    const heard = await hear(adapter, request());
    expect(heard).toMatchObject({ error: undefined, stopReason: expected, text: 'So far.' });
    expect((await adapter.chatCompletion(request(), never())).stopReason).toBe(expected);
  });
};

const describeCalls = (subject: Subject): void => {
  const { start, request } = subject;

  it('streams a tool call whose arguments come in pieces', async () => {
    const { adapter, reply } = await start();
    const input = { symbol: '삼성전자', days: 5 };
    reply({ kind: 'answer', toolCalls: [{ id: 'call_1', name: 'get_price', input }], pieceChars: 3 });
    const heard = await hear(adapter, request());
    expect(withIds(heard.blocks, 'x')).toEqual([{ type: 'tool_use', id: 'x', name: 'get_price', input }]);
    expect(heard.stopReason).toBe('tool_use');
    expect(idsOf(heard.chunks, 'tool_input_delta').length).toBeGreaterThan(3);
    const order = heard.chunks.map(({ type }) => type).filter((type) => type.startsWith('tool_'));
    expect(order[0]).toBe('tool_use_start');
    expect(order.at(-1)).toBe('tool_use_end');
  });

  it('keeps parallel calls apart', async () => {
    const { adapter, reply } = await start();
    reply(TWO_CALLS);
    const heard = await hear(adapter, request());
    expect(heard.blocks[0]).toEqual({ type: 'text', text: 'Let me look.' });
    const calls = callsIn(heard.blocks);
    expect(calls.map(({ input }) => input)).toEqual([
      { symbol: 'AAPL', note: 'the first of two' },
      { symbol: 'MSFT', note: 'the second of two' },
    ]);
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    if (subject.keepsIds) expect(ids).toEqual(['call_a', 'call_b']);
    expect(idsOf(heard.chunks, 'tool_use_start')).toEqual(ids);
    expect(idsOf(heard.chunks, 'tool_use_end').toSorted()).toEqual(ids.toSorted());
    const pieces = idsOf(heard.chunks, 'tool_input_delta').filter((id, at, all) => id !== all[at - 1]);
    // Otherwise this would not have been a test of it.
    expect(pieces.length > 2).toBe(subject.interleaves);
  });

  it('takes no arguments for an empty object', async () => {
    const { adapter, reply } = await start();
    const silent: FakeReply = { kind: 'answer', toolCalls: [{ id: 'call_1', name: 'get_price', json: '' }] };
    reply(silent, silent);
    const expected = [{ type: 'tool_use', id: 'x', name: 'get_price', input: {} }];
    expect(withIds((await hear(adapter, request())).blocks, 'x')).toEqual(expected);
    expect(withIds((await adapter.chatCompletion(request(), never())).blocks, 'x')).toEqual(expected);
  });

  it('has ids that are taken back, also where the server gives every answer the same ones', async () => {
    const { adapter, reply, history } = await start();
    const called: FakeReply = { kind: 'answer', toolCalls: [{ id: 'call_0', name: 'get_price' }] };
    reply(called, called);
    const messages = [user('One?')];
    for (const words of ['Two?', 'Three?']) {
      const { blocks } = await hear(adapter, request({ messages }));
      const ids = callsIn(blocks).map(({ id }) => id);
      messages.push(assistant(...blocks), results(...ids.map((id) => result(id))), user(words));
      // Only small servers do so.
      if (subject.keepsIds) break;
    }
    await hear(adapter, request({ messages }));
    expect(history.map(({ problem }) => problem)).toEqual(history.map(() => undefined));
    const ids = messages.flatMap(({ content }) => callsIn(content).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says that a call was cut off at the length limit', async () => {
    const { adapter, reply } = await start();
    reply({ kind: 'truncated-tool', name: 'get_price', json: '{"symbol": "AA', text: 'Looking' });
    const heard = await hear(adapter, request());
    expect(heard.stopReason).toBe('max_tokens');
    expect(callsIn(heard.blocks)).toMatchObject([{ input: {}, malformed: expect.any(String) }]);
  });

  it('offers the tools that may not be called, so that the cached prompt stays the same', async () => {
    const { adapter, history } = await start();
    await hear(adapter, request({ toolChoice: 'none' }));
    await hear(adapter, request());
    expect(history.map(({ outcome }) => outcome)).toEqual(['answer', 'answer']);
    expect(history.map(({ body }) => subject.toolNamesOf(body))).toEqual([['get_price'], ['get_price']]);
    expect(subject.toolChoiceOf(history[0]?.body)).toBe('none');
    expect(subject.toolChoiceOf(history[1]?.body) ?? 'auto').toBe('auto');
  });

  it('says nothing of tools where there are none', async () => {
    const { adapter, history } = await start();
    const heard = await hear(adapter, request({ tools: [], toolChoice: 'none' }));
    expect(heard).toMatchObject({ error: undefined, stopReason: 'end_turn' });
    expect(subject.toolNamesOf(history[0]?.body)).toEqual([]);
    expect(subject.toolChoiceOf(history[0]?.body)).toBeUndefined();
  });
};

const describeUsage = (subject: Subject): void => {
  const { start, request } = subject;
  const long = 'You know a great deal about markets. '.repeat(200);

  it('counts cached input apart from the rest, and the last report as the whole request', async () => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'answer', text: 'First.' }, { kind: 'answer', text: 'Second, and longer than that.' });
    await hear(adapter, request({ systemPrompt: long }));
    const heard = await hear(adapter, request({ systemPrompt: long }));
    const told = history[1]?.usage;
    expect(told?.cacheRead).toBeGreaterThan(1_000);
    expect(heard.usage).toEqual({
      inputTokens: told?.input,
      outputTokens: told?.output,
      cacheReadTokens: told?.cacheRead,
      cacheWriteTokens: told?.cacheWrite,
    });
    expect(heard.usage.inputTokens).toBeLessThan(heard.usage.cacheReadTokens);
    const reports = heard.chunks.flatMap((chunk) => (chunk.type === 'usage' ? [chunk.usage] : []));
    expect(Math.max(...reports.map(({ outputTokens }) => outputTokens))).toBe(heard.usage.outputTokens);
  });

  it('reports what was written to the cache', async () => {
    const { adapter, history } = await start();
    const heard = await hear(adapter, request({ systemPrompt: long }));
    expect(heard.usage.cacheWriteTokens).toBe(history[0]?.usage?.cacheWrite);
    expect(heard.usage.cacheReadTokens).toBe(0);
  });
};

const describeWhole = (subject: Subject): void => {
  const { start, request } = subject;

  it.each<readonly [string, FakeReply]>([
    ['words', { kind: 'answer', text: KOREAN }],
    ['calls', TWO_CALLS],
    ['a call without arguments', { kind: 'answer', toolCalls: [{ id: 'c1', name: 'get_price' }] }],
    ['an answer cut at its limit', { kind: 'answer', text: 'So f', stopReason: 'max_tokens' }],
    ['a refusal', { kind: 'answer', text: 'I cannot help with that.', stopReason: 'refusal' }],
  ])('gives %s in one piece as it streams them', async (_what, answer) => {
    const [whole, streamed] = [await start(), await start()];
    whole.reply(answer);
    streamed.reply(answer);
    const { blocks, stopReason, usage, ids } = await whole.adapter.chatCompletion(request(), never());
    const heard = await hear(streamed.adapter, request());
    expect(essence({ blocks, stopReason, usage }, subject)).toEqual(essence(heard, subject));
    expect(whole.history).toHaveLength(1);
    const named = (history: typeof whole.history) => ({
      requestId: history[0]?.requestId,
      responseId: expect.stringMatching(/^(?:msg_|resp_|chatcmpl-)\w+$/),
    });
    expect(ids).toEqual(named(whole.history));
    const { type: _type, ...heardIds } = Object.assign(
      {},
      ...heard.chunks.filter((chunk) => chunk.type === 'message_start'),
    ) as StreamChunk;
    expect(heardIds).toEqual(named(streamed.history));
  });

  it('counts the whole input of an answer that is not streamed', async () => {
    const { adapter, history } = await start();
    const { usage } = await adapter.chatCompletion(request(), never());
    const told = history[0]?.usage;
    expect(wholeInputTokens(usage)).toBe(
      (told?.input ?? 0) + (told?.cacheRead ?? 0) + (told?.cacheWrite ?? 0),
    );
  });
};

const describeThinking = (subject: Subject): void => {
  const { start, request, requestToOther } = subject;
  const thinking = 'They ask for a price, so I look it up.';
  const asked = user('How is Apple doing?');

  it.runIf(subject.thinks)('gives thoughts back to the model that had them, in their place', async () => {
    const { adapter, reply, history, sent } = await start();
    reply({ kind: 'answer', thinking, toolCalls: [{ id: 'call_1', name: 'get_price' }] });
    const heard = await hear(adapter, request({ messages: [asked] }));
    const thoughts = heard.chunks.flatMap((chunk) => (chunk.type === 'thinking_delta' ? [chunk.text] : []));
    expect(thoughts.join('')).toBe(thinking);
    expect(heard.blocks.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    expect(heard.blocks[0]).toMatchObject({ text: thinking, model: request().model.model });
    const messages = [asked, assistant(...heard.blocks), results(result('call_1'))];
    await hear(adapter, request({ messages }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent().map((part) => Object.keys(part)[0])).toEqual(['by', 'thinking', 'call', 'result']);
  });

  it.runIf(subject.thinks)('keeps thoughts from every other model', async () => {
    const { adapter, reply, history, sent } = await start();
    reply({ kind: 'answer', thinking, text: 'It is at 230.' });
    const heard = await hear(adapter, request({ messages: [asked] }));
    const messages = [asked, assistant(...heard.blocks), user('And now?')];
    await hear(adapter, requestToOther({ messages }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent()).not.toContainEqual({ thinking: true });
    expect(JSON.stringify(history[1]?.body)).not.toContain(thinking);
  });

  it('keeps the thoughts of another provider to itself', async () => {
    const { adapter, history, sent } = await start();
    const thought: ContentBlock = {
      type: 'thinking',
      model: 'some-model-1',
      text: 'secret thought',
      opaque: { type: 'thinking', thinking: 'secret thought', signature: 's', encrypted_content: 'e' },
    };
    const messages = [asked, assistant(thought, 'It is at 230.'), user('And now?')];
    await hear(adapter, request({ messages }));
    expect(history[0]).toMatchObject({ outcome: 'answer' });
    expect(JSON.stringify(history[0]?.body)).not.toContain('secret thought');
    expect(sent()).toHaveLength(3);
  });
};

/** What a provider makes of an answer. */
export const describeAnswers = (subject: Subject): void => {
  describe('words', () => describeWords(subject));
  describe('tool calls', () => describeCalls(subject));
  describe('usage', () => describeUsage(subject));
  describe('an answer in one piece', () => describeWhole(subject));
  describe('thinking', () => describeThinking(subject));
};
