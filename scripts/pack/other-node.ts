import { delimiter } from 'node:path';

/** The PATH of a person's shell: npm has put the project's own programs, and with them its Node, in front of it. */
export const pathWithoutProject = (path = process.env['PATH'] ?? ''): string =>
  path
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
