import type { SecretKey } from '../files/secret-box.ts';
import { type Part, readArchive } from './archive.ts';
import { readRowPart, tableIn } from './row-parts.ts';
import { countRows } from './rows.ts';

/** Reads all of a backup, and compares it with what it says of itself. Gives the number of rows. */
export const verifyBackup = async (
  path: string,
  keys: readonly SecretKey[],
  signal: AbortSignal,
): Promise<number> => {
  const counted: Record<string, number> = {};
  const onPart = async ({ name, content }: Part): Promise<void> => {
    const table = tableIn(name);
    if (table === undefined) return;
    counted[table] = 0;
    for await (const batch of (await readRowPart(content, path)).rows)
      counted[table] = (counted[table] ?? 0) + batch.length;
  };
  const { manifest } = await readArchive(path, keys, onPart, signal);
  for (const [table, count] of Object.entries(counted))
    if (manifest.rows[table] !== count)
      throw new Error(`It holds ${count} rows of ${table} instead of ${manifest.rows[table]}`);
  return countRows(manifest.rows);
};
