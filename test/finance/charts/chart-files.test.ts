import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createChartFiles } from '#src/finance/charts/chart-files.ts';

let dataDir: string | undefined;
afterEach(() => dataDir !== undefined && rm(dataDir, { recursive: true, force: true }));

describe('the files of pictures', () => {
  it('keep the newest ones where there are too many', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'finclaw-pictures-'));
    const files = createChartFiles(dataDir, 3);
    const kept: string[] = [];
    for (let picture = 0; picture < 9; picture += 1)
      kept.push(basename(await files.keep(new Uint8Array([picture]))));
    expect((await readdir(join(dataDir, 'charts'))).toSorted()).toEqual(kept.slice(-3));
  });
});
