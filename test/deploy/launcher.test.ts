import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathWithoutProject } from '../../scripts/pack/other-node.ts';
import { canBeOtherUser, OTHER_USER } from '#test/support/other-user.ts';
import { temporaryDir } from '#test/support/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The Node of the machine starts the bundled one as a second process if it is older than 22.15. */
const NODES = [
  ['the bundled Node', process.execPath],
  [
    'the Node of the machine',
    execFileSync('sh', ['-c', 'command -v node || true'], {
      env: { PATH: pathWithoutProject() },
      encoding: 'utf8',
    }).trim() || process.execPath,
  ],
] as const;

const [, [, MACHINES_NODE]] = NODES;
const isOld =
  Number(execFileSync(MACHINES_NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]) <
  26;

/** A package whose program is this JavaScript, and which has the bundled Node unless told otherwise. */
const packageWith = (
  program: string,
  { hasNode = true, extension = 'js', bundled = `exec '${process.execPath}' "$@"` } = {},
) => {
  const root = temporaryDir();
  cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'src/platform'), { recursive: true });
  writeFileSync(join(root, `src/platform/build.${extension}`), `console.log('1.2.3 (abcdef01)');`);
  writeFileSync(join(root, `src/preload.${extension}`), 'globalThis.isPreloaded = true;');
  writeFileSync(join(root, `src/main.${extension}`), program);
  writeFileSync(join(root, '.env.example'), '# docs/configuration.md explains them\n#DISCORD_BOT_TOKEN=\n');
  const start = `--max-semi-space-size=32 --import=./src/preload.${extension} src/main.${extension}`;
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ type: 'module', version: '1.2.3', config: { start, mmapThreshold: '262144' } }),
  );
  if (hasNode) {
    const name = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
    const node = join(root, 'node_modules', `${name}-${process.platform}-${process.arch}`);
    mkdirSync(join(node, 'bin'), { recursive: true });
    writeFileSync(join(node, 'package.json'), '{}');
    writeFileSync(join(node, 'bin/node'), `#!/bin/sh\n${bundled}\n`, { mode: 0o755 });
  }
  return { root, launcher: join(root, 'bin/finclaw.js') };
};

const run = (node: string, launcher: string, parameters: readonly string[], cwd: string) =>
  spawnSync(node, [launcher, ...parameters], {
    cwd,
    encoding: 'utf8',
    env: { PATH: ['/usr/bin', '/bin'].join(delimiter), XDG_CACHE_HOME: join(cwd, 'cache') },
  });

describe.each(NODES)('finclaw, started by %s', (_, node) => {
  it('runs the program with its flags in the working directory, and ends with its code', () => {
    const { launcher } = packageWith(
      `console.log(JSON.stringify([isPreloaded, process.cwd(), process.execArgv[0], process.env.NODE_COMPILE_CACHE, process.env.MALLOC_MMAP_THRESHOLD_])); process.exit(7);`,
    );
    const cwd = temporaryDir();
    const { status, stdout } = run(node, launcher, [], cwd);
    expect(status).toBe(7);
    expect(JSON.parse(stdout)).toEqual([
      true,
      cwd,
      '--max-semi-space-size=32',
      join(cwd, 'cache/finclaw/node'),
      // Without it, much of the memory of large files is never given back.
      '262144',
    ]);
  });

  it.runIf(canBeOtherUser)('runs as a user whom the machine does not know', () => {
    const { root, launcher } = packageWith(`console.log(process.getuid(), process.env.NODE_COMPILE_CACHE);`);
    const cwd = temporaryDir();
    for (const path of [root, cwd]) chmodSync(path, 0o755);
    const { stdout, stderr } = spawnSync(node, [launcher], {
      cwd,
      ...OTHER_USER,
      encoding: 'utf8',
      env: { PATH: ['/usr/bin', '/bin'].join(delimiter) },
    });
    expect({ stdout, stderr }).toEqual({ stdout: '61234 undefined\n', stderr: '' });
  });

  it('passes a signal on, and waits for the program to end', async () => {
    const { root, launcher } = packageWith(
      `process.on('SIGTERM', () => setTimeout(() => process.exit(3), 100)); setInterval(() => {}, 1e6); console.log('ready');`,
    );
    const child = spawn(node, [launcher], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(3);
  });

  it('writes an .env for its owner alone, and never over one', () => {
    const { root, launcher } = packageWith('');
    const cwd = temporaryDir();
    expect(run(node, launcher, ['init'], cwd).status).toBe(0);
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
    // A page is found from any folder.
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toContain(
      `${join(root, 'docs', 'configuration.md')} explains`,
    );
    writeFileSync(join(cwd, '.env'), 'mine');
    expect(run(node, launcher, ['init'], cwd)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already'),
    });
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('mine');
  });

  it('says its version and its commands, and refuses others', () => {
    const { root, launcher } = packageWith('');
    for (const word of ['--version', '-v'])
      expect(run(node, launcher, [word], root).stdout).toBe('1.2.3 (abcdef01)\n');
    for (const word of ['--help', '-h'])
      expect(run(node, launcher, [word], root).stdout).toContain('finclaw init');
    // Its script is not in this package.
    expect(run(node, launcher, ['doctor'], root)).toMatchObject({ status: 1, stdout: '' });
  });
});

