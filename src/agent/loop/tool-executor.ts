import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/agent/model.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { blocksIn, type ToolResultBlock } from '../content-blocks.ts';
import type { ExecuteTool } from '../tools/call-execution.ts';
import { truncateMiddle } from '../tools/truncate-middle.ts';
import { estimateTokens } from '../tokens.ts';

type ToolUseEnd = Extract<ExecutionEvent, { type: 'tool_use_end' }>;

export const toolUseEnd = ({ toolUseId, facts = [] }: ToolResultBlock): ToolUseEnd => ({
  type: 'tool_use_end',
  toolUseId,
  isSample: facts.some((fact) => fact.isSample),
});

/** Sample data that a turn has found so far, reported again when the turn is resumed. */
export const sampleEndsIn = (messages: readonly ConversationMessage[]): readonly ToolUseEnd[] =>
  blocksIn(messages, 'tool_result')
    .map(toolUseEnd)
    .filter(({ isSample }) => isSample);

/** The outcome of one call. `suspended`: a person decides first. `aborted`: the run ended before the call did. */
export type CallOutcome =
  | { readonly status: 'finished'; readonly result: ToolResultBlock; readonly durationMs: number }
  | { readonly status: 'suspended' }
  /** `hasBegun`: its effects are unknown. */
  | { readonly status: 'aborted'; readonly hasBegun: boolean };

export interface ToolExecutorOptions {
  readonly executeTool: ExecuteTool;
  /** Limit of concurrent calls of one answer. */
  readonly maxParallel: number;
  readonly maxResultChars: number;
  readonly monotonicMs: () => number;
}

/** A shorter result is useless. */
const MIN_RESULT_CHARS = 500;

/** Characters of a text that take at most this many tokens, in any language. */
const charsFor = (text: string, maxTokens: number): number => {
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return text.length;
  return Math.max(MIN_RESULT_CHARS, Math.floor((text.length * maxTokens) / tokens));
};

/** Runs the calls of one answer concurrently, up to the limit; outcomes are in the order of the calls. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
  }

  /**
   * Never rejects. On abort, finished calls keep their results. Each result stays within `maxTokens`, so that
   * results do not fill a small window in one step.
   */
  async executeAll(
    calls: readonly ToolCall[],
    context: ToolExecutionContext,
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<readonly CallOutcome[]> {
    const outcomes: CallOutcome[] = calls.map(() => ({ status: 'aborted', hasBegun: false }));
    const queue = [...calls.entries()];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
        const [index, call] = next;
        outcomes[index] = await this.#execute(call, context, maxTokens, signal);
      }
    };
    const workers = Math.min(calls.length, this.#options.maxParallel);
    await Promise.all(Array.from({ length: workers }, work));
    return outcomes;
  }

  async #execute(
    call: ToolCall,
    context: ToolExecutionContext,
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const { executeTool, monotonicMs } = this.#options;
    const block = { type: 'tool_result' as const, toolUseId: call.id };
    // Malformed arguments are never run: the model is told why, and calls again.
    if (call.malformed !== undefined) {
      const result = { ...block, content: call.malformed, isError: true, code: 'invalid-input' as const };
      return { status: 'finished', result, durationMs: 0 };
    }
    const startedAtMs = monotonicMs();
    try {
      const result = await executeTool(call, context, signal);
      if (result.isSuspended) return { status: 'suspended' };
      const maxChars = Math.min(this.#options.maxResultChars, charsFor(result.content, maxTokens));
      const {
        isError,
        code,
        isUntrusted,
        facts = [],
        media = [],
        brief,
        display,
        receipt,
        dependsOnZone,
        links,
      } = result;
      return {
        status: 'finished',
        result: {
          ...block,
          content: truncateMiddle(result.content, maxChars),
          isError,
          ...(brief !== undefined && { brief }),
          ...(code && { code }),
          ...(isUntrusted && { isUntrusted }),
          ...(facts.length > 0 && { facts }),
          ...(media.length > 0 && { media }),
          ...(display && { display }),
          ...(receipt && { receipt }),
          ...(dependsOnZone && { dependsOnZone }),
          ...(links && { links }),
        },
        durationMs: monotonicMs() - startedAtMs,
      };
    } catch {
      // `executeTool` rejects only if the run was aborted.
      return { status: 'aborted', hasBegun: true };
    }
  }
}
