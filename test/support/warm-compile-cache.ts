import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from './compile-cache.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/**
 * Runs the program once where nothing is compiled yet. Otherwise the first processes of the tests, a dozen at once,
 * would each compile all of it and write the same files.
 */
export const setup = (): void => {
  if (existsSync(NODE_COMPILE_CACHE)) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-warm-'));
  try {
    spawnSync(process.execPath, [MAIN], {
      cwd: dataDir,
      input: '/price 삼성전자\n',
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE,
        FINCLAW_DATA_DIR: dataDir,
        FINCLAW_MARKET: 'sample',
      },
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
