import { ownerless, past, type TableDescriptor } from './descriptor.ts';
import { healthForm, instanceKeysForm, sentFilesForm, sessionHoldersForm } from './schema.ts';

/** Files that wait to be sent stay longer than two days. */
const SENT_FILES_DAYS = 7;

/** The tables of the storage itself. */
export const storageTables: readonly TableDescriptor[] = [
  ownerless(healthForm, 'One row that shows that the database can be written to.'),
  ownerless(instanceKeysForm, 'Keys that all processes on one database share.'),
  ownerless(
    sessionHoldersForm,
    'It says which process works on a conversation, and is gone a day later.',
    past('held_since', 24),
    { session_key: 'a direct chat by its person, until the next day' },
  ),
  ownerless(
    sentFilesForm,
    'Files of messages, removed after two days or with the messages of a person.',
    past('made_at', SENT_FILES_DAYS * 24),
  ),
];

/** Every schema of FinClaw has it. */
export const FIRST_MIGRATION = '0001-storage';
