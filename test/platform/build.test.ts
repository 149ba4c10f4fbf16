import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Build,
  buildFields,
  describeBuild,
  isNewerBuild,
  readBuild,
  versionNumber,
} from '#src/platform/build.ts';
import { temporaryDir } from '#test/support/database.ts';

const AT = '2026-11-19T06:21:31Z';

/** A folder with a program of version 1.2.3. */
const programIn = (fields: object = {}): string => {
  const root = temporaryDir();
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version: '1.2.3', ...fields }));
  return root;
};

/** Git without the settings of this machine, at one moment. */
const git = (cwd: string, ...parameters: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann Lee', '-c', 'user.email=ann@example.com', ...parameters], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-11-19T15:21:31+09:00',
    },
  }).trim();

const headOf = (root: string): string => git(root, 'rev-parse', 'HEAD');

const checkout = (...more: readonly string[]): string => {
  const root = programIn();
  git(root, 'init', '--initial-branch', 'feature/one', ...more);
  git(root, 'add', 'package.json');
  git(root, 'commit', '--message', 'first\n\ncommitter Bob <b> 1 +0000');
  return root;
};

/** Commits that git packs as differences from each other. */
const MANY = Array.from({ length: 20 }, (_, number) => {
  const words = Array.from({ length: 60 }, (__, word) => `Word ${word * 7_919} of a long message.`);
  const message = [String(number + 10), ...words].join('\n');
  const who = `committer Ann <ann@example.com> ${1_700_000_000 + number} +0900`;
  return `commit refs/heads/many\n${who}\ndata ${message.length}\n${message}\n`;
});

describe.runIf(spawnSync('git', ['--version']).error === undefined)('the build of a checkout', () => {
  it.each<[where: string, change: (root: string) => void]>([
    ['on a branch', () => undefined],
    ['whose branches and commits are packed', (root) => void git(root, 'gc')],
    ['that is on no branch', (root) => void git(root, 'checkout', '--detach')],
    [
      'with a long message',
      (root) => void git(root, 'commit', '--allow-empty', '--message', randomBytes(20_000).toString('hex')),
    ],
  ])('%s is what git says', (_, change) => {
    const root = checkout();
    change(root);
    expect(readBuild(root)).toEqual({ version: '1.2.3', commit: headOf(root), date: AT });
  });

  it('is read where git has packed it as a difference from another commit', () => {
    const root = checkout();
    execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: MANY.join('') });
    git(root, 'gc');
    const [index = ''] = globSync(join(root, '.git/objects/pack/*.idx'));
    const differences =
      git(root, 'verify-pack', '-v', index).match(/^\w+(?= commit \d+ \d+ \d+ \d+ \w+$)/gm) ?? [];
    expect(differences.length).toBeGreaterThan(10);
    for (const commit of differences.slice(0, 3)) {
      writeFileSync(join(root, '.git/HEAD'), `${commit}\n`);
      const seconds = Number(git(root, 'show', '--no-patch', '--format=%ct', commit));
      const date = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toString();
      expect(readBuild(root)).toEqual({ version: '1.2.3', commit, date });
    }
  });

  it('is read where hashes are long', () => {
    const root = checkout('--object-format', 'sha256');
    git(root, 'gc');
    expect(headOf(root)).toHaveLength(64);
    expect(readBuild(root)).toEqual({ version: '1.2.3', commit: headOf(root), date: AT });
  });

  it.each(['loose', 'packed'])('in a worktree is that of its own branch (%s)', (kind) => {
    const root = checkout();
    const worktree = join(temporaryDir(), 'beside');
    git(root, 'worktree', 'add', '-b', 'beside', worktree);
    git(worktree, 'commit', '--allow-empty', '--message', 'second');
    if (kind === 'packed') git(root, 'gc');
    expect(readBuild(worktree)).toEqual({ version: '1.2.3', commit: headOf(worktree), date: AT });
    expect(readBuild(root).commit).not.toBe(headOf(worktree));
  });

  it.each([
    ['the date', '.git/objects', true],
    ['the commit', '.git/refs', false],
    ['both', '.git', false],
  ])('does not guess %s without %s', (_, gone, isKnown) => {
    const root = checkout();
    const commit = headOf(root);
    rmSync(join(root, gone), { recursive: true });
    expect(readBuild(root)).toEqual({ version: '1.2.3', ...(isKnown && { commit }) });
  });

  it('has no date where the pack of its commit is damaged', () => {
    const root = checkout();
    git(root, 'gc');
    const [index = ''] = globSync(join(root, '.git/objects/pack/*.idx'));
    chmodSync(index, 0o600);
    writeFileSync(index, 'no index');
    expect(readBuild(root)).toEqual({ version: '1.2.3', commit: expect.any(String) });
  });

  it('is not that of the folder in which somebody has installed it', () => {
    const inside = join(checkout(), 'inside');
    cpSync(programIn(), inside, { recursive: true });
    expect(readBuild(inside)).toEqual({ version: '1.2.3' });
  });
});

