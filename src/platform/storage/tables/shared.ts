import { sql } from 'kysely';
import { ownerless, past, type TableGroup } from './descriptor.ts';

const unconfirmed = past('offered_at', 24);

/** What everybody shares: facts about markets, and what operators set. */
export const sharedTables: TableGroup = {
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
