import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProviderRequest } from '#src/agent/providers/adapter.ts';
import { anthropic } from '#src/agent/providers/anthropic.ts';
import { createHttpTransport } from '#src/platform/net/http-transport.ts';
import type { ConversationMessage, TokenUsage } from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { assistant, call, hear, PRICE_TOOL, requestTo, result, results, user } from './request.ts';

const TOOLS: readonly ToolDefinition[] = ['get_news', 'get_price', 'get_rates'].map((name) => ({
  ...PRICE_TOOL,
  name,
  description: `${name}: what it gives, and when to use it. `.repeat(8),
}));
const SYSTEM = 'You are a careful analyst who states where every number is from. '.repeat(40);

const setUp = async () => {
  const clock = new ManualClock();
  const fake = await startFakeAnthropic({ now: clock.monotonicMs });
  onTestFinished(fake.close);
  const adapterWith = (apiKey: string) =>
    anthropic({
      apiKey,
      baseUrl: fake.url,
      idleTimeoutMs: 30_000,
      clock,
      transport: createHttpTransport(),
    });
  const adapter = adapterWith('sk-1');
  const ask = async (messages: readonly ConversationMessage[], special: Partial<ProviderRequest> = {}) => {
    const request = requestTo('anthropic', 'claude-sonnet-5-5', {
      systemPrompt: SYSTEM,
      tools: TOOLS,
      messages,
      ...special,
    });
    const heard = await hear(adapter, request);
    expect({ error: heard.error, problem: fake.history.at(-1)?.problem }).toEqual({});
    return heard;
  };
  const lastBody = (): AnthropicBody => {
    const body = fake.history.at(-1)?.body;
    if (!body) throw new Error('nothing was asked');
    return body;
  };
  return { clock, fake, adapterWith, ask, lastBody };
};

/** Where the marks stand, in the order of the prompt: `tools.2`, `messages.0.1` … */
const marksOf = ({ tools = [], system = [], messages }: AnthropicBody): readonly string[] => {
  const places = [
    ...tools.map((tool, index) => ({ place: `tools.${index}`, mark: tool.cache_control })),
    ...blocksOf(system).map((block, index) => ({ place: `system.${index}`, block })),
    ...messages.flatMap(({ content }, turn) =>
      blocksOf(content).map((block, index) => ({ place: `messages.${turn}.${index}`, block })),
    ),
  ];
  return places.flatMap((one) => {
    const mark =
      'mark' in one ? one.mark : 'block' in one && 'cache_control' in one.block && one.block.cache_control;
    return mark ? [one.place] : [];
  });
};

const wholeInput = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: TokenUsage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

describe('the marks of the prompt cache', () => {
  it('stand on the last tool, the system prompt and the only question there is', async () => {
    const { ask, lastBody } = await setUp();
    await ask([user('Hello', 'and the context')]);
    expect(marksOf(lastBody())).toEqual(['tools.2', 'system.0', 'messages.0.1']);
  });

  it('stand on the newest turn of the user and the one before it, and on no other', async () => {
    const { ask, lastBody } = await setUp();
    await ask([
      user('One'),
      assistant('1'),
      user('Two'),
      assistant('Looking', call('c1'), call('c2')),
      results(result('c1'), result('c2')),
    ]);
    expect(marksOf(lastBody())).toEqual(['tools.2', 'system.0', 'messages.2.0', 'messages.4.1']);
  });

  it('stand on the conversation alone where there is neither tool nor system prompt', async () => {
    const { ask, lastBody } = await setUp();
    await ask([user('One'), assistant('1'), user('Two')], { tools: [], systemPrompt: '' });
    expect(marksOf(lastBody())).toEqual(['messages.0.0', 'messages.2.0']);
  });

  it('are never more than four, however long the conversation', async () => {
    const { ask, lastBody } = await setUp();
    const turns = Array.from({ length: 30 }, (_, turn) => [user(`q${turn}`), assistant(`a${turn}`)]).flat();
    await ask([...turns, user('last')]);
    expect(marksOf(lastBody())).toHaveLength(4);
  });

  it('change nothing in the conversation itself, which is sent again', async () => {
    const { ask } = await setUp();
    const messages = [user('One'), assistant(call('c1')), results(result('c1'))];
    const before = structuredClone(messages);
    await ask(messages);
    expect(messages).toEqual(before);
  });
});

/** A question costs three calls, then an answer. */
const answerAsAsked = ({ messages }: AnthropicBody) => {
  const last = blocksOf(messages.at(-1)?.content ?? '');
  if (last.some(({ type }) => type === 'tool_result'))
    return {
      kind: 'answer',
      text: 'The price rose a little, as the sources above say. '.repeat(4),
    } as const;
  const toolCalls = TOOLS.map(({ name }) => ({ name, input: { symbol: 'AAPL' } }));
  return { kind: 'answer', thinking: 'I need three numbers.', toolCalls } as const;
};

describe('the prompt cache', () => {
  it('is read for at least 90 % of the input of twenty questions with calls', async () => {
    const { clock, fake, ask } = await setUp();
    fake.otherwise(answerAsAsked);
    const messages: ConversationMessage[] = [];
    const used: TokenUsage[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const context = `<context>\ntime: 2026-11-13T15:${10 + turn}\nKRX: open\n</context>`;
      messages.push(user(`Question ${turn}: how are Apple and Samsung doing?`, context));
      for (let step = 0; step < 2; step += 1) {
        const heard = await ask(messages);
        used.push(heard.usage);
        messages.push(assistant(...heard.blocks));
        const calls = heard.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
        if (calls.length > 0)
          messages.push(results(...calls.map((id) => result(id, `${turn}: 230.10 USD. `.repeat(9)))));
      }
      // People read and think; the entries live five minutes from their last use.
      await clock.advance(4 * 60_000);
    }
    expect(used).toHaveLength(40);
    const read = used.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0);
    const all = used.reduce((sum, usage) => sum + wholeInput(usage), 0);
    expect(read / all).toBeGreaterThanOrEqual(0.9);
  });

  it('is found behind 25 parallel calls, though a mark looks back only twenty blocks', async () => {
    const { fake, ask } = await setUp();
    const ids = Array.from({ length: 25 }, (_, index) => `call_${index}`);
    fake.reply({ kind: 'answer', toolCalls: ids.map((id) => ({ id, name: 'get_price' })) });
    const asked = user('All of them, please');
    const first = await ask([asked]);
    const second = await ask([asked, assistant(...first.blocks), results(...ids.map((id) => result(id)))]);
    expect(second.usage.cacheReadTokens).toBe(first.usage.cacheReadTokens + first.usage.cacheWriteTokens);
    expect(second.usage.cacheReadTokens).toBeGreaterThan(1_024);
  });

  it('keeps tools and system prompt when tools may no longer be called', async () => {
    const { ask } = await setUp();
    const first = await ask([user('One')]);
    const second = await ask([user('One')], { toolChoice: 'none' });
    expect(second.usage.cacheReadTokens).toBeGreaterThan(wholeInput(first.usage) * 0.9);
  });

  it('is another one for another key', async () => {
    const { adapterWith, ask } = await setUp();
    await ask([user('One')]);
    const request = requestTo('anthropic', 'claude-sonnet-5-5', { systemPrompt: SYSTEM, tools: TOOLS });
    expect((await hear(adapterWith('sk-2'), request)).usage.cacheReadTokens).toBe(0);
  });
});
