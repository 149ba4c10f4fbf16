import { existsSync, readFileSync } from 'node:fs';
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

describe.each(['security.md', 'history/plans.md'])('%s', (name) => {
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
    expect(findings.length).toBeGreaterThan(39);
    expect(findings.filter((line) => !line.includes('“'))).toEqual([]);
  });
});

describe('the page about the plans', () => {
  const rows = rowsOf(readPage('history/plans.md'), /^\| \d/u);

  it('says of every row which test reaches it, what it is called now, or why it is left out', () => {
    const open = rows.filter(
      (line) => !/reached by `test\/[^`]+`: “|left out|is `\w+` in `src\/[^`]+`/u.test(line),
    );
    expect(open).toEqual([]);
  });

  it('names only files that exist, with the names that it says they have', () => {
    const files = rows.flatMap((line) => [...line.matchAll(/`((?:src|channels|commands)\/[\w./-]+\.ts)`/gu)]);
    expect(files.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const renamed = rows.flatMap((line) => [...line.matchAll(/is `(\w+)` in `(src\/[^`]+)`/gu)]);
    const gone = renamed.filter(
      ([, name = '', path = '']) => !readFileSync(join(ROOT, path), 'utf8').includes(name),
    );
    expect(renamed).not.toEqual([]);
    expect(gone.map(([whole]) => whole)).toEqual([]);
  });
});
