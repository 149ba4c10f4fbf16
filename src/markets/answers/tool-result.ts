import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { isControl } from '#src/kernel/message.ts';
import type { ToolResult } from '#src/kernel/tool.ts';

/** Converts an answer to a tool result. Pictures go below the answer, and untrusted text is marked. */
export const toolResult = ({
  content,
  details,
  typed,
  facts,
  found,
  media,
  isUntrusted,
  dependsOnZone,
  receipt,
}: MarketAnswer): ToolResult => ({
  // A tool result has no buttons, so the text must contain the command.
  content: [details ?? content, ...(typed === undefined ? [] : [typed])].join('\n\n'),
  ...(details !== undefined && { brief: content }),
  facts,
  isError: found === 0,
  ...(media && { media }),
  ...(isUntrusted && { isUntrusted }),
  ...(dependsOnZone && { dependsOnZone }),
  ...(receipt && { receipt }),
});

/** For an answer about one instrument or one chart, with what people do next with it. */
export const toolResultWithControls = (answer: MarketAnswer): ToolResult => {
  // A name that is still unclear is for the model to ask about.
  const controls = answer.choices?.filter(isControl) ?? [];
  return { ...toolResult(answer), ...(controls.length > 0 && { controls }) };
};
