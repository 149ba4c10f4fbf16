import type {
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  Usage,
} from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { ask, clientOf, MODEL, setUp } from './anthropic-client.ts';
import type { FakeAnthropicOptions } from './anthropic/server.ts';
import { pngOf } from '#test/support/pictures.ts';

const MINUTE_MS = 60_000;
const mark = { cache_control: { type: 'ephemeral' } } as const;
const hourMark = { cache_control: { type: 'ephemeral', ttl: '1h' } } as const;

/** Text of exactly so many tokens of the fake. */
const text = (tokens: number, letter = 'a'): string => letter.repeat(tokens * 3);
const block = (tokens: number, letter = 'a'): TextBlockParam => ({
  type: 'text',
  text: text(tokens, letter),
});

const tool = (name: string, more: object = {}) => ({
  name,
  description: text(1_000),
  input_schema: { type: 'object' as const },
  ...more,
});

/** A system prompt of 2000 tokens with a breakpoint, and a question of 10 without. */
const withSystem = (
  more: Partial<MessageCreateParamsNonStreaming> = {},
): MessageCreateParamsNonStreaming => ({
  ...ask(text(10)),
  system: [{ ...block(2_000), ...mark }],
  ...more,
});

/** Tools, system and a message, each with its breakpoint. */
const layered = (more: Partial<MessageCreateParamsNonStreaming> = {}): MessageCreateParamsNonStreaming => ({
  model: MODEL,
  max_tokens: 2_048,
  tools: [tool('a'), tool('b', mark)],
  system: [{ ...block(2_000), ...mark }],
  messages: [{ role: 'user', content: [{ ...block(3_000), ...mark }] }],
  ...more,
});

/** The same tool in another spelling: its schema is this JSON. */
const withSchema = (json: string) =>
  withSystem({ tools: [tool('a', { input_schema: JSON.parse(json) as object })] });

const picture = (bytes: number): MessageCreateParamsNonStreaming => ({
  ...ask(),
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'image',
          source: {
            type: 'base64',
            media_type: 'image/png',
            data: pngOf(1, 1, { commentBytes: bytes }).toString('base64'),
          },
        },
      ],
    },
  ],
});

const short = (size: number) => ({ ...ask(text(10)), system: [{ ...block(size), ...mark }] });

const total = async (tokens: (params: MessageCreateParamsNonStreaming) => Promise<readonly number[]>) =>
  (await tokens(layered())).reduce((sum, part) => sum + part, 0);

const blocks = (count: number): TextBlockParam[] => Array.from({ length: count }, () => block(100));

const marked = (parts: TextBlockParam[], ...places: readonly number[]): MessageCreateParamsNonStreaming => ({
  ...ask(),
  messages: [
    {
      role: 'user',
      content: parts.map((part, index) => (places.includes(index) ? { ...part, ...mark } : part)),
    },
  ],
});

const setUpCache = async (options: FakeAnthropicOptions = {}) => {
  let nowMs = 0;
  const { fake, client, failure } = await setUp({ now: () => nowMs, ...options });
  return {
    fake,
    failure,
    advance: (ms: number) => {
      nowMs += ms;
    },
    usage: async (params: MessageCreateParamsNonStreaming, apiKey?: string): Promise<Usage> =>
      (await (apiKey === undefined ? client : clientOf(fake, apiKey)).messages.create(params)).usage,
    /** Tokens read, written and neither. */
    tokens: async (params: MessageCreateParamsNonStreaming, apiKey?: string): Promise<readonly number[]> => {
      const { usage } = await (apiKey === undefined ? client : clientOf(fake, apiKey)).messages.create(
        params,
      );
      return [
        usage.cache_read_input_tokens ?? -1,
        usage.cache_creation_input_tokens ?? -1,
        usage.input_tokens,
      ];
    },
  };
};

