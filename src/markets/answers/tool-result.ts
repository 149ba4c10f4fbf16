import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { ToolResult } from '#src/kernel/tool.ts';

/** What the desk says, as the result of a call: pictures go under the answer, strangers' words come fenced. */
export const toolResult = ({
  content,
  typed,
  facts,
  found,
  media,
  isUntrusted,
  dependsOnZone,
}: MarketAnswer): ToolResult => ({
  // A tool brings no buttons to the answer: the words have to say it all.
  content: typed === undefined ? content : `${content}\n\n${typed}`,
  facts,
  isError: found === 0,
  ...(media && { media }),
  ...(isUntrusted && { isUntrusted }),
  ...(dependsOnZone && { dependsOnZone }),
});
