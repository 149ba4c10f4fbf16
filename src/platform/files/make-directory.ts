import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The path itself, or else the nearest directory above it. */
export const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));

/** Throws if this user cannot use the directory, or make it if it is missing. Makes nothing. */
export const requireUsableDirectory = (path: string): void => {
  const place = existing(path);
  const { R_OK, W_OK, X_OK } = constants;
  if (!statSync(place).isDirectory()) throw new Error(`${place} is a file`);
  accessSync(place, (place === path ? R_OK : 0) | W_OK | X_OK);
};

/**
 * Makes a directory with its parents, for this user alone. Avoids `recursive: true`, which never returns below a
 * directory that refuses children, such as `/proc`.
 */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};
