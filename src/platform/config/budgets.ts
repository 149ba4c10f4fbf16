import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';

/** US dollars a day as text, exactly as set; undefined for no limit. */
export interface Budgets {
  readonly perUserUsd: string | undefined;
  readonly perDayUsd: string | undefined;
}

/**
 * Where strangers can write and nobody set a budget. A question to the dearest default model costs five to ten cents:
 * these are some twenty to forty questions a person, and ten busy people a day.
 */
const DEFAULT_WITH_PLATFORM: Budgets = { perUserUsd: '2', perDayUsd: '20' };

const NO_LIMIT = 'none';

const inForce = (
  variable: string | undefined,
  setting: number | typeof NO_LIMIT | undefined,
  usual: string | undefined,
): string | undefined => {
  const set = variable ?? setting?.toString();
  if (set === undefined) return usual;
  return set.toLowerCase() === NO_LIMIT ? undefined : set;
};

/** The environment goes before the file, and both before the defaults. A budget of 0 allows nothing. */
export const budgetsOf = (
  variables: Environment,
  { budgets }: Pick<ConfigFile, 'budgets'>,
  hasPlatform: boolean,
): Budgets => {
  const usual = hasPlatform ? DEFAULT_WITH_PLATFORM : undefined;
  return {
    perUserUsd: inForce(variables.FINCLAW_USER_BUDGET_USD, budgets.perUserUsd, usual?.perUserUsd),
    perDayUsd: inForce(variables.FINCLAW_DAILY_BUDGET_USD, budgets.perDayUsd, usual?.perDayUsd),
  };
};

/** For `/config`: what holds, also where nothing is set. */
export const shownBudgets = ({ perUserUsd, perDayUsd }: Budgets): Readonly<Record<string, string>> => ({
  'budgets.perUserUsd': perUserUsd ?? NO_LIMIT,
  'budgets.perDayUsd': perDayUsd ?? NO_LIMIT,
});

const amount = (usd: string | undefined): string => (usd === undefined ? 'no limit' : `$${usd}`);

/** One line for the operator. */
export const describeBudgets = ({ perUserUsd, perDayUsd }: Budgets): string =>
  `Budgets a day: ${amount(perUserUsd)} for each person, ${amount(perDayUsd)} in all (FINCLAW_USER_BUDGET_USD, FINCLAW_DAILY_BUDGET_USD)`;

interface PricedModel {
  readonly id: string;
  readonly pricing: object | null;
}

/** What an operator should think about where strangers can write. */
export const budgetWarnings = ({
  perUserUsd,
  perDayUsd,
  definitions,
}: Budgets & { readonly definitions: readonly PricedModel[] }): readonly string[] => [
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
