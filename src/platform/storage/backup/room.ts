import { FinClawError } from '#src/kernel/errors.ts';

const SQLITE_FULL = 13;

/** The disk is full, or what this user may have of it. */
const isFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, errcode = 0 } = error as { readonly code?: unknown; readonly errcode?: number };
  return code === 'ENOSPC' || code === 'EDQUOT' || (errcode & 0xff) === SQLITE_FULL || isFull(error.cause);
};

/** Does work that writes into one directory. The error of a full disk does not say which disk it is. */
export const withRoomIn = async <T>(
  directory: string,
  advice: string,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new FinClawError(`There is no room left in ${directory}. ${advice}`, 'NO_ROOM', { cause: error });
  }
};