it('says in one sentence what to do where Node 26 was not installed', () => {
  const node = MACHINES_NODE;
  const { root, launcher } = packageWith('console.log("runs");', { hasNode: false });
  const { status, stdout, stderr } = run(node, launcher, [], root);
  if (isOld)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The package node-\S+, which brings Node 26, was not installed: .+\n$/),
    });
  else expect(stdout).toBe('runs\n');
});

describe('where the bundled Node does not run', () => {
  const node = MACHINES_NODE;
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  /** npm puts the folder of links first, and has linked the broken Node there before it runs a script. */
  const install = (root: string) => {
    cpSync(join(ROOT, 'scripts/link-node.js'), join(root, 'scripts/link-node.js'));
    const bin = join(root, 'node_modules/.bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    return spawnSync('sh', ['-c', scripts['postinstall'] ?? ''], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), npm_node_execpath: node },
    });
  };

  it.each([
    {
      lacks: 'libatomic',
      bundled: `echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory" >&2; exit 127`,
      sentence: /needs libatomic\.so\.1, .*libatomic1 \(Debian, Ubuntu\) or libatomic \(Fedora, RHEL\)/,
    },
    {
      lacks: 'another library',
      bundled: `echo "node: error while loading shared libraries: libodd.so.2: no" >&2; exit 127`,
      sentence: /needs libodd\.so\.2, .*Install the package with libodd\.so\.2/,
    },
    {
      lacks: 'something else',
      bundled: 'echo Killed >&2; exit 137',
      sentence: /does not run here: Killed$/m,
    },
  ])(
    'for want of $lacks, the launcher and the installation say so in a sentence',
    ({ bundled, sentence }) => {
      const { root, launcher } = packageWith('console.log("runs");', { bundled });
      const { status, stdout, stderr } = run(node, launcher, [], root);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(sentence)]);
      // Other machines may run what is installed here, so the installation goes on. `npm start` gets the machine's own Node.
      expect(install(root)).toMatchObject({ status: 0, stderr: expect.stringMatching(sentence) });
      expect(readdirSync(join(root, 'node_modules/.bin'))).toEqual([]);
    },
  );

  it('for want of glibc, it says so too', () => {
    const { root, launcher } = packageWith('');
    const [name = ''] = readdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules', name, 'bin/node'), '#!/lib/no-such-loader\n');
    expect(run(node, launcher, [], root)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/needs glibc, which this machine lacks \(Alpine/),
    });
  });
});

it('npm start is the launcher, and sets the link to the bundled Node where npm was not allowed to', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const { root } = packageWith('console.log(isPreloaded, process.env.NODE_COMPILE_CACHE);', {
    extension: 'ts',
  });
  const { stdout, stderr } = spawnSync('sh', ['-c', scripts['start'] ?? ''], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: [join(root, 'node_modules/.bin'), pathWithoutProject()].join(delimiter) },
  });
  expect({ stdout, stderr }).toEqual({
    stdout: `true ${join(root, 'node_modules/.cache/node')}\n`,
    stderr: '',
  });
  expect(readlinkSync(join(root, 'node_modules/.bin/node'))).toMatch(/^\.\.\/node-.*\/bin\/node$/);
});

it.runIf(isOld)(
  'npm test on another Node says in one sentence what to do, instead of finding no tests',
  () => {
    const { status, stdout, stderr } = run(
      MACHINES_NODE,
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      ['list'],
      ROOT,
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The tests need Node 26, .+\. Run: npm test\n$/),
    });
  },
);
