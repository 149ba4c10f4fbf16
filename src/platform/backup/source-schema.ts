import { FinClawError } from '#src/kernel/errors.ts';
import { FIRST_MIGRATION } from '../storage/tables.ts';

/** Whether a database with these steps is one of FinClaw. Another program may have steps of its own. */
export const isOurs = (migrations: readonly string[]): boolean => migrations.includes(FIRST_MIGRATION);

/** Throws for a database that is empty or of another program. */
export const requireOurs = (migrations: readonly string[], where: string): void => {
  if (isOurs(migrations)) return;
  throw new FinClawError(`There is no data of FinClaw in ${where}.`, 'NO_DATABASE');
};

/** Throws if this version does not know one of the steps: it would miss what that one added. */
export const requireKnown = (
  migrations: readonly string[],
  known: Readonly<Record<string, unknown>>,
): void => {
  const unknown = migrations.find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new FinClawError(
    `The data is of a newer version of FinClaw (it has ${unknown}). Install that version, or a later one, and try again.`,
    'BACKUP_NEWER',
  );
};
