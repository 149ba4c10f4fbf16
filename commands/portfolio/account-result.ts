import type { CommandResult } from '#src/kernel/command.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { TurnContext } from '#src/kernel/message.ts';
import { zoneQuestion } from '#src/reading/zone-question.ts';
import { commandResult } from '../markets/market-result.ts';

/** Adds the question about the time zone if something was set in a guessed zone. */
const withZoneQuestion = (answer: MarketAnswer, ctx: TurnContext): MarketAnswer => {
  const question = answer.dependsOnZone ? zoneQuestion(ctx) : undefined;
  if (!question) return answer;
  return {
    ...answer,
    content: `${answer.content}\n\n${question.text}`,
    ...(answer.cards && { cards: { ...answer.cards, text: `${answer.cards.text}\n\n${question.text}` } }),
    choices: [...question.choices, ...(answer.choices ?? [])],
  };
};

/** Account data is shown to its owner alone, wherever they ask. */
export const accountResult = (answer: MarketAnswer, ctx: TurnContext): CommandResult => ({
  ...commandResult(withZoneQuestion(answer, ctx)),
  ephemeral: ctx.chatType !== 'direct',
});
