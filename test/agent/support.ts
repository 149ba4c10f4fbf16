import { z } from 'zod';
import type { ProviderAdapter, ProviderRequest } from '#src/agent/providers/adapter.ts';
import { type AgentId, asId, type ChannelId, type SessionKey, type UserId } from '#src/core/ids.ts';
import type { ModelRef, StopReason, StreamChunk, TokenUsage } from '#src/core/model.ts';
import { defineTool, type Tool, type ToolExecutionContext, type ToolResult } from '#src/core/tool.ts';

export const AGENT = asId<AgentId>('main');
export const SESSION = asId<SessionKey>('agent:main:console:local:direct:me');
export const MODEL: ModelRef = {
  provider: 'scripted',
  model: 'scripted-1',
  contextWindow: 32_000,
  maxOutputTokens: 4_000,
};

export const toolContext: ToolExecutionContext = {
  sessionKey: SESSION,
  userId: asId<UserId>('me'),
  channelId: asId<ChannelId>('console'),
  chatType: 'direct',
  locale: 'en',
  timeZone: 'Asia/Seoul',
};

type Run = (input: { readonly of?: string | undefined }, signal: AbortSignal) => Promise<ToolResult>;

/** A tool that takes an optional `of` and does what the test says. */
export const testTool = (
  name: string,
  run: Run = async ({ of }) => ({ content: `${name}(${of ?? ''})`, isError: false }),
  traits: { readonly isExternal?: boolean; readonly timeoutMs?: number } = {},
): Tool =>
  defineTool({
    name,
    description: `The test tool ${name}`,
    group: 'custom',
    input: z.object({ of: z.string().optional() }),
    ...traits,
    run: (input, _context, signal) => run(input, signal),
  });

// What a model streams.

export const usage = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: inputTokens * 10,
  cacheWriteTokens: outputTokens * 10,
});

export const done = (stopReason: StopReason = 'end_turn'): StreamChunk => ({ type: 'done', stopReason });

export const says = (...pieces: readonly string[]): readonly StreamChunk[] =>
  pieces.map((text) => ({ type: 'text_delta', text }));

/** One tool call; `json` is the argument text as the model writes it. */
export const calls = (id: string, name: string, json: string): readonly StreamChunk[] => [
  { type: 'tool_use_start', id, name },
  { type: 'tool_input_delta', id, delta: json },
  { type: 'tool_use_end', id },
];

type Answer =
  | readonly StreamChunk[]
  | ((request: ProviderRequest, signal: AbortSignal) => AsyncIterable<StreamChunk>);

/** A model that gives the answers it was told, in order, and remembers what it was asked. */
export class ScriptedProvider implements ProviderAdapter {
  readonly providerId = 'scripted';
  readonly requests: ProviderRequest[] = [];
  readonly #answers: Answer[];

  constructor(...answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  readonly streamCompletion: ProviderAdapter['streamCompletion'] = (request, signal) => {
    // A copy: the conversation grows while the run goes on.
    this.requests.push({ ...request, messages: [...request.messages] });
    return this.#stream(request, signal);
  };

  async *#stream(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<StreamChunk> {
    const answer = this.#answers.shift();
    if (!answer) throw new Error('The script has no further answer');
    if (typeof answer === 'function') yield* answer(request, signal);
    else yield* answer;
  }
}

export const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
