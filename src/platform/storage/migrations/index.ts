import type { Migration } from 'kysely/migration';
import { initial } from './0001-initial.ts';
import { engine } from './0002-engine.ts';
import { approvals } from './0003-approvals.ts';
import { gateway } from './0004-gateway.ts';
import { platforms } from './0005-platforms.ts';
import { personalFinance } from './0006-personal-finance.ts';
import { budgets } from './0007-budgets.ts';
import { identity } from './0009-identity.ts';
import { instanceKeys } from './0010-instance-keys.ts';
import { corporateActions } from './0011-corporate-actions.ts';
import { dailyRates } from './0012-daily-rates.ts';
import { listings } from './0013-listings.ts';
import { portfolioTargets } from './0014-portfolio-targets.ts';
import { providerIds } from './0015-provider-ids.ts';
import { transcripts } from './0016-transcripts.ts';
import { manyProcesses } from './0017-many-processes.ts';
import { operator } from './0021-operator.ts';

/** Every schema of FinClaw has it. */
export const FIRST_MIGRATION = '0001-initial';

/**
 * Migrations run in the order of their names. A released migration is never changed, only followed. It only adds
 * something; one that older versions cannot work with has a name that ends with `.breaking`.
 */
export const RELEASED_MIGRATIONS: Readonly<Record<string, Migration>> = {
  [FIRST_MIGRATION]: initial,
  '0002-engine': engine,
  '0003-approvals': approvals,
  '0004-gateway': gateway,
  '0005-platforms': platforms,
  '0006-personal-finance': personalFinance,
  '0007-budgets': budgets,
  '0009-identity': identity,
  '0010-instance-keys': instanceKeys,
  '0011-corporate-actions': corporateActions,
  '0012-daily-rates': dailyRates,
  '0013-listings': listings,
  '0014-portfolio-targets': portfolioTargets,
  '0015-provider-ids': providerIds,
  '0016-transcripts': transcripts,
  '0017-many-processes': manyProcesses,
  '0021-operator': operator,
};
