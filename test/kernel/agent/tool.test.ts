import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const CONTEXT = toolContextOf();

const setUp = (name = 'get_quote') => {
  const calls: unknown[] = [];
  const tool = defineTool({
    name,
    description: 'The price of something',
    group: 'finance',
    input: z.object({
      symbols: z.array(z.string().trim().min(1)).min(1).max(3),
      detail: z.enum(['short', 'long']).optional(),
    }),
    run: async (input, context, signal) => {
      calls.push({ input, context, signal });
      return { content: `asked for ${input.symbols.join(', ')}`, isError: false };
    },
  });
  return { tool, calls };
};

describe('toolInput', () => {
  it('builds the schema when a model is first told of the tool, once for all tools that share it', () => {
    let built = 0;
    const input = toolInput(() => {
      built += 1;
      return z.object({ symbol: z.string() });
    });
    const make = () =>
      defineTool({
        name: 'get_quote',
        description: 'The price of something',
        group: 'finance',
        input,
        run: async () => ({ content: '', isError: false }),
      });
    const [one, other] = [make(), make()];
    expect(built).toBe(0);
    expect(one.definition.inputSchema).toMatchObject({ properties: { symbol: { type: 'string' } } });
    expect(other.definition.inputSchema).toBe(one.definition.inputSchema);
    expect(one.problemWith({ symbol: 1 })).toContain('symbol');
    expect(built).toBe(1);
  });
});

describe('defineTool', () => {
  it.each(['', 'get quote', 'get.quote', 'get/quote', '시세', 'x'.repeat(65), 'get_quote\n'])(
    'rejects the name %j, which models refuse',
    (name) => {
      expect(() => setUp(name)).toThrow(/Tool name/);
    },
  );

  it.each(['a', 'get_quote', 'Get-Quote-2', 'x'.repeat(64)])('takes the name %j', (name) => {
    expect(setUp(name).tool.definition.name).toBe(name);
  });

  it('describes its input to the model as JSON schema', () => {
    expect(setUp().tool.definition.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        symbols: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 3 },
        detail: { type: 'string', enum: ['short', 'long'] },
      },
      required: ['symbols'],
    });
  });

  it('does not require of the model what has a default', () => {
    const { definition } = defineTool({
      name: 'list_news',
      description: '',
      group: 'finance',
      input: z.object({ symbol: z.string(), limit: z.number().default(3) }),
      run: async () => ({ content: '', isError: false }),
    });
    expect(definition.inputSchema).toMatchObject({ required: ['symbol'] });
  });

  it('describes to the model what it may send, not what a transform makes of it', async () => {
    const tool = defineTool({
      name: 'shout',
      description: '',
      group: 'custom',
      input: z.object({ symbol: z.string().transform((symbol) => symbol.length) }),
      run: async ({ symbol }) => ({ content: `${symbol} letters`, isError: false }),
    });
    expect(tool.definition.inputSchema).toMatchObject({ properties: { symbol: { type: 'string' } } });
    const result = await tool.invoke({ symbol: 'AAPL' }, CONTEXT, new AbortController().signal);
    expect(result.content).toBe('4 letters');
  });

  it('is harmless, internal and bounded to 30 seconds unless it says otherwise', () => {
    expect(setUp().tool.definition).toMatchObject({
      description: 'The price of something',
      group: 'finance',
      requiresApproval: false,
      isTransactional: false,
      accessesSensitiveData: false,
      isExternal: false,
      timeoutMs: 30_000,
    });
  });

  it('keeps what it says about itself', () => {
    const flags = {
      requiresApproval: true,
      isTransactional: true,
      accessesSensitiveData: true,
      isExternal: true,
      timeoutMs: 5_000,
    };
    const { definition } = defineTool({
      name: 'place_order',
      description: '',
      group: 'finance',
      input: z.object({}),
      run: async () => ({ content: '', isError: false }),
      ...flags,
    });
    expect(definition).toMatchObject(flags);
  });

  it('runs with the parsed input, the context and the signal', async () => {
    const { tool, calls } = setUp();
    const { signal } = new AbortController();
    const result = await tool.invoke({ symbols: [' AAPL '], unknown: 1 }, CONTEXT, signal);
    expect(result).toEqual({ content: 'asked for AAPL', isError: false });
    expect(calls).toEqual([{ input: { symbols: ['AAPL'] }, context: CONTEXT, signal }]);
  });

  it.each([
    ['a wrong type inside', { symbols: ['AAPL', 5] }, 'symbols[1]'],
    ['a missing field', {}, 'symbols'],
    ['a value outside the choices', { symbols: ['AAPL'], detail: 'huge' }, 'detail'],
    ['too many', { symbols: ['a', 'b', 'c', 'd'] }, 'symbols'],
    ['no object at all', 'AAPL', 'expected object'],
    ['nothing', undefined, 'expected object'],
  ])(
    'answers %s with an error that names the tool and the place, and does not run',
    async (_what, input, place) => {
      const { tool, calls } = setUp();
      const result = await tool.invoke(input, CONTEXT, new AbortController().signal);
      expect(result.isError).toBe(true);
      expect(result.content).toContain('get_quote');
      expect(result.content).toContain(place);
      expect(calls).toEqual([]);
    },
  );

  it('lets an error of the tool itself through to the caller', async () => {
    const tool = defineTool({
      name: 'broken',
      description: '',
      group: 'custom',
      input: z.object({}),
      run: () => Promise.reject(new Error('broken inside')),
    });
    await expect(tool.invoke({}, CONTEXT, new AbortController().signal)).rejects.toThrow('broken inside');
  });
});