describe('what is read and written', () => {
  it('writes up to the breakpoint the first time and reads it the second', async () => {
    const { fake, tokens } = await setUpCache();
    expect(await tokens(withSystem())).toEqual([0, 2_000, 10]);
    expect(await tokens(withSystem())).toEqual([2_000, 0, 10]);
    expect(fake.history.map(({ usage }) => usage)).toEqual([
      { input: 10, output: 1, cacheRead: 0, cacheWrite: 2_000 },
      { input: 10, output: 1, cacheRead: 2_000, cacheWrite: 0 },
    ]);
  });

  it('keeps nothing without a breakpoint', async () => {
    const { tokens } = await setUpCache();
    const plain = withSystem({ system: text(2_000) });
    expect(await tokens(plain)).toEqual([0, 0, 2_010]);
    expect(await tokens(plain)).toEqual([0, 0, 2_010]);
  });

  it('knows a prefix again whether or not the breakpoint is still there', async () => {
    const { tokens } = await setUpCache();
    await tokens(withSystem());
    expect(
      await tokens({
        ...ask(),
        system: [block(2_000)],
        messages: [{ role: 'user', content: [{ ...block(50), ...mark }] }],
      }),
    ).toEqual([2_000, 50, 0]);
  });

  it('takes text alone and one block of it for the same', async () => {
    const { tokens } = await setUpCache();
    await tokens(withSystem());
    const turn: MessageParam = { role: 'user', content: [{ ...block(50), ...mark }] };
    expect(await tokens({ ...ask(), system: text(2_000), messages: [turn] })).toEqual([2_000, 50, 0]);
  });

  it('grows with the conversation: each turn reads what the turn before wrote', async () => {
    const { tokens } = await setUpCache();
    const first: MessageParam[] = [{ role: 'user', content: [{ ...block(1_500), ...mark }] }];
    const then: MessageParam[] = [
      { role: 'user', content: [block(1_500)] },
      { role: 'assistant', content: text(100) },
      { role: 'user', content: [{ ...block(30), ...mark }] },
    ];
    expect(await tokens({ ...ask(), messages: first })).toEqual([0, 1_500, 0]);
    expect(await tokens({ ...ask(), messages: then })).toEqual([1_500, 130, 0]);
  });

  it('marks the last block for a request that asks for it as a whole', async () => {
    const { tokens } = await setUpCache();
    expect(await tokens({ ...ask(text(2_000)), ...mark })).toEqual([0, 2_000, 0]);
    expect(await tokens({ ...ask(text(2_000)), ...mark })).toEqual([2_000, 0, 0]);
  });

  it('compares byte by byte: another order of keys is another tool', async () => {
    const { tokens } = await setUpCache();
    await tokens(withSchema('{"type":"object","title":"x"}'));
    const [read] = await tokens(withSchema('{"title":"x","type":"object"}'));
    expect(read).toBe(0);
    const [again] = await tokens(withSchema('{"type":"object","title":"x"}'));
    expect(again).toBeGreaterThan(2_000);
  });

  it('gives a picture the same tokens whatever its bytes', async () => {
    const { usage } = await setUpCache();
    expect((await usage(picture(30_000))).input_tokens).toBe((await usage(picture(30))).input_tokens);
  });

  it('counts a failed reply as nothing written, and a stream that breaks off as written', async () => {
    const { fake, failure, tokens } = await setUpCache();
    fake.reply({ kind: 'status', status: 529 }, { kind: 'reset' });
    await failure(withSystem());
    await failure(withSystem());
    expect(await tokens(withSystem())).toEqual([0, 2_000, 10]);
    fake.reply({ kind: 'cut', answer: { text: 'begun' } });
    await expect(tokens(layered())).rejects.toThrow();
    const [read] = await tokens(layered());
    expect(read).toBeGreaterThan(6_000);
  });
});

