import { readdirSync } from 'node:fs';

/** Everything below a folder, hidden files too, by paths from there. Links are not followed. */
export const treeOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' });
