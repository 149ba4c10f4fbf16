import { z } from 'zod';
import { portfolioMessages } from './messages/portfolio.ts';
import { requesterOfCall, type PortfolioService } from '#src/kernel/account-services.ts';
import { defineTool, type Tool, type ToolExecutionContext } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { createShown } from '#src/markets/answers/shown-to-person.ts';

export interface UndoTransactionDeps {
  readonly portfolio: Pick<PortfolioService, 'undo' | 'planUndo'>;
}

const MAX_NUMBER = 1_000_000_000;

const keyOf = ({ turnId }: ToolExecutionContext, portfolio = ''): string => `${turnId} ${portfolio}`;

export const undoTransaction = ({ portfolio: markets }: UndoTransactionDeps): Tool => {
  /** Which entry was shown for "the last one": another may be recorded until it is allowed. After a restart its number is asked for. */
  const shown = createShown<number>();
  return defineTool({
    name: 'undo_transaction',
    description: [
      "Take an entry of the user's own portfolio records back. Use it only when the user asks to undo, cancel or delete",
      'something that was recorded. The user is shown the entry and has to allow it. Pass the number of the entry where the user or an earlier',
      'result gives one; leave it out for the entry that was recorded last. Nothing is erased: the entry stays in the',
      'history as undone.',
    ].join(' '),
    group: 'finance',
    isTransactional: true,
    accessesSensitiveData: true,
    input: z.object({
      number: z.int().min(1).max(MAX_NUMBER).optional().describe('Number of the entry; absent: the last one'),
      portfolio: nameInput()
        .optional()
        .describe('Name of one of their portfolios; leave it out for the default'),
    }),
    prepare: async ({ number, portfolio }, context, signal) => {
      const requester = requesterOfCall(context, 'undo_transaction');
      const plan = await markets.planUndo({ number, portfolio }, requester, signal);
      if (plan.status === 'refused') return { status: 'refused', result: toolResult(plan.answer) };
      if (number === undefined) shown.keep(keyOf(context, portfolio), plan.number);
      return { status: 'ready', summary: plan.text };
    },
    progress: (_input, locale) => portfolioMessages(locale).undoing(),
    run: async ({ number: named, portfolio }, context, signal) => {
      const number = named ?? shown.take(keyOf(context, portfolio));
      if (number === undefined && context.isResumed)
        return { content: portfolioMessages(context.locale).undoWhich(), isError: true };
      const requester = requesterOfCall(context, `undo_transaction:${number ?? 'last'}`);
      return toolResult(await markets.undo({ number, portfolio }, requester, signal));
    },
  });
};
