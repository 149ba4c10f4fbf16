import { FinClawError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import type { ExecutionEvent } from '#src/core/execution.ts';
import type { AgentId } from '#src/core/ids.ts';
import type { ContentBlock, ConversationMessage, ModelRef, TokenUsage, ToolCall } from '#src/core/model.ts';
import type { ToolExecutionContext } from '#src/core/tool.ts';
import { untilAborted } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { ProviderAdapter } from '../providers/adapter.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { executeToolCalls } from './tool-executor.ts';
import { ToolInputBuffer } from './tool-input-buffer.ts';

export interface AgentRunParams {
  readonly agentId: AgentId;
  readonly model: ModelRef;
  readonly systemPrompt: string;
  /** The conversation up to now. Where it ends is where the run begins, also after a crash. */
  readonly messages: readonly ConversationMessage[];
  readonly toolContext: ToolExecutionContext;
  readonly maxTurns: number;
  /** Makes a message durable; the run goes on only after it has resolved. */
  readonly append: (message: ConversationMessage) => Promise<void>;
  readonly onEvent: (event: ExecutionEvent) => void;
}

export interface RunResult {
  readonly status: 'completed' | 'max_turns';
  readonly messages: readonly ConversationMessage[];
  readonly usage: TokenUsage;
  readonly turns: number;
}

export interface RunnerDeps {
  readonly provider: ProviderAdapter;
  readonly tools: ToolRegistry;
  readonly clock: Clock;
  readonly events: Events;
}

interface ModelAnswer {
  readonly message: ConversationMessage;
  readonly usage: TokenUsage;
}

const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

const addUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
});

const callsOf = (message: ConversationMessage): readonly ToolCall[] =>
  message.content.filter((block) => block.type === 'tool_use');

/**
 * The tool loop: ask the model, run what it calls, ask again, until it answers in words. What to do next
 * is read off the last message alone, so a run that was cut anywhere goes on from what is stored.
 */
export class Runner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Throws when the model gave no answer, or with the signal's reason on abort. */
  async execute(params: AgentRunParams, signal: AbortSignal): Promise<RunResult> {
    const { clock, events } = this.#deps;
    const { agentId, toolContext } = params;
    const { sessionKey } = toolContext;
    const messages = [...params.messages];
    const startedAtMs = clock.monotonicMs();
    let usage = NO_USAGE;
    let turns = 0;

    const push = async (message: ConversationMessage): Promise<void> => {
      await params.append(message);
      messages.push(message);
    };
    const finish = (status: RunResult['status']): RunResult => {
      const { inputTokens, outputTokens } = usage;
      const durationMs = clock.monotonicMs() - startedAtMs;
      events.emit('execution:complete', {
        agentId,
        sessionKey,
        status,
        turns,
        durationMs,
        inputTokens,
        outputTokens,
      });
      return { status, messages, usage, turns };
    };

    events.emit('execution:start', { agentId, sessionKey });
    for (;;) {
      signal.throwIfAborted();
      const last = messages.at(-1);
      if (last?.role === 'assistant') {
        const calls = callsOf(last);
        if (calls.length === 0) return finish('completed');
        await push(await this.#runTools(calls, params, signal));
        continue;
      }
      if (turns >= params.maxTurns) return finish('max_turns');
      turns += 1;
      events.emit('execution:turn', { agentId, sessionKey, turn: turns });
      const answer = await this.#askModel(params, messages, signal);
      usage = addUsage(usage, answer.usage);
      await push(answer.message);
    }
  }

  async #askModel(
    params: AgentRunParams,
    messages: readonly ConversationMessage[],
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const { provider, tools } = this.#deps;
    const request = {
      model: params.model,
      systemPrompt: params.systemPrompt,
      messages,
      tools: tools.definitions(),
    };
    const buffer = new ToolInputBuffer();
    let text = '';
    let usage = NO_USAGE;
    let isDone = false;
    try {
      for await (const chunk of untilAborted(provider.streamCompletion(request, signal), signal)) {
        buffer.feed(chunk);
        if (chunk.type === 'text_delta') {
          text += chunk.text;
          params.onEvent({ type: 'text_delta', text: chunk.text });
        }
        if (chunk.type === 'usage') usage = chunk.usage;
        if (chunk.type === 'done') isDone = true;
      }
    } catch (error) {
      // SDKs throw an error of their own on abort; who asked for it is in the signal.
      signal.throwIfAborted();
      throw error;
    }
    signal.throwIfAborted();
    if (!isDone) throw new FinClawError('The answer of the model was cut off', 'PROVIDER_STREAM_CUT');

    const content: ContentBlock[] = [
      ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
      ...buffer.calls.map((entry) => ({
        type: 'tool_use' as const,
        ...entry.call,
        ...(entry.status === 'malformed' ? { malformed: entry.reason } : {}),
      })),
    ];
    if (content.length === 0)
      throw new FinClawError('The model gave an empty answer', 'PROVIDER_EMPTY_ANSWER');
    return { message: { role: 'assistant', content }, usage };
  }

  async #runTools(
    calls: readonly ToolCall[],
    params: AgentRunParams,
    signal: AbortSignal,
  ): Promise<ConversationMessage> {
    const runnable = calls.filter((call) => call.malformed === undefined);
    const startedAtMs = this.#deps.clock.monotonicMs();
    for (const call of runnable)
      params.onEvent({ type: 'tool_start', toolName: call.name, input: call.input });
    const results = await executeToolCalls(runnable, this.#deps.tools, params.toolContext, signal);
    const byId = new Map(results.map((result) => [result.toolUseId, result]));
    const durationMs = this.#deps.clock.monotonicMs() - startedAtMs;
    const content = calls.map((call) => {
      const result = byId.get(call.id) ?? {
        type: 'tool_result' as const,
        toolUseId: call.id,
        content: call.malformed ?? '',
        isError: true,
      };
      params.onEvent({ type: 'tool_end', toolName: call.name, isError: result.isError });
      this.#deps.events.emit('execution:tool_use', {
        agentId: params.agentId,
        toolName: call.name,
        durationMs,
      });
      return result;
    });
    return { role: 'tool', content };
  }
}
