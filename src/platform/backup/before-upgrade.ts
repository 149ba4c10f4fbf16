import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Clock } from '../concurrency/clock.ts';
import type { FinClawLogger } from '../logging/logger.ts';
import type { BackupSettings, BackupSource } from './make-backup.ts';

/** Refuses a start that would change the database, because no backup can be made before. */
export const upgradeWithoutBackup = (why: string, cause: unknown): FinClawError =>
  new FinClawError(
    `${why.replace(/\.$/, '')}. This version has to change the database, and does not do so without a backup. Free some space, or set backup.directory. To upgrade without a backup, set backup.beforeUpgrade to false.`,
    'UPGRADE_BACKUP_FAILED',
    { cause },
  );

/** Throws if no backup could be made: then nothing is changed. */
export const backUpBeforeUpgrade = async (
  source: BackupSource,
  settings: BackupSettings,
  clock: Clock,
  logger: Pick<FinClawLogger, 'info'>,
): Promise<void> => {
  try {
    const { makeBackup } = await import('./make-backup.ts');
    const { path, bytes } = await makeBackup(source, settings, {
      reason: 'upgrade',
      at: clock.now(),
      signal: new AbortController().signal,
    });
    logger.info('A backup was made, because this version is about to change the database', { path, bytes });
  } catch (error) {
    throw upgradeWithoutBackup(errorMessage(error), error);
  }
};
