import { sql } from 'kysely';
import type { Database } from '../schema.ts';
import { type KeepRule, past, table, type TableDescriptor, type TableGroup } from './descriptor.ts';

/** A table whose rows are about no person. */
const nobodys = <Name extends keyof Database>(
  name: Name,
  key: readonly (keyof Database[Name] & string)[],
  reason: string,
  kept: KeepRule = 'forever',
  mentions?: Readonly<Partial<Record<keyof Database[Name] & string, string>>>,
): TableDescriptor =>
  table<Database[Name]>({
    name,
    key,
    owner: { by: 'nobody', reason },
    ...(mentions ? { mentions } : {}),
    exported: { not: reason },
    erased: { not: reason },
    kept,
  });

const unconfirmed = past('offered_at', 24);

/** What everybody shares: facts about markets, and what operators set. */
export const sharedTables: TableGroup = {
  tables: [
    nobodys('health', ['id'], 'One row that shows that the database can be written to.'),
    nobodys('auth_profiles', ['id'], 'Keys of model providers, which an operator added.'),
    nobodys('instance_keys', ['id'], 'Keys that all processes on one database share.'),
    nobodys(
      'guild_settings',
      ['channel_id', 'guild_id'],
      'Settings of a server or workspace, which its members share.',
      'forever',
      { updated_by: 'an administrator of the server, who answers for the setting' },
    ),
    nobodys('corporate_actions', ['symbol', 'kind', 'action_date'], 'Facts about instruments.'),
    nobodys('corporate_action_looks', ['symbol'], 'Which days of an instrument a source was asked about.'),
    nobodys('daily_rates', ['base', 'quote', 'day'], 'Exchange rates of days that are over.'),
    nobodys('listings', ['symbol'], 'Instruments that the built-in index lacks.', {
      until: (times) => sql<boolean>`confirmed_at is null and ${unconfirmed.until(times)}`,
    }),
  ],
};
