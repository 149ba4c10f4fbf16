import { isGiven, isRecord, problem } from './check.ts';
import type { Problem } from './errors.ts';
import type { JsonRecord } from './types.ts';

const callIds = (turn: JsonRecord): readonly unknown[] =>
  Array.isArray(turn['tool_calls']) ? turn['tool_calls'].filter(isRecord).map(({ id }) => id) : [];

const unanswered = (open: ReadonlySet<unknown>, at: number): Problem =>
  problem(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    `messages.[${String(at)}].role`,
  );

/** Every call is answered, by the messages directly after it, and nothing else is answered. */
export const checkTurns = (messages: readonly JsonRecord[]): Problem | undefined => {
  let open = new Set<unknown>();
  let isAnswering = false;
  for (const [index, turn] of messages.entries()) {
    if (turn['role'] === 'tool') {
      if (!isAnswering) {
        return problem(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${String(index)}].role`,
        );
      }
      if (!open.delete(turn['tool_call_id'])) {
        return problem(
          `Invalid parameter: 'tool_call_id' of '${String(turn['tool_call_id'])}' not found in 'tool_calls' of previous message.`,
          `messages.[${String(index)}].tool_call_id`,
        );
      }
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    open = new Set(callIds(turn));
    isAnswering = open.size > 0;
    if (turn['role'] === 'assistant' && !isGiven(turn['content'] ?? turn['refusal']) && !isAnswering) {
      return problem(
        "Invalid value for 'content': expected a string, got null.",
        `messages.[${String(index)}].content`,
      );
    }
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
};
