import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { temporaryDir } from '#test/support/database.ts';

it('the doctor says which skill was left out, and why', async () => {
  const cwd = temporaryDir();
  mkdirSync(join(cwd, 'skills/broken'), { recursive: true });
  writeFileSync(join(cwd, 'skills/broken/SKILL.md'), 'no front matter');
  const doctor = join(import.meta.dirname, '../../scripts/doctor.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [doctor], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, FINCLAW_DATA_DIR: cwd },
  });
  expect(stdout).toMatch(/^• .*broken.*/m);
});
