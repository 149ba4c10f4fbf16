import { z } from 'zod';
import type { Environment } from './environment.ts';

const usdOrNone = z.union([z.number().min(0), z.literal('none')]).optional();

/** `budgets`: spending limits in US dollars a day. */
export const budgetsSchema = z
  .strictObject({
    perDayUsd: usdOrNone.describe(
      'Spending limit of the whole bot per day in US dollars. Without it: 20 on Discord or Slack, no limit in the terminal. `FINCLAW_DAILY_BUDGET_USD` overrides it.',
    ),
    perUserUsd: usdOrNone.describe(
      'Spending limit per person per day in US dollars. Without it: 2 on Discord or Slack, no limit in the terminal. `FINCLAW_USER_BUDGET_USD` overrides it.',
    ),
  })
  .prefault({})
  .describe('Spending limits.');

/** Limits in US dollars a day, as the text that was set; undefined for no limit. */
export interface Budgets {
  readonly perUserUsd: string | undefined;
  readonly perDayUsd: string | undefined;
}

/**
 * The limits on a platform, where strangers can write, if nobody set any. A question to the dearest default model costs
 * five to ten cents: these are some twenty to forty questions a person, and ten busy people a day.
 */
const DEFAULT_WITH_PLATFORM: Budgets = { perUserUsd: '2', perDayUsd: '20' };

const NO_LIMIT = 'none';

const inForce = (
  variable: string | undefined,
  setting: z.output<typeof usdOrNone>,
  usual: string | undefined,
): string | undefined => {
  const set = variable ?? setting?.toString();
  if (set === undefined) return usual;
  return set.toLowerCase() === NO_LIMIT ? undefined : set;
};

/** The environment overrides the file, and both override the defaults. A budget of 0 allows nothing. */
export const budgetsOf = (
  variables: Environment,
  budgets: z.output<typeof budgetsSchema>,
  hasPlatform: boolean,
): Budgets => {
  const usual = hasPlatform ? DEFAULT_WITH_PLATFORM : undefined;
  return {
    perUserUsd: inForce(variables.FINCLAW_USER_BUDGET_USD, budgets.perUserUsd, usual?.perUserUsd),
    perDayUsd: inForce(variables.FINCLAW_DAILY_BUDGET_USD, budgets.perDayUsd, usual?.perDayUsd),
  };
};

/** The limits in force for `/config`, defaults included. */
export const shownBudgets = ({ perUserUsd, perDayUsd }: Budgets): Readonly<Record<string, string>> => ({
  'budgets.perUserUsd': perUserUsd ?? NO_LIMIT,
  'budgets.perDayUsd': perDayUsd ?? NO_LIMIT,
});

const amount = (usd: string | undefined): string => (usd === undefined ? 'no limit' : `$${usd}`);

/** One line about the limits, for the operator. */
export const describeBudgets = ({ perUserUsd, perDayUsd }: Budgets): string =>
  `Budgets a day: ${amount(perUserUsd)} for each person, ${amount(perDayUsd)} in all (FINCLAW_USER_BUDGET_USD, FINCLAW_DAILY_BUDGET_USD)`;

/** Warnings for an operator on whose bot strangers can spend money. */
export const budgetWarnings = ({
  perUserUsd,
  perDayUsd,
  definitions,
}: Budgets & {
  readonly definitions: readonly { readonly id: string; readonly pricing: object | null }[];
}): readonly string[] => [
  ...(perUserUsd === undefined
    ? ['FINCLAW_USER_BUDGET_USD is none: one person can spend all of the daily budget']
    : []),
  ...(perDayUsd === undefined
    ? ['FINCLAW_DAILY_BUDGET_USD is none: nothing limits what the bot spends in a day']
    : []),
  ...(perUserUsd !== undefined && perDayUsd !== undefined && Number(perUserUsd) > Number(perDayUsd)
    ? [
        `FINCLAW_USER_BUDGET_USD (${amount(perUserUsd)}) is more than FINCLAW_DAILY_BUDGET_USD (${amount(perDayUsd)})`,
      ]
    : []),
  ...definitions
    .filter(({ pricing }) => pricing === null)
    .map(
      ({ id }) =>
        `models.definitions.${id} has no pricing: what it costs counts against no budget. Set its prices, or 0 for a model that costs nothing`,
    ),
];
