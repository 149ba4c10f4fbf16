import type { CompactionSettings } from '#src/agent/memory/window/compaction.ts';
import { z } from 'zod';
import { AnswerBuilder } from '#src/agent/loop/answer-builder.ts';
import type { ModelEntry } from '#src/agent/models/catalog.ts';
import type { ResolvedModel } from '#src/agent/models/resolve-model.ts';
import { estimateTokens } from '#src/agent/tokens.ts';
import type { ProviderAdapter, ProviderRequest } from '#src/agent/providers/adapter.ts';
import { type AgentId, asId, type SessionKey } from '#src/kernel/ids.ts';
import { NO_USAGE, type StopReason, type StreamChunk, type TokenUsage } from '#src/kernel/agent/model.ts';
import { defineTool, type Tool, type ToolExecutionContext, type ToolResult } from '#src/kernel/agent/tool.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

export const AGENT = asId<AgentId>('main');
export const SESSION = asId<SessionKey>('agent:main:console:local:direct:me');

/** A model that costs a dollar for a million tokens in, and two for a million out. */
export const modelOf = (id: string, special: Partial<ModelEntry> = {}): ResolvedModel => {
  const entry: ModelEntry = {
    id,
    provider: 'anthropic',
    displayName: id,
    contextWindow: 32_000,
    maxOutputTokens: 4_000,
    capabilities: {
      vision: true,
      functionCalling: true,
      streaming: true,
      extendedThinking: true,
      temperature: false,
      numericalReasoningTier: 'medium',
    },
    pricing: { inputPerMillion: 1, outputPerMillion: 2 },
    aliases: [],
    deprecated: false,
    asOf: '2026-11-14',
    ...special,
  };
  return { entry, provider: entry.provider, modelId: id, resolvedFrom: 'id' };
};

export const MODEL = modelOf('scripted-1');

export const toolContext: ToolExecutionContext = toolContextOf({ sessionKey: SESSION });

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
    group: 'finance',
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

export const used = (inputTokens: number, outputTokens: number): StreamChunk => ({
  type: 'usage',
  usage: usage(inputTokens, outputTokens),
});

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
  readonly requests: ProviderRequest[] = [];
  /** How often it was asked for an answer in one piece. */
  wholeRequests = 0;
  readonly #answers: Answer[];

  constructor(...answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  readonly streamCompletion: ProviderAdapter['streamCompletion'] = (request, signal) => {
    // A copy: the conversation grows while the run goes on.
    this.requests.push({ ...request, messages: [...request.messages] });
    return this.#stream(request, signal);
  };

  readonly chatCompletion: ProviderAdapter['chatCompletion'] = async (request, signal) => {
    this.wholeRequests += 1;
    const chunks = await collect(this.streamCompletion(request, signal));
    const builder = new AnswerBuilder();
    for (const chunk of chunks) builder.feed(chunk);
    const stopReason = chunks.findLast((chunk) => chunk.type === 'done')?.stopReason ?? 'end_turn';
    const used = chunks.findLast((chunk) => chunk.type === 'usage')?.usage ?? NO_USAGE;
    return {
      blocks: builder.finish(stopReason)?.content ?? [],
      stopReason,
      usage: used,
    };
  };

  readonly checkKey = async (): Promise<void> => undefined;
  readonly supportsModel = (): boolean => true;
  readonly estimateTokens = estimateTokens;

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

/** As it is where the operator sets nothing. */
export const COMPACTION: CompactionSettings = {
  warnAt: 0.7,
  compactAt: 0.85,
  target: 0.5,
  keepMessages: 6,
  strategy: 'hybrid',
};
