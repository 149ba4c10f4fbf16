import type { PromptBuildContext } from '#src/agent/prompt/system-prompt.ts';
import { type AgentId, asId, type ChannelId } from '#src/kernel/ids.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';

export const toolDefinition = (name: string, description: string): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { secretOfTheSchema: { type: 'string' } } },
});

/** A direct chat with the usual tools, about whose person nothing is known. */
export const promptContext = (overrides: Partial<PromptBuildContext> = {}): PromptBuildContext => ({
  agentId: asId<AgentId>('main'),
  channelId: asId<ChannelId>('discord'),
  chatType: 'direct',
  channelCapabilities: { maxMessageLength: 2_000, supportsMarkdown: true, supportsTables: false },
  tools: [
    toolDefinition('get_quote', 'Get the latest price of stocks and coins. Use it whenever somebody asks.'),
    toolDefinition('fetch_url', 'Read a public web page or feed as plain text. Do not guess addresses.'),
    toolDefinition(
      'get_datetime',
      'Get the current date and time in a time zone. Never work it out yourself.',
    ),
    toolDefinition('notify', 'Send the user who asks a private message. It cannot watch prices.'),
    toolDefinition('read_skill', 'Read the instructions of a skill. Then follow it.'),
  ],
  onDemandGroups: [
    { id: 'system', description: 'The state of the bot itself' },
    { id: 'data', description: 'What the bot stores about the person' },
  ],
  onDemandNames: ['query_my_data', 'get_system_info'],
  locale: 'auto',
  skills: [
    { name: 'stock-briefing', description: 'A briefing on one stock.' },
    { name: 'earnings-day', description: 'What to look at when results come.' },
  ],
  ...overrides,
});

/** The titles in the order in which they stand. */
export const titlesIn = (prompt: string): readonly string[] =>
  [...prompt.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

/** What stands under one title. */
export const sectionOf = (prompt: string, title: string): string =>
  prompt
    .split(/^## /m)
    .find((section) => section.startsWith(`${title}\n`))
    ?.slice(title.length + 1) ?? '';
