import type { ContentBlock, ToolCall } from '#src/core/model.ts';
import { withoutOurMarkup } from '#src/core/text.ts';
import type { ToolExecutionContext } from '#src/core/tool.ts';
import type { ToolRegistry } from '../tools/registry.ts';

type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;

const MAX_RESULT_CHARS = 10_000;

/** Half of an emoji is no text, and providers refuse it. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

const limit = (content: string): string => {
  if (content.length <= MAX_RESULT_CHARS) return content;
  const kept = content.slice(0, MAX_RESULT_CHARS).replace(HALF_CHARACTER, '');
  return `${kept}\n[${content.length - kept.length} more characters left out]`;
};

/** Runs the calls of one model answer side by side; the results stand in the order of the calls. */
export const executeToolCalls = (
  calls: readonly ToolCall[],
  registry: ToolRegistry,
  context: ToolExecutionContext,
  signal: AbortSignal,
): Promise<readonly ToolResultBlock[]> =>
  Promise.all(
    calls.map(async (call) => {
      const result = await registry.execute(call.name, call.input, context, signal);
      return {
        type: 'tool_result' as const,
        toolUseId: call.id,
        content: limit(withoutOurMarkup(result.content)),
        isError: result.isError,
        ...(result.facts?.length ? { facts: result.facts } : {}),
      };
    }),
  );
