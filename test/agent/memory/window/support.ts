import { estimateMessage } from '#src/agent/tokens.ts';
import type { Summarizer } from '#src/agent/memory/window/summarize.ts';
import type { EventName } from '#src/kernel/operations/events.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { createEvents } from '#src/platform/events.ts';

export interface TestEntry {
  readonly id: number;
  readonly message: ConversationMessage;
}

export const entriesOf = (messages: readonly ConversationMessage[]): readonly TestEntry[] =>
  messages.map((message, id) => ({ id, message }));

export const messagesOf = (entries: readonly { readonly message: ConversationMessage }[]) =>
  entries.map(({ message }) => message);

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });

/** A person's message as the engine writes it: the words, then what the program knows. */
export const said = (words: string, ...more: readonly ContentBlock[]): ConversationMessage => ({
  role: 'user',
  content: [text(words), ...more, text('<context>\ntime: 2026-11-14T09:30+09:00[Asia/Seoul]\n</context>')],
});

export const answered = (...words: readonly string[]): ConversationMessage => ({
  role: 'assistant',
  content: words.map(text),
});

export const called = (...ids: readonly string[]): ConversationMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'get_quote', input: { symbol: id } })),
});

export const resulted = (content: string, ...ids: readonly string[]): ConversationMessage => ({
  role: 'tool',
  content: ids.map((id) => ({ type: 'tool_result', toolUseId: id, content, isError: false })),
});

export const factOf = (entity: string, special: Partial<Fact> = {}): Fact => ({
  entity,
  metric: 'price',
  value: '1',
  unit: 'USD',
  asOf: '2026-11-14T00:00:00Z',
  source: 'sample',
  isSample: true,
  ...special,
});

export const wordsOf = ({ content }: ConversationMessage): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

export const count = (message: ConversationMessage): number => estimateMessage(message);

export const tokens = (messages: readonly ConversationMessage[]): number =>
  messages.reduce((sum, message) => sum + count(message), 0);

export const watchedEvents = () => {
  const seen: (readonly [EventName, unknown])[] = [];
  const events = createEvents((error) => {
    throw error;
  });
  events.onAny((name, payload) => seen.push([name, payload]));
  return { events, seen };
};

/** What a compaction adds has no id of the conversation. */
const makeEntry = (message: ConversationMessage): TestEntry => ({ id: -1, message });

export const depsOf = (summarizer: Summarizer | undefined) => {
  const { events, seen } = watchedEvents();
  return { deps: { summarizer, countTokens: count, makeEntry, events }, seen };
};

/** Both ways of asking answered by the same function, which sees what was asked. */
export const summarizerOf = (
  answer: (asked: string, kind: 'conversation' | 'text') => string | Promise<string>,
): Summarizer => ({
  ofConversation: async (messages) => answer(messages.map(wordsOf).join('\n'), 'conversation'),
  ofText: async (words) => answer(words, 'text'),
});

export const failing: Summarizer = summarizerOf(() => {
  throw new Error('no model');
});

/** What a provider would refuse. */
export const problemsOf = (messages: readonly ConversationMessage[]): readonly string[] => {
  const problems: string[] = [];
  if (messages[0]?.role !== 'user') problems.push(`begins with ${messages[0]?.role}`);
  let open = new Set<string>();
  for (const [index, { role, content, isSummary }] of messages.entries()) {
    if (isSummary && index > 0) problems.push(`${index}: a summary in the middle`);
    if (content.length === 0) problems.push(`${index}: empty`);
    if (role !== 'tool' && open.size > 0) problems.push(`${index}: calls without results`);
    if (role !== 'tool') open = new Set();
    for (const block of content) {
      if (block.type === 'tool_use') open.add(block.id);
      if (block.type === 'tool_result' && !open.delete(block.toolUseId))
        problems.push(`${index}: a result without its call`);
    }
  }
  if (open.size > 0) problems.push('the end: calls without results');
  return problems;
};
