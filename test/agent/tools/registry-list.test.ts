import { describe, expect, it } from 'vitest';
import { toolTokens } from '#src/agent/tokens.ts';
import { toApiToolDefinition } from '#src/agent/tools/tool-registry.ts';
import { MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { asId, type ChannelId, type ChatId } from '#src/kernel/ids.ts';
import type { ChatPlace, ChatType } from '#src/kernel/chat/message.ts';
import type { Tool, ToolGroupId } from '#src/kernel/agent/tool.ts';
import { testTool, toolContext } from '#test/agent/support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';

const setUp = (...tools: readonly Tool[]) => {
  const { events, payloads } = recordingEvents();
  const registry = registryOf({ clock: new ManualClock(), events }, tools);
  const execute = (name: string) =>
    registry.execute({ id: 'call-1', name, input: {} }, toolContext, new AbortController().signal);
  return { registry, execute, payloads };
};

const inGroup = (name: string, group: ToolGroupId): Tool => {
  const tool = testTool(name);
  return { ...tool, definition: { ...tool.definition, group } };
};

const at = (chatId: string, chatType: ChatType): ChatPlace => ({
  channelId: asId<ChannelId>('discord'),
  chatId: asId<ChatId>(chatId),
  chatType,
});

describe('the tools of a registry', () => {
  it('lists the definitions by name, the same bytes whatever the order of registration', () => {
    const tools = ['get_quote', 'Zeta', 'alpha', 'get_news'].map((name) => testTool(name));
    const { registry } = setUp(...tools);
    const { registry: reversed } = setUp(...tools.toReversed());
    expect(registry.definitions().map(({ name }) => name)).toEqual([
      'Zeta',
      'alpha',
      'call_tool',
      'find_tools',
      'get_news',
      'get_quote',
    ]);
    expect(JSON.stringify(reversed.definitions())).toBe(JSON.stringify(registry.definitions()));
    expect(JSON.stringify(registry.definitions())).toBe(JSON.stringify(registry.definitions()));
  });

  it('tells the model the name, the description and the schema, and nothing of policy', () => {
    const { registry } = setUp(testTool('get_quote'));
    expect(registry.definitions().find(({ name }) => name === 'get_quote')).toEqual({
      name: 'get_quote',
      description: 'The test tool get_quote',
      inputSchema: expect.objectContaining({ type: 'object', properties: { of: { type: 'string' } } }),
    });
    const quote = registry.get('get_quote')?.tool.definition;
    expect(registry.definitions()).toContainEqual(quote && toApiToolDefinition(quote));
    for (const definition of registry.definitions())
      expect(Object.keys(definition)).toEqual(['name', 'description', 'inputSchema']);
  });

  it('tells the model only of groups that are always in the prompt; the others are on demand', () => {
    const registry = registryOf({ clock: new ManualClock(), events: recordingEvents().events }, [
      inGroup('quote', 'finance'),
      inGroup('plugged', 'custom'),
    ]);
    expect(registry.definitions().map(({ name }) => name)).toEqual(['call_tool', 'find_tools', 'quote']);
    expect(registry.onDemand().map(({ tool }) => tool.definition.name)).toEqual(['plugged']);
  });

  it('keeps the most used tools in the list of a small window; the others are found and called as ever', async () => {
    const names = ['make_chart', 'get_quote', 'plugin_tool', 'calculate', 'analyze'];
    const registry = registryOf(
      { clock: new ManualClock(), events: recordingEvents().events },
      names.map((name) => inGroup(name, name === 'plugin_tool' ? 'custom' : 'finance')),
    );
    const listed = (maxTokens: number) =>
      registry.definitions(MAIN_AGENT, undefined, maxTokens).map(({ name }) => name);
    const all = registry.definitions();
    const sizeOf = (...of: readonly string[]): number =>
      all.filter(({ name }) => of.includes(name)).reduce((sum, tool) => sum + toolTokens(tool), 0);
    const room = sizeOf('call_tool', 'find_tools', 'get_quote', 'calculate');
    expect(listed(room)).toEqual(['calculate', 'call_tool', 'find_tools', 'get_quote']);
    expect(listed(room - 1)).toEqual(['call_tool', 'find_tools', 'get_quote']);
    expect(listed(0)).toEqual(['call_tool', 'find_tools']);
    expect(registry.definitions(MAIN_AGENT, undefined, room)).toBe(
      registry.definitions(MAIN_AGENT, undefined, room),
    );
    expect(registry.onDemand(MAIN_AGENT, undefined, room).map(({ tool }) => tool.definition.name)).toEqual([
      'analyze',
      'make_chart',
      'plugin_tool',
    ]);

    const find = async (query: string, resultTokens: number): Promise<string> => {
      const context = { ...toolContext, model: { toolTokens: room, resultTokens } };
      const call = { id: 'c1', name: 'find_tools', input: { query } };
      return (await registry.execute(call, context, new AbortController().signal)).content;
    };
    expect(await find('chart', 10_000)).toMatch(/^make_chart \(finance\): .*\n {2}input: .*\nanalyze .*/);
    expect(await find('make_chart', 90)).toMatch(
      /^make_chart \(finance\).*\n {2}input: .*\nOthers: analyze, plugin_tool\./,
    );
    expect(await find('dividend', 90)).toMatch(/^- analyze: .*\n- make_chart: .*\n- plugin_tool: .*/);
  });

  it('tells nobody of tools for personal data where others read along, unless a rule is for that chat', async () => {
    const personal = (name: string, group: ToolGroupId): Tool => {
      const tool = inGroup(name, group);
      return { ...tool, definition: { ...tool.definition, accessesSensitiveData: true } };
    };
    const rules = [
      { pattern: 'get_*', verdict: 'allow' as const, priority: 1, channels: ['discord:family'] },
      { pattern: 'get_*', verdict: 'allow' as const, priority: 1, channels: ['discord'] },
    ];
    const registry = registryOf({ clock: new ManualClock(), events: recordingEvents().events, rules }, [
      inGroup('get_quote', 'finance'),
      personal('get_portfolio', 'finance'),
      personal('query_mine', 'data'),
    ]);
    const toldIn = (place: ChatPlace) => [
      ...registry.definitions(MAIN_AGENT, place).map(({ name }) => name),
      ...registry.onDemand(MAIN_AGENT, place).map(({ tool }) => tool.definition.name),
    ];
    const ALWAYS = ['call_tool', 'find_tools'];
    expect(toldIn(at('room', 'channel'))).toEqual([...ALWAYS, 'get_quote']);
    expect(toldIn(at('family', 'channel'))).toEqual([...ALWAYS, 'get_portfolio', 'get_quote']);
    expect(toldIn(at('ann', 'direct'))).toEqual([...ALWAYS, 'get_portfolio', 'get_quote', 'query_mine']);
    expect(registry.definitions(MAIN_AGENT, at('ann', 'direct'))).toBe(registry.definitions());
    expect(registry.definitions(MAIN_AGENT, at('room', 'channel'))).toBe(
      registry.definitions(MAIN_AGENT, at('other', 'group')),
    );
    const unknown = { id: 'c1', name: 'get_portfoliio', input: {} };
    const { content } = await registry.execute(
      unknown,
      { ...toolContext, chatType: 'group' },
      new AbortController().signal,
    );
    expect(content).toMatch(/Available: get_quote$/);
  });

  it.each(['call_tool', 'find_tools'])('keeps the name %s for itself', (name) => {
    const { registry } = setUp();
    expect(() => registry.register(testTool(name), 'plugin')).toThrowError(/Two tools are called/);
  });

  it('refuses a second tool of the same name as a bug of ours, and keeps the first', () => {
    const first = testTool('get_quote');
    const { registry } = setUp(first);
    expect(() => registry.register(testTool('get_quote'), 'plugin')).toThrowError(
      expect.objectContaining({ code: 'TOOL_NAME_TAKEN', isOperational: false }),
    );
    expect(registry.get('get_quote')?.tool).toBe(first);
  });

  it('finds a tool by its name alone', () => {
    const { registry } = setUp(testTool('get_quote'));
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.get('get_quot')).toBeUndefined();
  });
});
