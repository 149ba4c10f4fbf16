import type { MarketAnswer } from '#src/core/market-desk.ts';
import type { ToolResult } from '#src/core/tool.ts';

/** What the desk says, as the result of a call: pictures go under the answer, strangers' words come fenced. */
export const toolResult = ({
  content,
  facts,
  found,
  media,
  isUntrusted,
  dependsOnZone,
}: MarketAnswer): ToolResult => ({
  content,
  facts,
  isError: found === 0,
  ...(media && { media }),
  ...(isUntrusted && { isUntrusted }),
  ...(dependsOnZone && { dependsOnZone }),
});
