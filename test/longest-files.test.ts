import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST_FILES } from '#test/support/longest-files.ts';

it('the files that are to run first are there', () => {
  const missing = LONGEST_FILES.filter((path) => !existsSync(join(import.meta.dirname, '..', path)));
  expect(missing).toEqual([]);
});
