import type { CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { commandResult } from '#src/markets/answers/command-result.ts';
import { ephemeral } from '../shared/results.ts';

export { rangeOption, themeOption } from '#src/markets/answers/chart-options.ts';
export { commandResult };

export interface MarketCommandDeps<Queries> {
  readonly markets: Queries;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** Asks about names, or says that there are too few or too many of them. */
export const namesResult = async (
  { length }: readonly string[],
  limits: {
    readonly least?: number;
    readonly most: number;
    readonly usage?: () => string;
    readonly tooMany: (p: { readonly limit: number }) => string;
  },
  ask: () => Promise<MarketAnswer>,
  flags?: CommandFlags,
): Promise<CommandResult> => {
  const { least = 0, most, usage, tooMany } = limits;
  if (usage && length < least) return ephemeral(usage());
  return length > most ? ephemeral(tooMany({ limit: most })) : commandResult(await ask(), flags);
};
