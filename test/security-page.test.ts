import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

/** "`file`: “title”; “title”" in the last cell of each row. */
const named = [...page.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:; )?)+)/gu)].flatMap(
  ([, path = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/gu)].map(([, title = '']) => [path, title] as const),
);

describe('the page about security', () => {
  it('names at least one test for every finding', () => {
    const findings = page.split('\n').filter((line) => /^\| (?:[HML]\d+|–)/u.test(line));
    expect(findings).toHaveLength(38);
    expect(findings.filter((line) => !line.includes('“'))).toEqual([]);
  });

  it.each(named)('names a test that exists: %s “%s”', (path, title) => {
    const source = readFileSync(join(ROOT, path), 'utf8').replaceAll(String.raw`\'`, "'");
    expect(source).toContain(title);
  });
});
