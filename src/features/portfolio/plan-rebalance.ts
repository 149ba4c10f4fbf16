import { z } from 'zod';
import { rebalanceMessages } from './messages/rebalance.ts';
import { requesterOfCall, type PortfolioService } from '#src/kernel/account-services.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

export interface PlanRebalanceDeps {
  readonly portfolio: Pick<PortfolioService, 'rebalance'>;
}

const TIMEOUT_MS = 45_000;
const MAX_TARGETS = 50;
const MAX_MONEY_CHARACTERS = 40;

export const planRebalance = ({ portfolio: markets }: PlanRebalanceDeps): Tool =>
  defineTool({
    name: 'plan_rebalance',
    description: [
      "Work out the trades that bring the user's own portfolio to target weights: for each holding the weight now, the",
      'target, how many whole shares to buy or sell, amounts, Korean transaction tax, and the cash that is left. With',
      'new_money only purchases for that money are proposed. Without targets the ones that the user stored are taken.',
      'Use it when the user asks to rebalance, how to reach certain weights, or what to buy with new money by their own',
      'targets. Only pass on weights that the user gave; never choose them yourself, and never work the trades out',
      'yourself. It records nothing: say so, and repeat prices with source and time. It is arithmetic, not advice.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    isExternal: true,
    timeoutMs: TIMEOUT_MS,
    input: z.object({
      targets: z
        .array(z.object({ name: nameInput(), percent: z.number().min(0).max(100) }))
        .max(MAX_TARGETS)
        .optional()
        .describe('Weights in per cent that make 100, `cash` among them; leave it out for the stored ones'),
      new_money: z
        .string()
        .max(MAX_MONEY_CHARACTERS)
        .optional()
        .describe('Money to be added, with its currency, e.g. `1000000 KRW`'),
      allow_sales: z.boolean().default(false).describe('With new money: whether something may be sold, too'),
      band: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .describe(
          'What is no more than so many percentage points off is left alone; only where the user said so',
        ),
      portfolio: nameInput().optional().describe('Name of the portfolio; leave it out for the default one'),
    }),
    progress: (_input, locale) => rebalanceMessages(locale).lookingUp,
    run: async ({ targets = [], new_money, allow_sales, band, portfolio }, context, signal) => {
      const text = [
        ...targets.map(({ name, percent }) => `${name} ${percent}%`),
        ...(new_money === undefined ? [] : [`+${new_money.replace(/^\+/u, '')}`]),
        ...(band === undefined ? [] : [`±${band}%`]),
      ].join(' ');
      return toolResult(
        await markets.rebalance(
          { text, canSell: allow_sales, portfolio },
          requesterOfCall(context, 'plan_rebalance'),
          signal,
        ),
      );
    },
  });
