import { describe, expect, it } from 'vitest';
import { offline, OFFLINE_MODEL } from '#src/agent/offline/offline-provider.ts';
import { toModelRef } from '#src/agent/models/resolve-model.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { ANTHROPIC, CHAT, RESPONSES } from './contract.ts';
import { describeAnswers } from './contract-answers.ts';
import { describeConversations } from './contract-conversation.ts';
import { describeFailures } from './contract-failures.ts';
import { describeWordings } from './contract-wordings.ts';
import { failureOf, hear, never, requestTo, user } from './request.ts';

describe.each([ANTHROPIC, RESPONSES, CHAT])('$name', (subject) => {
  describeAnswers(subject);
  describeConversations(subject);
  describeFailures(subject);
  describeWordings(subject);
});

const adapter = offline({ readSentence: createReadSentence(createSymbolSearch()) });
const ask = (words: string, special: Parameters<typeof requestTo>[2] = {}) => ({
  ...requestTo('offline', OFFLINE_MODEL.id, {
    tools: [{ name: 'get_quote', description: 'Prices', inputSchema: { type: 'object' } }],
    messages: [user(words)],
    ...special,
  }),
  model: toModelRef(OFFLINE_MODEL),
});

describe('offline', () => {
  it.each([
    ['words', 'hello', 'end_turn'],
    ['a call', 'price of AAPL', 'tool_use'],
  ])('streams %s and gives the same in one piece', async (_what, words, stopReason) => {
    const heard = await hear(adapter, ask(words));
    expect(heard).toMatchObject({ error: undefined, stopReason });
    expect(heard.blocks.length).toBeGreaterThan(0);
    const whole = await adapter.chatCompletion(ask(words), never());
    const withoutIds = (blocks: typeof heard.blocks) =>
      blocks.map((block) => ('id' in block ? { ...block, id: '' } : block));
    expect(withoutIds(whole.blocks)).toEqual(withoutIds(heard.blocks));
    expect(whole.stopReason).toBe(stopReason);
  });

  it('calls no tool where none may be called', async () => {
    const heard = await hear(adapter, ask('price of AAPL', { toolChoice: 'none' }));
    expect(heard.stopReason).toBe('end_turn');
    expect(heard.blocks.map(({ type }) => type)).toEqual(['text']);
  });

  it('ends with the reason of an abort', async () => {
    const reason = new RunAbortedError('stopped');
    const signal = AbortSignal.abort(reason);
    expect((await hear(adapter, ask('hello'), signal)).error).toBe(reason);
    expect(await failureOf(adapter.chatCompletion(ask('hello'), signal))).toBe(reason);
  });

  it('needs no key and has one model', async () => {
    await expect(adapter.checkKey(never())).resolves.toBeUndefined();
    expect([OFFLINE_MODEL.id, 'gpt-6-luna'].map(adapter.supportsModel)).toEqual([true, false]);
  });
});
