import { AnswerBuilder } from '#src/agent/loop/answer-builder.ts';
import type { ProviderAdapter, ProviderRequest } from '#src/agent/providers/adapter.ts';
import {
  type ContentBlock,
  type ConversationMessage,
  NO_USAGE,
  type ProviderId,
  type StopReason,
  type StreamChunk,
  type TokenUsage,
} from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';

export const PRICE_TOOL: ToolDefinition = {
  name: 'get_price',
  description: 'The price of one symbol',
  inputSchema: { type: 'object', properties: { symbol: { type: 'string' } } },
};

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
export const call = (id: string, name = PRICE_TOOL.name, input: unknown = {}): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const result = (toolUseId: string, content = '1', isError = false): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError,
});

export const user = (...content: readonly (ContentBlock | string)[]): ConversationMessage => ({
  role: 'user',
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
});
export const assistant = (...content: readonly (ContentBlock | string)[]): ConversationMessage => ({
  ...user(...content),
  role: 'assistant',
});
export const results = (...content: readonly ContentBlock[]): ConversationMessage => ({
  role: 'tool',
  content,
});

/** A plain question to a model that thinks and sees; the test says what is special about it. */
export const requestTo = (
  provider: ProviderId,
  model: string,
  special: Partial<ProviderRequest> = {},
): ProviderRequest => ({
  model: { provider, model },
  systemPrompt: 'You are a careful analyst.',
  messages: [user('How is Apple doing?')],
  tools: [PRICE_TOOL],
  toolChoice: 'auto',
  maxTokens: 2_048,
  cacheKey: 'agent:main:console:local:direct:me',
  traits: { vision: true, extendedThinking: true, pricing: null },
  ...special,
});

export const never = (): AbortSignal => new AbortController().signal;

/** Everything that came of one request. */
export interface Heard {
  readonly chunks: readonly StreamChunk[];
  readonly text: string;
  readonly blocks: readonly ContentBlock[];
  readonly stopReason: StopReason | undefined;
  /** The last report: it counts. */
  readonly usage: TokenUsage;
  readonly error: unknown;
}

/** Reads a stream to its end, and past no error. */
export const hear = async (
  adapter: ProviderAdapter,
  request: ProviderRequest,
  signal: AbortSignal = never(),
): Promise<Heard> => {
  const chunks: StreamChunk[] = [];
  let error: unknown;
  try {
    for await (const chunk of adapter.streamCompletion(request, signal)) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  const builder = new AnswerBuilder();
  for (const chunk of chunks) builder.feed(chunk);
  const stopReason = chunks.findLast((chunk) => chunk.type === 'done')?.stopReason;
  return {
    chunks,
    text: chunks.map((chunk) => (chunk.type === 'text_delta' ? chunk.text : '')).join(''),
    blocks: builder.finish(stopReason ?? 'end_turn')?.content ?? [],
    stopReason,
    usage: chunks.findLast((chunk) => chunk.type === 'usage')?.usage ?? NO_USAGE,
    error,
  };
};

/** What a promise rejects with. */
export const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
};

/** Waits for what another process or server does, without a fixed time; the test's own limit ends it. */
export const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};
