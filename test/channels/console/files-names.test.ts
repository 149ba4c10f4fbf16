import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn } from '#channels/console/files.ts';
import { temporaryDir } from '#test/support/database.ts';

const named = (text: string) => {
  const dir = temporaryDir();
  for (const name of ['README.md', 'package.json', 'README.md.txt']) writeFileSync(join(dir, name), 'x');
  mkdirSync(join(dir, 'sub'));
  const { media, missing } = filesIn(text.replaceAll('DIR', dir));
  return { found: media.map(({ name }) => name), missing: missing.map((name) => name.replace(dir, 'DIR')) };
};

describe('a name with several endings', () => {
  it.each([
    ['@DIR/README.md.txt', { found: ['README.md.txt'], missing: [] }],
    ['@DIR/package.json.bak', { found: [], missing: [] }],
    ['@DIR/package.json/x.md', { found: [], missing: ['DIR/package.json/x.md'] }],
    ['@DIR/x.json.csv', { found: [], missing: ['DIR/x.json.csv'] }],
    ['look at @DIR/README.md.', { found: ['README.md'], missing: [] }],
  ])('means the whole of %s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });
});

describe('a quoted word that is no name of a file', () => {
  it.each(['@"John Smith" said', '@"id_rsa"', '@"sub"'])('is an ordinary word: %s', (text) => {
    expect(named(text)).toEqual({ found: [], missing: [] });
  });
});
