import type { CommandResult } from '#src/kernel/command.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';

/** A market answer as a command's result. Only the requester sees it if nothing was found. */
export const commandResult = ({
  content,
  facts,
  found,
  cards,
  choices,
  typed,
  media,
}: MarketAnswer): CommandResult => ({
  content,
  facts,
  ephemeral: found === 0,
  ...(cards && { cards }),
  ...(choices && { choices }),
  ...(typed !== undefined && { typed }),
  ...(media && { media }),
});
