import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsPage } from '../scripts/docs/commands-page.ts';
import { configurationPage } from '../scripts/docs/configuration-page.ts';
import { CHANNELS } from '#channels/index.ts';
import { BUILT_IN_TOOL_NAMES } from '#src/agent/toolbox.ts';
import { environmentSchema } from '#src/platform/config/environment.ts';
import { FINANCE_TOOL_NAMES } from '#src/features/open/tools.ts';

const ROOT = join(import.meta.dirname, '..');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The text without the padding that the formatter adds to tables. */
const unpadded = (page: string): readonly string[] =>
  page
    .trim()
    .split('\n')
    .map((line) =>
      line.startsWith('|') ? line.replaceAll(/-{3,}/gu, '---').replaceAll(/ {2,}/gu, ' ') : line,
    );

const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...page.matchAll(/^#{1,6} (.+)$/gmu)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

/** The links of a page that lead nowhere in this repository. */
const brokenLinks = (path: string): readonly string[] =>
  [
    ...read(path)
      .replaceAll(/`[^`\n]*`/gu, '')
      .matchAll(/\]\(([^)\s]+)\)/gu),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/u.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, linked))) return true;
      return anchor !== undefined && linked.endsWith('.md') && !anchorsOf(read(linked)).has(anchor);
    });

describe('the documents', () => {
  it.each([
    ['docs/configuration.md', configurationPage],
    ['docs/commands.md', commandsPage],
  ])('%s says what the definitions say', (path, page) => {
    expect(unpadded(read(path)), `${path} is out of date: run \`npm run docs\``).toEqual(unpadded(page()));
  });

  it('names every built-in tool on the page about tools', () => {
    const page = read('docs/tools-and-approvals.md');
    const missing = [...BUILT_IN_TOOL_NAMES, ...FINANCE_TOOL_NAMES].filter(
      (name) => !page.includes(`\`${name}\``),
    );
    expect(missing, 'add these tools to docs/tools-and-approvals.md').toEqual([]);
  });

  it('lists every variable in .env.example', () => {
    const example = read('.env.example');
    const missing = Object.keys(environmentSchema(CHANNELS).shape).filter(
      (name) => !example.includes(`\n#${name}=`),
    );
    expect(missing, 'add these variables to .env.example').toEqual([]);
  });

  it('keeps the README within two screens', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
  });

  it('has no link to a missing file or heading', () => {
    const pages = [
      'README.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      ...globSync('docs/**/*.md', { cwd: ROOT }),
    ];
    const broken = pages.flatMap((page) => brokenLinks(page).map((target) => `${page}: ${target}`));
    expect(broken).toEqual([]);
  });

  it.each(['docs/architecture.md', 'docs/glossary.md', 'CONTRIBUTING.md'])(
    '%s names only files that exist',
    (path) => {
      const named = [...read(path).matchAll(/`((?:src|channels|commands|test|scripts|docs)\/[\w./-]+)`/gu)];
      const missing = named.map(([, file = '']) => file).filter((file) => !existsSync(join(ROOT, file)));
      expect(named.length).toBeGreaterThan(20);
      expect(missing).toEqual([]);
    },
  );
});
