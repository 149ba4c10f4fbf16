import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { ToolResult } from '#src/kernel/agent/tool.ts';
import { readDisplay } from '#src/kernel/chat/tool-display.ts';

/**
 * Converts an answer to a tool result: words for the model, and what the person is to see. Pictures go below the answer,
 * and untrusted text is marked.
 */
export const toolResult = (answer: MarketAnswer): ToolResult => {
  const { content, details, typed, facts, found, media, isUntrusted, dependsOnZone, receipt } = answer;
  // A receipt has buttons of its own.
  const display = receipt ? undefined : readDisplay(answer);
  return {
    // A model sees no buttons, so the text must contain the command.
    content: [details ?? content, ...(typed === undefined ? [] : [typed])].join('\n\n'),
    ...(details !== undefined && { brief: content }),
    facts,
    isError: found === 0,
    ...(media && { media }),
    ...(isUntrusted && { isUntrusted }),
    ...(dependsOnZone && { dependsOnZone }),
    ...(receipt && { receipt }),
    ...(display && { display }),
  };
};
