import { sql } from 'kysely';
import { accountTables } from './accounts.ts';
import { ownerless, past, type TableGroup } from './descriptor.ts';
import { messageTables } from './messages.ts';
import { operatorSessionTables } from './operator-sessions.ts';
import { operatorTables } from './operator.ts';
import { processTables } from './processes.ts';

const unconfirmed = past('offered_at', 24);

/** Tables that belong to no person: facts about markets, and settings of operators. */
const sharedTables: TableGroup = {
  tables: [
    ownerless('health', ['id'], 'One row that shows that the database can be written to.'),
    ownerless('auth_profiles', ['id'], 'Keys of model providers, which an operator added.'),
    ownerless('instance_keys', ['id'], 'Keys that all processes on one database share.'),
    ownerless(
      'guild_settings',
      ['channel_id', 'guild_id'],
      'Settings of a server or workspace, which its members share.',
      'forever',
      { updated_by: 'an administrator of the server, who answers for the setting' },
    ),
    ownerless('listings', ['symbol'], 'Instruments that the built-in index lacks.', {
      until: (times) => sql<boolean>`confirmed_at is null and ${unconfirmed.until(times)}`,
    }),
  ],
};

/**
 * Every table of the database, in the order in which rows are counted, shown, exported, moved, erased and purged.
 * Notifications come before the alerts that they report.
 */
export const withPlatformTables = (features: readonly TableGroup[]): readonly TableGroup[] => [
  messageTables,
  accountTables,
  ...features,
  sharedTables,
  processTables,
  operatorSessionTables,
  operatorTables,
];
