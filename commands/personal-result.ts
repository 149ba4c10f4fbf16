import type { CommandResult } from '#src/core/command.ts';
import type { MarketAnswer } from '#src/core/market-desk.ts';
import type { MsgContext } from '#src/core/message.ts';
import { commandResult } from './market-result.ts';

/** What is a person's own is shown to them alone, wherever they ask. */
export const personalResult = (answer: MarketAnswer, { chatType }: MsgContext): CommandResult => ({
  ...commandResult(answer),
  ephemeral: chatType !== 'direct',
});
