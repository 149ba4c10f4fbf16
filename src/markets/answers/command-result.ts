import type { CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { zoneQuestion } from '#src/reading/zone-question.ts';

/** `--all` shows what the short answer leaves out. */
const ALL: readonly string[] = ['all', '전체'];

export const asksForAll = (flags?: CommandFlags): boolean => ALL.some((flag) => flags?.has(flag) === true);

/** A market answer as a command's result. Only the requester sees it if nothing was found. */
export const commandResult = (answer: MarketAnswer, flags?: CommandFlags): CommandResult => {
  const { details } = answer;
  if (details === undefined || !asksForAll(flags)) return resultOf(answer);
  const { cards: _short, ...rest } = answer;
  return resultOf({ ...rest, content: details });
};

const resultOf = ({ content, facts, found, cards, choices, typed, media }: MarketAnswer): CommandResult => ({
  content,
  facts,
  ephemeral: found === 0,
  ...(cards && { cards: { isAnswer: true, ...cards } }),
  ...(choices && { choices }),
  ...(typed !== undefined && { typed }),
  ...(media && { media }),
});

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
