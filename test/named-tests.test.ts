import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const readPage = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');

const rowsOf = (page: string, start: RegExp): readonly string[] =>
  page.split('\n').filter((line) => start.test(line));

/** "`file`: “title”; “title”" in the last cell of a row. */
const namedIn = (page: string) =>
  [...page.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:; )?)+)/gu)].flatMap(([, path = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/gu)].map(([, title = '']) => ({ path, title })),
  );

describe.each(['security.md', 'plans.md'])('%s', (name) => {
  it('names only tests that exist', () => {
    const named = namedIn(readPage(name));
    expect(named).not.toEqual([]);
    const missing = named.filter(({ path, title }) => {
      const source = readFileSync(join(ROOT, path), 'utf8').replaceAll(String.raw`\'`, "'");
      return !source.includes(title);
    });
    expect(missing).toEqual([]);
  });
});

describe('the page about security', () => {
  it('names at least one test for every finding', () => {
    const findings = rowsOf(readPage('security.md'), /^\| (?:[HML]\d+|–)/u);
    expect(findings).toHaveLength(39);
    expect(findings.filter((line) => !line.includes('“'))).toEqual([]);
  });
});

describe('the page about the plans', () => {
  it('says of every row which test reaches it, or why it is left out', () => {
    const rows = rowsOf(readPage('plans.md'), /^\| \d/u);
    const open = rows.filter((line) => !/reached by `test\/[^`]+`: “|left out/u.test(line));
    expect(rows).toHaveLength(139);
    expect(open).toEqual([]);
  });
});
