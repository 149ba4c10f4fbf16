import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ContentBlock, ConversationMessage, ToolCall } from '#src/kernel/model.ts';

type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;

/** The process is going down: what stands is gone on with at the next start. */
export const isShutdown = (error: unknown): boolean =>
  error instanceof RunAbortedError && error.kind === 'shutdown';

/** The calls of the last answer that have no result yet: where a run goes on, also after a crash. */
export const unansweredCalls = (messages: readonly ConversationMessage[]): readonly ToolCall[] => {
  // Where the person spoke last, everything was answered before.
  if (messages.at(-1)?.role === 'user') return [];
  const index = messages.findLastIndex((message) => message.role === 'assistant');
  const calls = (messages[index]?.content ?? []).filter((block) => block.type === 'tool_use');
  if (calls.length === 0) return [];
  const answered = new Set(
    messages
      .slice(index + 1)
      .flatMap(({ content }) => content)
      .flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
  );
  return calls.filter((call) => !answered.has(call.id));
};

/** A result for a call that was not made. */
export const notRun = (call: ToolCall, why: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: call.id,
  content: `Not run: ${why}.`,
  isError: true,
  code: 'not-run',
});

/** A result for a call that was under way when the run ended. */
export const interrupted = (call: ToolCall): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: call.id,
  content:
    'The run ended while this was under way. It is not known whether it took effect: do not repeat it unasked, and tell the person to check.',
  isError: true,
  code: 'maybe-done',
});

/**
 * What must follow so that a conversation whose run ended without an answer is whole again: every call has
 * its result, directly after it, and the turn ends with words of the assistant. What it had said is kept.
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