describe('the build of a package or an image', () => {
  it.each<[build: object, expected: Omit<Build, 'version'>]>([
    [
      { commit: 'abcdef0123', date: '2026-11-19T15:21:31.5+09:00' },
      { commit: 'abcdef0123', date: AT },
    ],
    [{ commit: 'unknown', date: AT }, { date: AT }],
    [{ commit: '', date: 'yesterday' }, {}],
    [{}, {}],
  ])('is what was written into it: %j', (build, expected) => {
    expect(readBuild(programIn({ build }))).toEqual({ version: '1.2.3', ...expected });
  });
});

describe('a build', () => {
  it.each<[build: Build, described: string, fields: object]>([
    [
      { version: '0.1.0', commit: '1a80778fa40d75e3', date: AT },
      `0.1.0 (1a80778f, ${AT})`,
      { version: '0.1.0', commit: '1a80778fa40d75e3', date: AT },
    ],
    [
      { version: '0.1.0', date: AT },
      `0.1.0 (commit unknown, ${AT})`,
      { version: '0.1.0', commit: 'unknown', date: AT },
    ],
    [
      { version: '0.1.0-rc.1', commit: '1a80778f' },
      '0.1.0-rc.1 (1a80778f)',
      { version: '0.1.0-rc.1', commit: '1a80778f', date: 'unknown' },
    ],
    [
      { version: '0.1.0' },
      '0.1.0 (commit unknown)',
      { version: '0.1.0', commit: 'unknown', date: 'unknown' },
    ],
  ])('says what is not known: %j', (build, described, fields) => {
    expect(describeBuild(build)).toBe(described);
    expect(buildFields(build)).toEqual(fields);
    expect(versionNumber(described)).toBe(build.version);
  });

  it.each([
    ['0.2.0', '0.1.9'],
    ['0.10.0', '0.9.0'],
    ['1.0.0', '1.0.0-rc.1'],
    ['1.0.0-rc.10', '1.0.0-rc.2'],
    ['1.0.0-rc', '1.0.0-beta.3'],
    ['1.0.0-rc.1', '1.0.0-rc'],
    ['0.2.0 (aaaaaaaa, 2026-01-01T00:00:00Z)', '0.1.0 (bbbbbbbb, 2026-02-01T00:00:00Z)'],
    ['0.1.0 (aaaaaaaa, 2026-02-01T00:00:00Z)', '0.1.0 (bbbbbbbb, 2026-01-31T23:59:59Z)'],
    ['0.1.0 (commit unknown, 2026-02-01T00:00:00Z)', '0.1.0 (commit unknown, 2026-01-01T00:00:00Z)'],
  ])('%s is newer than %s', (newer, older) => {
    expect([isNewerBuild(newer, older), isNewerBuild(older, newer)]).toEqual([true, false]);
  });

  it.each([
    ['0.1.0', '0.1.0'],
    ['0.1.0 (aaaaaaaa, 2026-02-01T00:00:00Z)', '0.1.0 (aaaaaaaa, 2026-01-01T00:00:00Z)'],
    ['0.1.0 (aaaaaaaa, 2026-02-01T00:00:00Z)', '0.1.0 (bbbbbbbb, 2026-02-01T00:00:00Z)'],
    ['0.1.0 (aaaaaaaa, 2026-02-01T00:00:00Z)', '0.1.0 (bbbbbbbb)'],
    ['0.1.0 (aaaaaaaa, 2026-02-01T00:00:00Z)', '0.1.0'],
  ])('neither of %s and %s is newer', (one, other) => {
    expect([isNewerBuild(one, other), isNewerBuild(other, one)]).toEqual([false, false]);
  });
});
