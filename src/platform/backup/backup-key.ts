import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { FinClawError } from '#src/kernel/errors.ts';
import { commandFor } from '../how-to-run.ts';
import { readSecretKeys, type SecretKey } from '../files/secret-box.ts';

const VARIABLE = 'FINCLAW_BACKUP_KEY';

/** The keys in `FINCLAW_BACKUP_KEY`, the current one first. Throws if it cannot be used. */
export const readBackupKeys = (texts: readonly string[]): readonly SecretKey[] =>
  readSecretKeys(VARIABLE, texts);

export interface BackupKeySettings {
  /** The current key first. Empty: backups are not encrypted. */
  readonly keys: readonly string[];
  /** The `.env` that the process began with. It may have been changed since. */
  readonly envFile?: string | undefined;
  /** Asked for by name: not encrypted, whatever key there is. */
  readonly isPlain?: boolean | undefined;
}

/** Whether `.env` has a key, although the process may have none. */
export const hasKeyIn = (envFile: string | undefined): boolean => {
  if (envFile === undefined) return false;
  try {
    return Boolean(parseEnv(readFileSync(envFile, 'utf8'))[VARIABLE]?.trim());
  } catch {
    // There is none, or nobody may read it.
    return false;
  }
};

/**
 * The keys of a backup. Throws if it would not be encrypted although `.env` has a key: that was added after the start of
 * the process, or an empty variable hides it.
 */
export const keysOfBackup = ({ keys, envFile, isPlain = false }: BackupKeySettings): readonly SecretKey[] => {
  if (isPlain) return [];
  const own = readBackupKeys(keys);
  if (own.length === 0 && hasKeyIn(envFile))
    throw new FinClawError(
      `${envFile} has a ${VARIABLE} that is not used: it was added after the start, or an empty ${VARIABLE} in the environment hides it. Restart the bot without the empty variable. ${commandFor('backup', '--plain')} makes a backup that is not encrypted.`,
      'BACKUP_KEY_UNUSED',
    );
  return own;
};

/** Why the running bot makes no backup for whoever expects it to be encrypted with another key. */
export const keyDisagreement = (
  keys: readonly string[],
  expectedId: string | undefined,
): string | undefined => {
  if (expectedId === undefined) return undefined;
  const [own] = readBackupKeys(keys);
  if (own?.id === expectedId) return undefined;
  return own
    ? `The running bot has another ${VARIABLE}: restart it first, or give this command the key of the bot.`
    : `The running bot has no ${VARIABLE}: restart it first, or pass --plain.`;
};
