import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { blocksIn } from '../content-blocks.ts';
import { classifyFallbackError } from '../errors.ts';
import { estimateRequest } from '../tokens.ts';

/** Whether a conversation did not fit into the window of any model. */
export const isOverflow = (error: unknown): boolean => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.some((each) => classifyFallbackError(each) === 'context-overflow');
};

const tokensIn = (messages: readonly ConversationMessage[]): number =>
  estimateRequest({ systemPrompt: '', tools: [], messages });

/** A shorter message is never the reason for an overflow. */
const MIN_LONG_TOKENS = 1_000;

/** Whether the person's new message is most of the request, and so the reason for the overflow. */
export const isMostlyNew = (messages: readonly ConversationMessage[]): boolean => {
  const lastAnswer = messages.findLastIndex(
    (message) =>
      message.role === 'assistant' && !message.isPaused && blocksIn([message], 'tool_use').length === 0,
  );
  const written = messages.slice(lastAnswer + 1).filter(({ role }) => role === 'user');
  const tokens = tokensIn(written);
  return tokens > MIN_LONG_TOKENS && tokens * 2 > tokensIn(messages);
};
