import type { ContentBlock, ToolCall } from '#src/core/model.ts';
import { withoutOurMarkup } from '#src/core/text.ts';
import type { ToolExecutionContext } from '#src/core/tool.ts';
import type { ToolRegistry } from '../tools/registry.ts';

type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;

/** What became of one call. `suspended`: a person decides first. `aborted`: the run ended before the call did. */
export type CallOutcome =
  | { readonly status: 'finished'; readonly result: ToolResultBlock; readonly durationMs: number }
  | { readonly status: 'suspended' | 'aborted' };

export interface ToolExecutorOptions {
  readonly registry: ToolRegistry;
  /** So many calls of one answer at once. */
  readonly maxParallel: number;
  readonly maxResultChars: number;
  readonly monotonicMs: () => number;
}

/** Half of an emoji is no text, and providers refuse it. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

const limit = (content: string, maxChars: number): string => {
  if (content.length <= maxChars) return content;
  const kept = content.slice(0, maxChars).replace(HALF_CHARACTER, '');
  return `${kept}\n[${content.length - kept.length} more characters left out]`;
};

/** Runs the calls of one answer side by side, as many as allowed; outcomes stand in the order of the calls. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
  }

  /** Never rejects. On abort the calls that had ended keep their results. */
  async executeAll(
    calls: readonly ToolCall[],
    context: ToolExecutionContext,
    signal: AbortSignal,
  ): Promise<readonly CallOutcome[]> {
    const outcomes: CallOutcome[] = calls.map(() => ({ status: 'aborted' }));
    const queue = [...calls.entries()];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
        const [index, call] = next;
        outcomes[index] = await this.#execute(call, context, signal);
      }
    };
    const workers = Math.min(calls.length, this.#options.maxParallel);
    await Promise.all(Array.from({ length: workers }, work));
    return outcomes;
  }

  async #execute(call: ToolCall, context: ToolExecutionContext, signal: AbortSignal): Promise<CallOutcome> {
    const { registry, maxResultChars, monotonicMs } = this.#options;
    const block = { type: 'tool_result' as const, toolUseId: call.id };
    // Arguments that are not whole are never run: the model hears why, and calls again.
    if (call.malformed !== undefined) {
      const result = { ...block, content: call.malformed, isError: true };
      return { status: 'finished', result, durationMs: 0 };
    }
    const startedAtMs = monotonicMs();
    try {
      const result = await registry.execute(call.name, call.input, context, signal);
      if (result.isSuspended) return { status: 'suspended' };
      const content = limit(withoutOurMarkup(result.content), maxResultChars);
      const facts = result.facts?.length ? { facts: result.facts } : {};
      return {
        status: 'finished',
        result: { ...block, content, isError: result.isError, ...facts },
        durationMs: monotonicMs() - startedAtMs,
      };
    } catch {
      // The registry rejects for one reason only: the run was ended.
      return { status: 'aborted' };
    }
  }
}