describe('how long and how much', () => {
  it('writes no prefix shorter than the minimum', async () => {
    const { tokens } = await setUpCache();
    expect(await tokens(short(1_023))).toEqual([0, 0, 1_033]);
    expect(await tokens(short(1_023))).toEqual([0, 0, 1_033]);
    expect(await tokens(short(1_024))).toEqual([0, 1_024, 10]);
  });

  it('counts all that is before a breakpoint for the minimum', async () => {
    const { tokens } = await setUpCache({ minCacheTokens: 2_500 });
    const tools = [tool('a', mark)];
    const withTools = (letter: string) =>
      withSystem({ tools, system: [{ ...block(2_000, letter), ...mark }] });
    const [read, written] = await tokens(withTools('a'));
    expect([read, written]).toEqual([0, expect.toSatisfy((size: number) => size > 3_000)]);
    expect(await tokens(withTools('a'))).toEqual([written, 0, 10]);
    // The tools alone were too short to be kept.
    expect(await tokens(withTools('b'))).toEqual([0, written, 10]);
  });

  it('forgets after five minutes', async () => {
    const { tokens, advance } = await setUpCache();
    await tokens(withSystem());
    advance(5 * MINUTE_MS - 1);
    expect(await tokens(withSystem())).toEqual([2_000, 0, 10]);
    advance(5 * MINUTE_MS);
    expect(await tokens(withSystem())).toEqual([0, 2_000, 10]);
  });

  it('counts the five minutes anew with every read', async () => {
    const { tokens, advance } = await setUpCache();
    await tokens(withSystem());
    for (let round = 0; round < 4; round += 1) {
      advance(4 * MINUTE_MS);
      expect(await tokens(withSystem())).toEqual([2_000, 0, 10]);
    }
  });

  it('keeps for an hour what is marked so, and says which tokens those were', async () => {
    const { tokens, usage, advance } = await setUpCache();
    const mixed = {
      ...ask(),
      system: [{ ...block(2_000), ...hourMark }],
      messages: [{ role: 'user' as const, content: [{ ...block(500), ...mark }] }],
    };
    expect((await usage(mixed)).cache_creation).toEqual({
      ephemeral_1h_input_tokens: 2_000,
      ephemeral_5m_input_tokens: 500,
    });
    advance(59 * MINUTE_MS);
    expect(await tokens(mixed)).toEqual([2_000, 500, 0]);
    advance(60 * MINUTE_MS);
    expect(await tokens(mixed)).toEqual([0, 2_500, 0]);
  });
});

describe('what loses the cache', () => {
  it('another tool loses everything', async () => {
    const { tokens } = await setUpCache();
    await tokens(layered());
    expect((await tokens(layered({ tools: [tool('a'), tool('c', mark)] })))[0]).toBe(0);
  });

  it('another system prompt leaves the tools', async () => {
    const { tokens } = await setUpCache();
    const all = await total(tokens);
    expect((await tokens(layered({ system: [{ ...block(2_000, 'b'), ...mark }] })))[0]).toBe(all - 5_000);
  });

  it.each<[string, Partial<MessageCreateParamsNonStreaming>]>([
    ['tool_choice', { tool_choice: { type: 'none' } }],
    ['thinking', { thinking: { type: 'adaptive' } }],
    ['a message', { messages: [{ role: 'user', content: [{ ...block(3_000, 'b'), ...mark }] }] }],
  ])('another %s leaves tools and system', async (_what, change) => {
    const { tokens } = await setUpCache();
    const all = await total(tokens);
    expect(await tokens(layered(change))).toEqual([all - 3_000, 3_000, 0]);
  });

  it('saying the default of tool_choice, or another max_tokens, loses nothing', async () => {
    const { tokens } = await setUpCache();
    const all = await total(tokens);
    expect(await tokens(layered({ tool_choice: { type: 'auto' }, max_tokens: 9 }))).toEqual([all, 0, 0]);
  });

  it('another key or model knows nothing of it', async () => {
    const { tokens } = await setUpCache();
    await tokens(withSystem(), 'key-1');
    expect(await tokens(withSystem(), 'key-2')).toEqual([0, 2_000, 10]);
    expect(await tokens(withSystem({ model: 'claude-haiku-5-5' }), 'key-1')).toEqual([0, 2_000, 10]);
    expect(await tokens(withSystem(), 'key-1')).toEqual([2_000, 0, 10]);
  });
});

describe('how far a breakpoint looks back', () => {
  it('finds an entry 19 blocks before itself and none 20 blocks before', async () => {
    const near = await setUpCache();
    await near.tokens(marked(blocks(15), 14));
    expect(await near.tokens(marked(blocks(34), 33))).toEqual([1_500, 1_900, 0]);
    const far = await setUpCache();
    await far.tokens(marked(blocks(15), 14));
    expect(await far.tokens(marked(blocks(35), 34))).toEqual([0, 3_500, 0]);
  });

  it('gets there with one more breakpoint on the way', async () => {
    const { tokens } = await setUpCache();
    await tokens(marked(blocks(15), 14));
    expect(await tokens(marked(blocks(50), 30, 49))).toEqual([1_500, 3_500, 0]);
  });

  it('writes an entry at every breakpoint, and nowhere else', async () => {
    const { tokens } = await setUpCache();
    await tokens(marked(blocks(40), 19, 39));
    expect(await tokens(marked(blocks(20), 19))).toEqual([2_000, 0, 0]);
    expect(await tokens(marked(blocks(39), 38))).toEqual([2_000, 1_900, 0]);
  });
});
