import type { CommandResult } from '#src/kernel/command.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';

/** What the desk says, as the answer of a command: where nothing was found, only the asker has to see it. */
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
