/**
 * Packs FinClaw, installs the package with the npm and the Node of this machine, and asks it for a price and a chart in
 * an empty directory. `npm run pack:check`
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from './pack/build-package.ts';
import { describeSize, installedSize } from './pack/installed-size.ts';
import type { Manifest } from './pack/manifest.ts';
import { pathWithoutProject } from './pack/other-node.ts';

const ROOT = join(import.meta.dirname, '..');
/** Below what a production install took when the package was introduced. */
const MAX_MB = 482;

const folder = mkdtempSync(join(tmpdir(), 'finclaw-pack-'));
const env = { ...process.env, PATH: pathWithoutProject(), XDG_CACHE_HOME: join(folder, 'cache') };
const problems: string[] = [];
const run = (program: string, parameters: readonly string[], cwd: string, input = ''): string =>
  execFileSync(program, parameters, {
    cwd,
    env: { ...env, FINCLAW_MARKET: 'sample' },
    encoding: 'utf8',
    input,
  });

const manifestOf = (path: string): Manifest =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;

/** Packages that are not there in the version that was tested. */
const strangers = (program: string): readonly string[] =>
  Object.entries(manifestOf(program).dependencies)
    .filter(([name, version]) => manifestOf(join(program, 'node_modules', name)).version !== version)
    .map(([name]) => name);

try {
  const [source, installed, work] = ['package', 'installed', 'work'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [source, installed, work]) mkdirSync(path);
  buildPackage(ROOT, source);
  const tarball = run('npm', ['pack', '--silent', '--pack-destination', folder], source).trim();
  run(
    'npm',
    [
      'install',
      '--global',
      '--prefix',
      installed,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      join(folder, tarball),
    ],
    folder,
  );

  const finclaw = join(installed, 'bin', 'finclaw');
  const answers = run(finclaw, [], work, '/price AAPL\n/chart AAPL 6mo\n');
  for (const expected of ['Apple (AAPL)', 'AAPL-6mo.png', 'SAMPLE'])
    if (!answers.includes(expected))
      problems.push(`The package did not answer with ${expected}:\n${answers}`);
  const once = run('npx', ['--yes', '--package', join(folder, tarball), 'finclaw'], work, '/price AAPL\n');
  if (!once.includes('Apple (AAPL)')) problems.push(`npx did not answer with a price:\n${once}`);
  run(finclaw, ['init'], work);
  if (readdirSync(work).toSorted().join(' ') !== '.env data')
    problems.push(`The working directory has other files: ${readdirSync(work).join(' ')}`);
  if (!existsSync(join(folder, 'cache', 'finclaw', 'node')))
    problems.push('What Node compiled was not kept for the user');
  const program = join(installed, 'lib', 'node_modules', 'finclaw');
  problems.push(...strangers(program).map((name) => `${name} has not the version of package-lock.json`));

  const size = installedSize(program);
  console.log(
    `The package, installed by Node ${run('node', ['--version'], folder).trim()}: ${describeSize(size)}`,
  );
  if (size.totalMb >= MAX_MB) problems.push(`The package takes ${MAX_MB} MB or more`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
