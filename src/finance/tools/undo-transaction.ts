import { z } from 'zod';
import { texts } from '#src/core/i18n.ts';
import { askerOfCall, type PortfolioDesk } from '#src/core/personal-desk.ts';
import { defineTool, type Tool, type ToolExecutionContext } from '#src/core/tool.ts';
import { toolResult } from './market-tool-result.ts';
import { nameInput } from './name-input.ts';

export interface UndoTransactionDeps {
  readonly portfolio: Pick<PortfolioDesk, 'undo' | 'planUndo'>;
}

const MAX_NUMBER = 1_000_000_000;

/** Questions that wait for an answer are few; older ones are given up. */
const MAX_SHOWN = 1_000;

/**
 * Which entry a person was shown for "the last one": until they allow it, another may be recorded. Lost by a restart:
 * then they are asked for the number.
 */
const shownEntries = () => {
  const numbers = new Map<string, number>();
  return {
    keep: (key: string, number: number): void => {
      numbers.set(key, number);
      const [oldest] = numbers.keys();
      if (numbers.size > MAX_SHOWN && oldest !== undefined) numbers.delete(oldest);
    },
    take: (key: string): number | undefined => {
      const number = numbers.get(key);
      numbers.delete(key);
      return number;
    },
  };
};

const keyOf = ({ turnId }: ToolExecutionContext, portfolio = ''): string => `${turnId} ${portfolio}`;

export const undoTransaction = ({ portfolio: desk }: UndoTransactionDeps): Tool => {
  const shown = shownEntries();
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
      const asker = askerOfCall(context, 'undo_transaction');
      const plan = await desk.planUndo({ number, portfolio }, asker, signal);
      if (plan.status === 'refused') return { status: 'refused', result: toolResult(plan.answer) };
      if (number === undefined) shown.keep(keyOf(context, portfolio), plan.number);
      return { status: 'ready', summary: plan.text };
    },
    progress: (_input, locale) => texts(locale).portfolio.undoing(),
    run: async ({ number: named, portfolio }, context, signal) => {
      const number = named ?? shown.take(keyOf(context, portfolio));
      if (number === undefined && context.isResumed)
        return { content: texts(context.locale).portfolio.undoWhich(), isError: true };
      const asker = askerOfCall(context, `undo_transaction:${number ?? 'last'}`);
      return toolResult(await desk.undo({ number, portfolio }, asker, signal));
    },
  });
};
