import { FinClawError } from '#src/kernel/errors.ts';
import { isFull } from '../storage/full-disk.ts';

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
