import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/agent/model.ts';
import { blocksIn, type ToolResultBlock } from '../../content-blocks.ts';

/** The process is shutting down, and the run continues at the next start. */
export const isShutdown = (error: unknown): boolean =>
  error instanceof RunAbortedError && error.kind === 'shutdown';

/** The calls of the last answer without a result. A run continues with them, also after a crash. */
export const unansweredCalls = (messages: readonly ConversationMessage[]): readonly ToolCall[] => {
  // If the person spoke last, every earlier call has its result.
  if (messages.at(-1)?.role === 'user') return [];
  const index = messages.findLastIndex((message) => message.role === 'assistant');
  if (index < 0) return [];
  const calls = blocksIn(messages.slice(index, index + 1), 'tool_use');
  const results = blocksIn(messages.slice(index + 1), 'tool_result');
  const answered = new Set(results.map(({ toolUseId }) => toolUseId));
  return calls.filter((call) => !answered.has(call.id));
};

/** The result of a call that was not run. */
export const notRun = (call: ToolCall, why: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: call.id,
  content: `Not run: ${why}.`,
  isError: true,
  code: 'not-run',
});

/** The result of a call that was running when the run ended. */
export const interrupted = (call: ToolCall): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: call.id,
  content:
    'The run ended while this was under way. It is not known whether it took effect: do not repeat it unasked, and tell the person to check.',
  isError: true,
  code: 'maybe-done',
});

/**
 * The messages that complete a conversation whose run ended without an answer: every call gets its result,
 * directly after it, and the turn ends with an assistant message. Partial text is kept.
 */
export const closingMessages = (
  messages: readonly ConversationMessage[],
  partialText: string,
  why: string,
): readonly ConversationMessage[] => {
  const pending = unansweredCalls(messages);
  const last = messages.at(-1);
  if (!last || (pending.length === 0 && last.role === 'assistant' && !last.isPaused)) return [];
  const words =
    partialText.trim() === '' ? `[No answer: ${why}.]` : `${partialText.trimEnd()}\n\n[Ended here: ${why}.]`;
  return [
    ...(pending.length > 0
      ? [{ role: 'tool' as const, content: pending.map((call) => notRun(call, why)) }]
      : []),
    { role: 'assistant', content: [{ type: 'text', text: words }], isNote: true },
  ];
};
