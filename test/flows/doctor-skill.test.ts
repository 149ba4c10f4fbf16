import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDir } from '#test/support/database.ts';
import { runDoctor } from '#test/support/run-doctor.ts';

it('the doctor says which skill was left out, and why', async () => {
  const cwd = temporaryDir();
  mkdirSync(join(cwd, 'skills/broken'), { recursive: true });
  writeFileSync(join(cwd, 'skills/broken/SKILL.md'), 'no front matter');
  const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: cwd }, cwd);
  expect(code).toBe(0);
  expect(output).toMatch(/^• .*broken.*/m);
});
