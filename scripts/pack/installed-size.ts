import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { treeOf } from './tree.ts';

interface InstalledSize {
  readonly totalMb: number;
  /** The largest packages, with what lies below them. */
  readonly largest: readonly { readonly name: string; readonly mb: number }[];
}

const BYTES_PER_BLOCK = 512;
const BYTES_PER_MB = 2 ** 20;
const SHOWN = 10;

/** What a folder takes on the disk, as `du` counts it, and the packages below its `node_modules`. */
export const installedSize = (folder: string): InstalledSize => {
  const byPackage = new Map<string, number>();
  let totalBytes = 0;
  for (const path of treeOf(folder)) {
    const bytes = lstatSync(join(folder, path)).blocks * BYTES_PER_BLOCK;
    totalBytes += bytes;
    const name = /(?<=^node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '(the program)';
    byPackage.set(name, (byPackage.get(name) ?? 0) + bytes);
  }
  const largest = [...byPackage].map(([name, bytes]) => ({ name, mb: bytes / BYTES_PER_MB }));
  return {
    totalMb: totalBytes / BYTES_PER_MB,
    largest: largest.toSorted((a, b) => b.mb - a.mb).slice(0, SHOWN),
  };
};

export const describeSize = ({ totalMb, largest }: InstalledSize): string =>
  `${totalMb.toFixed(0)} MB: ${largest.map(({ name, mb }) => `${name} ${mb.toFixed(0)}`).join(', ')}`;
